/* SPDX-License-Identifier: Apache-2.0 */
/* The planner's defaults and the check of a configuration. */
#include "planner.h"

#include <math.h>
#include <stddef.h>

/* The highest speed from which an axis can stop within half of its workspace. A faster reference
 * cannot be followed. */
static double fastest(double accel_max, double hard)
{
    return sqrt(2.0 * accel_max * hard);
}

void dpl_traj_config_set(struct dpl_traj_config *ret_config, const double *centre,
                         const double *hard, const double *accel_max)
{
    const struct dpl_traj_sync_config ramp = {
        .law = DPL_TRAJ_SYNC_QUINTIC, .duration_s = 2.0, .accel_share = 0.5};
    *ret_config = (struct dpl_traj_config){
        .stages = DPL_TRAJ_ALL_STAGES,
        .condition = {.absurd = 1e3, .expire_after = 10 * DPL_MS, .n_fault = 400},
        .sync = ramp,
        .workspace = {.policy = DPL_TRAJ_RESUME,
                      .normal_rad_s = 15.0,
                      .normal_damping = 1.0,
                      .tangential_rad_s = 10.0,
                      .tangential_damping = 1.0,
                      .rest_share = 0.5,
                      .return_ramp = ramp},
        .saturation = {.kp = 400.0,
                       .kd = 40.0,
                       .ki = 0.0,
                       .kt = 20.0,
                       .windup_clip = 2.0,
                       .braking = true,
                       .braking_share = 0.7,
                       .feedforward = true},
    };
    dpl_traj_axes_set(&ret_config->axes, 0.0025, accel_max);
    dpl_traj_ellipsoid_set(&ret_config->workspace.hard, centre, hard, 1.0);
    dpl_traj_ellipsoid_set(&ret_config->workspace.soft, centre, hard, 0.85);
    dpl_traj_copy(ret_config->workspace.home, centre);
    for (int i = 0; i < DPL_SIX; i++) {
        ret_config->saturation.speed_max[i] = fastest(accel_max[i], hard[i]);
    }
}

static bool positive(double x)
{
    return x > 0.0 && isfinite(x);
}

static bool share(double x)
{
    return x > 0.0 && x <= 1.0;
}

static bool all_positive(const double *x)
{
    bool good = true;
    for (int i = 0; i < DPL_SIX; i++) {
        good &= positive(x[i]);
    }
    return good;
}

static bool sane_ramp(const struct dpl_traj_sync_config *ramp)
{
    return ramp->duration_s >= 0.0 && isfinite(ramp->duration_s) && share(ramp->accel_share);
}

static bool sane_ellipsoid(const struct dpl_traj_ellipsoid *ellipsoid)
{
    return all_positive(ellipsoid->semi) && all_positive(ellipsoid->inverse) &&
           isfinite(dpl_traj_ellipsoid_level(ellipsoid, ellipsoid->centre));
}

static const char *check_workspace(const struct dpl_traj_workspace_config *workspace)
{
    if (!sane_ellipsoid(&workspace->hard) || !sane_ellipsoid(&workspace->soft)) {
        return "an ellipsoid's semi-axes must be above zero and its centre finite";
    }
    for (int i = 0; i < DPL_SIX; i++) {
        if (workspace->soft.centre[i] != workspace->hard.centre[i] ||
            workspace->soft.semi[i] > workspace->hard.semi[i]) {
            return "the soft ellipsoid must share the hard one's centre and be inside it";
        }
    }
    if (!positive(workspace->normal_rad_s) || !positive(workspace->tangential_rad_s) ||
        !positive(workspace->normal_damping) || !positive(workspace->tangential_damping)) {
        return "the deflection's frequencies and damping must be above zero";
    }
    if (!share(workspace->rest_share) || !sane_ramp(&workspace->return_ramp)) {
        return "the way home needs shares in (0, 1] and a duration";
    }
    if (!(dpl_traj_ellipsoid_level(&workspace->soft, workspace->home) <= 1.0)) {
        return "home must be inside the soft ellipsoid";
    }
    return NULL;
}

static const char *check_saturation(const struct dpl_traj_saturation_config *saturation)
{
    if (!positive(saturation->kp) || !positive(saturation->kd)) {
        return "the saturation control's kp and kd must be above zero";
    }
    if (!(saturation->ki >= 0.0) || !(saturation->kt >= 0.0) || !isfinite(saturation->ki) ||
        !isfinite(saturation->kt) || !(saturation->windup_clip > 0.0)) {
        return "the saturation control's ki and kt must not be below zero, its clip above";
    }
    if (!share(saturation->braking_share) || !all_positive(saturation->speed_max)) {
        return "the saturation control needs a braking share in (0, 1] and speeds above zero";
    }
    return NULL;
}

const char *dpl_traj_config_check(const struct dpl_traj_config *config)
{
    if (!positive(config->axes.period_s) || !all_positive(config->axes.accel_max) ||
        !all_positive(config->axes.step_max)) {
        return "the period and every acceleration limit must be above zero";
    }
    if ((config->stages & ~(unsigned)DPL_TRAJ_ALL_STAGES) != 0) {
        return "there is no such stage";
    }
    if (!positive(config->condition.absurd) || config->condition.expire_after <= 0) {
        return "conditioning needs a bound and an age above zero";
    }
    if (!sane_ramp(&config->sync)) {
        return "the sync ramp needs a share in (0, 1] and a duration";
    }
    const char *workspace = check_workspace(&config->workspace);
    return workspace ? workspace : check_saturation(&config->saturation);
}
