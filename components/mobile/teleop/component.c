/* SPDX-License-Identifier: Apache-2.0 */
/* Teleop: a person drives a wheel base by keyboard or gamepad. The base moves only while the
 * dead-man's switch is held. The property ApiName selects the driver of the input. */
#include <errno.h>
#include <math.h>

#include <doppel/drv/operator_input.h>
#include <doppel/math/geometry.h>
#include <doppel/msg/device.h>
#include <doppel/msg/wheel_controller.h>
#include <doppel/plugin.h>

#include "velocity.h"

enum port {
    PORT_WHEEL,
    PORT_VELOCITY,
};

#define STALE (500 * DPL_MS) /* of a velocity that somebody else wants */

struct properties {
    double max_velocity_m_s, max_angular_deg_s;
    double acceleration_m_s2, angular_acceleration_deg_s2;
};

struct state {
    struct dpl_twist2 command;
    bool held;
    double share;
    int64_t n_held; /* times the switch was pressed */
    int64_t refused;
};

static struct teleop_limits limits_of(const struct properties *p)
{
    return (struct teleop_limits){
        .linear_m_s = p->max_velocity_m_s,
        .angular_rad_s = dpl_deg_to_rad(p->max_angular_deg_s),
        .linear_m_s2 = p->acceleration_m_s2,
        .angular_rad_s2 = dpl_deg_to_rad(p->angular_acceleration_deg_s2),
    };
}

/* Without an answer of the device the switch counts as released. */
static struct teleop_wish ask(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct dpl_device *device = dpl_component_device(self);
    struct dpl_operator_sample sample = {.share = 1.0};
    int err = dpl_operator_input_execute(device, tick);
    if (err == 0) {
        err = dpl_operator_input_read(device, &sample);
    }
    return (struct teleop_wish){
        .held = err == 0 && sample.held && tick->halt == 0,
        .forward = sample.forward,
        .turn = sample.turn,
        .share = sample.share,
    };
}

/* The velocity that somebody else wants, within the limits; while the switch of the device is held,
 * its operator drives. */
static void follow(struct dpl_component *self, const struct dpl_tick *tick,
                   const struct teleop_limits *limits, struct teleop_wish *wish)
{
    const struct dpl_message *message = dpl_port_latest(self, PORT_VELOCITY);
    const Doppel__VelocityCommand *wanted = message ? message->body : NULL;
    if (wish->held || !wanted || !wanted->active || tick->halt != 0 ||
        tick->now - message->stamp > STALE || !isfinite(wanted->twist->linear) ||
        !isfinite(wanted->twist->angular)) {
        return;
    }
    *wish = (struct teleop_wish){
        .held = true,
        .forward = wanted->twist->linear / limits->linear_m_s,
        .turn = wanted->twist->angular / limits->angular_rad_s,
        .share = 1.0,
    };
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct state *state = self->state;
    struct teleop_wish wish = ask(self, tick);
    struct teleop_limits limits = limits_of(self->properties);
    follow(self, tick, &limits, &wish);
    state->command = teleop_velocity(&limits, state->command, &wish, dpl_ns_to_s(tick->period));
    state->n_held += wish.held && !state->held;
    state->held = wish.held;
    state->share = wish.share;
    int err = dpl_wheel_controller_call_drive_wheel(self, PORT_WHEEL, state->command.linear,
                                                    state->command.angular);
    state->refused += err < 0;
    /* the run does not end before the base was told to stop */
    dpl_component_set_moving(self, wish.held);
    return 0;
}

static int halt(struct dpl_component *self)
{
    struct state *state = self->state;
    state->command = (struct dpl_twist2){0};
    state->held = false;
    dpl_wheel_controller_call_stop_wheel(self, PORT_WHEEL);
    return 0;
}

/* The device of the input is lost. */
static int error(struct dpl_component *self, int cause)
{
    (void)cause;
    return halt(self);
}

static const struct dpl_port_desc ports[] = {
    [PORT_WHEEL] =
        {
            .name = "WheelControllerService",
            .aliases = "WheelController",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__wheel_controller_service__descriptor,
            .required = true,
            .summary = "the base to drive",
            .commands = true,
        },
    [PORT_VELOCITY] =
        {
            .name = "velocity",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__velocity_command__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary = "another wish, followed while the operator's switch is not held; one older "
                       "than 0.5 s is none",
        },
};

static const struct dpl_field properties[] = {
    DPL_NUMBER(struct properties, max_velocity_m_s, "MaximumVelocity", "m/s", "0.3", 0.01, 5,
               "forward and back"),
    DPL_NUMBER(struct properties, max_angular_deg_s, "MaximumAngularVelocity", "deg/s", "60", 1,
               720, "left and right"),
    DPL_NUMBER(struct properties, acceleration_m_s2, "Acceleration", "m/s^2", "0.5", 0.01, 20,
               "while the dead-man's switch is held; without it the base stops at once"),
    DPL_NUMBER(struct properties, angular_acceleration_deg_s2, "AngularAcceleration", "deg/s^2",
               "180", 1, 3600, "the same for turning"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_NUMBER(struct state, command.linear, "v", "m/s", DPL_FIELD_TRACE, "commanded"),
    DPL_EXPORT_NUMBER(struct state, command.angular, "w", "rad/s", DPL_FIELD_TRACE, "commanded"),
    DPL_EXPORT_BOOL(struct state, held, "held", DPL_FIELD_TRACE | DPL_FIELD_STATUS,
                    "the dead-man's switch"),
    DPL_EXPORT_NUMBER(struct state, share, "share", NULL, DPL_FIELD_TRACE,
                      "of the largest speeds, chosen by the operator"),
    DPL_EXPORT_INT(struct state, n_held, "times_held", NULL, DPL_FIELD_SUMMARY,
                   "how often the dead-man's switch was pressed"),
    DPL_EXPORT_INT(struct state, refused, "refused", NULL, DPL_FIELD_SUMMARY,
                   "commands that the base refused"),
};

static const struct dpl_component_ops ops = {
    .execute = execute,
    .stop = halt,
    .error = error,
};

static const struct dpl_component_class class = {
    .name = "Teleop",
    .summary = "a person drives a wheel base by keyboard or gamepad, with a dead-man's switch",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .device_class = DPL_OPERATOR_INPUT_CLASS,
    .n_device_calls = DPL_DRV_OPERATOR_INPUT_N_CALLS,
    .only_senses = true,
    .default_period = 50 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
