/* SPDX-License-Identifier: Apache-2.0 */
/* Second stage of the planner: moves the machine from its pose into the reference, with a
 * coefficient that increases from 0 to 1; afterwards the reference is not changed. The workspace
 * stage uses the same ramp to go home, with a constant pose as reference. Pure logic. Source: La
 * Mura, Todeschini, Giberti, "High Performance Motion-Planner Architecture for Hardware-In-the-Loop
 * System Based on Position-Based-Admittance-Control", Robotics 2018, 7(1), 8 (the linear law); the
 * quintic law was developed for this project. */
#ifndef TRAJECTORY_PLANNER_SYNC_H
#define TRAJECTORY_PLANNER_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "axes.h"

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
