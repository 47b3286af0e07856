/* SPDX-License-Identifier: Apache-2.0 */
/* The dynamic window: the candidates are the velocities that the robot can reach within a period
 * and from which it can stop in time. The result is the candidate nearest to the wanted
 * velocity. */
#ifndef DPL_NAV_WINDOW_H
#define DPL_NAV_WINDOW_H

#include "points.h"

struct dpl_nav_limits {
    double radius_m;      /* of the robot's body */
    double safe_radius_m; /* minimum distance from the centre, where possible */
    double linear_m_s, angular_rad_s;
    double linear_m_s2, angular_rad_s2;
    double period_s;  /* of commands */
    double latency_s; /* from a command to its effect */
};

struct dpl_nav_choice {
    struct dpl_twist2 twist;
    bool admissible; /* false: only standing (or turning on the spot) was */
};

/* Radius that a disc moving at `speed` must keep free: the body and a margin that increases with
 * speed. */
double dpl_nav_hard_radius(const struct dpl_nav_limits *limits, double speed);

/* Largest distance from the centre at which points affect the choice. */
double dpl_nav_window_reach(const struct dpl_nav_limits *limits);

/* The best reachable velocity from `present` (what was commanded last) towards `wish`; `points` are
 * the near points, in the robot's frame at the time the command takes effect. Forward speed is
 * never negative. Allocates nothing. Source: Fox, Burgard, Thrun, "The dynamic window approach to
 * collision avoidance", IEEE Robotics & Automation Magazine 4(1), 1997. */
struct dpl_nav_choice dpl_nav_window_choose(const struct dpl_nav_limits *limits,
                                            const struct dpl_nav_points *points,
                                            struct dpl_twist2 present, struct dpl_twist2 wish);

#endif
