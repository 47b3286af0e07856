/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of WheelControllerService. The called port selects the device: the whole base, its
 * hardware side or its simulation side. */
#include <stdio.h>

#include <doppel/msg/device.h>
#include <doppel/msg/parameter_methods.h>
#include <doppel/msg/poses.h>

#include "service.h"

#define PARAMETER_NAME_SIZE 128

static int64_t caller_of(struct dpl_component *self)
{
    return (int64_t)dpl_component_caller(self);
}

/* NULL: this base does not have this side. */
static struct dpl_device *target(struct dpl_component *self, unsigned port)
{
    struct wheel_state *state = self->state;
    struct dpl_device *device = dpl_component_device(self);
    switch (port) {
    case WHEEL_PORT_HARDWARE_SERVICE:
        return state->n_sides > WHEEL_HARDWARE ? state->side[WHEEL_HARDWARE] : device;
    case WHEEL_PORT_SIMULATION_SERVICE:
        return state->n_sides > WHEEL_SIMULATION ? state->side[WHEEL_SIMULATION] : NULL;
    default: return device;
    }
}

/* Stores a command that the base accepted. Commands to one side are not stored as the application's
 * command, but the timeout of a command to the hardware side is checked in the same way. Without
 * sides, the hardware is the base. After a refusal the previous command and its timeout stay
 * valid. */
static void store_command(struct dpl_component *self, unsigned port, struct dpl_twist2 command,
                          bool driving)
{
    struct wheel_state *state = self->state;
    struct wheel_watch watch = {driving, dpl_component_now(self)};
    if (port == WHEEL_PORT_SIMULATION_SERVICE) {
        return;
    }
    dpl_component_take_command(self);
    if (port == WHEEL_PORT_HARDWARE_SERVICE && state->n_sides > 0) {
        state->hardware = watch;
        return;
    }
    state->command = command;
    state->base = watch;
    state->hardware.driving = false; /* the base's command has replaced it */
    state->n_commands++;
}

/* On the simulation's port: the result of the last place command. */
static int get_error(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)request;
    const struct wheel_state *state = self->state;
    int error = state->last_error;
    if (port == WHEEL_PORT_SIMULATION_SERVICE) {
        struct dpl_device *device = target(self, port);
        error = device ? dpl_wheel_placing(device) : -ENOTSUP;
    }
    ((Doppel__ErrorState *)response)->code = -error;
    return 0;
}

static int enable(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)request;
    (void)response;
    struct dpl_device *device = target(self, port);
    return device ? dpl_wheel_enable(device) : -ENOTSUP;
}

static int disable(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)request;
    (void)response;
    struct dpl_device *device = target(self, port);
    int err = device ? dpl_wheel_disable(device) : -ENOTSUP;
    if (err == 0) {
        store_command(self, port, (struct dpl_twist2){0}, false);
    }
    return err;
}

/* On the simulation's port the driver moves the robot to the pose of the world's frame, that of
 * GetTruth, if it can and if the robot fits there; then GetError of that port returns the result.
 * On the other ports, and where the driver cannot move the robot, the odometry continues from the
 * pose. */
static int set_position(struct dpl_component *self, unsigned port, const void *request,
                        void *response)
{
    (void)response;
    const Doppel__Pose2 *asked = request;
    struct dpl_pose2 pose = dpl_pose2_get(asked);
    struct dpl_device *device = target(self, port);
    if (!device) {
        return -ENOTSUP;
    }
    if (port == WHEEL_PORT_SIMULATION_SERVICE) {
        int err = dpl_wheel_place(device, &pose);
        if (err != -ENOTSUP) {
            return err == -EINPROGRESS ? 0 : err;
        }
    }
    int err = dpl_wheel_set_position(device, &pose);
    if (err == 0 && port != WHEEL_PORT_SIMULATION_SERVICE) {
        /* a jump does not count as driven distance */
        ((struct wheel_state *)self->state)->reading.valid = false;
    }
    return err;
}

static int get_position(struct dpl_component *self, unsigned port, const void *request,
                        void *response)
{
    (void)request;
    Doppel__StampedPose *answer = response;
    struct dpl_device *device = target(self, port);
    struct dpl_wheel_state reading;
    int err = device ? dpl_wheel_read(device, &reading) : -ENOTSUP;
    answer->valid = err == 0 && reading.valid;
    if (answer->valid) {
        answer->stamp_ns = reading.stamp;
        answer->restarts = reading.restarts;
        dpl_pose2_set(answer->pose, reading.pose);
    }
    return err;
}

void wheel_fill_odometry(const struct dpl_wheel_state *from, Doppel__Odometry *to)
{
    dpl_pose2_set(to->pose, from->pose);
    dpl_twist2_set(to->twist, from->twist);
    to->left_angle = from->left_rad;
    to->right_angle = from->right_rad;
    to->running = from->running;
    to->left_travel = from->left_m;
    to->right_travel = from->right_m;
    to->axle = from->axle_m;
    to->has_gyro = from->has_gyro;
    to->gyro_turn = from->gyro_rad;
    to->has_bumper = from->has_bumper;
    to->pressed = from->pressed;
}

static int get_odometry(struct dpl_component *self, unsigned port, const void *request,
                        void *response)
{
    (void)request;
    Doppel__StampedOdometry *answer = response;
    struct dpl_device *device = target(self, port);
    struct dpl_wheel_state reading;
    int err = device ? dpl_wheel_read(device, &reading) : -ENOTSUP;
    answer->valid = err == 0 && reading.valid;
    if (answer->valid) {
        answer->stamp_ns = reading.stamp;
        wheel_fill_odometry(&reading, answer->odometry);
    }
    return err;
}

/* Whether a port's base may be moved: not while the application halts; the avatar alone only by the
 * component that has taken it. */
static int admit(struct dpl_component *self, unsigned port)
{
    const struct wheel_state *state = self->state;
    if (state->halted) {
        return -ESHUTDOWN;
    }
    return port == WHEEL_PORT_SIMULATION_SERVICE
               ? dpl_wheel_keep_simulation(dpl_component_device(self), caller_of(self))
               : 0;
}

static int drive(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)response;
    const Doppel__Drive *asked = request;
    if (!isfinite(asked->linear_velocity) || !isfinite(asked->angular_velocity)) {
        return -EINVAL;
    }
    int err = admit(self, port);
    if (err == 0) {
        err = dpl_wheel_drive(target(self, port), asked->linear_velocity, asked->angular_velocity);
    }
    if (err == 0) {
        store_command(self, port,
                      (struct dpl_twist2){asked->linear_velocity, asked->angular_velocity}, true);
    }
    return err;
}

static int move(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)response;
    const Doppel__Move *asked = request;
    int err = admit(self, port);
    if (err == 0) {
        err = dpl_wheel_move(target(self, port), asked->distance, asked->linear_velocity);
    }
    if (err == 0) {
        store_command(self, port, (struct dpl_twist2){0}, false);
    }
    return err;
}

static int rotate(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)response;
    const Doppel__Rotate *asked = request;
    int err = admit(self, port);
    if (err == 0) {
        err = dpl_wheel_rotate(target(self, port), asked->angle, asked->angular_velocity);
    }
    if (err == 0) {
        store_command(self, port, (struct dpl_twist2){0}, false);
    }
    return err;
}

static int stop(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)request;
    (void)response;
    struct dpl_device *device = target(self, port);
    int err = device ? dpl_wheel_stop(device) : -ENOTSUP;
    if (err == 0) {
        store_command(self, port, (struct dpl_twist2){0}, false);
    }
    return err;
}

static int is_running(struct dpl_component *self, unsigned port, const void *request,
                      void *response)
{
    (void)request;
    struct dpl_device *device = target(self, port);
    struct dpl_wheel_state reading;
    int err = device ? dpl_wheel_read(device, &reading) : -ENOTSUP;
    ((Doppel__Running *)response)->running = err == 0 && reading.running;
    return err;
}

static int get_truth(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)request;
    Doppel__StampedPose *answer = response;
    struct dpl_device *device = target(self, port);
    struct dpl_wheel_truth truth;
    int err = device ? dpl_wheel_read_truth(device, &truth) : -ENOTSUP;
    answer->valid = err == 0;
    if (err == 0) {
        answer->stamp_ns = truth.stamp;
        answer->restarts = truth.restarts;
        dpl_pose2_set(answer->pose, truth.pose);
    }
    return err;
}

static int take(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)request;
    (void)response;
    return port == WHEEL_PORT_SIMULATION_SERVICE
               ? dpl_wheel_take_simulation(dpl_component_device(self), caller_of(self))
               : -ENOTSUP;
}

static int release(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)request;
    (void)response;
    return port == WHEEL_PORT_SIMULATION_SERVICE
               ? dpl_wheel_release_simulation(dpl_component_device(self), caller_of(self))
               : -ENOTSUP;
}

/* Of one side's port, that side's own: without a scope the name means the first side that has it.
 */
static int get_parameter(struct dpl_component *self, unsigned port, const void *request,
                         void *response)
{
    const struct wheel_state *state = self->state;
    const Doppel__Parameter *asked = request;
    size_t side = port == WHEEL_PORT_SIMULATION_SERVICE ? WHEEL_SIMULATION : WHEEL_HARDWARE;
    if (port == WHEEL_PORT_SERVICE || state->n_sides <= side) {
        return port == WHEEL_PORT_SIMULATION_SERVICE
                   ? -ENOTSUP
                   : dpl_method_get_parameter(self, port, request, response);
    }
    char name[PARAMETER_NAME_SIZE];
    int length = snprintf(name, sizeof name, "%s.%s",
                          dpl_component_device(self)->driver->sides[side].name, asked->name);
    if (length < 0 || (size_t)length >= sizeof name) {
        return -ENOENT;
    }
    Doppel__Parameter scoped = *asked;
    scoped.name = name;
    return dpl_method_get_parameter(self, port, &scoped, response);
}

const dpl_service_method wheel_service[DPL_WHEEL_CONTROLLER_N_METHODS] = {
    [DPL_WHEEL_CONTROLLER_SET_PARAMETER] = dpl_method_set_parameter,
    [DPL_WHEEL_CONTROLLER_GET_PARAMETER] = get_parameter,
    [DPL_WHEEL_CONTROLLER_GET_ERROR] = get_error,
    [DPL_WHEEL_CONTROLLER_ENABLE] = enable,
    [DPL_WHEEL_CONTROLLER_DISABLE] = disable,
    [DPL_WHEEL_CONTROLLER_SET_POSITION] = set_position,
    [DPL_WHEEL_CONTROLLER_GET_POSITION] = get_position,
    [DPL_WHEEL_CONTROLLER_GET_ODOMETRY] = get_odometry,
    [DPL_WHEEL_CONTROLLER_DRIVE_WHEEL] = drive,
    [DPL_WHEEL_CONTROLLER_MOVE_WHEEL] = move,
    [DPL_WHEEL_CONTROLLER_ROTATE_WHEEL] = rotate,
    [DPL_WHEEL_CONTROLLER_STOP_WHEEL] = stop,
    [DPL_WHEEL_CONTROLLER_IS_WHEEL_RUNNING] = is_running,
    [DPL_WHEEL_CONTROLLER_GET_TRUTH] = get_truth,
    [DPL_WHEEL_CONTROLLER_TAKE_WHEEL] = take,
    [DPL_WHEEL_CONTROLLER_RELEASE_WHEEL] = release,
};
