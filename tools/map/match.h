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
    double score; /* mean weight of the points, 0 to 1: how well they fit */
};

/* Gauss-Newton over the distances of the points from the surfaces, along their normals (point to
 * line, Censi, ICRA 2008), with a robust weight (Geman-McClure) and the prior as a further
 * observation, so that a direction which no surface shows keeps the odometry's value. Surfaces are
 * looked for within 0.3 m at first, within 0.1 m in the end. A range has sigma max(10 mm, 1 %).
 * Does not allocate. */
struct match match_scan(const struct surfels *map, const struct scan_point *points, size_t n,
                        const struct match_prior *prior);

/* The same, from many starts around the prior (0.1 m and 0.2 m, 5 and 10 deg), for a scan that does
 * not fit as it should: wheels that slip turn the odometry by more than one start finds back. The
 * best score wins, but one start beside the prior needs clearly more than the prior's own. */
struct match match_scan_around(const struct surfels *map, const struct scan_point *points, size_t n,
                               const struct match_prior *prior);

#endif
