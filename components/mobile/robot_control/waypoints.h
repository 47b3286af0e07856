/* SPDX-License-Identifier: Apache-2.0 */
/* A list of places to visit in order, each with a time limit. */
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
    bool loop;          /* start again after the last one */
    double tolerance_m; /* a waypoint is reached within this distance */
    double patience_s;  /* time allowed for a waypoint in addition to a slow drive there */
    double speed_m_s; /* of the robot: the drive may take four times as long as the straight line */
};

struct dpl_nav_route {
    const struct dpl_nav_route_config *config; /* borrowed */
    size_t index;     /* of the current waypoint; the count when all are done */
    size_t reached;   /* how many were reached */
    size_t abandoned; /* how many were given up */
    double deadline_s;
    bool timed; /* the deadline belongs to the present waypoint */
};

enum dpl_nav_route_event {
    DPL_NAV_ROUTE_GOING,
    DPL_NAV_ROUTE_REACHED,   /* the last waypoint; the next one is now current */
    DPL_NAV_ROUTE_ABANDONED, /* the last waypoint was not reached in time; the next one is now
                                current */
    DPL_NAV_ROUTE_DONE,      /* none is left */
};

/* `config` is borrowed until the last use of `route`. */
void dpl_nav_route_init(struct dpl_nav_route *route, const struct dpl_nav_route_config *config);

/* Goes to the next waypoint if the current one is reached or its time is over. */
enum dpl_nav_route_event dpl_nav_route_step(struct dpl_nav_route *route, struct dpl_pose2 pose,
                                            double now_s);

/* Gives up the current waypoint and goes to the next. */
void dpl_nav_route_abandon(struct dpl_nav_route *route);

/* Moves the deadline of the current waypoint: the time of standing by command does not count. */
void dpl_nav_route_pause(struct dpl_nav_route *route, double duration_s);

/* The current waypoint; NULL when all are done. */
const struct dpl_nav_waypoint *dpl_nav_route_goal(const struct dpl_nav_route *route);

/* Waypoints in the format of a profile: "x y; x y; ...", metres in the frame of odometry. Pure
 * logic. */

/* Fills route->waypoints and route->count (0 for an empty text). -EINVAL with the offset of the
 * wrong byte: a word that is not a finite number, an incomplete pair, more than
 * DPL_NAV_MAX_WAYPOINTS. */
int dpl_nav_waypoints_parse(struct dpl_nav_route_config *route, const char *text,
                            size_t *ret_offset);

#endif
