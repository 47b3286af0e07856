/* SPDX-License-Identifier: Apache-2.0 */
/* The six degrees of freedom of a pose and the motion limits of each. A pose is double[6]: x y z in
 * m, roll pitch yaw in rad. Header only. */
#ifndef MOTION_BRAKE_AXES_H
#define MOTION_BRAKE_AXES_H

#include <doppel/math/six.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Limits of the machine for one tick. dpl_traj_axes_set computes step_max. */
struct dpl_traj_axes {
    double period_s;
    double accel_max[DPL_SIX]; /* m/s2, rad/s2; above zero */
    double step_max[DPL_SIX];  /* the largest second difference: accel_max * period^2 */
};

/* State of a planned motion: its newest pose and the difference to the pose before. */
struct dpl_traj_motion {
    double y[DPL_SIX];
    double d[DPL_SIX];
};

/* Sets all fields from period and limits (shape [6]). */
static inline void dpl_traj_axes_set(struct dpl_traj_axes *ret_axes, double period_s,
                                     const double *accel_max)
{
    ret_axes->period_s = period_s;
    for (int i = 0; i < DPL_SIX; i++) {
        ret_axes->accel_max[i] = accel_max[i];
        ret_axes->step_max[i] = accel_max[i] * period_s * period_s;
    }
}

static inline void dpl_traj_copy(double *ret_pose, const double *pose)
{
    for (int i = 0; i < DPL_SIX; i++) {
        ret_pose[i] = pose[i];
    }
}

#ifdef __cplusplus
}
#endif

#endif
