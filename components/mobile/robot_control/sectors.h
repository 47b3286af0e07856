/* SPDX-License-Identifier: Apache-2.0 */
/* Free straight travel of the robot in each direction: a polar histogram. */
#ifndef DPL_NAV_SECTORS_H
#define DPL_NAV_SECTORS_H

#include "points.h"

#define DPL_NAV_SECTORS  120
#define DPL_NAV_BEARINGS 120

/* The nearest point in each three degrees around the robot. Points behind it at the same bearing
 * cannot be reached first. nearest_m[i] is infinite where there is no point. */
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

/* Free travel, at most `limit_m`, of a disc of `radius_m` among the points of `bearings`. Points
 * within the disc block every direction that leads towards them. After Ulrich and Borenstein,
 * "VFH+", ICRA 1998: obstacles are widened by the robot's radius. */
void dpl_nav_sectors_build(struct dpl_nav_sectors *sectors, const struct dpl_nav_bearings *bearings,
                           double radius_m, double limit_m);

/* The request for a direction of travel; angles in [-pi, pi]. */
struct dpl_nav_steering {
    double wish_rad; /* wanted direction */
    double last_rad; /* the last chosen direction; changing it has a cost */
    double need_m;   /* free travel that a direction must have */
    double most_rad; /* largest deviation from the wanted direction */
};

/* The best direction for a request; false if no direction has enough free travel. */
bool dpl_nav_sectors_steer(const struct dpl_nav_sectors *sectors,
                           const struct dpl_nav_steering *request, double *ret_rad);

#endif
