/* SPDX-License-Identifier: Apache-2.0 */
/* How far the robot could go straight in every direction: a polar histogram of free travel. */
#ifndef DPL_NAV_SECTORS_H
#define DPL_NAV_SECTORS_H

#include "points.h"

#define DPL_NAV_SECTORS  120
#define DPL_NAV_BEARINGS 120

/* The nearest point in each three degrees around the robot. What lies behind it at the same bearing
 * cannot be reached before it. nearest_m[i] is infinite where there is none. */
struct dpl_nav_bearings {
    double nearest_m[DPL_NAV_BEARINGS], angle_rad[DPL_NAV_BEARINGS];
};

/* `points` are in the robot's frame. */
void dpl_nav_bearings_build(struct dpl_nav_bearings *bearings, const struct dpl_nav_points *points);

/* free_m[i]: free travel of the disc in the direction of `dpl_nav_sector_angle(i)`, in the robot's
 * frame. Sector 0 points backwards, the middle one forwards. */
struct dpl_nav_sectors {
    double free_m[DPL_NAV_SECTORS];
};

/* Direction of a sector's middle in radians, in (-pi, pi). */
double dpl_nav_sector_angle(size_t sector);

/* The sector that contains a direction. */
size_t dpl_nav_sector_of(double angle_rad);

/* Free travel, at most `limit_m`, of a disc of `radius_m` among what `bearings` tells.
 * Points within the disc block every direction that leads towards them.
 * After Ulrich and Borenstein, "VFH+", ICRA 1998: obstacles are widened by the robot's radius. */
void dpl_nav_sectors_build(struct dpl_nav_sectors *sectors, const struct dpl_nav_bearings *bearings,
                           double radius_m, double limit_m);

/* The request for a direction of travel; angles in [-pi, pi]. */
struct dpl_nav_steering {
    double wish_rad; /* where one wants to go */
    double last_rad; /* the direction chosen before: changing one's mind costs */
    double need_m;   /* free travel that a direction must offer */
    double most_rad; /* largest deviation from the wish */
};

/* The best direction for a request; false if none offers what is needed. */
bool dpl_nav_sectors_steer(const struct dpl_nav_sectors *sectors,
                           const struct dpl_nav_steering *request, double *ret_rad);

#endif
