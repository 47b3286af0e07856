/* SPDX-License-Identifier: Apache-2.0 */
/* Waypoints as a profile writes them: "x y; x y; ...", metres in the frame of odometry. Pure logic.
 */
#ifndef DPL_NAV_WAYPOINT_LIST_H
#define DPL_NAV_WAYPOINT_LIST_H

#include "waypoints.h"

/* Fills route->waypoints and route->count (0 for an empty text). -EINVAL with the offset of the
 * byte that does not fit: a word that is no finite number, a pair that is not whole, more than
 * DPL_NAV_MAX_WAYPOINTS. */
int dpl_nav_waypoints_parse(struct dpl_nav_route_config *route, const char *text,
                            size_t *ret_offset);

#endif
