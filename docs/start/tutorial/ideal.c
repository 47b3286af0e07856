/* SPDX-License-Identifier: Apache-2.0 */
/* The ideal wheel base: executes each command exactly and without delay. It needs no world and no
 * device, and runs on any clock. */
#include <doppel/plugin.h>

#include <doppel/drive/wheel_base.h>

struct properties {
    struct dpl_wheel_base_properties base;
};

struct state {
    struct dpl_wheel_base base;
    struct dpl_drive_wheels angles; /* rad, unwrapped */
    dpl_ns now;
    bool started;
};

static int ideal_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    return dpl_wheel_base_init(&state->base, &props->base, 0.0, reterr);
}

static void ideal_close(struct dpl_device *device)
{
    (void)device;
}

static int ideal_enable(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    dpl_wheel_base_enable(&state->base, true);
    return 0;
}

static int ideal_disable(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    dpl_wheel_base_enable(&state->base, false);
    return 0;
}

static int ideal_drive(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_twist2 *twist = in;
    struct state *state = device->state;
    return dpl_wheel_base_drive(&state->base, twist->linear, twist->angular);
}

static int ideal_move(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_wheel_move *asked = in;
    struct state *state = device->state;
    return dpl_wheel_base_move(&state->base, asked->distance_m, asked->linear_m_s);
}

static int ideal_rotate(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_wheel_rotate *asked = in;
    struct state *state = device->state;
    return dpl_wheel_base_rotate(&state->base, asked->angle_rad, asked->angular_rad_s);
}

static int ideal_stop(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    dpl_wheel_base_stop(&state->base);
    return 0;
}

/* Turns the wheels by the commanded speed since the last cycle. */
static int ideal_execute(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_tick *tick = in;
    struct state *state = device->state;
    double dt_s = state->started ? dpl_ns_to_s(tick->now - state->now) : 0.0;
    struct dpl_twist2 aim = dpl_wheel_base_aim(&state->base);
    struct dpl_twist2 step = {aim.linear * dt_s, aim.angular * dt_s};
    struct dpl_drive_wheels turned = dpl_drive_wheels_from_twist(&state->base.nominal, step);
    state->angles.left += turned.left;
    state->angles.right += turned.right;
    state->started = true;
    state->now = tick->now;
    dpl_wheel_base_feed(&state->base, state->angles, tick->now);
    return 0;
}

static int ideal_read(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_wheel_state *ret = out;
    const struct state *state = device->state;
    dpl_wheel_base_read(&state->base, ret);
    return 0;
}

/* The odometry pose and the true pose are equal. */
static int ideal_place(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pose2 *pose = in;
    struct state *state = device->state;
    dpl_wheel_base_set_position(&state->base, pose);
    return 0;
}

static int ideal_read_truth(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_wheel_truth *ret = out;
    const struct state *state = device->state;
    *ret = (struct dpl_wheel_truth){.stamp = state->base.stamp, .pose = state->base.odometry.pose};
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_WHEEL_CONTROLLER_N_CALLS] = {
    [DPL_DRV_WHEEL_CONTROLLER_ENABLE] = ideal_enable,
    [DPL_DRV_WHEEL_CONTROLLER_DISABLE] = ideal_disable,
    [DPL_DRV_WHEEL_CONTROLLER_DRIVE] = ideal_drive,
    [DPL_DRV_WHEEL_CONTROLLER_MOVE] = ideal_move,
    [DPL_DRV_WHEEL_CONTROLLER_ROTATE] = ideal_rotate,
    [DPL_DRV_WHEEL_CONTROLLER_STOP] = ideal_stop,
    [DPL_DRV_WHEEL_CONTROLLER_EXECUTE] = ideal_execute,
    [DPL_DRV_WHEEL_CONTROLLER_READ] = ideal_read,
    [DPL_DRV_WHEEL_CONTROLLER_SET_POSITION] = ideal_place,
    [DPL_DRV_WHEEL_CONTROLLER_PLACE] = ideal_place,
    [DPL_DRV_WHEEL_CONTROLLER_READ_TRUTH] = ideal_read_truth,
    [DPL_DRV_WHEEL_CONTROLLER_HALT] = ideal_stop,
};

static const struct dpl_field properties[] = {
    DPL_WHEEL_BASE_FIELDS(struct properties, base, "0.07", "0.23", "0.5"),
};

static const struct dpl_driver driver = {
    .name = "ideal",
    .summary = "a base that executes every command exactly and at once",
    .device_class = &dpl_wheel_controller_class,
    .backend = DPL_BACKEND_MOCK,
    .api = api,
    .n_calls = DPL_COUNT(api),
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
