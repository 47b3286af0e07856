/* SPDX-License-Identifier: Apache-2.0 */
/* The fixed obstacles of a world, seen from above: the constant channels "obstacles" and
 * "obstacle_names" (docs/design/worlds.md), and the outlines of obstacles at a height. Pure. */
#ifndef DOPPEL_SIM_OUTLINE_H
#define DOPPEL_SIM_OUTLINE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A solid in the channel: kind (enum dpl_sim_kind), x y z of its centre (m), yaw (rad), size x y z
 * (m, of boxes), radius, height (m, of the others), whether its axis is along x (0 or 1). */
#define DPL_SIM_SOLID_NUMBERS 11

#define DPL_SIM_OBSTACLES      "obstacles"
#define DPL_SIM_OBSTACLE_NAMES "obstacle_names" /* bytes of UTF-8, one a number */
#define DPL_SIM_NAME_END       10               /* the number after each name */
/* Numbers, from 0, of the solids that are transparent for sensors. A world without such solids has
 * no such list. */
#define DPL_SIM_TRANSPARENT    "transparent_obstacles"

/* A list longer than a page is also available as constants "obstacles/1/page", "obstacles/2/page"
 * and so on. Each has this many numbers, the last one may have fewer: a size that every link can
 * transfer. */
#define DPL_SIM_PAGE_NUMBERS 4000

/* A segment from (x, y) to (x + dx, y + dy), or, with radius > 0, a circle around (x, y), in m.
 * `object`: the number of its solid in the channel. */
struct dpl_sim_outline {
    double x, y, dx, dy, radius;
    int object;
};

/* The exact outlines of `n` solids at `height_m` above the ground, into ret_outlines[most]. A solid
 * has up to DPL_SIM_OUTLINES_A_SOLID. Returns their number; -ENOSPC: more than `most`; -EINVAL: a
 * number is not valid for a world. */
#define DPL_SIM_OUTLINES_A_SOLID 4
int dpl_sim_outlines(const double (*solids)[DPL_SIM_SOLID_NUMBERS], size_t n, double height_m,
                     struct dpl_sim_outline *ret_outlines, size_t most);

/* Straight pieces of the outlines of `n` solids at `height_m` above the ground: x1 y1 x2 y2 each,
 * in m, into ret_pieces[most]. A circle becomes a polygon with 16 corners around it. Returns their
 * number; -ENOSPC: more than `most`; -EINVAL: a number is not valid for a world. */
int dpl_sim_outline(const double (*solids)[DPL_SIM_SOLID_NUMBERS], size_t n, double height_m,
                    double (*ret_pieces)[4], size_t most);

#ifdef __cplusplus
}
#endif

#endif
