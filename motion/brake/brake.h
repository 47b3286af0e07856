/* SPDX-License-Identifier: Apache-2.0 */
/* How a planned motion of poses comes to rest: a law that keeps its direction and every
 * acceleration limit, and where it ends. Pure logic; the law is ours. */
#ifndef MOTION_BRAKE_BRAKE_H
#define MOTION_BRAKE_BRAKE_H

#include "axes.h"

/* The next output when braking: takes as large a share of the difference away as the weakest axis
 * can, the same share on every axis, so that the direction of motion stays. */
void dpl_traj_brake_step(const struct dpl_traj_axes *axes, const struct dpl_traj_motion *motion,
                         double *ret_y);

/* Where dpl_traj_brake_step comes to rest, in closed form. */
void dpl_traj_stop_point(const struct dpl_traj_axes *axes, const struct dpl_traj_motion *motion,
                         double *ret_stop);

#endif
