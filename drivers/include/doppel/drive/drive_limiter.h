/* SPDX-License-Identifier: Apache-2.0 */
/* Limits velocity commands so that a wheel base can follow them: range, dead band, acceleration and
 * jerk. The limits are those of the driver of the RILS paper. Pure: the caller owns the struct. */
#ifndef DPL_COMMON_DRIVE_LIMITER_H
#define DPL_COMMON_DRIVE_LIMITER_H

#include <doppel/math/geometry.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of one axis, in m or rad. 0 for acceleration or jerk: no limit. Without a limit of the
 * acceleration, the limit of the jerk is not used either. */
struct dpl_axis_limits {
    double velocity, acceleration, jerk;
    double dead_band; /* a smaller commanded velocity is 0 */
};

struct dpl_drive_limits {
    struct dpl_axis_limits linear, angular;
};

/* The paper's: v to `velocity_m_s` at `acceleration_m_s2` and 1.0 m/s^3, dead band 0.01 m/s; w to
 * 40 deg/s without limit of acceleration, dead band 0.5 deg/s. */
struct dpl_drive_limits dpl_drive_limits_default(double velocity_m_s, double acceleration_m_s2);

/* The last command: velocity and acceleration of both axes. */
struct dpl_drive_limiter {
    struct dpl_twist2 velocity, acceleration;
};

/* Sets the velocity, with acceleration 0: at the start, after an emergency stop, or to continue
 * with a moving base. */
void dpl_drive_limiter_reset(struct dpl_drive_limiter *limiter, struct dpl_twist2 velocity);

/* The next command, `dt_s` after the last, on the way to `target`. A target that is not finite
 * counts as 0; when dt_s is not positive the last command is repeated. The target is reached
 * without overshoot if the limits and dt_s stay the same. A velocity above a reduced limit
 * decreases within the limits of acceleration and jerk. */
struct dpl_twist2 dpl_drive_limiter_step(struct dpl_drive_limiter *limiter,
                                         const struct dpl_drive_limits *limits,
                                         struct dpl_twist2 target, double dt_s);

/* The path that an axis needs to stop from `velocity` (at acceleration 0) within its limits; 0
 * without limits. Not negative. */
double dpl_axis_stop_distance(const struct dpl_axis_limits *limits, double velocity);

#ifdef __cplusplus
}
#endif

#endif
