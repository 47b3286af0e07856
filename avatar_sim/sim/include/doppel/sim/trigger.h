/* SPDX-License-Identifier: Apache-2.0 */
/* A trigger: an expression over the channels of a world, "[lift/car/velocity[2]] < -2 or
 * [touch(lift/car, pit)]". The language is that of files and test plans. In brackets is a channel
 * or an element of it, or `touch`: whether two objects are in contact. An object is "ROBOT/BODY", a
 * robot, the name of an obstacle, or `ground` (for objects of the subsystem `bullet`). Use it on
 * the thread of the world. */
#ifndef DOPPEL_SIM_TRIGGER_H
#define DOPPEL_SIM_TRIGGER_H

#include <doppel/sim/channels.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_trigger;

/* World and channels are borrowed and must outlive it; the text is copied. 0, -ENOMEM, or -EINVAL
 * with reterr (without a place), which names the position in the text. Allocates. */
int dpl_trigger_create(const struct dpl_world *world, const struct dpl_world_channels *channels,
                       const char *text, struct dpl_trigger **ret_trigger, struct dpl_diag *reterr);
void dpl_trigger_destroy(struct dpl_trigger *trigger); /* NULL: does nothing */

/* Whether the expression is true now, between steps. It is false if a channel has no value yet. 0,
 * or -EINVAL with reterr: the expression has no value (a division by 0). Does not allocate. */
int dpl_trigger_holds(struct dpl_trigger *trigger, bool *ret_holds, struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
