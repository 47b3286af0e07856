/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes as seen from above, and how far they are apart. A footprint is a rectangle with rounded
 * corners (a point that is rounded is a disc) between two heights. Pure. */
#ifndef DOPPEL_SIM_FOOTPRINT_H
#define DOPPEL_SIM_FOOTPRINT_H

#include <stdbool.h>

#include <doppel/math/geometry.h>
#include <doppel/sim/shape.h>

struct dpl_footprint {
    double x, y, cos, sin;         /* of its centre; its turn */
    double half_x, half_y, radius; /* of the rectangle; of the corners */
    double low, high;              /* heights */
};

struct dpl_footprint dpl__footprint_of(const struct dpl_sim_shape *shape);

/* The same on a robot that stands at a pose. */
struct dpl_footprint dpl__footprint_at(const struct dpl_footprint *footprint,
                                       struct dpl_pose2 pose);

/* The radius around (x, y) that holds it. */
double dpl__footprint_reach(const struct dpl_footprint *footprint);

/* The distance between two of them, in m: 0 when they overlap, INFINITY when one is above the
 * other. ret_point: the point of `b` that is nearest to `a`; within both when they overlap; NULL:
 * not asked for. */
double dpl__footprint_gap(const struct dpl_footprint *a, const struct dpl_footprint *b,
                          double ret_point[2]);

#endif
