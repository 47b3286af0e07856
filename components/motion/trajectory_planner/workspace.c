/* SPDX-License-Identifier: Apache-2.0 */
/* The deflection at the soft ellipsoid and the way back from it. */
#include "workspace.h"

#include <math.h>

#include <doppel/math/geometry.h>

void dpl_traj_ellipsoid_set(struct dpl_traj_ellipsoid *ret_ellipsoid, const double *centre,
                            const double *semi, double share)
{
    for (int i = 0; i < DPL_SIX; i++) {
        ret_ellipsoid->centre[i] = centre[i];
        ret_ellipsoid->semi[i] = share * semi[i];
        ret_ellipsoid->inverse[i] = 1.0 / (share * semi[i]);
    }
}

double dpl_traj_ellipsoid_level(const struct dpl_traj_ellipsoid *ellipsoid, const double *pose)
{
    double level = 0.0;
    for (int i = 0; i < DPL_SIX; i++) {
        double x = (pose[i] - ellipsoid->centre[i]) * ellipsoid->inverse[i];
        level += x * x;
    }
    return level;
}

void dpl_traj_workspace_begin(struct dpl_traj_workspace *workspace)
{
    *workspace = (struct dpl_traj_workspace){.phase = DPL_TRAJ_INSIDE};
}

/* In units of the soft semi-axes the surface is the unit sphere: the direction to the reference
 * gives both the exit point and the outward normal at this point. */
void dpl_traj_deflect(const struct dpl_traj_workspace_config *config,
                      const struct dpl_traj_axes *axes, const struct dpl_traj_motion *motion,
                      const double *r, double *ret_y)
{
    const struct dpl_traj_ellipsoid *soft = &config->soft;
    double distance = sqrt(dpl_traj_ellipsoid_level(soft, r));
    double n[DPL_SIX], e[DPL_SIX], v[DPL_SIX], en = 0.0, vn = 0.0;
    for (int i = 0; i < DPL_SIX; i++) {
        n[i] = (r[i] - soft->centre[i]) * soft->inverse[i] / distance;
        e[i] = (motion->y[i] - soft->centre[i]) * soft->inverse[i] - n[i];
        v[i] = motion->d[i] * soft->inverse[i] / axes->period_s;
        en += n[i] * e[i];
        vn += n[i] * v[i];
    }
    double wn = config->normal_rad_s, wt = config->tangential_rad_s;
    double an = -(wn * wn * en + 2.0 * config->normal_damping * wn * vn);
    for (int i = 0; i < DPL_SIX; i++) {
        double et = e[i] - n[i] * en, vt = v[i] - n[i] * vn;
        double at = -(wt * wt * et + 2.0 * config->tangential_damping * wt * vt);
        double a = soft->semi[i] * (n[i] * an + at), limit = axes->accel_max[i];
        double step = axes->period_s * axes->period_s * dpl_clamp(a, -limit, limit);
        ret_y[i] = motion->y[i] + motion->d[i] + step;
    }
}

static bool at_rest(const struct dpl_traj_axes *axes, double rest_share, const double *d)
{
    bool rest = true;
    for (int i = 0; i < DPL_SIX; i++) {
        rest &= fabs(d[i]) < rest_share * axes->step_max[i];
    }
    return rest;
}

static enum dpl_traj_workspace_act follow_ramp(struct dpl_traj_workspace *workspace,
                                               const struct dpl_traj_workspace_config *config,
                                               const struct dpl_traj_axes *axes, double *ret_y)
{
    if (!dpl_traj_sync_step(&workspace->ramp, &config->return_ramp, axes, config->home, ret_y)) {
        dpl_traj_copy(ret_y, config->home);
        workspace->phase = DPL_TRAJ_WAITING;
    }
    return DPL_TRAJ_NEW_REFERENCE;
}

/* With policy RETURN_HOME the deflection uses the stop point of the machine instead of the
 * reference: the reference may be a spike far from the machine, or never let it come to rest. */
static enum dpl_traj_workspace_act come_to_rest(struct dpl_traj_workspace *workspace,
                                                const struct dpl_traj_workspace_config *config,
                                                const struct dpl_traj_axes *axes,
                                                const struct dpl_traj_motion *motion, double *ret_y)
{
    if (!at_rest(axes, config->rest_share, motion->d)) {
        double stop[DPL_SIX];
        dpl_traj_stop_point(axes, motion, stop);
        if (dpl_traj_ellipsoid_level(&config->soft, stop) > 1.0) {
            dpl_traj_deflect(config, axes, motion, stop, ret_y);
        } else {
            dpl_traj_brake_step(axes, motion, ret_y);
        }
        return DPL_TRAJ_NEW_STEP;
    }
    dpl_traj_sync_begin(&workspace->ramp, motion->y);
    workspace->phase = DPL_TRAJ_RETURNING;
    return follow_ramp(workspace, config, axes, ret_y);
}

enum dpl_traj_workspace_act dpl_traj_workspace_step(struct dpl_traj_workspace *workspace,
                                                    const struct dpl_traj_workspace_config *config,
                                                    const struct dpl_traj_axes *axes,
                                                    const struct dpl_traj_motion *motion,
                                                    const double *r, double *ret_y)
{
    if (workspace->phase >= DPL_TRAJ_RETURNING) {
        return follow_ramp(workspace, config, axes, ret_y);
    }
    bool committed = config->policy == DPL_TRAJ_RETURN_HOME;
    bool outside = dpl_traj_ellipsoid_level(&config->soft, r) > 1.0;
    if (!outside && !(committed && workspace->phase == DPL_TRAJ_DEFLECTING)) {
        workspace->phase = DPL_TRAJ_INSIDE;
        return DPL_TRAJ_LEFT_ALONE;
    }
    workspace->phase = DPL_TRAJ_DEFLECTING;
    if (committed) {
        return come_to_rest(workspace, config, axes, motion, ret_y);
    }
    dpl_traj_deflect(config, axes, motion, r, ret_y);
    return DPL_TRAJ_NEW_STEP;
}

/* ---- the guard's decision ---- */

bool dpl_traj_viable(const struct dpl_traj_axes *axes, const struct dpl_traj_ellipsoid *hard,
                     const struct dpl_traj_motion *next)
{
    double stop[DPL_SIX];
    dpl_traj_stop_point(axes, next, stop);
    return dpl_traj_ellipsoid_level(hard, next->y) <= 1.0 - DPL_TRAJ_GUARD_MARGIN &&
           dpl_traj_ellipsoid_level(hard, stop) <= 1.0 - DPL_TRAJ_GUARD_MARGIN;
}
