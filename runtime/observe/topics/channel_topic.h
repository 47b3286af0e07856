/* SPDX-License-Identifier: Apache-2.0 */
/* Channels of worlds as topics with JSON messages: "/world/<path>" those of the run's own world,
 * "/world/<its name>/<path>" those of another one. Of two worlds of one name the second is
 * "<name>-2". Inputs have no topic; constants are latched. */
#ifndef DOPPEL_OBSERVE_CHANNEL_TOPIC_H
#define DOPPEL_OBSERVE_CHANNEL_TOPIC_H

#include <doppel/host/scene.h>

#include "topics.h"

/* What a full tap calls, so that nothing is lost. */
struct dpl__patience {
    void (*make_room)(void *user);
    void *user;
};

/* Adds the topics of `n` worlds, which put their values from now on; before they move. `patience`
 * NULL: full taps drop. Returns how many were left out, because there are too many or a topic has
 * the name already; or -errno as dpl__topics_add. */
int dpl__channel_topics_add(struct dpl__topics *topics, struct dpl_scene *const *scenes, size_t n,
                            const struct dpl__patience *patience, struct dpl_diag *reterr);

/* What paths of scene `i` begin with: "" in the run's own world, "office/", "office-2/". A constant
 * text, or one in the arena. */
const char *dpl__channel_prefix(struct dpl_arena *arena, struct dpl_scene *const *scenes, size_t i);

#endif
