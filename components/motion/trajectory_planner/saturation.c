/* SPDX-License-Identifier: Apache-2.0 */
/* The acceleration saturation control. Each axis is independent; the guard combines them again. */
#include "saturation.h"

#include <math.h>

#include <doppel/math/geometry.h>

/* As a part of the limit: reserved for braking even when the reference needs the whole limit. */
#define LEAST_RESERVE 0.1
/* As a part of the largest second difference: a smaller difference counts as on the reference. */
#define ALIGNED       0.01

/* One axis at one tick. */
struct axis {
    double r, r1, r2;   /* reference now, one and two ticks before */
    double bend, bend1; /* second difference of the reference now and one tick ago */
    double y, d;
    double accel_max, step_max, speed_max, period_s;
};

/* Inputs of the controller. */
struct aim {
    double behind;  /* reference minus machine */
    double speed;   /* of the reference */
    double ahead;   /* acceleration of the reference, within the limit */
    double reserve; /* acceleration reserved for braking */
};

void dpl_traj_saturation_begin(struct dpl_traj_saturation *saturation, const double *pose)
{
    *saturation = (struct dpl_traj_saturation){0};
    dpl_traj_copy(saturation->r1, pose);
    dpl_traj_copy(saturation->r2, pose);
}

/* The speed at which an error is reduced. */
static double closing_speed(const struct dpl_traj_saturation_config *config, double reserve,
                            double e)
{
    double speed = config->kp / config->kd * fabs(e);
    if (config->braking) {
        speed = fmin(speed, sqrt(2.0 * config->braking_share * reserve * fabs(e)));
    }
    return copysign(speed, e);
}

/* Whether the second difference of the reference is a real acceleration. For a spike or a step it
 * is not: it is far above the limit and different from the tick before. */
static bool bends_smoothly(const struct axis *axis)
{
    return fabs(axis->bend) <= axis->step_max || fabs(axis->bend - axis->bend1) <= axis->step_max;
}

/* As published: the machine is one tick behind, and the acceleration of the reference is not used,
 * so that a reference that accelerates is never reached. */
static struct aim aim_at_place(const struct axis *axis)
{
    return (struct aim){.behind = axis->r - axis->y,
                        .speed = (axis->r - axis->r1) / axis->period_s,
                        .reserve = axis->accel_max};
}

/* Uses the motion of the reference: position and speed for the same tick as y and d, so that a
 * machine that is on the reference stays there with zero error. */
static struct aim aim_at_motion(const struct axis *axis)
{
    double limit = axis->accel_max, t = axis->period_s;
    double ahead = dpl_clamp(axis->bend / (t * t), -limit, limit);
    return (struct aim){.behind = axis->r1 - axis->y,
                        .speed = (axis->r1 - axis->r2) / t,
                        .ahead = ahead,
                        .reserve = fmax(limit - fabs(ahead), LEAST_RESERVE * limit)};
}

static double control(const struct dpl_traj_saturation_config *config, const struct axis *axis,
                      double *integral)
{
    double t = axis->period_s, limit = axis->accel_max;
    struct aim aim =
        config->feedforward && bends_smoothly(axis) ? aim_at_motion(axis) : aim_at_place(axis);
    double speed = dpl_clamp(aim.speed, -axis->speed_max, axis->speed_max) +
                   closing_speed(config, aim.reserve, aim.behind);
    double wanted = aim.ahead + config->kd * (speed - axis->d / t) + *integral;
    double a = dpl_clamp(wanted, -limit, limit);
    if (config->integral) {
        double clip = config->windup_clip * limit;
        *integral +=
            t * (config->ki * aim.behind + config->kt * dpl_clamp(a - wanted, -clip, clip));
    }
    return axis->y + axis->d + t * t * a;
}

/* An output that copies the reference removes an error `behind` in position but then has an error
 * of `behind` per tick in speed, which it must remove in the next tick. Whether it can depends on
 * the second difference of the reference in that tick. This is extrapolated linearly, with a margin
 * for the error of the extrapolation. */
static bool can_stay(const struct axis *axis, double behind)
{
    double limit = axis->step_max;
    if (fabs(behind) <= ALIGNED * limit || fabs(axis->bend) > limit) {
        return true;
    }
    double change = fabs(axis->bend1) <= limit ? axis->bend - axis->bend1 : 0.0;
    return fabs(axis->bend + change - behind) + fabs(change) <= limit;
}

/* Whether the output may be equal to the reference. The second condition prevents a capture when
 * the output only crosses the reference with a wrong speed. */
static bool captures(const struct dpl_traj_saturation_config *config, const struct axis *axis)
{
    double need = axis->r - axis->y - axis->d, behind = axis->r1 - axis->y;
    return fabs(need) <= axis->step_max && fabs(behind) <= axis->step_max &&
           (!config->feedforward || can_stay(axis, behind));
}

static void remember(struct dpl_traj_saturation *saturation, const double *r)
{
    for (int i = 0; i < DPL_SIX; i++) {
        saturation->bend[i] = r[i] - 2.0 * saturation->r1[i] + saturation->r2[i];
    }
    dpl_traj_copy(saturation->r2, saturation->r1);
    dpl_traj_copy(saturation->r1, r);
}

bool dpl_traj_saturation_step(struct dpl_traj_saturation *saturation,
                              const struct dpl_traj_saturation_config *config,
                              const struct dpl_traj_axes *axes,
                              const struct dpl_traj_motion *motion, const double *r, double *ret_y)
{
    bool acts = false;
    for (int i = 0; i < DPL_SIX; i++) {
        struct axis axis = {.r = r[i],
                            .r1 = saturation->r1[i],
                            .r2 = saturation->r2[i],
                            .bend = r[i] - 2.0 * saturation->r1[i] + saturation->r2[i],
                            .bend1 = saturation->bend[i],
                            .y = motion->y[i],
                            .d = motion->d[i],
                            .accel_max = axes->accel_max[i],
                            .step_max = axes->step_max[i],
                            .speed_max = config->speed_max[i],
                            .period_s = axes->period_s};
        if (captures(config, &axis)) {
            ret_y[i] = r[i];
            saturation->integral[i] = 0.0;
            continue;
        }
        ret_y[i] = control(config, &axis, &saturation->integral[i]);
        acts = true;
    }
    remember(saturation, r);
    return acts;
}

void dpl_traj_saturation_skip(struct dpl_traj_saturation *saturation, const double *r)
{
    remember(saturation, r);
    for (int i = 0; i < DPL_SIX; i++) {
        saturation->integral[i] = 0.0;
    }
}
