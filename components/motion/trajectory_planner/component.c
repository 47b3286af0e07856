/* SPDX-License-Identifier: Apache-2.0 */
/* TrajectoryPlanner: computes in each tick a pose that the machine can follow, from the command of
 * the machine and the current poses of the consumer (MotionPath). */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/math/six_axes.h>
#include <doppel/msg/motion.h>
#include <doppel/plugin.h>

#include "../pose6.h"
#include "inputs.h"

static const size_t pose_size = DPL_SIX * sizeof(double);

/* ---- life cycle ----------------------------------------------------------------------------- */

static int period_changed(struct dpl_component *self, dpl_ns period)
{
    ((struct traj_state *)self->state)->period = period;
    return 0;
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    struct traj_state *state = self->state;
    struct dpl_traj_config config;
    if (state->period <= 0) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "a planner plans by its period: its execution must be periodic");
    }
    int err = traj_config_from(self->properties, dpl_ns_to_s(state->period), &config, reterr);
    if (err < 0) {
        return err;
    }
    state->started = state->told_outside = state->refuses = false;
    state->fresh = true;
    dpl_traj_lag_stop(&state->lag);
    state->out.mode = DOPPEL__PLANNER_MODE__PLANNER_IDLE;
    return dpl_traj_planner_init(&state->planner, &config);
}

/* ---- pose of the machine -------------------------------------------------------------------- */

static void begin_at(struct dpl_component *self, const double *pose)
{
    struct traj_state *state = self->state;
    bool same = state->started && memcmp(pose, state->planner.motion.y, pose_size) == 0;
    if (same && dpl_traj_planner_at_rest(&state->planner)) {
        return;
    }
    int err = dpl_traj_planner_start(&state->planner, pose);
    state->started = err == 0;
    state->fresh = true;
    if (err == -ERANGE && !state->told_outside) {
        dpl_component_log(self, DPL_LOG_WARN,
                          "the machine stands outside of the hard ellipsoid: no motion is planned");
    }
    state->told_outside = err == -ERANGE;
}

/* Continues from the poses of the path, unless the newest planned pose has not reached it yet. A
 * pose that was planned more than two ticks ago and has not arrived is lost. If the path has
 * synthesised a pose in between, poses on the way are too late. */
static void resume(struct traj_state *state, const Doppel__PathState *path, const double *last,
                   const double *before)
{
    const struct dpl_traj_motion *motion = &state->planner.motion;
    bool on_its_way = path->next_sequence < state->sequence &&
                      path->next_sequence >= state->due[1] && path->synthesised == state->upon;
    if (!state->started || on_its_way) {
        return;
    }
    struct dpl_traj_motion own = *motion;
    if (dpl_traj_planner_resume(&state->planner, last, before) < 0) {
        return;
    }
    state->out.n_foreign += memcmp(&own, motion, sizeof own) != 0;
    state->sequence = state->due[0] = state->due[1] = path->next_sequence;
    state->upon = path->synthesised;
}

static void adopt_path(struct dpl_component *self, const Doppel__PathState *path, bool move)
{
    struct traj_state *state = self->state;
    double last[DPL_SIX], before[DPL_SIX];
    dpl_pose6_get(path->last, last);
    dpl_pose6_get(path->before, before);
    bool rests = memcmp(last, before, pose_size) == 0;
    if (rests && (!move || !state->started)) {
        begin_at(self, last);
        state->sequence = path->next_sequence;
        state->upon = path->synthesised;
        return;
    }
    resume(state, path, last, before);
}

/* False: this tick must be skipped. */
static bool locate(struct dpl_component *self, const struct traj_order *order)
{
    struct traj_state *state = self->state;
    const struct dpl_message *message = dpl_port_latest(self, PORT_PATH);
    if (message) {
        const Doppel__PathState *path = message->body;
        adopt_path(self, path, order->move);
        state->out.n_full += path->full;
        return !path->full;
    }
    const struct dpl_message *seen = dpl_port_latest(self, PORT_MEASURED);
    const Doppel__MeasuredPose *measured = seen ? seen->body : NULL;
    if (!dpl_port_is_connected(self, PORT_PATH) && !state->started && measured && measured->valid) {
        double pose[DPL_SIX];
        dpl_pose6_get(measured->pose, pose);
        begin_at(self, pose);
    }
    return true;
}

/* ---- planning ------------------------------------------------------------------------------- */

/* Refuses a target that can never be reached. */
static void check_target(struct dpl_component *self, struct traj_order *order)
{
    struct traj_state *state = self->state;
    const struct dpl_traj_planner *planner = &state->planner;
    bool was = state->refuses && order->epoch == state->epoch;
    state->refuses =
        order->move && order->target && !dpl_traj_planner_admits(planner, order->target);
    order->move &= !state->refuses;
    state->out.n_refused += state->refuses && !was;
    if (state->refuses && !was) {
        const double *p = order->target;
        dpl_component_log(self, DPL_LOG_WARN,
                          "%g %g %g m, %g %g %g rad is not a valid target: its level is %.4g of "
                          "the hard ellipsoid, %.4g of the soft one, expected at most 1",
                          p[0], p[1], p[2], p[3], p[4], p[5],
                          dpl_traj_ellipsoid_level(&planner->config.workspace.hard, p),
                          dpl_traj_ellipsoid_level(&planner->config.workspace.soft, p));
    }
}

static bool is_at(const struct traj_state *state, const double *target)
{
    return dpl_traj_planner_at_rest(&state->planner) &&
           memcmp(state->planner.motion.y, target, pose_size) == 0;
}

static int mode_of(const struct traj_state *state, const struct traj_order *order)
{
    static const int of_phase[] = {
        [DPL_TRAJ_DEFLECTING] = DOPPEL__PLANNER_MODE__PLANNER_DEFLECTING,
        [DPL_TRAJ_RETURNING] = DOPPEL__PLANNER_MODE__PLANNER_RETURNING,
        [DPL_TRAJ_WAITING] = DOPPEL__PLANNER_MODE__PLANNER_WAITING,
    };
    const struct dpl_traj_planner *planner = &state->planner;
    if (planner->mode == DPL_TRAJ_FAULT) {
        return DOPPEL__PLANNER_MODE__PLANNER_FAULT;
    }
    if (planner->workspace.phase != DPL_TRAJ_INSIDE) {
        return of_phase[planner->workspace.phase];
    }
    bool syncs = (planner->config.stages & DPL_TRAJ_SYNC) && !dpl_traj_sync_done(&planner->sync);
    bool arrived = !order->target || is_at(state, order->target);
    return syncs || !arrived ? DOPPEL__PLANNER_MODE__PLANNER_SYNCING
                             : DOPPEL__PLANNER_MODE__PLANNER_FOLLOWING;
}

static void count(struct traj_exports *out, unsigned acted)
{
    for (int i = 0; i < TRAJ_N_STAGES; i++) {
        out->n_acted[i] += (acted >> i) & 1u;
    }
    out->acted = acted;
}

/* Logs a platform that does not follow its reference. */
static void report_lag(struct dpl_component *self, const struct dpl_traj_trace *trace)
{
    struct traj_state *state = self->state;
    const struct traj_properties *props = self->properties;
    const struct dpl_traj_axes *axes = &state->planner.config.axes;
    struct dpl_traj_lag *lag = &state->lag;
    double lasted_s = lag->lasts_s;
    enum dpl_traj_lag_event event = dpl_traj_lag_step(lag, props->lag_s, axes, trace);
    if (event == DPL_TRAJ_LAG_BEGINS) {
        dpl_component_log(self, DPL_LOG_WARN,
                          "the pose has been off its reference for %g s: AccelerationLimits hold "
                          "it back, %s by %.3g %s; the platform does not follow the reference",
                          props->lag_s, dpl_six_names[lag->axis], lag->off,
                          lag->axis < 3 ? "m" : "rad");
    } else if (event == DPL_TRAJ_LAG_ENDS) {
        dpl_component_log(self, DPL_LOG_INFO, "on the reference again after %.3g s", lasted_s);
    }
    state->out.behind_s = lag->lasts_s;
    state->out.longest_behind_s = lag->longest_s;
    state->out.n_behind = (int64_t)lag->n;
}

static void go(struct dpl_component *self, const struct traj_order *order, dpl_ns now,
               double *ret_pose)
{
    struct traj_state *state = self->state;
    struct dpl_traj_planner *planner = &state->planner;
    struct dpl_traj_reference reference;
    struct dpl_traj_trace trace;
    uint64_t rejected = planner->condition.n_rejected;
    dpl_traj_planner_step(planner, traj_read_reference(self, order, now, &reference), now, &trace,
                          ret_pose);
    count(&state->out, trace.acted);
    report_lag(self, &trace);
    state->out.n_rejected += (int64_t)(planner->condition.n_rejected - rejected);
    int mode = mode_of(state, order);
    state->out.n_faults += mode == DOPPEL__PLANNER_MODE__PLANNER_FAULT && state->out.mode != mode;
    state->out.mode = mode;
}

static void hold(struct traj_state *state, double *ret_pose)
{
    state->out.mode = dpl_traj_planner_at_rest(&state->planner)
                          ? DOPPEL__PLANNER_MODE__PLANNER_IDLE
                          : DOPPEL__PLANNER_MODE__PLANNER_BRAKING;
    dpl_traj_planner_brake(&state->planner, ret_pose);
    dpl_traj_lag_stop(&state->lag);
    state->out.behind_s = 0.0;
    count(&state->out, 0);
}

/* A motion begins at rest: a moving platform first brakes. */
static bool may_go(struct traj_state *state, const struct traj_order *order)
{
    state->fresh |= !order->move || order->epoch != state->epoch;
    state->epoch = order->epoch;
    if (!order->move) {
        return false;
    }
    if (state->fresh && dpl_traj_planner_restart(&state->planner) == 0) {
        state->fresh = false;
        state->out.n_starts++;
    }
    return !state->fresh;
}

static void watch(struct traj_state *state, const struct dpl_traj_motion *before)
{
    const struct dpl_traj_planner *planner = &state->planner;
    struct traj_exports *out = &state->out;
    dpl_traj_copy(out->pose, planner->motion.y);
    out->level_hard = dpl_traj_ellipsoid_level(&planner->config.workspace.hard, planner->motion.y);
    out->greatest_level_hard = fmax(out->greatest_level_hard, out->level_hard);
    for (int i = 0; i < DPL_SIX; i++) {
        double share = fabs(planner->motion.d[i] - before->d[i]) / planner->config.axes.step_max[i];
        out->greatest_accel_share = fmax(out->greatest_accel_share, share);
    }
}

/* ---- a tick --------------------------------------------------------------------------------- */

static void publish_pose(struct dpl_component *self, const double *pose, dpl_ns now)
{
    struct traj_state *state = self->state;
    Doppel__PlannedPose *message = dpl_port_loan(self, PORT_POSE);
    if (message) {
        dpl_pose6_set(message->pose, pose);
        message->sequence = state->sequence++;
        message->upon = state->upon;
        dpl_port_publish(self, PORT_POSE, message, now);
    }
}

static void publish_state(struct dpl_component *self, dpl_ns now)
{
    const struct traj_state *state = self->state;
    Doppel__PlannerState *message = dpl_port_loan(self, PORT_STATE);
    if (message) {
        message->mode = (Doppel__PlannerMode)state->out.mode;
        message->epoch = state->epoch;
        message->acted = (uint32_t)state->out.acted;
        message->at_rest = dpl_traj_planner_at_rest(&state->planner);
        message->level_hard = state->out.level_hard;
        message->obstacle = state->refuses        ? DOPPEL__PLANNER_OBSTACLE__OBSTACLE_TARGET
                            : state->told_outside ? DOPPEL__PLANNER_OBSTACLE__OBSTACLE_START
                                                  : DOPPEL__PLANNER_OBSTACLE__OBSTACLE_NONE;
        dpl_port_publish(self, PORT_STATE, message, now);
    }
}

static void plan(struct dpl_component *self, const struct traj_order *order, dpl_ns now)
{
    struct traj_state *state = self->state;
    struct dpl_traj_motion before = state->planner.motion;
    double pose[DPL_SIX];
    if (may_go(state, order)) {
        go(self, order, now, pose);
    } else {
        hold(state, pose);
    }
    watch(state, &before);
    publish_pose(self, pose, now);
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct traj_state *state = self->state;
    struct traj_order order;
    traj_read_order(self, tick, &order);
    check_target(self, &order);
    bool due = locate(self, &order);
    state->due[1] = state->due[0];
    state->due[0] = state->sequence;
    if (!state->started) {
        state->epoch = order.epoch;
        state->out.mode = order.move && state->told_outside ? DOPPEL__PLANNER_MODE__PLANNER_FAULT
                                                            : DOPPEL__PLANNER_MODE__PLANNER_IDLE;
    } else if (due) {
        plan(self, &order, tick->now);
    }
    publish_state(self, tick->now);
    return 0;
}

/* ---- tables --------------------------------------------------------------------------------- */

#define PORT(port_, name_, dir_, message_, text_)                                                  \
    [port_] = {                                                                                    \
        .name = name_,                                                                             \
        .kind = DPL_PORT_DATA,                                                                     \
        .dir = dir_,                                                                               \
        .message = &doppel__##message_##__descriptor,                                              \
        .policy = DPL_QUEUE_LAST,                                                                  \
        .summary = text_,                                                                          \
    }

static const struct dpl_port_desc ports[] = {
    PORT(PORT_REFERENCE, "reference", DPL_PORT_IN, pose_reference, "where the platform shall be"),
    PORT(PORT_COMMAND, "command", DPL_PORT_IN, machine_command,
         "what the machine shall do; open: follow the reference"),
    PORT(PORT_PATH, "path", DPL_PORT_IN, path_state,
         "poses that the consumer has; open: all that were planned"),
    PORT(PORT_MEASURED, "measured", DPL_PORT_IN, measured_pose,
         "where to begin when there is no path"),
    PORT(PORT_POSE, "pose", DPL_PORT_OUT, planned_pose, "each tick: the next pose"),
    PORT(PORT_STATE, "state", DPL_PORT_OUT, planner_state, "each tick: what the planner does"),
};

static const struct dpl_component_ops ops = {
    .start = start,
    .execute = execute,
    .period_changed = period_changed,
};

static const struct dpl_component_class class = {
    .name = "TrajectoryPlanner",
    .summary = "plans poses that follow a reference within the machine's limits",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = traj_property_table,
    .n_properties = TRAJ_N_PROPERTIES,
    .properties_size = sizeof(struct traj_properties),
    .exports = traj_export_table,
    .n_exports = TRAJ_N_EXPORTS,
    .state_size = sizeof(struct traj_state),
    .default_period = 2500 * DPL_US,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
