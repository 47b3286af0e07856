/* SPDX-License-Identifier: Apache-2.0 */
/* A way through the local map. What is unknown is taken for free: the robot finds out. */
#ifndef DPL_NAV_PLANNER_H
#define DPL_NAV_PLANNER_H

#include "local_map.h"

#define DPL_NAV_MAP_AREA (DPL_NAV_MAP_CELLS * DPL_NAV_MAP_CELLS)

/* Work space; holds nothing from call to call. */
struct dpl_nav_planner {
    bool blocked[DPL_NAV_MAP_AREA];   /* to the robot's centre */
    uint16_t steps[DPL_NAV_MAP_AREA]; /* to the goal; 0 not reached */
    uint16_t queue[DPL_NAV_MAP_AREA];
};

struct dpl_nav_plan_request {
    struct dpl_pose2 robot, goal;
    double radius_m; /* that the way must offer around the robot's centre */
    double ahead_m;  /* how far along the way to look for the place to head for */
    double now_s;    /* barriers of before do not count */
};

struct dpl_nav_plan {
    struct dpl_pose2 place; /* to head for */
    double length_m;        /* of the way to the goal */
};

/* A place, at most `ahead_m` along a shortest way, to which the robot can go straight. False if
 * there is no way within the map. A goal outside of the map stands for the nearest place in it; for
 * one inside of an obstacle the free places next to it. Breadth first from the goal: at most some
 * 100 us. */
bool dpl_nav_plan(struct dpl_nav_planner *planner, const struct dpl_nav_map *map,
                  const struct dpl_nav_plan_request *request, struct dpl_nav_plan *ret_plan);

#endif
