/* SPDX-License-Identifier: Apache-2.0 */
/* Fourth stage of the planner, the acceleration saturation control: each axis follows its reference
 * exactly while this needs no more than its limit. Otherwise a saturated controller returns it to
 * the reference. Pure logic. Source: the structure is from La Mura, Todeschini, Giberti, Robotics
 * 2018, 7(1), 8; the capture rule, the braking curve and the test for a real acceleration of the
 * reference were developed for this project: docs/design/six-axis-machine.md. */
#ifndef TRAJECTORY_PLANNER_SATURATION_H
#define TRAJECTORY_PLANNER_SATURATION_H

#include <stdbool.h>

#include "axes.h"

struct dpl_traj_saturation_config {
    double kp;            /* 1/s2, above zero */
    double kd;            /* 1/s, above zero */
    double ki;            /* 1/s3, integral only */
    double kt;            /* 1/s, back-calculation, integral only */
    bool integral;        /* false: the published structure without its integral part */
    double windup_clip;   /* multiple of accel_max: upper limit of the input of back-calculation */
    bool braking;         /* limit the speed towards the reference to one that can be braked */
    double braking_share; /* part of accel_max that the braking curve uses; in (0, 1] */
    bool feedforward;     /* use the reference's acceleration if it has one; needed to return to a
                             reference that accelerates. false: the published structure, which then
                             stays behind permanently */
    double speed_max[DPL_SIX]; /* largest speed of the reference that the controller uses */
};

struct dpl_traj_saturation {
    double r1[DPL_SIX], r2[DPL_SIX]; /* the references of one and two ticks before */
    double bend[DPL_SIX];            /* second difference at r1 */
    double integral[DPL_SIX];
};

/* Starts at rest with the reference at `pose`. */
void dpl_traj_saturation_begin(struct dpl_traj_saturation *saturation, const double *pose);

/* One tick with reference `r`: writes the next output; `motion` must be the actual output. True if
 * at least one axis is not a copy of its reference. Every axis stays within accel_max except for
 * the rounding of a second difference. Does not allocate or block. */
bool dpl_traj_saturation_step(struct dpl_traj_saturation *saturation,
                              const struct dpl_traj_saturation_config *config,
                              const struct dpl_traj_axes *axes,
                              const struct dpl_traj_motion *motion, const double *r, double *ret_y);

/* For a tick with the output of another stage: stores the reference and resets the integral. */
void dpl_traj_saturation_skip(struct dpl_traj_saturation *saturation, const double *r);

#endif
