/* SPDX-License-Identifier: Apache-2.0 */
/* How the run goes at present: /run/state, /run/components, /executors/<name>. The observer's
 * thread looks at what others have published, and tells what has changed, and each second. */
#ifndef DOPPEL_OBSERVE_RUN_TOPICS_H
#define DOPPEL_OBSERVE_RUN_TOPICS_H

#include "topics.h"

struct dpl_runtime;
struct dpl__run_topics;

/* What the runtime's model does not say. */
struct dpl__run_look {
    bool has_hardware, may_control, has_ended;
    const char *controller; /* who has the control, or publishes; "": nobody */
};

/* Adds the topics; *ret belongs to their arena. 0, or as dpl__topics_add. */
int dpl__run_topics_add(struct dpl__topics *topics, struct dpl_runtime *runtime,
                        struct dpl__run_topics **ret, struct dpl_diag *reterr);
/* Called often. */
void dpl__run_topics_turn(struct dpl__run_topics *run, const struct dpl__run_look *look);

#endif
