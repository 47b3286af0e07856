/* SPDX-License-Identifier: Apache-2.0 */
/* Braking of a planned motion of poses: a law that keeps the direction and every acceleration
 * limit, and the stop point. Pure logic; the law was developed for this project. */
#ifndef MOTION_BRAKE_BRAKE_H
#define MOTION_BRAKE_BRAKE_H

#include "axes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The next output when braking. All axes reduce their difference by the same fraction, the largest
 * one that every axis allows, so that the direction of motion stays. */
void dpl_traj_brake_step(const struct dpl_traj_axes *axes, const struct dpl_traj_motion *motion,
                         double *ret_y);

/* The pose at which dpl_traj_brake_step comes to rest, in closed form. */
void dpl_traj_stop_point(const struct dpl_traj_axes *axes, const struct dpl_traj_motion *motion,
                         double *ret_stop);

#ifdef __cplusplus
}
#endif

#endif
