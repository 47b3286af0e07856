/* SPDX-License-Identifier: Apache-2.0 */
/* A differential robot with faults (late, lagging, unequal wheels) and a noisy laser, and the loop
 * that lets a navigator drive it through a world. */
#ifndef SIM_ROBOT_H
#define SIM_ROBOT_H

#include "navigator.h"
#include "sim_world.h"

#define SIM_BEAMS 682

struct sim_plant_config {
    double radius_m, axle_m;
    double scale_left, scale_right; /* of the wheels' true speed */
    double latency_s, lag_s;        /* of actuation */
    double acceleration_m_s2;
    double range_noise, dropout_rate;
    double scan_delay_s; /* from measurement to delivery */
    struct dpl_pose2 mount;
    uint64_t seed;
};

struct sim_result {
    unsigned contacts; /* separate touches */
    double first_contact_s;
    double nearest_m;  /* least room around the body */
    double distance_m; /* travelled */
    double mean_m_s;
    double covered;         /* part of the reachable floor passed within 0.3 m */
    double longest_still_s; /* longest time within 0.2 m of one place */
    double step_us;         /* mean CPU time of a navigator's step */
    size_t waypoint, reached, abandoned;
    enum dpl_nav_state state; /* last */
    struct dpl_pose2 pose;    /* last, true */
};

/* Called after each step of the navigator; may be NULL. */
typedef void sim_watcher(void *context, double now_s, struct dpl_pose2 truth,
                         const struct dpl_nav_input *input, const struct dpl_nav_output *output);

struct sim_run {
    const struct sim_world *world;
    struct sim_plant_config plant;
    struct dpl_nav_config nav;
    struct dpl_pose2 start; /* odometry starts here, too */
    double duration_s;
    double blind_from_s, blind_until_s; /* no scans arrive in between */
    sim_watcher *watcher;
    void *context;
};

/* The paper's robot with the faults of `seed`, drawn from the ranges of the requirement. */
struct sim_plant_config sim_plant_random(uint64_t seed, double radius_m);

/* An ideal plant. */
struct sim_plant_config sim_plant_ideal(double radius_m);

/* 0, or what dpl_nav_init returned. Not reentrant: uses static storage. */
int sim_run(const struct sim_run *run, struct sim_result *ret_result);

#endif
