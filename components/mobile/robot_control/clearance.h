/* SPDX-License-Identifier: Apache-2.0 */
/* Computes how far a disc can move among points before it touches one. */
#ifndef DPL_NAV_CLEARANCE_H
#define DPL_NAV_CLEARANCE_H

#include "points.h"

/* Distance from the origin to the nearest point, and the index of that point; without points
 * `none_m` and the count. `ret_index` may be NULL. */
double dpl_nav_nearest(const struct dpl_nav_points *points, double none_m, size_t *ret_index);

/* Path length in metres, at most `limit_m`, that a disc of radius `radius_m`, starting at the
 * origin heading along +x, covers on the arc of `curvature` (1/m, left positive; backwards if
 * `backwards`) before it touches a point. A point already inside the disc counts as touched only if
 * the motion goes towards it, so that the robot can always move away from a point that is too
 * close. Geometry: Fox, Burgard, Thrun, "The dynamic window approach", 1997, section 3.2. */
double dpl_nav_free_arc(const struct dpl_nav_points *points, double radius_m, double curvature,
                        bool backwards, double limit_m);

/* The stopping distance of a robot that drives at `speed` for `reaction_s` and then brakes. */
double dpl_nav_stopping_distance(double speed, double reaction_s, double deceleration);

/* The speed whose stopping distance is `distance_m`; 0 for a distance that is not positive. */
double dpl_nav_admissible_speed(double distance_m, double reaction_s, double deceleration);

#endif
