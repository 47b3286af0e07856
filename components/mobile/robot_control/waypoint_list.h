/* SPDX-License-Identifier: Apache-2.0 */
/* Waypoints in the format of a profile: "x y; x y; ...", metres in the frame of odometry. Pure
 * logic. */
#ifndef DPL_NAV_WAYPOINT_LIST_H
#define DPL_NAV_WAYPOINT_LIST_H

#include "waypoints.h"

/* Fills route->waypoints and route->count (0 for an empty text). -EINVAL with the offset of the
 * wrong byte: a word that is not a finite number, an incomplete pair, more than
 * DPL_NAV_MAX_WAYPOINTS. */
int dpl_nav_waypoints_parse(struct dpl_nav_route_config *route, const char *text,
                            size_t *ret_offset);

#endif
