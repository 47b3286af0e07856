/* SPDX-License-Identifier: Apache-2.0 */
/* Servo: the device component of a machine's axes. In each cycle it reads the axes, lets its
 * supervisor decide, gives the reference to the driver that ApiName selects, and publishes the
 * state; with a HIL driver also the state of the avatar's axes. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "tables.h"

#include <doppel/drv/axes.h>
#include <doppel/msg/axes.h>
#include <doppel/msg/motion.h>
#include <doppel/plugin.h>

#define SIMULATION 1

/* ---- life cycle ---- */

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    const struct servo_properties *props = self->properties;
    struct servo_component *state = self->state;
    const struct supervisor_config config = {
        .reference_step_m = props->max_reference_step_m,
        .following_error_m = props->max_following_error_m,
        .first_step_m = props->max_first_step_m,
        .reference_timeout = dpl_ns_from_s(props->reference_timeout_ms * 1e-3),
        .command_timeout = dpl_ns_from_s(props->command_timeout_ms * 1e-3),
        .halt_timeout = dpl_ns_from_s(props->halt_timeout_ms * 1e-3),
    };
    supervisor_init(&state->supervisor, &config);
    state->has_simulation = dpl_component_device(self)->driver->n_sides > SIMULATION;
    return 0;
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    struct servo_component *state = self->state;
    supervisor_begin(&state->supervisor);
    return 0;
}

static int stop(struct dpl_component *self)
{
    struct dpl_device *device = dpl_component_device(self);
    dpl_axes_stop(device);
    int err = dpl_axes_disable(device);
    dpl_axes_idle(device);
    return err;
}

/* Stops the sides that still answer, e.g. the avatar. */
static int error(struct dpl_component *self, int cause)
{
    (void)cause;
    struct servo_component *state = self->state;
    supervisor_begin(&state->supervisor);
    dpl_axes_stop(dpl_component_device(self));
    dpl_axes_idle(dpl_component_device(self));
    return 0;
}

static int reset(struct dpl_component *self)
{
    return stop(self);
}

/* ---- input ---- */

static bool receive_command(struct dpl_component *self, struct supervisor_command *ret)
{
    const struct dpl_message *message = dpl_port_take(self, SERVO_PORT_COMMAND);
    if (!message) {
        return false;
    }
    const Doppel__MachineCommand *command = message->body;
    *ret = (struct supervisor_command){command->axes_on, command->axes_stop, command->reset};
    return true;
}

/* A reference with another number of axes is ignored. */
static bool receive_reference(struct dpl_component *self, struct dpl_axes_reference *ret)
{
    const struct dpl_message *message = dpl_port_take(self, SERVO_PORT_REFERENCE);
    if (!message) {
        return false;
    }
    const Doppel__AxisReference *from = message->body;
    if (from->n_position != DPL_AXES_N || from->n_velocity != DPL_AXES_N ||
        from->n_acceleration != DPL_AXES_N) {
        return false;
    }
    memcpy(ret->position_m, from->position, sizeof ret->position_m);
    memcpy(ret->velocity_m_s, from->velocity, sizeof ret->velocity_m_s);
    memcpy(ret->acceleration_m_s2, from->acceleration, sizeof ret->acceleration_m_s2);
    return true;
}

/* ---- applying ---- */

static void follow(struct dpl_component *self, const struct dpl_axes_reference *reference)
{
    struct servo_component *state = self->state;
    int err = dpl_axes_follow(dpl_component_device(self), reference);
    state->n_followed += err == 0;
    state->n_refused += err < 0;
}

static void report_refusal(struct dpl_component *self, int err, const char *what)
{
    struct servo_component *state = self->state;
    if (err < 0) {
        state->n_refused++;
        dpl_component_log(self, DPL_LOG_WARN, "the axes cannot be %s: %s", what, strerror(-err));
    }
}

static void act(struct dpl_component *self, unsigned actions,
                const struct dpl_axes_reference *reference)
{
    struct servo_component *state = self->state;
    struct dpl_device *device = dpl_component_device(self);
    if (actions & SERVO_RESET) {
        report_refusal(self, dpl_axes_reset(device), "reset");
    }
    if (actions & SERVO_STOP) {
        state->n_stops++;
        dpl_axes_stop(device);
    }
    if (actions & SERVO_ENABLE) {
        report_refusal(self, dpl_axes_enable(device), "enabled");
    }
    if (actions & SERVO_DISABLE) {
        dpl_axes_disable(device);
    }
    if (actions & SERVO_FOLLOW) {
        follow(self, reference);
    }
}

static void log_fault(struct dpl_component *self, enum dpl_servo_fault before)
{
    const struct supervisor *s = &((const struct servo_component *)self->state)->supervisor;
    if (s->fault == before || s->fault == DPL_SERVO_FAULT_NONE) {
        return;
    }
    if (s->fault_axis >= 0) {
        dpl_component_log(self, DPL_LOG_ERROR, "the axes stop: fault %s of axis %d",
                          supervisor_fault_name(s->fault), s->fault_axis + 1);
    } else {
        dpl_component_log(self, DPL_LOG_ERROR, "the axes stop: fault %s",
                          supervisor_fault_name(s->fault));
    }
}

/* ---- output ---- */

static void publish_axes(struct dpl_component *self, unsigned port,
                         const struct dpl_axes_state *reading, enum dpl_servo_fault fault)
{
    Doppel__AxisState *message = dpl_port_loan(self, port);
    if (!message) {
        return;
    }
    bool own = fault != DPL_SERVO_FAULT_NONE && reading->mode != DPL_AXES_FAULT;
    message->n_position = message->n_velocity = message->n_effort = DPL_AXES_N;
    memcpy(message->position, reading->position_m, sizeof reading->position_m);
    memcpy(message->velocity, reading->velocity_m_s, sizeof reading->velocity_m_s);
    memcpy(message->effort, reading->effort_n, sizeof reading->effort_n);
    message->mode = own ? DOPPEL__AXES_MODE__AXES_FAULT : (Doppel__AxesMode)reading->mode;
    message->fault = own ? (uint32_t)fault : reading->fault;
    message->valid = reading->valid;
    dpl_port_publish(self, port, message, reading->stamp);
}

static void publish_simulation(struct dpl_component *self)
{
    const struct servo_component *state = self->state;
    struct dpl_axes_state reading = {0};
    if (state->has_simulation &&
        dpl_axes_read_side(dpl_component_device(self), SIMULATION, &reading) == 0) {
        publish_axes(self, SERVO_PORT_SIMULATION_AXES, &reading, DPL_SERVO_FAULT_NONE);
    }
}

static void show(struct servo_component *state, const struct dpl_axes_state *reading)
{
    const struct supervisor *s = &state->supervisor;
    state->mode = (int)reading->mode;
    state->following_error_m = s->max_error_m;
    state->worst_error_m = fmax(state->worst_error_m, s->max_error_m);
    state->effort_n = 0.0;
    for (int i = 0; i < DPL_AXES_N; i++) {
        state->position_m[i] = reading->position_m[i];
        state->axis_error_m[i] = fmax(state->axis_error_m[i], fabs(s->error_m[i]));
        state->effort_n = fmax(state->effort_n, fabs(reading->effort_n[i]));
    }
    state->worst_effort_n = fmax(state->worst_effort_n, state->effort_n);
}

/* ---- a cycle ---- */

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct servo_component *state = self->state;
    struct dpl_device *device = dpl_component_device(self);
    struct dpl_axes_state reading = {.fault_axis = -1};
    state->n_errors += dpl_axes_execute(device, tick) < 0;
    bool known = dpl_axes_read(device, &reading) == 0;

    struct supervisor_command command;
    struct dpl_axes_reference reference;
    struct supervisor_input input = {
        .now = tick->now,
        .halt = tick->halt != 0,
        .command = receive_command(self, &command) ? &command : NULL,
        .reference = receive_reference(self, &reference) ? &reference : NULL,
        .on = known && reading.mode == DPL_AXES_ON,
        .valid = known && reading.valid,
        .position_m = reading.position_m,
    };
    enum dpl_servo_fault before = state->supervisor.fault;
    unsigned actions = supervisor_step(&state->supervisor, &input);
    act(self, actions, &reference);
    log_fault(self, before);
    state->n_errors += dpl_axes_finish(device, tick) < 0;

    if (known) {
        show(state, &reading);
        publish_axes(self, SERVO_PORT_AXES, &reading, state->supervisor.fault);
    }
    publish_simulation(self);
    return 0;
}

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
    .stop = stop,
    .error = error,
    .reset = reset,
};

static const struct dpl_component_class class = {
    .name = "Servo",
    .summary =
        "the axes of a machine: they follow references through the driver that ApiName names",
    .ops = &ops,
    .ports = servo_ports,
    .n_ports = SERVO_N_PORTS,
    .properties = servo_property_table,
    .n_properties = SERVO_N_PROPERTIES,
    .properties_size = sizeof(struct servo_properties),
    .exports = servo_export_table,
    .n_exports = SERVO_N_EXPORTS,
    .state_size = sizeof(struct servo_component),
    .device_class = DPL_AXES_CLASS,
    .n_device_calls = DPL_DRV_AXES_N_CALLS,
    .default_period = 625 * DPL_US,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
