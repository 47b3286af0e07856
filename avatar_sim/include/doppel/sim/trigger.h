/* SPDX-License-Identifier: Apache-2.0 */
/* A trigger: an expression over the channels of a world, "[lift/car/velocity[2]] < -2 or
 * [touch(lift/car, pit)]". The language is that of files and test plans; what is in brackets is a
 * channel or an element of it, or whether two objects touch. An object is "ROBOT/BODY", a robot,
 * the name of an obstacle, or `ground` (of what the subsystem `bullet` moves). One thread, that of
 * the world. */
#ifndef DOPPEL_SIM_TRIGGER_H
#define DOPPEL_SIM_TRIGGER_H

#include <doppel/sim/channels.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_trigger;

/* World and channels are borrowed and must outlive it; the text is copied. 0, -ENOMEM, or -EINVAL
 * with reterr (without a place), which says at which character. Allocates. */
int dpl_trigger_create(const struct dpl_world *world, const struct dpl_world_channels *channels,
                       const char *text, struct dpl_trigger **ret_trigger, struct dpl_diag *reterr);
void dpl_trigger_destroy(struct dpl_trigger *trigger); /* NULL: nothing */

/* Whether it holds now, between steps. A channel that has no value yet: it does not. 0, or -EINVAL
 * with reterr: it has no value (a division by 0). Allocates nothing. */
int dpl_trigger_holds(struct dpl_trigger *trigger, bool *ret_holds, struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
