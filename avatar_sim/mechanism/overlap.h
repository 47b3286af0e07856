/* SPDX-License-Identifier: Apache-2.0 */
/* How far solids are apart, for the check of a mechanism at its start. */
#ifndef DOPPEL_SIM_OVERLAP_H
#define DOPPEL_SIM_OVERLAP_H

#include <doppel/sim/solid.h>

/* A solid as a box with half edges `half`, which may be 0, grown by `round`: boxes, spheres and
 * capsules are such; of the others it is the bounding box. A plane: all below z = 0. A height
 * field: all below the highest point under the other's bounding box in its axes. */
struct dpl__core {
    struct dpl_pose3 pose;
    double half[3], round;
    double reach; /* m: all of it is within, from its centre; a plane: INFINITY */
    bool is_plane, is_exact;
    const struct dpl_sim_field *field; /* NULL: it is none. Borrowed from the solid */
};

/* `body`: where the solid's body is. */
struct dpl__core dpl__core_of(const struct dpl_sim_solid *solid, const struct dpl_pose3 *body);

/* The distance in m between two; negative: the depth by which they overlap. The sign is exact for
 * cores. So is the depth of two boxes. Between boxes, and where two are further apart than a tenth
 * of their reach, the distance is a lower bound; so it is over a height field. Two planes, or what
 * never moves against a height field: INFINITY. */
double dpl__core_gap(const struct dpl__core *a, const struct dpl__core *b);

#endif
