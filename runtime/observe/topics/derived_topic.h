/* SPDX-License-Identifier: Apache-2.0 */
/* Topics whose messages are made from those of others, by a table of converters. Who listens on one
 * listens on what it is made from. */
#ifndef DOPPEL_OBSERVE_DERIVED_TOPIC_H
#define DOPPEL_OBSERVE_DERIVED_TOPIC_H

#include "bytes.h"
#include "topics.h"

/* For each topic and each converter of its type: adds the new topic. 0; -E2BIG, -ENOMEM with
 * reterr. */
int dpl__derived_topics_add(struct dpl__topics *topics, const struct dpl_converter *converters,
                            size_t n, struct dpl_diag *reterr);

/* After each message of `from` the bytes `made` (0: none) are a message of topic `name`, which
 * others may feed, too, and which is added when it is not there. Who listens on it listens on
 * `from`. NULL as dpl__topics_add, or a port has that name (-EEXIST). */
struct dpl__topic *dpl__derived_topics_feed(struct dpl__topics *topics, const char *name,
                                            const struct ProtobufCMessageDescriptor *type,
                                            struct dpl__topic *from, const struct dpl_bytes *made,
                                            struct dpl_diag *reterr);

/* Makes the messages of all topics on which somebody listens and that are made from this one. */
void dpl__derived_topics_give(const struct dpl__topic *topic, const struct dpl_sample *sample,
                              void (*give)(void *user, const struct dpl__topic *topic,
                                           const struct dpl_sample *sample),
                              void *user);

#endif
