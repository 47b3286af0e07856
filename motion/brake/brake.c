/* SPDX-License-Identifier: Apache-2.0 */
/* Brake law and stop point. Each tick of braking reduces the first difference by the fraction s =
 * min A T^2/|d| of its start value: d, d(1 - s), d(1 - 2s), ... */
#include "brake.h"

#include <math.h>

/* 1/s: the difference in brake steps; 0 at rest. */
static double brake_steps(const struct dpl_traj_axes *axes, const double *d)
{
    double steps = 0.0;
    for (int i = 0; i < DPL_SIX; i++) {
        double axis = fabs(d[i]) / axes->step_max[i];
        steps = axis > steps ? axis : steps;
    }
    return steps;
}

void dpl_traj_brake_step(const struct dpl_traj_axes *axes, const struct dpl_traj_motion *motion,
                         double *ret_y)
{
    double steps = brake_steps(axes, motion->d);
    double keep = steps > 1.0 ? 1.0 - 1.0 / steps : 0.0;
    for (int i = 0; i < DPL_SIX; i++) {
        ret_y[i] = motion->y[i] + keep * motion->d[i];
    }
}

void dpl_traj_stop_point(const struct dpl_traj_axes *axes, const struct dpl_traj_motion *motion,
                         double *ret_stop)
{
    double steps = brake_steps(axes, motion->d), n = floor(steps);
    double way = steps > 1.0 ? n - n * (n + 1.0) / (2.0 * steps) : 0.0;
    for (int i = 0; i < DPL_SIX; i++) {
        ret_stop[i] = motion->y[i] + way * motion->d[i];
    }
}
