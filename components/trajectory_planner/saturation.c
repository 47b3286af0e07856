/* SPDX-License-Identifier: Apache-2.0 */
/* The acceleration saturation control. Each axis is on its
 * own: they meet again in the guard. */
#include "saturation.h"

#include <math.h>

#include <doppel/math/geometry.h>

/* One axis at one tick. */
struct axis {
    double r, r1, r2; /* reference now, one and two ticks ago */
    double y, d;
    double accel_max, speed_max, period_s;
};

void dpl_traj_saturation_begin(struct dpl_traj_saturation *saturation, const double *pose)
{
    *saturation = (struct dpl_traj_saturation){0};
    dpl_traj_copy(saturation->r1, pose);
    dpl_traj_copy(saturation->r2, pose);
}

/* The speed at which an error is to be taken back. */
static double closing_speed(const struct dpl_traj_saturation_config *config, double accel_max,
                            double e)
{
    double speed = config->kp / config->kd * fabs(e);
    if (config->braking) {
        speed = fmin(speed, sqrt(2.0 * config->braking_share * accel_max * fabs(e)));
    }
    return copysign(speed, e);
}

static double control(const struct dpl_traj_saturation_config *config, const struct axis *axis,
                      double *integral)
{
    double t = axis->period_s, limit = axis->accel_max;
    double e = axis->r - axis->y;
    double reference_speed = dpl_clamp((axis->r - axis->r1) / t, -axis->speed_max, axis->speed_max);
    double wanted =
        config->kd * (closing_speed(config, limit, e) + reference_speed - axis->d / t) + *integral;
    if (config->feedforward) {
        double ahead = (axis->r - 2.0 * axis->r1 + axis->r2) / (t * t);
        wanted += dpl_clamp(ahead, -limit, limit);
    }
    double a = dpl_clamp(wanted, -limit, limit);
    if (config->integral) {
        double clip = config->windup_clip * limit;
        *integral += t * (config->ki * e + config->kt * dpl_clamp(a - wanted, -clip, clip));
    }
    return axis->y + axis->d + t * t * a;
}

static void remember(struct dpl_traj_saturation *saturation, const double *r)
{
    dpl_traj_copy(saturation->r2, saturation->r1);
    dpl_traj_copy(saturation->r1, r);
}

bool dpl_traj_saturation_step(struct dpl_traj_saturation *saturation,
                              const struct dpl_traj_saturation_config *config,
                              const struct dpl_traj_axes *axes,
                              const struct dpl_traj_motion *motion, const double *r, double *ret_y)
{
    bool acts = false;
    for (int i = 0; i < DPL_TRAJ_DOF; i++) {
        double need = r[i] - motion->y[i] - motion->d[i];
        double behind = saturation->r1[i] - motion->y[i];
        if (fabs(need) <= axes->step_max[i] && fabs(behind) <= axes->step_max[i]) {
            ret_y[i] = r[i];
            saturation->integral[i] = 0.0;
            continue;
        }
        struct axis axis = {.r = r[i],
                            .r1 = saturation->r1[i],
                            .r2 = saturation->r2[i],
                            .y = motion->y[i],
                            .d = motion->d[i],
                            .accel_max = axes->accel_max[i],
                            .speed_max = config->speed_max[i],
                            .period_s = axes->period_s};
        ret_y[i] = control(config, &axis, &saturation->integral[i]);
        acts = true;
    }
    remember(saturation, r);
    return acts;
}

void dpl_traj_saturation_skip(struct dpl_traj_saturation *saturation, const double *r)
{
    remember(saturation, r);
    for (int i = 0; i < DPL_TRAJ_DOF; i++) {
        saturation->integral[i] = 0.0;
    }
}
