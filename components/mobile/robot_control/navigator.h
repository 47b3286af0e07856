/* SPDX-License-Identifier: Apache-2.0 */
/* Drives a round robot with a planar laser: wanders or visits waypoints and touches nothing.
 * Everything is in the frame of the given poses (odometry may drift); SI units, radians. One owner,
 * not thread-safe, no allocation, never blocks; the same inputs give the same outputs. */
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
    double safe_radius_m;  /* kept between obstacles and the robot's centre where possible */
    double max_linear_m_s, max_angular_rad_s;
    double linear_acceleration_m_s2, angular_acceleration_rad_s2;
    double period_s;  /* between two steps */
    double latency_s; /* allowance for everything between a command and its effect */
    double stale_after_s;
    enum dpl_nav_mode mode;
    struct dpl_nav_route_config route; /* `speed_m_s` is filled in by init */
    uint64_t seed;
};

/* The paper's robot at 100 ms, wandering. */
struct dpl_nav_config dpl_nav_config_default(void);

enum dpl_nav_state {
    DPL_NAV_DRIVE,   /* straight to the goal */
    DPL_NAV_AVOID,   /* around something */
    DPL_NAV_TURN,    /* on the spot */
    DPL_NAV_RECOVER, /* out of a dead end */
    DPL_NAV_STALE,   /* stands: no fresh scan, or no valid pose */
    DPL_NAV_HALTED,  /* stands: by order */
    DPL_NAV_ARRIVED, /* stands: no waypoint left */
};

/* Lower-case word for a state, for logs. */
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
    double nearest_m; /* from the robot's centre; what is far counts as 5 m */
    struct dpl_pose2 goal;
    bool has_goal;
    size_t waypoint;  /* index of the present one; the count when all is done */
    size_t reached;   /* waypoints so far */
    size_t abandoned; /* waypoints given up so far: a growth is worth a log line */
};

/* Private. About 300 kB: for the caller's state block, not for the stack. */
struct dpl_nav {
    struct dpl_nav_config config;
    struct dpl_nav_limits limits;
    struct dpl_nav_beams beams;
    struct dpl_nav_pose_history history;
    struct dpl_nav_memory memory;
    struct dpl_nav_points around; /* what is known, in the robot's frame when a command acts */
    struct dpl_nav_points near;   /* the part of it that a velocity has to heed */
    struct dpl_nav_bearings bearings;
    struct dpl_nav_sectors wide, tight; /* free travel at the safe radius, and hardly fitting */
    struct dpl_nav_wander wander;
    struct dpl_nav_route route;
    struct dpl_nav_recovery recovery;
    double scan_stamp_s, last_now_s;
    bool has_scan, has_time;
    double view_left_rad, view_right_rad; /* of the laser, in the robot's frame */
    struct dpl_twist2 last;               /* command */
    struct dpl_pose2 goal;                /* of the patrol */
    bool has_goal;
    double goal_m, goal_until_s; /* nearest it was, and when it must be nearer still */
    double blocked_s;            /* time without a way */
    struct dpl_nav_map map;      /* these only where there are waypoints */
    struct dpl_nav_planner planner;
    struct dpl_nav_plan plan;
    bool has_plan;
    double planned_s, unreachable_s;
    double heading_rad; /* chosen direction of travel, in the frame of the poses */
    bool has_heading, way_is_free;
    int turning;     /* +1 left, -1 right, 0 not turning on the spot */
    int follow_side; /* of an obstacle around which the robot goes; 0 none */
    double follow_leave_m;
    double retreat_m; /* how far back the way is known to be free */
};

/* 0, or -EINVAL for a configuration that makes no sense (a limit that is not positive, a safe
 * radius below the robot's, too many waypoints, a waypoint that is not finite). */
int dpl_nav_init(struct dpl_nav *nav, const struct dpl_nav_config *config);

/* One control step. Anything that is missing, old or not finite in `input` makes the robot stand.
 */
void dpl_nav_step(struct dpl_nav *nav, const struct dpl_nav_input *input,
                  struct dpl_nav_output *ret_output);

#endif
