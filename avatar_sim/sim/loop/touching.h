/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two objects of a world, which are given by name, touch. */
#ifndef DOPPEL_SIM_TOUCHING_H
#define DOPPEL_SIM_TOUCHING_H

#include <doppel/sim/world.h>

/* Numbers of what touches, as in struct dpl_sim_contact: `n` from `first` on. n 0: the ground. */
struct touching_object {
    int first, n;
};

/* "ROBOT/BODY", "ROBOT", an obstacle or "ground". 0, or -EINVAL with reterr (without a place). */
int touching_find(const struct dpl_world *world, const char *name,
                  struct touching_object *ret_object, struct dpl_diag *reterr);

/* In the newest step. Both may not be the ground. */
bool touching_is(const struct dpl_world *world, struct touching_object a, struct touching_object b);

#endif
