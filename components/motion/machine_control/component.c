/* SPDX-License-Identifier: Apache-2.0 */
/* MachineControl: decides whether a six-axis machine may move, and controls its tasks. In each
 * cycle it reads the states of axes, planner and path and the measured pose, computes a step of its
 * two state machines, and publishes the command for planner, path and servo. */
#include <errno.h>
#include <math.h>

#include <doppel/math/number_rows.h>
#include <doppel/msg/axes.h>
#include <doppel/msg/force_sensor.h>
#include <doppel/msg/motion.h>
#include <doppel/plugin.h>

#include "../pose6.h"
#include "tables.h"

/* ---- preparing ---- */

/* The texts were checked when they were set. */
static int parse_texts(const struct machine_properties *props, struct machine_component *state,
                       double ret_home[DPL_SIX])
{
    struct requests_error bad;
    bool good = dpl_rows_only(props->home, DPL_SIX, ret_home);
    return good ? requests_parse(&state->requests, props->requests, &bad) : -EINVAL;
}

static struct machine_config config_from(const struct machine_properties *p)
{
    return (struct machine_config){
        .axes_timeout = dpl_ns_from_s(p->axes_timeout_ms * 1e-3),
        .planner_timeout = dpl_ns_from_s(p->planner_timeout_ms * 1e-3),
        .path_timeout = dpl_ns_from_s(p->path_timeout_ms * 1e-3),
        .enable_timeout = dpl_ns_from_s(p->enable_timeout_ms * 1e-3),
        .stop_timeout = dpl_ns_from_s(p->stop_timeout_ms * 1e-3),
        .emergency_timeout = dpl_ns_from_s(p->emergency_timeout_ms * 1e-3),
        .arrive_timeout = dpl_ns_from_s(p->arrive_timeout_ms * 1e-3),
        .reset_timeout = dpl_ns_from_s(p->reset_timeout_ms * 1e-3),
        .rest_time = dpl_ns_from_s(p->rest_time_ms * 1e-3),
        .rest_speed_m_s = p->rest_speed_m_s,
        .pose_gap_most = (uint32_t)p->max_pose_gap,
        .force_timeout = dpl_ns_from_s(p->force_timeout_ms * 1e-3),
    };
}

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct machine_properties *props = self->properties;
    struct machine_component *state = self->state;
    double home[DPL_SIX] = {0};
    (void)reterr;
    int err = parse_texts(props, state, home);
    if (err < 0) {
        return err;
    }
    struct machine_config config = config_from(props);
    machine_init(&state->machine, &config, home);
    return 0;
}

/* Each start begins in BOOT; the numbers of commands continue, so that new commands are newer than
 * all before. */
static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    struct machine_component *state = self->state;
    struct machine *machine = &state->machine;
    uint64_t epoch = machine->secondary.epoch;
    struct machine before = *machine;
    machine_init(machine, &before.config, before.home);
    machine->secondary.epoch = epoch + 1;
    state->sight = (struct machine_sight){0};
    state->started = false;
    state->next_request = 0;
    state->reported = 0;
    return 0;
}

/* ---- observations ---- */

static double fastest(const double *speed, size_t n)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(speed[i]));
    }
    return most;
}

/* An invalid state is treated as a missing one. */
static void see_axes(struct dpl_component *self, struct machine_sight *sight)
{
    const struct dpl_message *message = dpl_port_take(self, MACHINE_PORT_AXES);
    if (!message) {
        return;
    }
    const Doppel__AxisState *axes = message->body;
    sight->axes_valid = axes->valid;
    if (axes->valid) {
        sight->axes = (struct machine_heard){true, sight->now};
        sight->axes_mode = (enum dpl_axes_mode)axes->mode;
        sight->axes_fault = axes->fault;
        sight->axes_speed_m_s = fastest(axes->velocity, axes->n_velocity);
    }
}

static void see_planner(struct dpl_component *self, struct machine_sight *sight)
{
    const struct dpl_message *message = dpl_port_take(self, MACHINE_PORT_PLANNER);
    if (!message) {
        return;
    }
    const Doppel__PlannerState *planner = message->body;
    sight->planner = (struct machine_heard){true, sight->now};
    sight->planner_mode = (enum dpl_planner_mode)planner->mode;
    sight->planner_obstacle = (enum dpl_planner_obstacle)planner->obstacle;
    sight->planner_epoch = planner->epoch;
    sight->planner_at_rest = planner->at_rest;
}

static void see_path(struct dpl_component *self, struct machine_sight *sight)
{
    const struct dpl_message *message = dpl_port_take(self, MACHINE_PORT_PATH);
    if (message) {
        const Doppel__PathState *path = message->body;
        sight->path = (struct machine_heard){true, sight->now};
        sight->path_moving = path->moving;
        sight->unreachable = path->unreachable;
    }
}

static void see_pose(struct dpl_component *self, struct machine_sight *sight)
{
    const struct dpl_message *message = dpl_port_take(self, MACHINE_PORT_MEASURED);
    bool known = message && ((const Doppel__MeasuredPose *)message->body)->valid;
    sight->pose_gap = known ? 0 : sight->pose_gap + (sight->pose_gap < UINT32_MAX);
}

/* A force is valid under the same conditions as in the dynamic model. */
static void see_force(struct dpl_component *self, struct machine_sight *sight)
{
    sight->force_watched = dpl_port_is_connected(self, MACHINE_PORT_WRENCH);
    const struct dpl_message *message = dpl_port_take(self, MACHINE_PORT_WRENCH);
    if (!message) {
        return;
    }
    const Doppel__Wrench *w = message->body;
    double sum = w->force_x + w->force_y + w->force_z + w->torque_x + w->torque_y + w->torque_z;
    if (w->valid && isfinite(sum)) {
        sight->force = (struct machine_heard){true, sight->now};
    }
}

static void update_sight(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct machine_component *state = self->state;
    state->sight.now = tick->now;
    state->sight.halt = tick->halt == DPL_HALT_LOST;
    see_axes(self, &state->sight);
    see_planner(self, &state->sight);
    see_path(self, &state->sight);
    see_pose(self, &state->sight);
    see_force(self, &state->sight);
}

/* ---- display ---- */

static void log_changes(struct dpl_component *self, enum machine_phase phase, enum machine_row row)
{
    const struct machine_component *state = self->state;
    const struct machine *machine = &state->machine;
    if (machine->primary.phase != phase) {
        dpl_component_log(self, DPL_LOG_INFO, "%s -> %s", primary_phase_name(phase),
                          primary_phase_name(machine->primary.phase));
    }
    if (machine->secondary.row != row) {
        dpl_component_log(self, DPL_LOG_INFO, "%s -> %s", secondary_row_name(row),
                          secondary_row_name(machine->secondary.row));
    }
}

static void log_end(struct dpl_component *self, enum machine_row row)
{
    const struct machine *machine = &((struct machine_component *)self->state)->machine;
    const char *what = row == ROW_HOMING ? "home" : "the position";
    if (machine->end == END_REFUSED) {
        dpl_component_log(self, DPL_LOG_ERROR,
                          "%s is outside of the planner's workspace: the machine stops instead",
                          what);
    } else if (machine->end == END_LATE) {
        dpl_component_log(self, DPL_LOG_ERROR, "not at %s within ArriveTimeout (%g s): stopping",
                          what, dpl_ns_to_s(machine->config.arrive_timeout));
    }
}

static int shown_substate(enum machine_row row)
{
    return row >= ROW_SYNC && row <= ROW_WAIT ? (int)row - (int)ROW_SYNC + 1 : 0;
}

/* In a state that follows forces, a missing force is logged at once, even before it is a fault. */
static void show_force(struct machine_component *state, double elapsed_s)
{
    const struct machine *machine = &state->machine;
    const struct machine_sight *s = &machine->sight;
    bool follows = secondary_state(machine->secondary.row) == DPL_MACHINE_ADMITTANCE;
    bool is_blind = s->force_watched && !machine_is_heard(s->force, s->now, 0);
    state->force_known = machine_force_is_known(&machine->config, s);
    state->blind_s += follows && is_blind ? elapsed_s : 0.0;
}

static void show(struct machine_component *state, dpl_ns now)
{
    const struct machine *machine = &state->machine;
    double elapsed_s = state->started ? dpl_ns_to_s(now - state->stepped_at) : 0.0;
    state->stepped_at = now;
    state->phase_s[machine->primary.phase] += elapsed_s;
    state->row_s[machine->secondary.row] += elapsed_s;
    state->phase = (int)primary_told_phase(machine->primary.phase);
    state->state = (int)secondary_state(machine->secondary.row);
    state->substate = shown_substate(machine->secondary.row);
    state->fault = (int)machine->primary.fault;
    state->arrived = machine->secondary.arrived;
    show_force(state, elapsed_s);
}

static void publish(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct machine_component *state = self->state;
    Doppel__MachineCommand *message = dpl_port_loan(self, MACHINE_PORT_COMMAND);
    if (!message) {
        return;
    }
    struct machine_command command;
    machine_command_of(&state->machine, &command);
    message->state = (Doppel__MachineState)command.state;
    message->epoch = command.epoch;
    dpl_pose6_set(message->target, command.target);
    message->axes_on = command.axes_on;
    message->axes_stop = command.axes_stop;
    message->reset = command.reset;
    dpl_port_publish(self, MACHINE_PORT_COMMAND, message, tick->now);
}

/* ---- a cycle ---- */

static void ask_what_is_due(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct machine_component *state = self->state;
    double t_s = dpl_ns_to_s(tick->now - state->started_at);
    while (state->next_request < state->requests.n &&
           state->requests.rows[state->next_request].t_s <= t_s + 1e-9) {
        const struct request_row *row = &state->requests.rows[state->next_request++];
        machine_component_ask(self, row->request, row->target, "the script");
    }
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct machine_component *state = self->state;
    struct machine *machine = &state->machine;
    enum machine_phase phase = machine->primary.phase;
    enum machine_row row = machine->secondary.row;
    if (!state->started) {
        state->started_at = state->stepped_at = tick->now;
    }
    update_sight(self, tick);
    enum machine_fault fault = machine_step(machine, &state->sight);
    if (fault != FAULT_NONE) {
        machine_component_log_fault(self, fault);
    }
    log_end(self, row);
    if (tick->halt == DPL_HALT_ENDING) {
        (void)machine_ask(machine, DPL_REQUEST_STOP, NULL); /* refused when nothing moves */
    } else {
        ask_what_is_due(self, tick);
    }
    dpl_component_set_moving(self, machine_moves(machine));
    enum machine_fault standing = machine->primary.fault;
    dpl_component_set_fault(self,
                            standing == FAULT_NONE ? NULL : machine_fault_rules[standing].what);
    log_changes(self, phase, row);
    show(state, tick->now);
    state->started = true;
    publish(self, tick);
    machine_component_report(self, tick->now);
    return 0;
}

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
};

static const struct dpl_component_class class = {
    .name = "MachineControl",
    .summary = "state machines of a six-axis machine: whether it may move, and its current task",
    .ops = &ops,
    .ports = machine_ports,
    .n_ports = MACHINE_N_PORTS,
    .properties = machine_property_table,
    .n_properties = MACHINE_N_PROPERTIES,
    .properties_size = sizeof(struct machine_properties),
    .exports = machine_export_table,
    .n_exports = MACHINE_N_EXPORTS,
    .state_size = sizeof(struct machine_component),
    .default_period = 625 * DPL_US,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
