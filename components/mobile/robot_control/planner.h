/* SPDX-License-Identifier: Apache-2.0 */
/* A path through the local map. Unknown cells count as free until the robot has seen them. */
#ifndef DPL_NAV_PLANNER_H
#define DPL_NAV_PLANNER_H

#include "local_map.h"

#define DPL_NAV_MAP_AREA (DPL_NAV_MAP_CELLS * DPL_NAV_MAP_CELLS)

/* Work space; keeps nothing between calls. */
struct dpl_nav_planner {
    bool blocked[DPL_NAV_MAP_AREA];   /* for the robot's centre */
    uint16_t steps[DPL_NAV_MAP_AREA]; /* to the goal; 0: not reached */
    uint16_t queue[DPL_NAV_MAP_AREA];
};

struct dpl_nav_plan_request {
    struct dpl_pose2 robot, goal;
    double radius_m; /* free radius around the robot's centre on the path */
    double ahead_m;  /* distance along the path at which the target place is searched */
    double now_s;    /* barriers that end before this time are ignored */
};

struct dpl_nav_plan {
    struct dpl_pose2 place; /* to drive to */
    double length_m;        /* of the path to the goal */
};

/* A place, at most `ahead_m` along a shortest path, to which the robot can drive straight. False if
 * the map has no path. A goal outside of the map is replaced by the nearest place in the map, a
 * goal in an obstacle by the free places next to it. Breadth-first search from the goal: at most
 * about 100 us. */
bool dpl_nav_plan(struct dpl_nav_planner *planner, const struct dpl_nav_map *map,
                  const struct dpl_nav_plan_request *request, struct dpl_nav_plan *ret_plan);

#endif
