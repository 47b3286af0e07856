/* SPDX-License-Identifier: Apache-2.0 */
/* Fourth stage of the planner, the acceleration saturation control: each axis follows its reference
 * exactly while that needs no more than its limit, and is brought back to it by a saturated
 * controller otherwise. Pure logic.
 * Source: the structure from La Mura, Todeschini, Giberti, Robotics 2018, 7(1), 8; capture rule and
 * braking curve, and what is believed to be an acceleration of the reference, are ours: decision
 * 0026. */
#ifndef TRAJECTORY_PLANNER_SATURATION_H
#define TRAJECTORY_PLANNER_SATURATION_H

#include <stdbool.h>

#include "axes.h"

struct dpl_traj_saturation_config {
    double kp;                      /* 1/s2, above zero */
    double kd;                      /* 1/s, above zero */
    double ki;                      /* 1/s3, integral only */
    double kt;                      /* 1/s, back-calculation, integral only */
    bool integral;                  /* off: the published structure without its integral part */
    double windup_clip;             /* times accel_max: what back-calculation sees at most */
    bool braking;                   /* no faster towards the reference than can be braked */
    double braking_share;           /* of accel_max that the braking curve uses; in (0, 1] */
    bool feedforward;               /* of the reference's acceleration, while it has one: what
                                       brings back onto a reference that accelerates. Off: the
                                       published structure, which then stays behind for good */
    double speed_max[DPL_TRAJ_DOF]; /* of the reference, as far as the controller believes it */
};

struct dpl_traj_saturation {
    double r1[DPL_TRAJ_DOF], r2[DPL_TRAJ_DOF]; /* the references of one and two ticks ago */
    double bend[DPL_TRAJ_DOF];                 /* second difference at r1 */
    double integral[DPL_TRAJ_DOF];
};

/* Begins at rest with the reference at `pose`. */
void dpl_traj_saturation_begin(struct dpl_traj_saturation *saturation, const double *pose);

/* One tick with reference `r`: writes the next output; `motion` must be what was really emitted.
 * True if at least one axis is not a copy of its reference. Every axis keeps accel_max but for the
 * rounding of a second difference. Neither allocates nor blocks. */
bool dpl_traj_saturation_step(struct dpl_traj_saturation *saturation,
                              const struct dpl_traj_saturation_config *config,
                              const struct dpl_traj_axes *axes,
                              const struct dpl_traj_motion *motion, const double *r, double *ret_y);

/* For a tick whose output is another stage's: remembers the reference and forgets the integral. */
void dpl_traj_saturation_skip(struct dpl_traj_saturation *saturation, const double *r);

#endif
