/* SPDX-License-Identifier: Apache-2.0 */
/* Hands of those who look, in the worlds of a run: what they may put (/run/world_inputs), and what
 * they hold now (/run/hands). On the observer's thread. */
#ifndef DOPPEL_OBSERVE_HANDS_H
#define DOPPEL_OBSERVE_HANDS_H

#include <doppel/host/scene.h>

#include "topics.h"

struct dpl_runtime;
struct dpl__hands;

/* An input of a world. */
struct dpl__hand_at {
    size_t scene, channel;
    const struct dpl_channel_desc *desc;
    const char *path; /* as those outside name it: "/world/<path>" without "/world/" */
};

/* Adds the topics; *ret belongs to their arena. NULL: the run has no world that takes anything. 0,
 * or as dpl__topics_add. */
int dpl__hands_add(struct dpl__topics *topics, struct dpl_runtime *runtime,
                   struct dpl_scene *const *scenes, size_t n, struct dpl__hands **ret,
                   struct dpl_diag *reterr);
/* Called often. NULL: nothing. */
void dpl__hands_turn(struct dpl__hands *hands);

/* Finds an input: 0; -ENOENT with the most similar path; -EINVAL: it is an output. */
int dpl__hands_find(const struct dpl__hands *hands, const char *path, struct dpl__hand_at *ret_at,
                    struct dpl_diag *reterr);
/* Puts a value that dpl_channel_parse has made; NULL: lets go. As `put` of doppel/host/runtime.h,
 * also -ENOSPC: hands hold too much. `who` is copied. */
int dpl__hands_put(struct dpl__hands *hands, const struct dpl__hand_at *at, const void *value,
                   dpl_ns hold, const char *who, struct dpl_diag *reterr);
/* As `hand` of doppel/host/runtime.h. */
int dpl__hands_look(const struct dpl__hands *hands, const struct dpl__hand_at *at,
                    struct dpl_diag *reterr);

#endif
