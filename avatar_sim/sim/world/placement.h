/* SPDX-License-Identifier: Apache-2.0 */
/* Room on the floor of a world: where something round fits between what is already there. Seen from
 * above; the height of things does not count. Pure. */
#ifndef DOPPEL_SIM_PLACEMENT_H
#define DOPPEL_SIM_PLACEMENT_H

#include <doppel/math/random.h>
#include <doppel/sim/model.h>

/* The distance in m from a point to the footprint of a solid; 0 inside. */
double dpl__placement_distance(const struct dpl_sim_shape *shape, double x, double y);

/* What is looked for: the centre of a disc of `radius` within the rectangle, at least `clearance`
 * from every obstacle and every robot except number `except` (-1: none). */
struct dpl_placement {
    double x1, y1, x2, y2, radius, clearance;
    int except;
};

/* Tries random points: 0 with ret_xy[2], or -ENOSPC after many tries in vain. */
int dpl__placement_find(const struct dpl_sim_model *model, const struct dpl_placement *wanted,
                        struct dpl_random *rng, double *ret_xy);

#endif
