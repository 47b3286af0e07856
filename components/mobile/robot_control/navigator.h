/* SPDX-License-Identifier: Apache-2.0 */
/* Drives a round robot with a planar laser without touching obstacles: it wanders or visits
 * waypoints. All positions are in the frame of the given poses (odometry may drift); SI units,
 * radians. One owner, not thread-safe, no allocation, never blocks; the same inputs give the same
 * outputs. */
#ifndef DPL_NAV_NAVIGATOR_H
#define DPL_NAV_NAVIGATOR_H

#include "obstacle_memory.h"
#include "planner.h"
#include "pose_history.h"
#include "recovery.h"
#include "wander.h"
#include "waypoints.h"
#include "window.h"

enum dpl_nav_mode { DPL_NAV_WANDER, DPL_NAV_WAYPOINTS };

struct dpl_nav_config {
    double robot_radius_m; /* of the body around the middle of the axle */
    double safe_radius_m;  /* minimum distance between obstacles and the robot's centre, where
                              possible */
    double max_linear_m_s, max_angular_rad_s;
    double linear_acceleration_m_s2, angular_acceleration_rad_s2;
    double period_s;  /* between two steps */
    double latency_s; /* total delay from a command to its effect */
    double stale_after_s;
    double blind_after_s; /* with less than 1 % of the beams returned; 0: it drives on */
    enum dpl_nav_mode mode;
    struct dpl_nav_route_config route; /* `speed_m_s` is filled in by init */
    uint64_t seed;
};

/* The paper's robot at 100 ms, wandering. */
struct dpl_nav_config dpl_nav_config_default(void);

enum dpl_nav_state {
    DPL_NAV_DRIVE,   /* straight to the goal */
    DPL_NAV_AVOID,   /* around an obstacle */
    DPL_NAV_TURN,    /* on the spot */
    DPL_NAV_RECOVER, /* out of a dead end */
    DPL_NAV_STALE,   /* stopped: no fresh scan, hardly a beam that returns, or no valid pose */
    DPL_NAV_HALTED,  /* stopped: by command */
    DPL_NAV_ARRIVED, /* stopped: no waypoint left */
};

/* Name of a state in lower case, for logs. */
const char *dpl_nav_state_name(enum dpl_nav_state state);

struct dpl_nav_input {
    double now_s;
    struct dpl_pose2 pose;
    bool pose_valid;
    struct dpl_twist2 twist; /* measured */
    struct dpl_nav_scan scan;
    bool halt;
};

struct dpl_nav_output {
    struct dpl_twist2 command;
    enum dpl_nav_state state;
    double nearest_m; /* from the robot's centre; at most 5 m */
    struct dpl_pose2 goal;
    bool has_goal;
    size_t waypoint;  /* index of the current one; the count when all are done */
    size_t reached;   /* number of waypoints reached */
    size_t abandoned; /* number of waypoints given up; log when it increases */
    bool is_blind;    /* hardly a beam has returned for too long */
};

/* Private. About 300 kB: for the caller's state block, not for the stack. */
struct dpl_nav {
    struct dpl_nav_config config;
    struct dpl_nav_limits limits;
    struct dpl_nav_beams beams;
    struct pose_history history;
    struct dpl_nav_memory memory;
    struct dpl_nav_told told;
    /* known points, in the robot's frame at the time when a command takes effect */
    struct dpl_nav_points around;
    struct dpl_nav_points near; /* the points that limit the velocity */
    struct dpl_nav_bearings bearings;
    /* free travel with the safe radius and with the smallest possible one */
    struct dpl_nav_sectors wide, tight;
    struct dpl_nav_wander wander;
    struct dpl_nav_route route;
    struct dpl_nav_recovery recovery;
    double scan_stamp_s, last_now_s;
    bool has_scan, has_time;
    double returned_s; /* stamp of the newest scan that showed something */
    bool has_returned;
    int n_shown;                          /* scans in a row that showed something */
    double view_left_rad, view_right_rad; /* of the laser, in the robot's frame */
    struct dpl_twist2 last;               /* command */
    struct dpl_pose2 goal;                /* of the wandering */
    bool has_goal;
    /* smallest distance so far, and the time until which it must decrease */
    double goal_m, goal_until_s;
    double blocked_s;       /* time without a direction to drive */
    struct dpl_nav_map map; /* used only with waypoints */
    struct dpl_nav_planner planner;
    struct dpl_nav_plan plan;
    bool has_plan;
    double planned_s, unreachable_s;
    double heading_rad; /* chosen direction of travel, in the frame of the poses */
    bool has_heading, way_is_free;
    int turning;     /* +1 left, -1 right, 0 not turning on the spot */
    int follow_side; /* of an obstacle that the robot drives around; 0: none */
    double follow_leave_m;
    double retreat_m; /* distance behind the robot that is known to be free */
};

/* 0, or -EINVAL for an invalid configuration (a limit that is not positive, a safe radius below the
 * robot's, too many waypoints, a waypoint that is not finite). */
int dpl_nav_init(struct dpl_nav *nav, const struct dpl_nav_config *config);

/* One control step. If a value in `input` is missing, old or not finite, the robot stops. */
void dpl_nav_step(struct dpl_nav *nav, const struct dpl_nav_input *input,
                  struct dpl_nav_output *ret_output);

/* Points that no scan shows, as seen from where the robot was at `stamp_s`: they count as obstacles
 * for some time. Without a pose of that time it does nothing. */
void dpl_nav_add_points(struct dpl_nav *nav, double stamp_s, const double *x, const double *y,
                        size_t n);

/* The command of the last step was given slower: the next one begins from there. */
void dpl_nav_slowed(struct dpl_nav *nav, struct dpl_twist2 command);

#endif
