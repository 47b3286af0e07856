/* SPDX-License-Identifier: Apache-2.0 */
/* Points that no scan shows and that somebody else knows of: a bench below the laser, glass. They
 * are kept for some time, because nothing the robot sees confirms or refutes them. */
#ifndef DPL_NAV_TOLD_H
#define DPL_NAV_TOLD_H

#include "points.h"

#define DPL_NAV_MAX_TOLD 64

/* A ring, in the frame of the robot's pose. Zeroed: empty. */
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
