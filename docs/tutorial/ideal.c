/* SPDX-License-Identifier: Apache-2.0 */
/* The ideal wheel base: does exactly what it is told, at once. No world, no wire, any clock. */
#include <doppel/plugin.h>

#include "wheel_base.h"

struct properties {
    struct wheel_base_properties base;
};

struct state {
    struct wheel_base base;
    struct dpl_drive_wheels angles; /* rad, unwrapped */
    dpl_ns now;
    bool started;
};

static int ideal_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    return wheel_base_init(&state->base, &props->base, 0.0, reterr);
}

static void ideal_close(struct dpl_device *device)
{
    (void)device;
}

static int ideal_enable(struct dpl_device *device)
{
    struct state *state = device->state;
    wheel_base_enable(&state->base, true);
    return 0;
}

static int ideal_disable(struct dpl_device *device)
{
    struct state *state = device->state;
    wheel_base_enable(&state->base, false);
    return 0;
}

static int ideal_drive(struct dpl_device *device, double linear_m_s, double angular_rad_s)
{
    struct state *state = device->state;
    return wheel_base_drive(&state->base, linear_m_s, angular_rad_s);
}

static int ideal_move(struct dpl_device *device, double distance_m, double linear_m_s)
{
    struct state *state = device->state;
    return wheel_base_move(&state->base, distance_m, linear_m_s);
}

static int ideal_rotate(struct dpl_device *device, double angle_rad, double angular_rad_s)
{
    struct state *state = device->state;
    return wheel_base_rotate(&state->base, angle_rad, angular_rad_s);
}

static int ideal_stop(struct dpl_device *device)
{
    struct state *state = device->state;
    wheel_base_stop(&state->base);
    return 0;
}

/* Since the last cycle the wheels have turned as they were told then. */
static int ideal_execute(struct dpl_device *device, const struct dpl_tick *tick)
{
    struct state *state = device->state;
    double dt_s = state->started ? dpl_ns_to_s(tick->now - state->now) : 0.0;
    struct dpl_twist2 aim = wheel_base_aim(&state->base);
    struct dpl_twist2 step = {aim.linear * dt_s, aim.angular * dt_s};
    struct dpl_drive_wheels turned = dpl_drive_wheels_from_twist(&state->base.nominal, step);
    state->angles.left += turned.left;
    state->angles.right += turned.right;
    state->started = true;
    state->now = tick->now;
    wheel_base_feed(&state->base, state->angles, tick->now);
    return 0;
}

static int ideal_read(struct dpl_device *device, struct dpl_wheel_state *ret)
{
    const struct state *state = device->state;
    wheel_base_read(&state->base, ret);
    return 0;
}

/* Where it believes it is and where it is are the same. */
static int ideal_place(struct dpl_device *device, const struct dpl_pose2 *pose)
{
    struct state *state = device->state;
    wheel_base_set_position(&state->base, pose);
    return 0;
}

static int ideal_read_truth(struct dpl_device *device, struct dpl_wheel_truth *ret)
{
    const struct state *state = device->state;
    *ret = (struct dpl_wheel_truth){state->base.stamp, state->base.odometry.pose};
    return 0;
}

static const struct dpl_wheel_controller_api api = {
    .enable = ideal_enable,
    .disable = ideal_disable,
    .drive = ideal_drive,
    .move = ideal_move,
    .rotate = ideal_rotate,
    .stop = ideal_stop,
    .execute = ideal_execute,
    .read = ideal_read,
    .set_position = ideal_place,
    .place = ideal_place,
    .read_truth = ideal_read_truth,
};

static const struct dpl_field properties[] = {
    WHEEL_BASE_FIELDS(struct properties, base, "0.07", "0.23", "0.5"),
};

static const struct dpl_driver driver = {
    .name = "ideal",
    .summary = "a base that does exactly what it is told, at once",
    .device_class = DPL_WHEEL_CONTROLLER_CLASS,
    .backend = DPL_BACKEND_MOCK,
    .api = &api,
    .api_size = sizeof api,
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .state_size = sizeof(struct state),
    .open = ideal_open,
    .close = ideal_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
