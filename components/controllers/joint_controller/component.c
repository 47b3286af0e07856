/* SPDX-License-Identifier: Apache-2.0 */
/* JointController: moves a group of joints, such as a robot arm, through waypoints or as its
 * service is asked. The device's driver says what the joints are: those of a simulated world, of a
 * mock, or drives on a bus. It holds the joints still when it stops or halts. */
#include "tables.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/msg/joints.h>
#include <doppel/plugin.h>

#define SIMULATION 1

/* ---- life cycle ---- */

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct joint_properties *props = self->properties;
    struct joint_component *state = self->state;
    struct waypoints_error bad; /* the table has checked the text */
    struct dpl_joints_state reading;
    struct dpl_device *device = dpl_component_device(self);
    int err = waypoints_parse(&state->waypoints, props->waypoints, &bad);
    err = err < 0 ? err : dpl_joints_read(device, &reading);
    if (err < 0) {
        return dpl_fail(reterr, err, (struct dpl_place){0}, "the joints cannot be read: %s",
                        strerror(-err));
    }
    state->n_joints = (size_t)reading.n;
    state->has_simulation = device->driver->n_sides > SIMULATION;
    joint_exports_choose(state);
    if (state->waypoints.n > 0 && state->waypoints.n_joints != state->n_joints) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "Waypoints have %zu joint(s), but the device has %zu",
                        state->waypoints.n_joints, state->n_joints);
    }
    return 0;
}

static void forget_reference(struct joint_component *state)
{
    for (size_t i = 0; i < DPL_JOINTS_MAX; i++) {
        state->reference[i] = (double)NAN;
        state->rate[i] = 0.0;
    }
    state->error = 0.0;
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    struct joint_component *state = self->state;
    state->phase = JOINTS_WAITING;
    state->has_list = state->waypoints.n > 0;
    state->fault = 0;
    forget_reference(state);
    dpl_component_set_fault(self, NULL);
    return 0;
}

/* The joints come to rest and hold still. */
static void hold(struct dpl_component *self, enum joint_phase phase)
{
    struct joint_component *state = self->state;
    if (state->phase != JOINTS_WAITING && state->phase != JOINTS_STOPPED) {
        dpl_joints_stop(dpl_component_device(self));
    }
    state->phase = phase;
    forget_reference(state);
}

static int stop(struct dpl_component *self)
{
    struct joint_component *state = self->state;
    hold(self, JOINTS_WAITING);
    state->is_enabled = false;
    return dpl_joints_disable(dpl_component_device(self));
}

/* Stops the sides that still answer, e.g. the avatar. */
static int error(struct dpl_component *self, int cause)
{
    (void)cause;
    struct joint_component *state = self->state;
    hold(self, JOINTS_WAITING);
    state->is_enabled = false;
    return 0;
}

static int reset(struct dpl_component *self)
{
    return stop(self);
}

/* ---- a cycle ---- */

static void begin(struct dpl_component *self, dpl_ns now)
{
    const struct joint_properties *props = self->properties;
    struct joint_component *state = self->state;
    if (!state->has_list) {
        state->phase = JOINTS_STOPPED;
        return;
    }
    joint_follower_begin(&state->follower, &state->waypoints, props->repeats,
                         state->newest.position, now);
    state->phase = JOINTS_FOLLOWING;
}

static void command(struct dpl_component *self, enum dpl_joints_mode mode, const double *values)
{
    struct joint_component *state = self->state;
    struct dpl_joints_command command_ = {.mode = mode, .n = (int64_t)state->n_joints};
    memcpy(command_.value, values, state->n_joints * sizeof *values);
    state->n_refused += dpl_joints_command(dpl_component_device(self), &command_) < 0;
}

/* The setpoints of the end of this cycle. */
static void lead(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct joint_component *state = self->state;
    state->reference_at = tick->now + tick->period;
    switch (state->phase) {
    case JOINTS_FOLLOWING:
    case JOINTS_MOVING:
    case JOINTS_ARRIVED:
        if (!joint_follower_step(&state->follower, state->reference_at, state->reference,
                                 state->rate)) {
            state->phase = JOINTS_ARRIVED;
        }
        command(self, DPL_JOINTS_POSITION, state->reference);
        break;
    case JOINTS_DRIVING: command(self, DPL_JOINTS_VELOCITY, state->rate); break;
    case JOINTS_WAITING:
    case JOINTS_STOPPED: break;
    }
}

/* How far the joints are from what they were told for the end of the cycle before. */
static void watch(struct dpl_component *self)
{
    const struct joint_properties *props = self->properties;
    struct joint_component *state = self->state;
    bool has_reference = state->phase == JOINTS_FOLLOWING || state->phase == JOINTS_MOVING ||
                         state->phase == JOINTS_ARRIVED;
    state->error = 0.0;
    for (size_t i = 0; i < state->n_joints && has_reference; i++) {
        double error_ = fabs(state->reference[i] - state->newest.position[i]);
        state->error = isfinite(error_) ? fmax(state->error, error_) : state->error;
    }
    state->largest_error = fmax(state->largest_error, state->error);
    if (props->max_error > 0.0 && state->error > props->max_error) {
        dpl_component_log(self, DPL_LOG_ERROR,
                          "the joints stop: one of them is %g from where it shall be",
                          state->error);
        dpl_component_set_fault(self, "the joints do not follow");
        state->n_faults++;
        state->has_list = false;
        hold(self, JOINTS_STOPPED);
    }
}

static void publish(struct dpl_component *self, unsigned port, const struct dpl_joints_state *from)
{
    Doppel__JointState *message = dpl_port_loan(self, port);
    size_t n = (size_t)from->n;
    if (!message) {
        return;
    }
    message->n_position = message->n_velocity = message->n_effort = n;
    memcpy(message->position, from->position, n * sizeof(double));
    memcpy(message->velocity, from->velocity, n * sizeof(double));
    memcpy(message->effort, from->effort, n * sizeof(double));
    message->valid = from->valid;
    message->ready = from->ready;
    message->fault = from->fault;
    dpl_port_publish(self, port, message, from->stamp);
}

static void publish_all(struct dpl_component *self, bool is_known)
{
    const struct joint_component *state = self->state;
    struct dpl_joints_state avatar;
    if (is_known) {
        publish(self, JOINTS_PORT_JOINTS, &state->newest);
    }
    if (state->has_simulation &&
        dpl_joints_read_side(dpl_component_device(self), SIMULATION, &avatar) == 0) {
        publish(self, JOINTS_PORT_SIMULATION, &avatar);
    }
}

/* Something moves, as its speed says, or is about to. */
static void report_moving(struct dpl_component *self)
{
    const struct joint_properties *props = self->properties;
    const struct joint_component *state = self->state;
    bool moves = state->phase == JOINTS_FOLLOWING || state->phase == JOINTS_MOVING ||
                 state->phase == JOINTS_DRIVING;
    for (size_t i = 0; i < state->n_joints; i++) {
        moves |= fabs(state->newest.velocity[i]) > props->rest_speed;
    }
    dpl_component_set_moving(self, moves);
}

/* Drives that have switched off by themselves are switched on again; after a fault only when the
 * component was stopped or reset. */
static void enable(struct dpl_component *self)
{
    struct joint_component *state = self->state;
    bool is_off = !state->newest.ready && state->newest.fault == 0;
    if (!state->is_enabled || is_off) {
        int err = dpl_joints_enable(dpl_component_device(self));
        state->is_enabled = err == 0 || err == -EPERM;
        state->n_refused += err < 0;
    }
}

static void watch_fault(struct dpl_component *self)
{
    struct joint_component *state = self->state;
    uint32_t fault = state->newest.fault;
    if (fault == state->fault) {
        return;
    }
    state->fault = fault;
    state->n_faults += fault != 0;
    if (fault != 0) {
        dpl_component_log(self, DPL_LOG_ERROR, "the joints stop: one of them has fault %04X",
                          (unsigned)fault);
    }
    dpl_component_set_fault(self, fault != 0 ? "a joint has a fault" : NULL);
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct joint_component *state = self->state;
    struct dpl_device *device = dpl_component_device(self);
    int err = dpl_joints_execute(device, tick);
    err = err < 0 ? err : dpl_joints_read(device, &state->newest);
    bool is_known = err == 0 && state->newest.valid;
    state->n_missing += !is_known;
    if (!is_known || tick->halt) {
        hold(self, JOINTS_WAITING);
    } else {
        enable(self);
        watch_fault(self);
        watch(self);
        if (!state->newest.ready) {
            hold(self, JOINTS_WAITING);
        } else if (state->phase == JOINTS_WAITING) {
            begin(self, tick->now);
        }
        lead(self, tick);
    }
    report_moving(self);
    publish_all(self, is_known);
    return 0;
}

/* ---- service ---- */

static bool are_numbers(const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

/* Whether such a request can be taken now: 0 or the reason. */
static int check_request(const struct joint_component *state, size_t n, const double *values)
{
    if (n != state->n_joints || !are_numbers(values, n)) {
        return -EINVAL;
    }
    return state->phase == JOINTS_WAITING ? -EAGAIN : 0;
}

/* It goes on from where the joints were told to be at the end of the cycle; else from where they
 * are. */
static int set_positions(struct dpl_component *self, unsigned port, const void *request,
                         void *response)
{
    (void)port, (void)response;
    struct joint_component *state = self->state;
    const Doppel__JointTarget *target = request;
    int err = check_request(state, target->n_position, target->position);
    if (err < 0) {
        return err;
    }
    if (!(target->duration >= 1e-3 && target->duration <= 1e6)) {
        return -EINVAL;
    }
    struct joint_move move = {.n_joints = state->n_joints, .duration_s = target->duration};
    bool has_reference = isfinite(state->reference[0]);
    for (size_t i = 0; i < state->n_joints; i++) {
        move.from[i] = has_reference ? state->reference[i] : state->newest.position[i];
        move.velocity[i] = state->rate[i];
        move.to[i] = target->position[i];
    }
    joint_follower_move(&state->follower, &move,
                        has_reference ? state->reference_at : dpl_component_now(self));
    state->has_list = false;
    state->phase = JOINTS_MOVING;
    return 0;
}

static int set_velocities(struct dpl_component *self, unsigned port, const void *request,
                          void *response)
{
    (void)port, (void)response;
    struct joint_component *state = self->state;
    const Doppel__JointVelocities *wanted = request;
    int err = check_request(state, wanted->n_velocity, wanted->velocity);
    if (err < 0) {
        return err;
    }
    forget_reference(state);
    memcpy(state->rate, wanted->velocity, state->n_joints * sizeof(double));
    state->has_list = false;
    state->phase = JOINTS_DRIVING;
    dpl_component_take_command(self);
    return 0;
}

static int stop_joints(struct dpl_component *self, unsigned port, const void *request,
                       void *response)
{
    (void)port, (void)request, (void)response;
    struct joint_component *state = self->state;
    state->has_list = false;
    if (state->phase != JOINTS_WAITING) {
        hold(self, JOINTS_STOPPED);
    }
    return 0;
}

static int get_joints(struct dpl_component *self, unsigned port, const void *request,
                      void *response)
{
    (void)port, (void)request;
    const struct joint_component *state = self->state;
    Doppel__JointState *answer = response;
    size_t n = state->n_joints, bytes = n * sizeof(double);
    if (answer->n_position < n || answer->n_velocity < n || answer->n_effort < n) {
        return -ENOSPC;
    }
    memcpy(answer->position, state->newest.position, bytes);
    memcpy(answer->velocity, state->newest.velocity, bytes);
    memcpy(answer->effort, state->newest.effort, bytes);
    answer->n_position = answer->n_velocity = answer->n_effort = n;
    answer->valid = state->newest.valid;
    answer->ready = state->newest.ready;
    answer->fault = state->newest.fault;
    return 0;
}

const dpl_service_method joint_service[DPL_JOINT_N_METHODS] = {
    [DPL_JOINT_SET_JOINT_POSITIONS] = set_positions,
    [DPL_JOINT_SET_JOINT_VELOCITIES] = set_velocities,
    [DPL_JOINT_STOP_JOINTS] = stop_joints,
    [DPL_JOINT_GET_JOINTS] = get_joints,
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
    .stop = stop,
    .error = error,
    .reset = reset,
};

static const struct dpl_component_class class = {
    .name = "JointController",
    .summary = "moves a group of joints through waypoints, or as its service is asked",
    .ops = &ops,
    .ports = joint_ports,
    .n_ports = JOINTS_N_PORTS,
    .properties = joint_property_table,
    .n_properties = JOINTS_N_PROPERTIES,
    .properties_size = sizeof(struct joint_properties),
    .exports = joint_export_table,
    .n_exports = JOINTS_N_EXPORTS,
    .state_size = sizeof(struct joint_component),
    .device_class = DPL_JOINTS_CLASS,
    .n_device_calls = DPL_DRV_JOINTS_N_CALLS,
    .default_period = 10 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
