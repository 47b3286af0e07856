/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator driver of axes: the motors and encoders of a machine in an avatar world of this
 * process. The loop of each axis is closed here, once a cycle, on the encoder's reading of that
 * cycle; the world gives the effort until the next one. Where torque ends (OFF, FAULT) the driver
 * puts an effort of 0 once, and then nothing: the world releases the axes after the silence of
 * their channels, and the brakes of the model fall in. Friction and brakes bring the axes to rest.
 *
 * A loop is not closed over a network: docs/design/six-axis-machine.md. */
#include <errno.h>
#include <string.h>

#include <doppel/plugin.h>

#include "avatar_link.h"
#include "axes_loops.h"
#include "axes_motion.h"

struct properties {
    struct axes_motion_properties motion;
    struct axes_loops_properties loops;
    char axes[DPL_AXES_N][48];
    char robot[48];
    char world[512];
};

/* An axis in the world. */
struct axis {
    struct dpl_channel effort, position, velocity, force;
};

struct state {
    struct axes_motion motion;
    struct axes_loops loops;
    struct avatar_link avatar;
    struct axis axes[DPL_AXES_N];
    bool valid;
    dpl_ns stamps[DPL_AXES_N]; /* of the newest readings */
    dpl_ns used[DPL_AXES_N];   /* of those that the loops have used */
    struct axes_motion_measured measured;
    double given_n[DPL_AXES_N]; /* by the motors */
    double following_m;         /* greatest following error so far */
    int64_t faults;
};

static int bind_axis(struct state *state, size_t i, const char *name, struct dpl_diag *reterr)
{
    struct axis *axis = &state->axes[i];
    const struct dpl_channel_type *number = &dpl_channel_number;
    const struct avatar_want wants[] = {
        {name, "effort", number, "N", true, &axis->effort},
        {name, "position", number, "m", false, &axis->position},
        {name, "velocity", number, "m/s", false, &axis->velocity},
        {name, "force", number, "N", false, &axis->force},
    };
    return avatar_link_find(state->avatar.link, wants, DPL_COUNT(wants), reterr);
}

static int bind(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    int err = 0;
    for (size_t i = 0; i < DPL_AXES_N && err == 0; i++) {
        err = bind_axis(state, i, props->axes[i], reterr);
        for (size_t k = 0; k < i && err == 0; k++) {
            if (state->axes[k].effort.id == state->axes[i].effort.id) {
                err = dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                               "%s: Axis%zu and Axis%zu are both '%s'", device->name, k + 1, i + 1,
                               props->axes[i]);
            }
        }
    }
    return err;
}

static int avatar_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    if (strncmp(props->world, "tcp://", 6) == 0) {
        return dpl_fail(reterr, -ENOTSUP, (struct dpl_place){0},
                        "%s: the world of axes must be embedded (property World), because control "
                        "loops cannot be closed over the network",
                        props->world);
    }
    axes_motion_init(&state->motion);
    axes_loops_init(&state->loops, &props->loops);
    return avatar_link_open_now(device, &state->avatar, props->world, props->robot, bind, reterr);
}

static void avatar_close(struct dpl_device *device)
{
    struct state *state = device->state;
    avatar_link_close(&state->avatar);
}

static int avatar_enable(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    return axes_motion_enable(&state->motion);
}

static int avatar_disable(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    axes_motion_disable(&state->motion);
    return 0;
}

static int avatar_stop(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    axes_motion_stop(&state->motion);
    return 0;
}

static int avatar_reset(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    axes_motion_reset(&state->motion);
    return 0;
}

static int avatar_follow(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_axes_reference *reference = in;
    struct state *state = device->state;
    return axes_motion_follow(&state->motion, reference);
}

/* What an axis' channels say. */
struct reading {
    dpl_ns stamp;
    double position_m, velocity_m_s, effort_n;
};

static int read_axis(const struct axis *axis, struct reading *ret)
{
    int err = dpl_channel_get(axis->position, &ret->position_m, &ret->stamp);
    err = err < 0 ? err : dpl_channel_get(axis->velocity, &ret->velocity_m_s, NULL);
    return err < 0 ? err : dpl_channel_get(axis->force, &ret->effort_n, NULL);
}

/* The speed is what the encoder moved over the time that really passed between two readings, unless
 * that is too long to say anything. */
static double speed_of(const struct state *state, size_t i, const struct reading *axis)
{
    double passed_s = dpl_ns_to_s(axis->stamp - state->stamps[i]);
    if (!state->valid || passed_s <= 0.0) {
        return state->measured.velocity_m_s[i];
    }
    return passed_s > AXES_LOOPS_GAP_S
               ? axis->velocity_m_s
               : (axis->position_m - state->measured.position_m[i]) / passed_s;
}

static int avatar_execute(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    int err = dpl_link_refresh(state->avatar.link, NULL);
    for (size_t i = 0; i < DPL_AXES_N && err == 0; i++) {
        struct reading axis;
        err = read_axis(&state->axes[i], &axis);
        if (err == 0) {
            state->measured.velocity_m_s[i] = speed_of(state, i, &axis);
            state->measured.position_m[i] = axis.position_m;
            state->stamps[i] = axis.stamp;
            state->given_n[i] = axis.effort_n;
        }
    }
    state->valid |= err == 0;
    return err;
}

/* What the loops shall know of this cycle's readings, which they have used then. */
static void consume_readings(struct state *state, struct axes_loops_reading ret[DPL_AXES_N])
{
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        ret[i] = (struct axes_loops_reading){
            .position_m = state->measured.position_m[i],
            .velocity_m_s = state->measured.velocity_m_s[i],
            .passed_s = dpl_ns_to_s(state->stamps[i] - state->used[i]),
        };
        state->used[i] = state->stamps[i];
    }
}

static void give_efforts(struct state *state)
{
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        dpl_channel_put_number(state->axes[i].effort, state->loops.asked_n[i]);
    }
}

static void update_following(struct state *state)
{
    for (size_t i = 0; i < DPL_AXES_N && axes_motion_has_torque(&state->motion); i++) {
        double error = state->motion.reference.position_m[i] - state->measured.position_m[i];
        state->following_m = fmax(state->following_m, fabs(error));
    }
}

static int avatar_finish(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_tick *tick = in;
    const struct properties *props = device->properties;
    struct state *state = device->state;
    double period_s = dpl_ns_to_s(tick->period);
    if (!state->valid) {
        return 0;
    }
    bool was_faulty = state->motion.mode == DPL_AXES_FAULT;
    update_following(state);
    axes_motion_watch(&state->motion, &props->motion, &state->measured);
    axes_motion_step(&state->motion, &props->motion, &state->measured, period_s);
    state->faults += !was_faulty && state->motion.mode == DPL_AXES_FAULT;
    struct axes_loops_reading readings[DPL_AXES_N];
    bool was_closed = state->loops.closed;
    consume_readings(state, readings);
    axes_loops_step(&state->loops, &state->motion, readings, period_s);
    if (state->loops.closed || was_closed) {
        give_efforts(state);
    }
    return 0;
}

static int avatar_idle(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    axes_motion_idle(&state->motion);
    if (state->loops.closed) {
        axes_loops_open(&state->loops);
        give_efforts(state);
    }
    return 0;
}

static int avatar_read(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_axes_state *ret = out;
    const struct state *state = device->state;
    *ret = (struct dpl_axes_state){.valid = state->valid, .stamp = state->stamps[0]};
    for (size_t i = 1; i < DPL_AXES_N; i++) {
        ret->stamp = state->stamps[i] < ret->stamp ? state->stamps[i] : ret->stamp;
    }
    axes_motion_read(&state->motion, ret);
    memcpy(ret->position_m, state->measured.position_m, sizeof ret->position_m);
    memcpy(ret->velocity_m_s, state->measured.velocity_m_s, sizeof ret->velocity_m_s);
    memcpy(ret->effort_n, state->given_n, sizeof ret->effort_n);
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_AXES_N_CALLS] = {
    [DPL_DRV_AXES_ENABLE] = avatar_enable, [DPL_DRV_AXES_DISABLE] = avatar_disable,
    [DPL_DRV_AXES_STOP] = avatar_stop,     [DPL_DRV_AXES_RESET] = avatar_reset,
    [DPL_DRV_AXES_FOLLOW] = avatar_follow, [DPL_DRV_AXES_EXECUTE] = avatar_execute,
    [DPL_DRV_AXES_FINISH] = avatar_finish, [DPL_DRV_AXES_READ] = avatar_read,
    [DPL_DRV_AXES_IDLE] = avatar_idle,
};

#define AXIS(number_)                                                                              \
    DPL_TEXT(struct properties, axes[(number_)-1], "Axis" #number_, "Axis" #number_,               \
             "axis in the robot's model")

static const struct dpl_field properties[] = {
    AXES_MOTION_FIELDS(struct properties, motion),
    AXES_LOOPS_FIELDS(struct properties, loops),
    AXIS(1),
    AXIS(2),
    AXIS(3),
    AXIS(4),
    AXIS(5),
    AXIS(6),
    DPL_TEXT(struct properties, robot, "RobotName", "avatar", "robot in the world"),
    DPL_WORLD(struct properties, world, "World", "",
              "file of the world to embed; empty: the application's"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_NUMBER(
        struct state, following_m, "largest_following_error", "m", DPL_FIELD_SUMMARY,
        "largest of all axes: reference at the end of a cycle minus the encoder at that time"),
    DPL_EXPORT_INT(struct state, loops.n_limited, "limited_efforts", NULL, DPL_FIELD_SUMMARY,
                   "cycles in which a loop was limited by EffortLimit"),
    DPL_EXPORT_INT(struct state, faults, "axis_faults", NULL, DPL_FIELD_SUMMARY,
                   "times the axes went into FAULT"),
};

static const struct dpl_driver driver = {
    .name = "avatar",
    .summary = "motors and encoders of a machine in an embedded world; the driver closes the loops",
    .device_class = &dpl_axes_class,
    .backend = DPL_BACKEND_SIMULATOR,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = avatar_open,
    .close = avatar_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
