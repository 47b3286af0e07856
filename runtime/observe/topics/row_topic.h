/* SPDX-License-Identifier: Apache-2.0 */
/* Topics whose messages are the rows of a tap, encoded when the observer takes them. */
#ifndef DOPPEL_OBSERVE_ROW_TOPIC_H
#define DOPPEL_OBSERVE_ROW_TOPIC_H

#include <doppel/host/scene.h>

#include "bytes.h"
#include "row_tap.h"
#include "topics.h"

struct dpl__row_topic {
    size_t row_bytes, n_rows;
    /* Adds the row's message to `out`. */
    void (*encode)(const void *user, const struct dpl__row *row, struct dpl_bytes *out);
    const void *user;
};

/* Adds the topic; *ret_tap takes its rows. 0, or as dpl__topics_add. */
int dpl__row_topic_add(struct dpl__topics *topics, const struct dpl_topic *described,
                       const struct dpl__row_topic *rows, struct dpl__row_tap **ret_tap,
                       struct dpl_diag *reterr);
/* The side of a world: rows of `row_bytes`. */
struct dpl_scene_tap dpl__row_scene_tap(struct dpl__row_tap *tap);
/* Frees what the sources of these topics have allocated; before dpl__topics_finish. */
void dpl__row_topics_finish(struct dpl__topics *topics);

#endif
