/* SPDX-License-Identifier: Apache-2.0 */
/* Output ports as topics: "/<Component>/<port>", encoded as protobuf. */
#ifndef DOPPEL_OBSERVE_PORT_TOPIC_H
#define DOPPEL_OBSERVE_PORT_TOPIC_H

#include "topics.h"

struct dpl_runtime;

/* Adds a topic for each output port of an observed runtime that is wired. Events without data have
 * messages without bytes. 0, -ENOMEM, -EEXIST, -E2BIG with reterr. */
int dpl__port_topics_add(struct dpl__topics *topics, struct dpl_runtime *runtime,
                         struct dpl_diag *reterr);
/* Frees what the sources of these topics have allocated; before dpl__topics_finish. */
void dpl__port_topics_finish(struct dpl__topics *topics);

#endif
