/* SPDX-License-Identifier: Apache-2.0 */
/* MotionReferee: observes a six-axis machine during a fault and gives the verdict: whether every
 * pose stayed within its limits, and whether the machine recovered or came to rest as expected. */
#include <errno.h>
#include <string.h>

#include <doppel/msg/axes.h>
#include <doppel/msg/motion.h>
#include <doppel/plugin.h>

#include "../pose6.h"
#include "../robot_machine.h"
#include "tables.h"

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct motion_properties *props = self->properties;
    struct motion_state *state = self->state;
    struct dpl_machine machine;
    state->fresh = motion_judge_from(props);
    if (props->robot[0] == '\0') {
        return 0;
    }
    int err = motion_read_machine(self, props->robot, &machine, reterr);
    if (err < 0) {
        return err;
    }
    struct motion_limits *limits = &state->fresh.limits;
    limits->has_travel = true;
    for (int i = 0; i < DPL_AXES_N; i++) {
        limits->low_m[i] = machine.legs[i].low_m;
        limits->high_m[i] = machine.legs[i].high_m;
    }
    return 0;
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    struct motion_state *state = self->state;
    state->out = (struct motion_exports){.judge = state->fresh};
    state->started = false;
    return 0;
}

/* ---- observations --------------------------------------------------------------------------- */

static const void *newest(struct dpl_component *self, enum motion_port port)
{
    const struct dpl_message *message = dpl_port_latest(self, port);
    return message ? message->body : NULL;
}

static void see_plan(struct dpl_component *self, struct motion_tick *tick)
{
    const struct motion_properties *props = self->properties;
    const Doppel__PoseReference *reference =
        newest(self, props->target == TARGET_GIVEN ? MOTION_PORT_GIVEN : MOTION_PORT_REFERENCE);
    const Doppel__PathState *path = newest(self, MOTION_PORT_PATH);
    const Doppel__PlannerState *planner = newest(self, MOTION_PORT_PLANNER);
    if (reference) {
        tick->has_reference = true;
        dpl_pose6_get(reference->pose, tick->reference);
    }
    if (path) {
        tick->has_path = true;
        tick->path.next = path->next_sequence;
        dpl_pose6_get(path->last, tick->path.last);
        dpl_pose6_get(path->before, tick->path.before);
        tick->synthesised = (int64_t)path->synthesised;
        tick->factor = path->factor;
    }
    tick->planner_mode = planner ? (int)planner->mode : -1;
}

/* NULL: no state of the axes arrives. */
static const Doppel__AxisState *reporting_axes(struct dpl_component *self, dpl_ns now)
{
    const struct motion_properties *props = self->properties;
    const struct dpl_message *message = dpl_port_latest(self, MOTION_PORT_AXES);
    const Doppel__AxisState *axes = message ? message->body : NULL;
    bool reports = axes && axes->valid && axes->n_position == DPL_AXES_N &&
                   now - message->stamp <= dpl_ns_from_s(1e-3 * props->axes_timeout_ms);
    return reports ? axes : NULL;
}

static void see_machine(struct dpl_component *self, dpl_ns now, struct motion_tick *tick)
{
    const Doppel__MeasuredPose *measured = newest(self, MOTION_PORT_MEASURED);
    const Doppel__AxisState *axes = reporting_axes(self, now);
    const Doppel__MachineCommand *command = newest(self, MOTION_PORT_COMMAND);
    if (axes && measured && measured->valid) { /* otherwise the last known pose is used */
        tick->has_measured = true;
        dpl_pose6_get(measured->pose, tick->measured);
    }
    if (axes) {
        tick->has_axes = true;
        memcpy(tick->axes_m, axes->position, sizeof tick->axes_m);
        tick->axes_on = axes->mode == DOPPEL__AXES_MODE__AXES_ON;
    }
    tick->axes_asked = command ? command->axes_on && !command->axes_stop
                               : !dpl_port_is_connected(self, MOTION_PORT_COMMAND);
}

/* ---- display -------------------------------------------------------------------------------- */

static void show(struct dpl_component *self, const struct motion_tick *tick)
{
    const struct motion_properties *props = self->properties;
    struct motion_exports *out = &((struct motion_state *)self->state)->out;
    for (int i = 0; i < 2; i++) {
        int axis = props->axis[i];
        out->shown[i].reference = tick->reference[axis];
        out->shown[i].planned = tick->path.last[axis];
        if (tick->has_measured) {
            out->shown[i].measured = tick->measured[axis];
        }
    }
    out->factor = tick->factor;
    out->planner_mode = tick->planner_mode < 0 ? 0 : tick->planner_mode;
    out->axes_on = out->judge.axes_follow;
    out->worst_axis = out->judge.worst_axis;
    out->deviation_m = motion_judge_deviation_m(&out->judge);
    out->deviation_rad = motion_judge_deviation_rad(&out->judge);
}

static void give_verdict(struct dpl_component *self)
{
    struct motion_exports *out = &((struct motion_state *)self->state)->out;
    struct dpl_verdict verdict = {.expected = motion_judge_expected(&out->judge)};
    const char *word = motion_verdict_word(out->judge.verdict);
    out->verdict = (int)out->judge.verdict;
    out->expected = verdict.expected;
    memcpy(verdict.name, word, strlen(word) + 1);
    motion_judge_sentence(&out->judge, verdict.text, sizeof verdict.text);
    dpl_component_give_verdict(self, &verdict);
}

static int execute(struct dpl_component *self, const struct dpl_tick *now)
{
    struct motion_state *state = self->state;
    if (!state->started) {
        state->started = true;
        state->started_at = now->now;
    }
    if (state->out.verdict != MOTION_UNDECIDED) {
        return 0;
    }
    struct motion_tick tick = {.at = now->now - state->started_at};
    see_plan(self, &tick);
    see_machine(self, now->now, &tick);
    enum motion_verdict verdict = motion_judge_step(&state->out.judge, &tick);
    show(self, &tick);
    if (verdict != MOTION_UNDECIDED) {
        give_verdict(self);
    }
    return 0;
}

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
};

static const struct dpl_component_class class = {
    .name = "MotionReferee",
    .summary = "gives the verdict on how a six-axis machine reacts to a fault",
    .ops = &ops,
    .ports = motion_ports,
    .n_ports = MOTION_N_PORTS,
    .properties = motion_property_table,
    .n_properties = MOTION_N_PROPERTIES,
    .properties_size = sizeof(struct motion_properties),
    .exports = motion_export_table,
    .n_exports = MOTION_N_EXPORTS,
    .state_size = sizeof(struct motion_state),
    .default_period = 625 * DPL_US,
    .check = motion_check,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
