/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator driver of axes: the motors and encoders of a machine in an avatar world of this
 * process. The loop of each axis is closed here, once a cycle, on the encoder's reading of that
 * cycle; the world gives the effort until the next one. Where torque ends (OFF, FAULT) the driver
 * says once that it gives none, and no more: 20 ms later the world lets the brakes of the model
 * fall in. Friction and they bring the axes to rest. */
#include <string.h>

#include <doppel/plugin.h>

#include "axes_motion.h"
#include "servo_loop.h"

struct properties {
    struct axes_motion_properties motion;
    struct dpl_servo_config servo; /* what the table has of it; the rest is derived */
    double axis_kg, effort_limit_n, friction_n;
    char axes[DPL_AXES_N][48];
    char robot[48];
    char world[512];
};

struct state {
    struct axes_motion motion;
    struct dpl_servo_config config;
    struct dpl_servo servos[DPL_AXES_N];
    bool closed; /* the loops were closed in the cycle before */
    struct dpl_link *link;
    unsigned ids[DPL_AXES_N];
    bool valid;
    dpl_ns stamps[DPL_AXES_N]; /* of the newest readings */
    dpl_ns used[DPL_AXES_N];   /* of those that the loops have used */
    struct axes_motion_measured measured;
    double given_n[DPL_AXES_N]; /* by the motors */
    double asked_n[DPL_AXES_N];
    double following_m; /* greatest following error so far */
    int64_t limited, faults;
};

static int bind(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        int err = state->link->ops->find(state->link, DPL_LINK_AXIS, props->axes[i], &state->ids[i],
                                         NULL, reterr);
        for (size_t k = 0; k < i && err == 0; k++) {
            if (state->ids[k] == state->ids[i]) {
                err = dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                               "%s: Axis%zu and Axis%zu are both '%s'", device->name, k + 1, i + 1,
                               props->axes[i]);
            }
        }
        if (err < 0) {
            return err;
        }
    }
    return 0;
}

static int avatar_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    struct dpl_link_config config = {.world = props->world, .robot = props->robot};
    axes_motion_init(&state->motion);
    state->config = props->servo;
    state->config.accel_max_m_s2 = props->effort_limit_n / props->axis_kg;
    state->config.friction_m_s2 = props->friction_n / props->axis_kg;
    int err = dpl_device_open_link(device, &config, &state->link, reterr);
    if (err < 0) {
        return err;
    }
    err = bind(device, reterr);
    if (err < 0) {
        state->link->ops->close(state->link);
        state->link = NULL;
    }
    return err;
}

static void avatar_close(struct dpl_device *device)
{
    struct state *state = device->state;
    if (state->link) {
        state->link->ops->close(state->link);
        state->link = NULL;
    }
}

static int avatar_enable(struct dpl_device *device)
{
    struct state *state = device->state;
    return axes_motion_enable(&state->motion);
}

static int avatar_disable(struct dpl_device *device)
{
    struct state *state = device->state;
    axes_motion_disable(&state->motion);
    return 0;
}

static int avatar_stop(struct dpl_device *device)
{
    struct state *state = device->state;
    axes_motion_stop(&state->motion);
    return 0;
}

static int avatar_reset(struct dpl_device *device)
{
    struct state *state = device->state;
    axes_motion_reset(&state->motion);
    return 0;
}

static int avatar_follow(struct dpl_device *device, const struct dpl_axes_reference *reference)
{
    struct state *state = device->state;
    return axes_motion_follow(&state->motion, reference);
}

/* The speed is what the encoder moved over the time that really passed between two readings. */
static int avatar_execute(struct dpl_device *device, const struct dpl_tick *tick)
{
    (void)tick;
    struct state *state = device->state;
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        struct dpl_link_axis axis;
        int err = state->link->ops->get_axis(state->link, state->ids[i], &axis);
        if (err < 0) {
            return err;
        }
        double passed_s = dpl_ns_to_s(axis.stamp - state->stamps[i]);
        if (state->valid && passed_s > 0.0) {
            double moved = axis.position_m - state->measured.position_m[i];
            state->measured.velocity_m_s[i] = moved / passed_s;
        }
        state->measured.position_m[i] = axis.position_m;
        state->stamps[i] = axis.stamp;
        state->given_n[i] = axis.effort_n;
    }
    state->valid = true;
    return 0;
}

/* The first cycle of a closed loop takes the axis as fast as it was measured. */
static void close_loop(struct state *state, size_t i, double period_s)
{
    double before = state->measured.position_m[i] - state->measured.velocity_m_s[i] * period_s;
    dpl_servo_reset(&state->servos[i], before);
    state->used[i] = state->stamps[i] - dpl_ns_from_s(period_s);
}

/* Without a newer reading the effort stays. */
static void run_loop(struct dpl_device *device, size_t i)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    double period_s = dpl_ns_to_s(state->stamps[i] - state->used[i]);
    if (period_s <= 0.0) {
        return;
    }
    const struct dpl_axes_reference *reference = &state->motion.reference;
    struct dpl_servo_reference wanted = {
        .position_m = reference->position_m[i],
        .velocity_m_s = reference->velocity_m_s[i],
        .acceleration_m_s2 = reference->acceleration_m_s2[i],
    };
    double accel = dpl_servo_step(&state->config, &state->servos[i], period_s, &wanted,
                                  state->measured.position_m[i]);
    state->asked_n[i] = accel * props->axis_kg;
    state->limited += fabs(accel) >= state->config.accel_max_m_s2;
    state->used[i] = state->stamps[i];
}

static void note_following(struct state *state)
{
    for (size_t i = 0; i < DPL_AXES_N && axes_motion_has_torque(&state->motion); i++) {
        double error = state->motion.reference.position_m[i] - state->measured.position_m[i];
        state->following_m = fmax(state->following_m, fabs(error));
    }
}

static int avatar_finish(struct dpl_device *device, const struct dpl_tick *tick)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    double period_s = dpl_ns_to_s(tick->period);
    if (!state->valid) {
        return 0;
    }
    bool was_faulty = state->motion.mode == DPL_AXES_FAULT;
    note_following(state);
    axes_motion_watch(&state->motion, &props->motion, &state->measured);
    axes_motion_step(&state->motion, &props->motion, &state->measured, period_s);
    state->faults += !was_faulty && state->motion.mode == DPL_AXES_FAULT;
    bool closed = axes_motion_has_torque(&state->motion);
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        if (closed && !state->closed) {
            close_loop(state, i, period_s);
        }
        if (closed) {
            run_loop(device, i);
            state->link->ops->set_axis(state->link, state->ids[i], state->asked_n[i]);
        } else if (state->closed) {
            state->link->ops->set_axis(state->link, state->ids[i], 0.0);
        }
    }
    state->closed = closed;
    return 0;
}

static int avatar_read(struct dpl_device *device, struct dpl_axes_state *ret)
{
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

static const struct dpl_axes_api api = {
    .enable = avatar_enable,
    .disable = avatar_disable,
    .stop = avatar_stop,
    .reset = avatar_reset,
    .follow = avatar_follow,
    .execute = avatar_execute,
    .finish = avatar_finish,
    .read = avatar_read,
};

#define AXIS(number_)                                                                              \
    DPL_TEXT(struct properties, axes[(number_)-1], "Axis" #number_, "Axis" #number_,               \
             "axis in the robot's model")

static const struct dpl_field properties[] = {
    AXES_MOTION_FIELDS(struct properties, motion),
    DPL_NUMBER(struct properties, servo.kp, "Kp", NULL, "120", 0.0, 10000.0,
               "1/s: position error to velocity"),
    DPL_NUMBER(struct properties, servo.kv, "Kv", NULL, "400", 0.0, 100000.0,
               "1/s: velocity error to acceleration"),
    DPL_NUMBER(struct properties, servo.ki, "Ki", NULL, "2000", 0.0, 1e7,
               "1/s2: integral of the velocity error"),
    DPL_NUMBER(struct properties, servo.kt, "Kt", NULL, "50", 0.0, 10000.0,
               "1/s: how fast the integral gives way at the limit of the effort; 0: it winds up"),
    DPL_NUMBER(struct properties, servo.velocity_feedforward, "VelocityFeedforward", NULL, "1", 0.0,
               1.0, "share of the reference's velocity"),
    DPL_NUMBER(struct properties, servo.acceleration_feedforward, "AccelerationFeedforward", NULL,
               "1", 0.0, 1.0, "share of the reference's acceleration"),
    DPL_NUMBER(struct properties, friction_n, "FrictionForce", "N", "60", 0.0, 100000.0,
               "Coulomb friction that is compensated; 0: none"),
    DPL_NUMBER(struct properties, servo.friction_speed_m_s, "FrictionSpeed", "m/s", "0.001", 1e-6,
               1.0, "at which tanh(1) of it is given"),
    DPL_NUMBER(struct properties, axis_kg, "AxisMass", "kg", "70", 0.001, 1e5,
               "what an axis moves: makes the loop's acceleration an effort"),
    DPL_NUMBER(struct properties, effort_limit_n, "EffortLimit", "N", "2800", 0.001, 1e7,
               "largest effort that is asked of a motor"),
    AXIS(1),
    AXIS(2),
    AXIS(3),
    AXIS(4),
    AXIS(5),
    AXIS(6),
    DPL_TEXT(struct properties, robot, "RobotName", "avatar", "robot in the world"),
    DPL_TEXT(struct properties, world, "World", "",
             "file of the world to embed; empty: the application's"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_NUMBER(struct state, following_m, "largest_following_error", "m", DPL_FIELD_SUMMARY,
                      "of any axis, reference of a cycle's end against the encoder then"),
    DPL_EXPORT_WHOLE(struct state, limited, "limited_efforts", NULL, DPL_FIELD_SUMMARY,
                     "loops that wanted more than EffortLimit"),
    DPL_EXPORT_WHOLE(struct state, faults, "axis_faults", NULL, DPL_FIELD_SUMMARY,
                     "times the axes went into FAULT"),
};

static const struct dpl_driver driver = {
    .name = "avatar",
    .summary = "motors and encoders of a machine in an embedded avatar world, loops closed here",
    .device_class = DPL_AXES_CLASS,
    .backend = DPL_BACKEND_SIMULATOR,
    .api = &api,
    .api_size = sizeof api,
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
