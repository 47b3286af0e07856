/* SPDX-License-Identifier: Apache-2.0 */
/* Checks which references are accepted. */
#include "condition.h"

#include <math.h>
#include <stddef.h>

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
