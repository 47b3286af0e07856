/* SPDX-License-Identifier: Apache-2.0 */
#include "velocity.h"

static double approach(double value, double target, double step)
{
    return value + dpl_clamp(target - value, -step, step);
}

struct dpl_twist2 teleop_velocity(const struct teleop_limits *limits, struct dpl_twist2 before,
                                  const struct teleop_wish *wish, double dt_s)
{
    if (!wish->held) {
        return (struct dpl_twist2){0};
    }
    double share = dpl_clamp(wish->share, 0.0, 1.0);
    double linear = dpl_clamp(wish->forward, -1.0, 1.0) * share * limits->linear_m_s;
    double angular = dpl_clamp(wish->turn, -1.0, 1.0) * share * limits->angular_rad_s;
    return (struct dpl_twist2){
        .linear = approach(before.linear, linear, limits->linear_m_s2 * dt_s),
        .angular = approach(before.angular, angular, limits->angular_rad_s2 * dt_s),
    };
}
