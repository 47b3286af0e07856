/* SPDX-License-Identifier: Apache-2.0 */
/* Points that the laser saw before and cannot see now, because they are behind the robot or
 * hidden. */
#ifndef DPL_NAV_OBSTACLE_MEMORY_H
#define DPL_NAV_OBSTACLE_MEMORY_H

#include "points.h"

#define DPL_NAV_MAX_REMEMBERED 256

struct dpl_nav_memory {
    struct dpl_nav_points fresh; /* of the last scan, in the frame of the robot's pose */
    size_t count;                /* remembered points, in the same frame */
    double x[DPL_NAV_MAX_REMEMBERED], y[DPL_NAV_MAX_REMEMBERED];
    double seen_s[DPL_NAV_MAX_REMEMBERED];
    double fresh_s; /* stamp of `fresh` */
};

void dpl_nav_memory_clear(struct dpl_nav_memory *memory);

/* Adds a new scan, made with the robot at `robot`. Known points that this scan could not see are
 * kept for some time if they are near; the scan replaces the others. */
void dpl_nav_memory_update(struct dpl_nav_memory *memory, const struct dpl_nav_scan *scan,
                           const struct dpl_nav_beams *beams, struct dpl_pose2 robot);

/* All known points within `reach_m` of `origin`, in its frame: of the last scan and remembered
 * ones. */
void dpl_nav_memory_around(const struct dpl_nav_memory *memory, struct dpl_pose2 origin,
                           double reach_m, struct dpl_nav_points *ret_points);

#endif
