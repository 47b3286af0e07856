/* SPDX-License-Identifier: Apache-2.0 */
/* A list of places to go to, one after the other, each for a bounded time. */
#ifndef DPL_NAV_WAYPOINTS_H
#define DPL_NAV_WAYPOINTS_H

#include <stddef.h>

#include <doppel/math/geometry.h>

#define DPL_NAV_MAX_WAYPOINTS 64

struct dpl_nav_waypoint {
    double x, y;
};

struct dpl_nav_route_config {
    struct dpl_nav_waypoint waypoints[DPL_NAV_MAX_WAYPOINTS];
    size_t count;
    bool loop;          /* after the last comes the first */
    double tolerance_m; /* a waypoint is reached within this distance */
    double patience_s;  /* time allowed for a waypoint beyond a slow way there */
    double speed_m_s;   /* of the robot: the way there may take four times its straight line */
};

struct dpl_nav_route {
    const struct dpl_nav_route_config *config; /* borrowed */
    size_t index;     /* of the present waypoint; the count when all is done */
    size_t reached;   /* how many were reached */
    size_t abandoned; /* how many were given up */
    double deadline_s;
    bool timed; /* the deadline belongs to the present waypoint */
};

enum dpl_nav_route_event {
    DPL_NAV_ROUTE_GOING,
    DPL_NAV_ROUTE_REACHED,   /* the last waypoint; the present one is the next */
    DPL_NAV_ROUTE_ABANDONED, /* the same, but not reached in time */
    DPL_NAV_ROUTE_DONE,      /* none is left */
};

/* `config` is borrowed for the life of `route`. */
void dpl_nav_route_init(struct dpl_nav_route *route, const struct dpl_nav_route_config *config);

/* Moves on if the present waypoint is reached or its time is over. */
enum dpl_nav_route_event dpl_nav_route_step(struct dpl_nav_route *route, struct dpl_pose2 pose,
                                            double now_s);

/* Gives up the present waypoint and goes on to the next. */
void dpl_nav_route_abandon(struct dpl_nav_route *route);

/* Moves the deadline of the present waypoint: time spent standing by order does not count. */
void dpl_nav_route_pause(struct dpl_nav_route *route, double duration_s);

/* The present waypoint; NULL when all is done. */
const struct dpl_nav_waypoint *dpl_nav_route_goal(const struct dpl_nav_route *route);

#endif
