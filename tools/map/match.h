/* SPDX-License-Identifier: Apache-2.0 */
/* Where a scan was measured: the pose at which its points lie best on the surfaces of a map. Pure.
 */
#ifndef DOPPEL_MAP_MATCH_H
#define DOPPEL_MAP_MATCH_H

#include "surfels.h"

struct match_prior {
    struct dpl_pose2 pose; /* by odometry */
    double sigma_m, sigma_rad;
};

struct match {
    struct dpl_pose2 pose;
    size_t used;  /* points with a surface near them */
    double share; /* of all points that lie within 3 sigma of their surface */
};

/* Gauss-Newton over the distances of the points from the surfaces, along their normals (point to
 * line, Censi, ICRA 2008), with a robust weight (Geman-McClure) and the prior as a further
 * observation, so that a direction which no surface shows keeps the odometry's value. Surfaces are
 * looked for within 0.3 m at first, within 0.1 m in the end. A range has sigma max(10 mm, 1 %).
 * Points: at most every `stride`-th. Does not allocate. */
struct match match_scan(const struct surfels *map, const struct scan_point *points, size_t n,
                        const struct match_prior *prior);

#endif
