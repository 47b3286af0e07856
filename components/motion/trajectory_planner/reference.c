/* SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"

#include <math.h>
#include <stddef.h>

#include "quintic.h"

#define MAX_TICKS 1e9

void dpl_traj_condition_begin(struct dpl_traj_condition *condition, const double *pose)
{
    *condition = (struct dpl_traj_condition){0};
    dpl_traj_copy(condition->last, pose);
}

/* False for NaN too. */
static bool sane(const double *pose, double absurd)
{
    bool good = true;
    for (int i = 0; i < DPL_SIX; i++) {
        good &= fabs(pose[i]) <= absurd;
    }
    return good;
}

/* A stamp may be any number, so the difference is computed without overflow. */
static bool fresh(dpl_ns stamp, dpl_ns now, dpl_ns expire_after)
{
    uint64_t apart =
        now >= stamp ? (uint64_t)now - (uint64_t)stamp : (uint64_t)stamp - (uint64_t)now;
    return apart <= (uint64_t)expire_after;
}

bool dpl_traj_condition_accept(struct dpl_traj_condition *condition,
                               const struct dpl_traj_condition_config *config,
                               const struct dpl_traj_reference *reference, dpl_ns now)
{
    if (reference && fresh(reference->stamp, now, config->expire_after) &&
        sane(reference->pose, config->absurd)) {
        dpl_traj_copy(condition->last, reference->pose);
        condition->n_row = 0;
        return true;
    }
    condition->n_rejected++;
    if (condition->n_row < UINT32_MAX) {
        condition->n_row++;
    }
    return false;
}

bool dpl_traj_condition_failed(const struct dpl_traj_condition *condition,
                               const struct dpl_traj_condition_config *config)
{
    return config->n_fault != 0 && condition->n_row >= config->n_fault;
}

void dpl_traj_sync_begin(struct dpl_traj_sync *sync, const double *pose)
{
    *sync = (struct dpl_traj_sync){0};
    dpl_traj_copy(sync->from, pose);
}

uint32_t dpl_traj_sync_ticks(const struct dpl_traj_sync_config *config,
                             const struct dpl_traj_axes *axes, const double *from, const double *to)
{
    double duration = config->duration_s;
    for (int i = 0; i < DPL_SIX; i++) {
        double accel = config->accel_share * axes->accel_max[i];
        duration =
            fmax(duration, sqrt(DPL_QUINTIC_PEAK_ACCELERATION * fabs(to[i] - from[i]) / accel));
    }
    /* A quotient that is an integer except for rounding must not add a tick. */
    double ticks = ceil(duration / axes->period_s - 1e-9);
    return ticks < 1.0 ? 1 : (uint32_t)fmin(ticks, MAX_TICKS);
}

static double weight(enum dpl_traj_sync_law law, double s)
{
    return law == DPL_TRAJ_SYNC_LINEAR ? s : dpl_quintic_s(s);
}

bool dpl_traj_sync_step(struct dpl_traj_sync *sync, const struct dpl_traj_sync_config *config,
                        const struct dpl_traj_axes *axes, const double *r, double *ret_y)
{
    if (sync->n_ticks == 0) {
        sync->n_ticks = dpl_traj_sync_ticks(config, axes, sync->from, r);
    }
    if (sync->tick < sync->n_ticks) {
        sync->tick++;
    }
    if (sync->tick == sync->n_ticks) {
        return false;
    }
    double w = weight(config->law, (double)sync->tick / sync->n_ticks);
    for (int i = 0; i < DPL_SIX; i++) {
        ret_y[i] = sync->from[i] + w * (r[i] - sync->from[i]);
    }
    return true;
}

bool dpl_traj_sync_done(const struct dpl_traj_sync *sync)
{
    return sync->n_ticks != 0 && sync->tick == sync->n_ticks;
}
