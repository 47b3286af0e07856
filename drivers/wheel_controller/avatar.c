/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator driver of wheel bases: named motors and encoders of a named robot in an avatar
 * world, embedded or served at ip:port. Odometry comes from the encoders, as it would on the real
 * base; the motors ramp in the world.
 *
 * The frame of the odometry is fixed in the world from the first reading on. When a served world is
 * started anew the robot stands at its start again: then the odometry says so, in the same frame,
 * and goes on from there. */
#include <errno.h>
#include <math.h>

#include <doppel/plugin.h>

#include "avatar_link.h"
#include "avatar_place.h"
#include <doppel/drive/wheel_base.h>

struct properties {
    struct dpl_wheel_base_properties base;
    char left_motor[48], right_motor[48], left_encoder[48], right_encoder[48];
    struct avatar_link_properties link;
    bool take_over;
};

struct state {
    struct dpl_wheel_base base;
    struct avatar_link avatar;
    struct dpl_channel speed[2], ramp[2], angle[2]; /* left, right */
    struct dpl_channel pose;
    double ramp_rad_s2; /* of the motors */
    bool has_geometry;  /* of the robot in the world, unless it is given */
    bool driven;        /* asked to move at least once: until then it only watches */
    bool has_frame;
    struct dpl_pose2 frame; /* of the odometry, in the world */
    uint32_t world;         /* that it was measured in last */
    struct dpl_pose2 truth;
    struct avatar_place place;
    struct avatar_touches touches;
    int64_t restarts;
};

enum wheel {
    LEFT,
    RIGHT,
};

/* ---- diameter and axle ---- */

/* What is used until the world says more, or if it does not know. */
#define DIAMETER_M       0.13
#define AXLE_M           0.30
#define LEAST_DIAMETER_M 0.01
#define LEAST_AXLE_M     0.02
#define TOLERANCE        0.05 /* of what is given: a robot that deviates from its data sheet does less */

/* What the channel "wheel" of a motor holds. */
enum wheel_numbers {
    WHEEL_RADIUS_M,
    WHEEL_Y_M,
    WHEEL_NUMBERS,
};

static bool is_between(double value, double least)
{
    return value > 0.0 && value < least;
}

static int check(const void *properties, struct dpl_diag *reterr)
{
    const struct properties *props = properties;
    if (is_between(props->base.wheel_diameter_m, LEAST_DIAMETER_M) ||
        is_between(props->base.axle_m, LEAST_AXLE_M)) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "expected WheelDiameter 0 or at least %g m, AxleDistance 0 or at least "
                        "%g m",
                        LEAST_DIAMETER_M, LEAST_AXLE_M);
    }
    return 0;
}

static void compare(struct dpl_device *device, const char *name, double given, double there)
{
    const struct properties *props = device->properties;
    if (fabs(given / there - 1.0) > TOLERANCE) {
        dpl_device_log(device, DPL_LOG_WARN,
                       "%s is %g m, but %.4g m at the robot '%s' of the world, which does not do "
                       "what it is told then; without %s the world's is taken",
                       name, given, there, props->link.robot, name);
    }
}

/* `given` where it is; else what is `there`, else `fallback`. */
static double choose(struct dpl_device *device, const char *name, double given, double there,
                     double fallback)
{
    if (given > 0.0 && there > 0.0) {
        compare(device, name, given, there);
    }
    return given > 0.0 ? given : there > 0.0 ? there : fallback;
}

/* The numbers of one wheel; 0 where the world does not tell them: it is of another version, or the
 * motor has no wheel. */
static int read_wheel(const struct state *state, const char *motor,
                      double ret_numbers[WHEEL_NUMBERS])
{
    struct dpl_channel wheel;
    struct dpl_diag ignored = {0};
    const struct avatar_want want = {motor, "wheel", &dpl_channel_vector, "m", false, &wheel};
    int err = avatar_link_find(state->avatar.link, &want, 1, &ignored);
    if (err == 0 && wheel.desc->size == WHEEL_NUMBERS) {
        return dpl_channel_get(wheel, ret_numbers, NULL);
    }
    ret_numbers[WHEEL_RADIUS_M] = ret_numbers[WHEEL_Y_M] = 0.0;
    return err == -EAGAIN ? err : 0;
}

static int use_geometry(struct dpl_device *device, double diameter_m, double axle_m,
                        struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    struct dpl_wheel_base_properties used = props->base;
    used.wheel_diameter_m =
        choose(device, "WheelDiameter", props->base.wheel_diameter_m, diameter_m, DIAMETER_M);
    used.axle_m = choose(device, "AxleDistance", props->base.axle_m, axle_m, AXLE_M);
    state->ramp_rad_s2 = 2.0 * props->base.acceleration_m_s2 / used.wheel_diameter_m;
    return dpl_wheel_base_set_geometry(&state->base, &used, reterr);
}

/* Once: when a served world is started anew, the robot is the same. */
static int read_geometry(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    double left[WHEEL_NUMBERS], right[WHEEL_NUMBERS];
    if (state->has_geometry) {
        return 0;
    }
    int err = read_wheel(state, props->left_motor, left);
    err = err < 0 ? err : read_wheel(state, props->right_motor, right);
    if (err < 0) {
        return err;
    }
    state->has_geometry = true;
    return use_geometry(device, left[WHEEL_RADIUS_M] + right[WHEEL_RADIUS_M],
                        fabs(left[WHEEL_Y_M] - right[WHEEL_Y_M]), reterr);
}

static int bind(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    const struct dpl_channel_type *number = &dpl_channel_number, *integer = &dpl_channel_integer,
                                  *vector = &dpl_channel_vector;
    const struct avatar_want wants[] = {
        {props->left_motor, "ramp", number, "rad/s^2", true, &state->ramp[LEFT]},
        {props->left_motor, "speed", number, "rad/s", true, &state->speed[LEFT]},
        {props->right_motor, "ramp", number, "rad/s^2", true, &state->ramp[RIGHT]},
        {props->right_motor, "speed", number, "rad/s", true, &state->speed[RIGHT]},
        {props->left_encoder, "angle", number, "rad", false, &state->angle[LEFT]},
        {props->right_encoder, "angle", number, "rad", false, &state->angle[RIGHT]},
        {NULL, "planar", vector, NULL, false, &state->pose},
        {NULL, "contacts", integer, NULL, false, &state->touches.contacted},
        {NULL, "touched", integer, NULL, false, &state->touches.touched},
        {NULL, "ejections", integer, NULL, false, &state->touches.ejected},
        {NULL, "place", vector, NULL, true, &state->place.channel},
    };
    int err = avatar_link_find(state->avatar.link, wants, DPL_COUNT(wants), reterr);
    return err < 0 ? err : read_geometry(device, reterr);
}

static int avatar_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    struct dpl_wheel_base_properties first = props->base;
    first.wheel_diameter_m = first.wheel_diameter_m > 0.0 ? first.wheel_diameter_m : DIAMETER_M;
    first.axle_m = first.axle_m > 0.0 ? first.axle_m : AXLE_M;
    int err = dpl_wheel_base_init(&state->base, &first, 0.02, reterr);
    if (err < 0) {
        return err;
    }
    state->truth = (struct dpl_pose2){(double)NAN, (double)NAN, (double)NAN};
    return avatar_link_open(device, &state->avatar, &props->link, props->take_over, bind, reterr);
}

static void avatar_close(struct dpl_device *device)
{
    struct state *state = device->state;
    avatar_link_close(&state->avatar);
}

/* Who sends speeds controls the robot; who has nothing to say leaves it to others. */
static void send(struct dpl_device *device)
{
    struct state *state = device->state;
    if (!state->avatar.bound || !state->driven) {
        return;
    }
    struct dpl_twist2 aim = dpl_wheel_base_aim(&state->base);
    struct dpl_drive_wheels wheels = dpl_drive_wheels_from_twist(&state->base.nominal, aim);
    dpl_channel_put_number(state->ramp[LEFT], state->ramp_rad_s2);
    dpl_channel_put_number(state->speed[LEFT], wheels.left);
    dpl_channel_put_number(state->ramp[RIGHT], state->ramp_rad_s2);
    dpl_channel_put_number(state->speed[RIGHT], wheels.right);
}

/* Of the odometry at `pose`, while the robot is at `truth`. */
static struct dpl_pose2 frame_of(struct dpl_pose2 truth, struct dpl_pose2 pose)
{
    return dpl_pose2_compose(truth, dpl_pose2_relative(pose, (struct dpl_pose2){0}));
}

/* The robot stands where the new world has put it: no way of its wheels leads there. */
static void begin_anew(struct state *state, struct dpl_pose2 truth)
{
    struct dpl_pose2 pose = dpl_pose2_relative(state->frame, truth);
    dpl_wheel_base_forget(&state->base);
    dpl_wheel_base_stop(&state->base);
    dpl_wheel_base_set_position(&state->base, &pose);
    state->restarts++;
}

/* Where the world has the robot, in the frame that was taken last. */
static int get_pose(const struct state *state, struct dpl_pose2 *ret_pose, dpl_ns *ret_stamp)
{
    double planar[3];
    int err = state->avatar.bound ? dpl_channel_get(state->pose, planar, ret_stamp) : -EAGAIN;
    if (err == 0) {
        *ret_pose = (struct dpl_pose2){planar[0], planar[1], planar[2]};
    }
    return err;
}

/* Takes the world's answer to a place. Since the robot was put there it has moved on: the odometry
 * goes on from where the robot is now. */
static void settle_place(struct dpl_device *device)
{
    struct state *state = device->state;
    struct dpl_pose2 pose = {0};
    if (!avatar_place_is_answered(&state->place, dpl_device_now(device))) {
        return;
    }
    if (state->place.result == 0 && get_pose(state, &pose, NULL) == 0) {
        struct dpl_pose2 now = dpl_pose2_relative(state->frame, pose);
        dpl_wheel_base_set_position(&state->base, &now);
    } else {
        avatar_place_report_refusal(device, &state->place);
    }
}

static void measure(struct dpl_device *device)
{
    struct state *state = device->state;
    struct dpl_drive_wheels angles;
    struct dpl_pose2 pose = {0};
    dpl_ns stamp;
    if (!state->avatar.bound || dpl_link_refresh(state->avatar.link, NULL) < 0 ||
        dpl_channel_get(state->angle[LEFT], &angles.left, &stamp) < 0 ||
        dpl_channel_get(state->angle[RIGHT], &angles.right, NULL) < 0 ||
        get_pose(state, &pose, NULL) < 0) {
        return;
    }
    uint32_t world = dpl_link_restarts(state->avatar.link);
    if (state->has_frame && world != state->world) {
        begin_anew(state, pose);
    }
    dpl_wheel_base_feed(&state->base, angles, stamp);
    if (!state->has_frame) {
        state->has_frame = true;
        state->frame = frame_of(pose, state->base.odometry.pose);
    }
    state->world = world;
    state->truth = pose;
    settle_place(device);
}

static int avatar_enable(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    dpl_wheel_base_enable(&state->base, true);
    send(device);
    return 0;
}

static int avatar_disable(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    dpl_wheel_base_enable(&state->base, false);
    send(device);
    return 0;
}

/* Sends what the base took, or did not take, of a command. */
static int begin(struct dpl_device *device, int err)
{
    struct state *state = device->state;
    state->driven |= err == 0;
    send(device);
    return err;
}

static int avatar_drive(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_twist2 *twist = in;
    struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    return begin(device, dpl_wheel_base_drive(&state->base, twist->linear, twist->angular));
}

static int avatar_move(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_wheel_move *asked = in;
    struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    return begin(device, dpl_wheel_base_move(&state->base, asked->distance_m, asked->linear_m_s));
}

static int avatar_rotate(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_wheel_rotate *asked = in;
    struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    return begin(device,
                 dpl_wheel_base_rotate(&state->base, asked->angle_rad, asked->angular_rad_s));
}

static int avatar_stop(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    dpl_wheel_base_stop(&state->base);
    send(device);
    return 0;
}

static int avatar_execute(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    int err = avatar_link_ready(device, &state->avatar);
    if (err < 0) {
        dpl_wheel_base_stop(
            &state->base); /* when the world is back it stands until a new command */
        return err;
    }
    measure(device);
    if (!dpl_device_is_commanded(device)) {
        dpl_wheel_base_stop(&state->base); /* the world has stopped it */
    }
    send(device); /* moves and rotations need a new velocity each cycle */
    struct dpl_pose2 pose = {0};
    if (get_pose(state, &pose, NULL) == 0) {
        avatar_touches_watch(device, &state->touches, &pose);
    }
    return 0;
}

static int avatar_read(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_wheel_state *ret = out;
    struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    measure(device);
    dpl_wheel_base_read(&state->base, ret);
    ret->has_bumper = true;
    ret->pressed = state->touches.pressed;
    ret->restarts = (uint32_t)state->restarts;
    return 0;
}

/* The robot does not move, so the frame does. */
static int avatar_set_position(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pose2 *pose = in;
    struct state *state = device->state;
    struct dpl_pose2 now = dpl_pose2_compose(state->frame, state->base.odometry.pose);
    dpl_wheel_base_set_position(&state->base, pose);
    state->frame = frame_of(now, state->base.odometry.pose);
    return 0;
}

/* Puts the robot itself: from then on it is where its odometry says, in the odometry's frame. */
static int avatar_place(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pose2 *pose = in;
    struct state *state = device->state;
    if (dpl_device_is_lost(device) || !dpl_link_alive(state->avatar.link)) {
        return -ENODEV;
    }
    measure(device);
    if (!state->has_frame) {
        return -EAGAIN;
    }
    return avatar_place_ask(&state->place, pose, dpl_device_now(device));
}

static int avatar_placing(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    measure(device);
    return state->place.result;
}

/* Feeds no odometry, so that it does not depend on who asks. */
static int avatar_read_truth(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_wheel_truth *ret = out;
    struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    int err = dpl_link_refresh(state->avatar.link, NULL);
    err = err < 0 ? err : get_pose(state, &ret->pose, &ret->stamp);
    ret->restarts = dpl_link_restarts(state->avatar.link); /* of the same frame */
    return err;
}

static const dpl_device_call_fn api[DPL_DRV_WHEEL_CONTROLLER_N_CALLS] = {
    [DPL_DRV_WHEEL_CONTROLLER_ENABLE] = avatar_enable,
    [DPL_DRV_WHEEL_CONTROLLER_DISABLE] = avatar_disable,
    [DPL_DRV_WHEEL_CONTROLLER_DRIVE] = avatar_drive,
    [DPL_DRV_WHEEL_CONTROLLER_MOVE] = avatar_move,
    [DPL_DRV_WHEEL_CONTROLLER_ROTATE] = avatar_rotate,
    [DPL_DRV_WHEEL_CONTROLLER_STOP] = avatar_stop,
    [DPL_DRV_WHEEL_CONTROLLER_EXECUTE] = avatar_execute,
    [DPL_DRV_WHEEL_CONTROLLER_READ] = avatar_read,
    [DPL_DRV_WHEEL_CONTROLLER_SET_POSITION] = avatar_set_position,
    [DPL_DRV_WHEEL_CONTROLLER_PLACE] = avatar_place,
    [DPL_DRV_WHEEL_CONTROLLER_PLACING] = avatar_placing,
    [DPL_DRV_WHEEL_CONTROLLER_READ_TRUTH] = avatar_read_truth,
    [DPL_DRV_WHEEL_CONTROLLER_HALT] = avatar_stop,
};

#define NAME(name_, aliases_, member_, fallback_, text_)                                           \
    {                                                                                              \
        .name = name_, .aliases = aliases_, .type = DPL_FIELD_STRING,                              \
        DPL_MEMBER(struct properties, member_), .default_text = fallback_, .summary = text_,       \
    }

static const struct dpl_field properties[] = {
    DPL_WHEEL_BASE_NUMBER(struct properties, base.wheel_diameter_m, "WheelDiameter", "m", "0", 0, 2,
                          "diameter of a wheel; 0: that of the robot in the world"),
    DPL_WHEEL_BASE_NUMBER(struct properties, base.axle_m, "AxleDistance", "m", "0", 0, 5,
                          "distance between the wheels; 0: that of the robot in the world"),
    DPL_WHEEL_BASE_OTHER_FIELDS(struct properties, base, "0.2"),
    NAME("R_Motor_Name", "RightMotor", right_motor, "RightWheel", "motor in the robot's model"),
    NAME("L_Motor_Name", "LeftMotor", left_motor, "Left Wheel", "motor in the robot's model"),
    NAME("R_Enc_Name", "RightEncoder", right_encoder, "enc_right", "encoder in the model"),
    NAME("L_Enc_Name", "LeftEncoder", left_encoder, "enc_left", "encoder in the model"),
    AVATAR_LINK_FIELDS(struct properties, link),
    DPL_BOOL(struct properties, take_over, "TakeOver", "false",
             "drive the robot of a served world even if another program does; the other program "
             "gets an error"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, touches.contacts, "contacts", NULL, DPL_FIELD_SUMMARY,
                   "contacts of the robot's body with anything but the ground"),
    DPL_EXPORT_INT(struct state, restarts, "restarts", NULL, DPL_FIELD_SUMMARY,
                   "times that the served world was restarted"),
    DPL_EXPORT_NUMBER(struct state, truth.x, "true_x", "m", DPL_FIELD_TRACE,
                      "position of the robot in the world"),
    DPL_EXPORT_NUMBER(struct state, truth.y, "true_y", "m", DPL_FIELD_TRACE,
                      "position of the robot in the world"),
    DPL_EXPORT_NUMBER(struct state, truth.theta, "true_theta", "rad", DPL_FIELD_TRACE,
                      "heading of the robot in the world"),
    DPL_EXPORT_INT(struct state, touches.ejections, "ejections", NULL, DPL_FIELD_SUMMARY,
                   "times that the world moved it out of an object with which it overlapped"),
    DPL_EXPORT_INT(struct state, place.n_refused, "refused_places", NULL, DPL_FIELD_SUMMARY,
                   "requested places in which it did not fit"),
};

static const struct dpl_driver driver = {
    .name = "avatar",
    .summary = "motors and encoders of a robot in an avatar world, embedded or at ip:port",
    .device_class = &dpl_wheel_controller_class,
    .backend = DPL_BACKEND_SIMULATOR,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .check = check,
    .open = avatar_open,
    .close = avatar_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
