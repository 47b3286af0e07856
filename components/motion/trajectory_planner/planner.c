/* SPDX-License-Identifier: Apache-2.0 */
/* The five stages in sequence. Every stage gets the actual output of the planner as the state of
 * the machine, not its own last result. */
#include "planner.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>

static void begin(struct dpl_traj_planner *planner)
{
    const double *pose = planner->motion.y;
    planner->mode = DPL_TRAJ_RUNNING;
    dpl_traj_condition_begin(&planner->condition, pose);
    dpl_traj_sync_begin(&planner->sync, pose);
    dpl_traj_workspace_begin(&planner->workspace);
    dpl_traj_saturation_begin(&planner->saturation, pose);
}

int dpl_traj_planner_init(struct dpl_traj_planner *planner, const struct dpl_traj_config *config)
{
    if (dpl_traj_config_check(config)) {
        return -EINVAL;
    }
    *planner = (struct dpl_traj_planner){.config = *config, .mode = DPL_TRAJ_STOPPED};
    return 0;
}

int dpl_traj_planner_start(struct dpl_traj_planner *planner, const double *pose)
{
    double level = dpl_traj_ellipsoid_level(&planner->config.workspace.hard, pose);
    if (!isfinite(level)) {
        return -EINVAL;
    }
    bool guarded = (planner->config.stages & DPL_TRAJ_GUARD) != 0;
    if (guarded && level > 1.0 - DPL_TRAJ_GUARD_MARGIN) {
        return -ERANGE;
    }
    planner->motion = (struct dpl_traj_motion){0};
    dpl_traj_copy(planner->motion.y, pose);
    begin(planner);
    return 0;
}

bool dpl_traj_planner_admits(const struct dpl_traj_planner *planner, const double *pose)
{
    const struct dpl_traj_config *config = &planner->config;
    double soft = dpl_traj_ellipsoid_level(&config->workspace.soft, pose);
    double hard = dpl_traj_ellipsoid_level(&config->workspace.hard, pose);
    bool sane = isfinite(soft) && isfinite(hard);
    for (int i = 0; i < DPL_SIX && (config->stages & DPL_TRAJ_CONDITION); i++) {
        sane = sane && fabs(pose[i]) <= config->condition.absurd;
    }
    return sane && (!(config->stages & DPL_TRAJ_WORKSPACE) || soft <= 1.0) &&
           (!(config->stages & DPL_TRAJ_GUARD) || hard <= 1.0 - DPL_TRAJ_GUARD_MARGIN);
}

bool dpl_traj_planner_at_rest(const struct dpl_traj_planner *planner)
{
    bool rest = true;
    for (int i = 0; i < DPL_SIX; i++) {
        rest &= planner->motion.d[i] == 0.0;
    }
    return rest;
}

int dpl_traj_planner_restart(struct dpl_traj_planner *planner)
{
    if (planner->mode == DPL_TRAJ_STOPPED) {
        return -EINVAL;
    }
    if (!dpl_traj_planner_at_rest(planner)) {
        return -EBUSY;
    }
    begin(planner);
    return 0;
}

int dpl_traj_planner_resume(struct dpl_traj_planner *planner, const double *last,
                            const double *before)
{
    struct dpl_traj_motion motion;
    bool finite = true;
    for (int i = 0; i < DPL_SIX; i++) {
        motion.y[i] = last[i];
        motion.d[i] = last[i] - before[i];
        finite &= isfinite(motion.y[i]) && isfinite(motion.d[i]);
    }
    if (!finite || planner->mode == DPL_TRAJ_STOPPED) {
        return -EINVAL;
    }
    planner->motion = motion;
    return 0;
}

static void emit(struct dpl_traj_planner *planner, const double *y, double *ret_pose)
{
    struct dpl_traj_motion *motion = &planner->motion;
    for (int i = 0; i < DPL_SIX; i++) {
        motion->d[i] = y[i] - motion->y[i];
        motion->y[i] = y[i];
        ret_pose[i] = y[i];
    }
}

void dpl_traj_planner_brake(struct dpl_traj_planner *planner, double *ret_pose)
{
    double y[DPL_SIX];
    dpl_traj_brake_step(&planner->config.axes, &planner->motion, y);
    emit(planner, y, ret_pose);
}

/* Conditioning and sync: computes the reference for the other stages. */
static void prepare(struct dpl_traj_planner *planner, const struct dpl_traj_reference *reference,
                    dpl_ns now, struct dpl_traj_trace *trace)
{
    const struct dpl_traj_config *config = &planner->config;
    struct dpl_traj_condition *condition = &planner->condition;
    if ((config->stages & DPL_TRAJ_CONDITION) == 0) {
        dpl_traj_copy(trace->conditioned, reference ? reference->pose : condition->last);
        dpl_traj_copy(condition->last, trace->conditioned);
    } else {
        bool good = dpl_traj_condition_accept(condition, &config->condition, reference, now);
        trace->acted |= good ? 0u : DPL_TRAJ_CONDITION;
        dpl_traj_copy(trace->conditioned, condition->last);
    }
    if ((config->stages & DPL_TRAJ_SYNC) != 0 &&
        dpl_traj_sync_step(&planner->sync, &config->sync, &config->axes, trace->conditioned,
                           trace->synced)) {
        trace->acted |= DPL_TRAJ_SYNC;
    } else {
        dpl_traj_copy(trace->synced, trace->conditioned);
    }
}

/* The saturation control stores the reference before deflection, so that on return it knows its
 * distance to it. A deflected step stays within the limits by itself and bypasses the control. */
static void limit(struct dpl_traj_planner *planner, struct dpl_traj_trace *trace)
{
    const struct dpl_traj_config *config = &planner->config;
    enum dpl_traj_workspace_act act = DPL_TRAJ_LEFT_ALONE;
    bool was_homing = planner->workspace.phase >= DPL_TRAJ_RETURNING;
    if ((config->stages & DPL_TRAJ_WORKSPACE) != 0) {
        act = dpl_traj_workspace_step(&planner->workspace, &config->workspace, &config->axes,
                                      &planner->motion, trace->synced, trace->deflected);
    }
    if (act == DPL_TRAJ_LEFT_ALONE) {
        dpl_traj_copy(trace->deflected, trace->synced);
    } else {
        trace->acted |= DPL_TRAJ_WORKSPACE;
    }
    if (act == DPL_TRAJ_NEW_STEP || (config->stages & DPL_TRAJ_SATURATION) == 0) {
        dpl_traj_copy(trace->saturated, trace->deflected);
        dpl_traj_saturation_skip(&planner->saturation, trace->synced);
        return;
    }
    if (act == DPL_TRAJ_NEW_REFERENCE && !was_homing) {
        /* The way home begins here and does not depend on the reference that was left. */
        dpl_traj_saturation_begin(&planner->saturation, planner->motion.y);
    }
    if (dpl_traj_saturation_step(&planner->saturation, &config->saturation, &config->axes,
                                 &planner->motion, trace->deflected, trace->saturated)) {
        trace->acted |= DPL_TRAJ_SATURATION;
    }
}

static void guard(struct dpl_traj_planner *planner, struct dpl_traj_trace *trace)
{
    const struct dpl_traj_config *config = &planner->config;
    struct dpl_traj_motion next;
    for (int i = 0; i < DPL_SIX; i++) {
        next.y[i] = trace->saturated[i];
        next.d[i] = next.y[i] - planner->motion.y[i];
    }
    if ((config->stages & DPL_TRAJ_GUARD) != 0 &&
        !dpl_traj_viable(&config->axes, &config->workspace.hard, &next)) {
        trace->acted |= DPL_TRAJ_GUARD;
        dpl_traj_planner_brake(planner, trace->emitted);
        return;
    }
    planner->motion = next;
    dpl_traj_copy(trace->emitted, next.y);
}

/* When not running, the results of the stages are not computed. */
static void hold(struct dpl_traj_planner *planner, struct dpl_traj_trace *trace)
{
    dpl_traj_planner_brake(planner, trace->emitted);
    dpl_traj_copy(trace->conditioned, trace->emitted);
    dpl_traj_copy(trace->synced, trace->emitted);
    dpl_traj_copy(trace->deflected, trace->emitted);
    dpl_traj_copy(trace->saturated, trace->emitted);
}

void dpl_traj_planner_step(struct dpl_traj_planner *planner,
                           const struct dpl_traj_reference *reference, dpl_ns now,
                           struct dpl_traj_trace *ret_trace, double *ret_pose)
{
    struct dpl_traj_trace unseen;
    struct dpl_traj_trace *trace = ret_trace ? ret_trace : &unseen;
    trace->acted = 0;
    if (planner->mode == DPL_TRAJ_RUNNING) {
        prepare(planner, reference, now, trace);
        if (dpl_traj_condition_failed(&planner->condition, &planner->config.condition)) {
            planner->mode = DPL_TRAJ_FAULT;
        }
    }
    if (planner->mode == DPL_TRAJ_RUNNING) {
        limit(planner, trace);
        guard(planner, trace);
    } else {
        trace->acted |= planner->mode == DPL_TRAJ_FAULT ? DPL_TRAJ_CONDITION : 0u;
        hold(planner, trace);
    }
    dpl_traj_copy(ret_pose, trace->emitted);
}
