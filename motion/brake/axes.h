/* SPDX-License-Identifier: Apache-2.0 */
/* The six degrees of freedom of a pose and what a machine can do in each. A pose is double[6]: x y
 * z in m, roll pitch yaw in rad. Header only. */
#ifndef MOTION_BRAKE_AXES_H
#define MOTION_BRAKE_AXES_H

#define DPL_TRAJ_DOF 6

/* What the machine can do in one tick. step_max is derived: dpl_traj_axes_set. */
struct dpl_traj_axes {
    double period_s;
    double accel_max[DPL_TRAJ_DOF]; /* m/s2, rad/s2; above zero */
    double step_max[DPL_TRAJ_DOF];  /* the largest second difference: accel_max * period^2 */
};

/* Where a planned motion is: its newest pose and how far that is from the one before. */
struct dpl_traj_motion {
    double y[DPL_TRAJ_DOF];
    double d[DPL_TRAJ_DOF];
};

/* Sets all of it from period and limits (shape [6]). */
static inline void dpl_traj_axes_set(struct dpl_traj_axes *ret_axes, double period_s,
                                     const double *accel_max)
{
    ret_axes->period_s = period_s;
    for (int i = 0; i < DPL_TRAJ_DOF; i++) {
        ret_axes->accel_max[i] = accel_max[i];
        ret_axes->step_max[i] = accel_max[i] * period_s * period_s;
    }
}

static inline void dpl_traj_copy(double *ret_pose, const double *pose)
{
    for (int i = 0; i < DPL_TRAJ_DOF; i++) {
        ret_pose[i] = pose[i];
    }
}

#endif
