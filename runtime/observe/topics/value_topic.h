/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a field table as a topic with JSON messages: exports of a component, counters of an
 * executor. Whoever owns the values copies the struct into the topic's tap. */
#ifndef DOPPEL_OBSERVE_VALUE_TOPIC_H
#define DOPPEL_OBSERVE_VALUE_TOPIC_H

#include "row_topic.h"

struct dpl__value_topic {
    const char *name, *summary;
    const struct dpl_field *fields; /* they outlive the topics */
    size_t n_fields, size;          /* of the struct */
    bool is_present;                /* how the run goes: latched, and no part of recordings */
    bool are_events;                /* rare, and each is for who joins late, too */
};

/* Adds the topic; *ret_tap takes rows of `size` bytes: the struct. 0, or as dpl__topics_add. */
int dpl__value_topic_add(struct dpl__topics *topics, const struct dpl__value_topic *described,
                         struct dpl__row_tap **ret_tap, struct dpl_diag *reterr);

#endif
