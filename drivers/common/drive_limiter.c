/* SPDX-License-Identifier: Apache-2.0 */
/* Velocity, acceleration and jerk limits of a wheel base's commands. */
#include <doppel/drive/drive_limiter.h>

/* Far below any relevant velocity, far above the rounding error of one step. */
static const double rounding = 1e-12;

struct dpl_drive_limits dpl_drive_limits_default(double velocity_m_s, double acceleration_m_s2)
{
    return (struct dpl_drive_limits){
        .linear =
            {
                .velocity = velocity_m_s,
                .acceleration = acceleration_m_s2,
                .jerk = 1.0,
                .dead_band = 0.01,
            },
        .angular =
            {
                .velocity = dpl_deg_to_rad(40.0),
                .dead_band = dpl_deg_to_rad(0.5),
            },
    };
}

void dpl_drive_limiter_reset(struct dpl_drive_limiter *limiter, struct dpl_twist2 velocity)
{
    *limiter = (struct dpl_drive_limiter){.velocity = velocity};
}

static double admitted(const struct dpl_axis_limits *limits, double target)
{
    if (!isfinite(target) || fabs(target) < limits->dead_band) {
        return 0.0;
    }
    return dpl_clamp(target, -limits->velocity, limits->velocity);
}

/* The largest change of velocity now from which `error` is reached exactly when each further change
 * is smaller by `quantum` (jerk * dt^2): the sum of n changes u, u - q, ... is the error. */
static double first_change(double error, double quantum)
{
    double size = fabs(error);
    double n = ceil((sqrt(1.0 + 8.0 * size / quantum) - 1.0) / 2.0);
    if (n < 1.0) {
        return error;
    }
    return copysign(size / n + (n - 1.0) / 2.0 * quantum, error);
}

static void step_axis(const struct dpl_axis_limits *limits, double target, double dt_s,
                      double *velocity, double *acceleration)
{
    double aim = admitted(limits, target);
    double error = aim - *velocity;
    double change = error;
    if (limits->acceleration > 0.0) {
        if (limits->jerk > 0.0) {
            double quantum = limits->jerk * dt_s * dt_s, last = *acceleration * dt_s;
            change = dpl_clamp(first_change(error, quantum), last - quantum, last + quantum);
        }
        double most = limits->acceleration * dt_s;
        change = dpl_clamp(change, -most, most);
    }
    bool arrives = fabs(change - error) < rounding;
    *velocity = arrives ? aim : *velocity + change;
    *acceleration = change / dt_s;
}

struct dpl_twist2 dpl_drive_limiter_step(struct dpl_drive_limiter *limiter,
                                         const struct dpl_drive_limits *limits,
                                         struct dpl_twist2 target, double dt_s)
{
    if (dt_s > 0.0 && isfinite(dt_s)) {
        step_axis(&limits->linear, target.linear, dt_s, &limiter->velocity.linear,
                  &limiter->acceleration.linear);
        step_axis(&limits->angular, target.angular, dt_s, &limiter->velocity.angular,
                  &limiter->acceleration.angular);
    }
    return limiter->velocity;
}

double dpl_axis_stop_distance(const struct dpl_axis_limits *limits, double velocity)
{
    double v = fabs(velocity), a = limits->acceleration, j = limits->jerk;
    if (a <= 0.0) {
        return 0.0;
    }
    if (j <= 0.0) {
        return v * v / (2.0 * a);
    }
    /* Ramps of the deceleration up and down, with a plateau when they reach the limit. */
    return v < a * a / j ? v * sqrt(v / j) : v / 2.0 * (v / a + a / j);
}
