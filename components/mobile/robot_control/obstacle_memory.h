/* SPDX-License-Identifier: Apache-2.0 */
/* Obstacles that the laser cannot see now: points that it saw before and that are behind the robot
 * or hidden, and points that somebody else knows of. */
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

#define DPL_NAV_MAX_TOLD 64

/* Points that no scan shows and that somebody else knows of: a bench below the laser, glass. They
 * are kept for some time, because nothing the robot sees confirms or refutes them. A ring, in the
 * frame of the robot's pose. Zeroed: empty. */
struct dpl_nav_told {
    size_t count, next;
    double x[DPL_NAV_MAX_TOLD], y[DPL_NAV_MAX_TOLD], until_s[DPL_NAV_MAX_TOLD];
};

/* Keeps a point until `until_s`, or a known one near it for longer. When there are too many the
 * oldest is forgotten. A point that is not finite is ignored. */
void dpl_nav_told_add(struct dpl_nav_told *told, double x, double y, double until_s);

/* Forgets what was kept until before now. */
void dpl_nav_told_age(struct dpl_nav_told *told, double now_s);

/* Appends the points within `reach_m` of `origin`, in its frame. */
void dpl_nav_told_around(const struct dpl_nav_told *told, struct dpl_pose2 origin, double reach_m,
                         struct dpl_nav_points *points);

#endif
