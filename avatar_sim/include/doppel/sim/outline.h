/* SPDX-License-Identifier: Apache-2.0 */
/* What stands still in a world, seen from above: the constant channel "obstacles" and its outlines
 * at a height. Pure. */
#ifndef DOPPEL_SIM_OUTLINE_H
#define DOPPEL_SIM_OUTLINE_H

#include <stddef.h>

/* A solid in the channel: kind (enum dpl_sim_kind), x y z of its centre (m), yaw (rad), size x y z
 * (m, of boxes), radius, height (m, of the others), whether it lies along x (0 or 1). */
#define DPL_SIM_SOLID_NUMBERS 11

/* Straight pieces of the outlines of `n` solids at `height_m` above the ground: x1 y1 x2 y2 each,
 * in m, into ret_pieces[most]. A circle becomes a polygon of 16 corners around it. Returns how many
 * there are, or -ENOSPC: more than `most`; -EINVAL: a number is none that a world gives. */
int dpl_sim_outline(const double (*solids)[DPL_SIM_SOLID_NUMBERS], size_t n, double height_m,
                    double (*ret_pieces)[4], size_t most);

#endif
