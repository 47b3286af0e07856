/* SPDX-License-Identifier: Apache-2.0 */
/* WheelController: the device component of wheel bases. Publishes odometry and the application's
 * command, and provides OPRoS's WheelControllerService. With a HIL driver it provides the same
 * service for each side too (HardwareService, SimulationService). The property ApiName selects the
 * driver. */
#include <stdio.h>
#include <string.h>

#include <doppel/drv/wheel_controller.h>
#include <doppel/msg/poses.h>
#include <doppel/plugin.h>

#include "service.h"

#define FRAME_BYTES 40 /* room for the name of a frame */

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    struct wheel_state *state = self->state;
    struct dpl_device *device = dpl_component_device(self);
    state->n_sides = device->driver->n_sides;
    for (size_t i = 0; i < state->n_sides && i < WHEEL_SIDES; i++) {
        state->side[i] = dpl_device_side(device, i);
    }
    return 0;
}

static void forget_commands(struct wheel_state *state)
{
    state->base.driving = false;
    state->hardware.driving = false;
    state->command = (struct dpl_twist2){0};
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    struct wheel_state *state = self->state;
    forget_commands(state);
    int err = dpl_wheel_enable(dpl_component_device(self));
    if (err < 0) {
        return dpl_fail(reterr, err, (struct dpl_place){0}, "the base cannot be started: %s",
                        strerror(-err));
    }
    return 0;
}

static int stop(struct dpl_component *self)
{
    dpl_wheel_stop(dpl_component_device(self));
    return dpl_wheel_disable(dpl_component_device(self));
}

static int error(struct dpl_component *self, int cause)
{
    (void)cause;
    forget_commands(self->state);
    /* stops the sides that still answer, e.g. the avatar */
    dpl_wheel_halt(dpl_component_device(self));
    return 0;
}

/* The component holds no resources, but the base must stop before the state with its last command
 * is zeroed. */
static int reset(struct dpl_component *self)
{
    dpl_wheel_stop(dpl_component_device(self));
    return 0;
}

static bool has_fallen_silent(struct dpl_component *self, const struct wheel_watch *watch,
                              dpl_ns now)
{
    const struct wheel_properties *props = self->properties;
    dpl_ns timeout = dpl_ns_from_s(props->command_timeout_ms * 1e-3);
    if (!watch->driving || timeout <= 0 || now - watch->commanded_at <= timeout) {
        return false;
    }
    dpl_component_log(self, DPL_LOG_WARN, "no command for %.0f ms: stopping",
                      props->command_timeout_ms);
    return true;
}

/* Stops the base when a device of the application is lost or no command has arrived for too long:
 * with the largest deceleration. At the end of a run the base stops with its usual deceleration. */
static void supervise(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct wheel_state *state = self->state;
    struct dpl_device *base = dpl_component_device(self);
    state->halted = tick->halt != 0;
    if (tick->halt == DPL_HALT_ENDING) {
        forget_commands(state);
        dpl_wheel_stop(base);
    } else if (state->halted || has_fallen_silent(self, &state->base, tick->now)) {
        forget_commands(state);
        dpl_wheel_halt(base);
    } else if (has_fallen_silent(self, &state->hardware, tick->now)) {
        state->hardware.driving = false;
        dpl_wheel_halt(state->side[WHEEL_HARDWARE]);
    }
}

static void publish_odometry(struct dpl_component *self, unsigned port,
                             const struct dpl_wheel_state *reading)
{
    Doppel__Odometry *message = dpl_port_loan(self, port);
    if (message) {
        wheel_fill_odometry(reading, message);
        dpl_port_publish(self, port, message, reading->stamp);
    }
}

/* Where the avatar is in its world. */
static void publish_truth(struct dpl_component *self)
{
    const struct wheel_state *state = self->state;
    struct dpl_wheel_truth truth;
    Doppel__PoseEstimate *message = dpl_wheel_read_truth(state->side[WHEEL_SIMULATION], &truth) == 0
                                        ? dpl_port_loan(self, WHEEL_PORT_SIMULATION_POSE)
                                        : NULL;
    if (message) {
        dpl_pose3_set(message->pose, dpl_pose3_from_planar(truth.pose));
        snprintf(message->frame, FRAME_BYTES, "map");
        snprintf(message->child_frame, FRAME_BYTES, "avatar/base_link");
        message->epoch = truth.restarts;
        dpl_port_publish(self, WHEEL_PORT_SIMULATION_POSE, message, truth.stamp);
    }
}

static void publish_command(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct wheel_state *state = self->state;
    Doppel__VelocityCommand *message = dpl_port_loan(self, WHEEL_PORT_COMMAND);
    if (message) {
        dpl_twist2_set(message->twist, state->command);
        message->active = state->base.driving;
        dpl_port_publish(self, WHEEL_PORT_COMMAND, message, tick->now);
    }
}

static void store_reading(struct wheel_state *state, const struct dpl_wheel_state *reading)
{
    if (state->reading.valid) {
        state->distance_m += dpl_pose2_distance(state->reading.pose, reading->pose);
    }
    state->reading = *reading;
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct wheel_state *state = self->state;
    struct dpl_device *device = dpl_component_device(self);
    supervise(self, tick);
    state->last_error = dpl_wheel_execute(device, tick);
    struct dpl_wheel_state reading;
    if (dpl_wheel_read(device, &reading) == 0 && reading.valid) {
        store_reading(state, &reading);
        publish_odometry(self, WHEEL_PORT_ODOMETRY, &reading);
        state->reading_stamp_s = dpl_ns_to_s(reading.stamp);
    }
    if (state->n_sides > WHEEL_SIMULATION &&
        dpl_wheel_read(state->side[WHEEL_SIMULATION], &reading) == 0 && reading.valid) {
        state->simulation = reading;
        publish_odometry(self, WHEEL_PORT_SIMULATION_ODOMETRY, &reading);
        publish_truth(self);
    }
    publish_command(self, tick);
    return 0;
}

static const struct dpl_port_desc ports[] = {
    [WHEEL_PORT_ODOMETRY] =
        {
            .name = "odometry",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__odometry__descriptor,
            .summary = "pose and twist of the base (over HIL: the hardware's)",
        },
    [WHEEL_PORT_SIMULATION_ODOMETRY] =
        {
            .name = "simulation_odometry",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__odometry__descriptor,
            .summary = "pose and twist of the avatar; only over HIL",
        },
    [WHEEL_PORT_COMMAND] =
        {
            .name = "command",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__velocity_command__descriptor,
            .summary = "the velocity that the application commands, each cycle",
        },
    [WHEEL_PORT_SERVICE] =
        {
            .name = "WheelControllerService",
            .aliases = "WheelController",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_OUT,
            .service = &doppel__wheel_controller_service__descriptor,
            .methods = wheel_service,
            .summary = "OPRoS WheelController service",
        },
    [WHEEL_PORT_HARDWARE_SERVICE] =
        {
            .name = "HardwareService",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_OUT,
            .service = &doppel__wheel_controller_service__descriptor,
            .methods = wheel_service,
            .summary =
                "the same for the hardware side alone; without HIL: the device; CommandTimeout "
                "holds here too",
        },
    [WHEEL_PORT_SIMULATION_SERVICE] =
        {
            .name = "SimulationService",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_OUT,
            .service = &doppel__wheel_controller_service__descriptor,
            .methods = wheel_service,
            .summary = "the same for the avatar alone, moved by the component that has taken it "
                       "(TakeWheel); only over HIL",
        },
    [WHEEL_PORT_SIMULATION_POSE] =
        {
            .name = "simulation_pose",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__pose_estimate__descriptor,
            .capacity = FRAME_BYTES,
            .summary = "true pose of the avatar in its world; only over HIL",
        },
};

static const struct dpl_field properties[] = {
    {
        .name = "SafeRadius",
        .type = DPL_FIELD_DOUBLE,
        .flags = DPL_FIELD_LIVE,
        DPL_MEMBER(struct wheel_properties, safe_radius_m),
        .unit = "m",
        .default_text = "0.3",
        .min = 0,
        .max = 100,
        .summary = "distance to keep from obstacles; GetParameter returns it",
    },
    {
        .name = "CommandTimeout",
        .type = DPL_FIELD_DOUBLE,
        .flags = DPL_FIELD_LIVE,
        DPL_MEMBER(struct wheel_properties, command_timeout_ms),
        .unit = "ms",
        .default_text = "500",
        .min = 0,
        .max = 60000,
        .summary = "stop when no drive command came for this long; 0: never",
    },
};

#define EXPORT_DOUBLE(name_, member_, unit_, text_)                                                \
    DPL_EXPORT_NUMBER(struct wheel_state, member_, name_, unit_, DPL_FIELD_TRACE, text_)

static const struct dpl_field exports[] = {
    EXPORT_DOUBLE("x", reading.pose.x, "m", "odometry"),
    EXPORT_DOUBLE("y", reading.pose.y, "m", "odometry"),
    EXPORT_DOUBLE("theta", reading.pose.theta, "rad", "odometry"),
    EXPORT_DOUBLE("v", reading.twist.linear, "m/s", "measured"),
    EXPORT_DOUBLE("w", reading.twist.angular, "rad/s", "measured"),
    EXPORT_DOUBLE("left_travel", reading.left_m, "m", "travel of the left wheel, calibrated"),
    EXPORT_DOUBLE("right_travel", reading.right_m, "m", "travel of the right wheel, calibrated"),
    EXPORT_DOUBLE("stamp_s", reading_stamp_s, "s", "when the odometry was measured"),
    EXPORT_DOUBLE("command_v", command.linear, "m/s", "commanded by the application"),
    EXPORT_DOUBLE("command_w", command.angular, "rad/s", "commanded by the application"),
    EXPORT_DOUBLE("simulation_x", simulation.pose.x, "m", "odometry of the avatar"),
    EXPORT_DOUBLE("simulation_y", simulation.pose.y, "m", "odometry of the avatar"),
    EXPORT_DOUBLE("simulation_theta", simulation.pose.theta, "rad", "odometry of the avatar"),
    DPL_EXPORT_NUMBER(struct wheel_state, distance_m, "distance_m", "m", DPL_FIELD_SUMMARY,
                      "distance driven, by the odometry"),
    DPL_EXPORT_NUMBER(
        struct wheel_state, distance_m, "driven_m", "m", DPL_FIELD_STATUS,
        "the same on the status line, where a distance reads like one between robots"),
    DPL_EXPORT_INT(struct wheel_state, n_commands, "commands", NULL, DPL_FIELD_SUMMARY,
                   "drive, move, rotate and stop commands accepted"),
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
    .name = "WheelController",
    .summary = "wheel base: drives and measures the device that ApiName names",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct wheel_properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct wheel_state),
    .device_class = DPL_WHEEL_CONTROLLER_CLASS,
    .n_device_calls = DPL_DRV_WHEEL_CONTROLLER_N_CALLS,
    .default_period = 100 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
