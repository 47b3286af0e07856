/* SPDX-License-Identifier: Apache-2.0 */
/* The acceleration saturation control. Each axis is on its
 * own: they meet again in the guard. */
#include "saturation.h"

#include <math.h>

#include <doppel/math/geometry.h>

/* Of the limit: what is kept to brake with although the reference needs all. */
#define LEAST_RESERVE 0.1
/* Of the largest second difference: so little off counts as on the reference. */
#define ALIGNED       0.01

/* One axis at one tick. */
struct axis {
    double r, r1, r2;   /* reference now, one and two ticks ago */
    double bend, bend1; /* second difference of the reference now and one tick ago */
    double y, d;
    double accel_max, step_max, speed_max, period_s;
};

/* What the controller goes by. */
struct aim {
    double behind;  /* the reference less the machine */
    double speed;   /* of the reference */
    double ahead;   /* its acceleration, within the limit */
    double reserve; /* of acceleration, to brake with */
};

void dpl_traj_saturation_begin(struct dpl_traj_saturation *saturation, const double *pose)
{
    *saturation = (struct dpl_traj_saturation){0};
    dpl_traj_copy(saturation->r1, pose);
    dpl_traj_copy(saturation->r2, pose);
}

/* The speed at which an error is to be taken back. */
static double closing_speed(const struct dpl_traj_saturation_config *config, double reserve,
                            double e)
{
    double speed = config->kp / config->kd * fabs(e);
    if (config->braking) {
        speed = fmin(speed, sqrt(2.0 * config->braking_share * reserve * fabs(e)));
    }
    return copysign(speed, e);
}

/* Whether the second difference of the reference is an acceleration of it. That of a spike or a
 * step is not: it is far beyond the limit, and not what it was a tick ago. */
static bool bends_smoothly(const struct axis *axis)
{
    return fabs(axis->bend) <= axis->step_max || fabs(axis->bend - axis->bend1) <= axis->step_max;
}

/* As published: the machine is one tick behind, and the acceleration of the reference is what the
 * error makes of it, so that a reference that accelerates is never met. */
static struct aim aim_at_place(const struct axis *axis)
{
    return (struct aim){.behind = axis->r - axis->y,
                        .speed = (axis->r - axis->r1) / axis->period_s,
                        .reserve = axis->accel_max};
}

/* At the motion of the reference: place and speed are those of the tick that y and d are of, so
 * that a machine that is on the reference stays there without an error to drive it. */
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

/* Who copies the reference while `behind` has no error any more in place, but one of `behind` per
 * tick in speed: it takes that back in the tick after. Whether it can depends on what the reference
 * bends by then, which is foretold by a line; how far that may be off counts too. */
static bool can_stay(const struct axis *axis, double behind)
{
    double limit = axis->step_max;
    if (fabs(behind) <= ALIGNED * limit || fabs(axis->bend) > limit) {
        return true;
    }
    double change = fabs(axis->bend1) <= limit ? axis->bend - axis->bend1 : 0.0;
    return fabs(axis->bend + change - behind) + fabs(change) <= limit;
}

/* Whether the output may be the reference. The second condition stops a momentary crossing with the
 * wrong speed from being taken for alignment. */
static bool captures(const struct dpl_traj_saturation_config *config, const struct axis *axis)
{
    double need = axis->r - axis->y - axis->d, behind = axis->r1 - axis->y;
    return fabs(need) <= axis->step_max && fabs(behind) <= axis->step_max &&
           (!config->feedforward || can_stay(axis, behind));
}

static void remember(struct dpl_traj_saturation *saturation, const double *r)
{
    for (int i = 0; i < DPL_TRAJ_DOF; i++) {
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
    for (int i = 0; i < DPL_TRAJ_DOF; i++) {
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
    for (int i = 0; i < DPL_TRAJ_DOF; i++) {
        saturation->integral[i] = 0.0;
    }
}
