/* SPDX-License-Identifier: Apache-2.0 */
/* The first two stages of the planner: which references are accepted, and the ramp into them. Pure
 * logic. */
#ifndef TRAJECTORY_PLANNER_REFERENCE_H
#define TRAJECTORY_PLANNER_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/time.h>

#include "axes.h"

/* A reference and its time, on the same clock as the planner's `now`. */
struct dpl_traj_reference {
    double pose[DPL_SIX];
    dpl_ns stamp;
};

struct dpl_traj_condition_config {
    double absurd; /* a reference with a larger component, in m or rad, is rejected; above zero */
    /* an older reference, or one as far in the future, is rejected; above zero */
    dpl_ns expire_after;
    uint32_t n_fault; /* this many consecutive rejections are a fault; 0: never */
};

struct dpl_traj_condition {
    double last[DPL_SIX]; /* the newest accepted reference, or the start pose */
    uint32_t n_row;       /* consecutive rejections */
    uint64_t n_rejected;  /* rejections since the start */
};

/* Starts at `pose`, which is used until the first accepted reference. */
void dpl_traj_condition_begin(struct dpl_traj_condition *condition, const double *pose);

/* True if `reference` (NULL: none came) is accepted; it is then the newest. Otherwise it is counted
 * and the newest one stays. Does not allocate or block. */
bool dpl_traj_condition_accept(struct dpl_traj_condition *condition,
                               const struct dpl_traj_condition_config *config,
                               const struct dpl_traj_reference *reference, dpl_ns now);

/* Whether there were so many consecutive rejections that the planner must stop. */
bool dpl_traj_condition_failed(const struct dpl_traj_condition *condition,
                               const struct dpl_traj_condition_config *config);

/* Second stage of the planner: moves the machine from its pose into the reference, with a
 * coefficient that increases from 0 to 1; afterwards the reference is not changed. The workspace
 * stage uses the same ramp to go home, with a constant pose as reference. Ticks are counted as
 * integers: a sum of period/duration would end the ramp a tick early or late, depending on
 * rounding. Source: La Mura, Todeschini, Giberti, "High Performance Motion-Planner Architecture for
 * Hardware-In-the-Loop System Based on Position-Based-Admittance-Control", Robotics 2018, 7(1), 8
 * (the linear law); the quintic law was developed for this project. */

enum dpl_traj_sync_law {
    DPL_TRAJ_SYNC_QUINTIC, /* 10 s^3 - 15 s^4 + 6 s^5: begins and ends at rest */
    DPL_TRAJ_SYNC_LINEAR,  /* as published; begins with a step of velocity */
};

struct dpl_traj_sync_config {
    enum dpl_traj_sync_law law;
    double duration_s;  /* minimum duration; at or above zero */
    double accel_share; /* part of accel_max that the ramp may use by itself; in (0, 1] */
};

struct dpl_traj_sync {
    double from[DPL_SIX];
    uint32_t tick, n_ticks; /* n_ticks is 0 until the first step computes the distance */
};

/* Starts a ramp from `pose` with the next step. */
void dpl_traj_sync_begin(struct dpl_traj_sync *sync, const double *pose);

/* Number of ticks of the ramp from `from` to `to`: the configured duration, or more if the
 * quintic's peak acceleration of 5.7735 D/T^2 would be above accel_share * accel_max. */
uint32_t dpl_traj_sync_ticks(const struct dpl_traj_sync_config *config,
                             const struct dpl_traj_axes *axes, const double *from,
                             const double *to);

/* One tick with reference `r`: true if the ramp acts and ret_y was written, false if it is over and
 * `r` applies unchanged. Does not allocate or block. */
bool dpl_traj_sync_step(struct dpl_traj_sync *sync, const struct dpl_traj_sync_config *config,
                        const struct dpl_traj_axes *axes, const double *r, double *ret_y);

/* Whether the ramp is over. */
bool dpl_traj_sync_done(const struct dpl_traj_sync *sync);

#endif
