/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds as topics: "/scene" has what is always there (latched), "/scene/live" what comes and goes,
 * "/tf" the frames of bodies. Of each world a row of all poses comes by a tap; what has moved since
 * the last message is sent, and all of it each second. */
#ifndef DOPPEL_OBSERVE_SCENE_TOPIC_H
#define DOPPEL_OBSERVE_SCENE_TOPIC_H

#include <doppel/host/scene.h>

#include "row_tap.h"
#include "topics.h"

struct dpl__scenes;

/* Adds the topics of `n` worlds (0: none), which put their rows from now on; before they move. 0,
 * or as dpl__topics_add. */
int dpl__scene_topics_add(struct dpl__topics *topics, struct dpl_scene *const *scenes, size_t n,
                          struct dpl__scenes **ret_scenes, struct dpl_diag *reterr);
/* On the simulated clock: a full tap calls it, and nothing is lost. */
void dpl__scenes_be_patient(struct dpl__scenes *scenes, void (*make_room)(void *user), void *user);
/* Frees what the sources have allocated; before dpl__topics_finish. NULL: nothing. */
void dpl__scenes_finish(struct dpl__scenes *scenes);

#endif
