/* SPDX-License-Identifier: Apache-2.0 */
/* The insides of the subsystem `planar`. Its robots are mobile bases (doppel/sim/mobile.h) that
 * roll without slip and stop where something is in their way. Joints are wheels, which hold a
 * speed; the effort of a joint is not known. All of it lives in the world's heap. */
#ifndef DOPPEL_SIM_PLANAR_STATE_H
#define DOPPEL_SIM_PLANAR_STATE_H

#include <doppel/sim/mobile.h>
#include <doppel/sim/subsystem.h>

#include "footprint_tree.h"
#include "planar_drive.h"
#include "planar_steer.h"

struct dpl_planar_robot {
    int robot, body, first_joint;
    const struct dpl_sim_mobile *base;
    struct dpl_planar_twist *shares; /* [n_wheels]; not of a base with a steering */
    struct dpl_planar_steer steer;   /* of a base with one */
    double *rolls;                   /* [n_wheels] rad/s, of this step */
    struct dpl_footprint *shapes;    /* [n_shapes] in its frame */
    size_t n_shapes;
    double reach;  /* radius around its frame that holds its shapes, m */
    double stride; /* it cannot pass through anything in less than that, m */
    struct dpl_pose2 pose;
    /* Nothing that stands is nearer than `clear` minus its own way since; no other robot nearer
     * than `clear_robots` minus its own way and the longest way of all since. */
    double clear, clear_robots;
    double odometer_then; /* of all, when `clear_robots` was found */
};

struct dpl_planar {
    const struct dpl_sim_model *model;
    struct dpl_sim_state *state;
    struct dpl_footprint_tree tree;
    struct dpl_planar_robot *robots; /* [n] */
    unsigned *by_x;                  /* [n] numbers of robots, sorted by where they are */
    size_t n;
    double widest; /* reach of the largest robot, m */
    /* Sum over the steps of the longest way that a robot has made, m; and that of this step. Who
     * moves later in a step looks whether it comes near those that have moved. */
    double odometer, longest;
    bool is_sorted; /* by_x, in this step */
};

#define DPL_PLANAR_WHEELS_MAX 64

extern const struct dpl_subsystem_class dpl_planar_subsystem;

/* Something that a robot cannot enter: an obstacle, or another robot. */
struct dpl_planar_hit {
    int contact; /* its number, as in struct dpl_sim_contact */
    double point[2];
    double share; /* of the motion that is free of it, 0 to 1 */
};

/* How much of a motion of `time_s` a robot can make, 0 to 1; below 1 *ret_hit says why. */
double dpl__planar_free(struct dpl_planar *planar, struct dpl_planar_robot *robot,
                        const struct dpl_planar_twist *twist, double time_s,
                        struct dpl_planar_hit *ret_hit);

/* Whether a robot would overlap something at a pose. */
bool dpl__planar_is_taken(struct dpl_planar *planar, const struct dpl_planar_robot *robot,
                          struct dpl_pose2 pose);

/* See dpl_subsystem_class.check_starts. */
int dpl__planar_check_starts(const struct dpl_sim_model *model, dpl_sim_start_finding *finding,
                             void *user);

#endif
