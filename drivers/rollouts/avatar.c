/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator driver of rollouts: a look-ahead (doppel/ahead.h) in the embedded world of an
 * avatar. Twists become speeds of the base's two motors; their ramps are as the base's driver sets
 * them. A world that `doppel sim` serves cannot be copied from here: such a device does not open.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/drive/diff_drive.h>
#include <doppel/link.h>
#include <doppel/plugin.h>

#include "avatar_link.h"
#include "request.h"

enum { LEFT, RIGHT, N_WHEELS };

struct properties {
    double wheel_diameter_m, axle_m, max_velocity_m_s, max_angular_deg_s;
    char motors[N_WHEELS][48];
    double delay_ms;
    struct avatar_link_properties link;
};

struct state {
    struct avatar_link avatar;
    struct dpl_drive_geometry geometry;
    struct dpl_ahead *ahead;
    struct dpl_ahead_request request;
    struct dpl_rollouts_answer answer; /* to the request of its number */
    bool asked;
};

/* ---- opening ---- */

static int check_there(struct dpl_device *device, struct dpl_diag *reterr)
{
    struct state *state = device->state;
    struct dpl_channel pose;
    const struct avatar_want want = {NULL, "planar", &dpl_channel_vector, NULL, false, &pose};
    return avatar_link_find(state->avatar.link, &want, 1, reterr);
}

static int open_ahead(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    char paths[N_WHEELS][DPL_CHANNEL_PATH_MAX], pose[DPL_CHANNEL_PATH_MAX];
    for (int i = 0; i < N_WHEELS; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%s/speed", props->link.robot, props->motors[i]);
    }
    snprintf(pose, sizeof pose, "%s/planar", props->link.robot);
    const char *const puts_[] = {paths[LEFT], paths[RIGHT]}, *const reads[] = {pose};
    const struct dpl_ahead_setup setup = {
        .robot = props->link.robot,
        .puts = puts_,
        .n_puts = DPL_COUNT(puts_),
        .reads = reads,
        .n_reads = DPL_COUNT(reads),
        .delay = dpl_ns_from_s(1e-3 * props->delay_ms),
    };
    return dpl_link_open_ahead(state->avatar.link, &setup, &state->ahead, reterr);
}

static void avatar_close(struct dpl_device *device)
{
    struct state *state = device->state;
    avatar_link_close(&state->avatar);
    state->ahead = NULL;
}

static int avatar_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    double radius = 0.5 * props->wheel_diameter_m;
    state->geometry = (struct dpl_drive_geometry){radius, radius, props->axle_m};
    bool is_served = strncmp(props->link.world, "tcp://", 6) == 0;
    if (is_served || props->link.ip[0]) { /* whether it answers or not */
        return dpl_fail(reterr, -ENOTSUP, (struct dpl_place){0},
                        "rollouts need their world in this process, and property %s names one that "
                        "`doppel sim` serves: embed the world (property World names its file), or "
                        "leave the look-ahead out",
                        is_served ? "World" : "ip");
    }
    int err = avatar_link_open_now(device, &state->avatar, props->link.world, props->link.robot,
                                   check_there, reterr);
    err = err < 0 ? err : open_ahead(device, reterr);
    if (err < 0) {
        avatar_close(device);
    }
    return err;
}

/* ---- asking ---- */

static double clamp(double value, double most)
{
    return dpl_clamp(value, -most, most);
}

static struct dpl_drive_wheels speeds_of(const struct dpl_device *device,
                                         const struct dpl_rollouts_request *asked,
                                         const struct dpl_rollouts_twist *at)
{
    const struct properties *props = device->properties;
    const struct state *state = device->state;
    const struct dpl_rollouts_want *want = &asked->wants[at->rollout];
    struct dpl_twist2 twist = {
        clamp(at->twist.linear, props->max_velocity_m_s),
        clamp(at->twist.angular, dpl_deg_to_rad(props->max_angular_deg_s)),
    };
    struct dpl_drive_wheels wheels = dpl_drive_wheels_from_twist(&state->geometry, twist);
    return (struct dpl_drive_wheels){wheels.left * want->scale_left,
                                     wheels.right * want->scale_right};
}

static void add_puts(struct dpl_device *device, const struct dpl_rollouts_request *asked,
                     const struct dpl_rollouts_twist *at)
{
    struct state *state = device->state;
    struct dpl_ahead_request *request = &state->request;
    struct dpl_drive_wheels speeds = speeds_of(device, asked, at);
    const double of[] = {[LEFT] = speeds.left, [RIGHT] = speeds.right};
    for (uint32_t i = 0; i < N_WHEELS; i++) {
        request->puts[request->n_puts++] = (struct dpl_ahead_put){
            .at = dpl_ns_from_s(at->at_s), .rollout = at->rollout, .channel = i, .value = {of[i]}};
    }
}

_Static_assert(N_WHEELS *DPL_ROLLOUTS_TWISTS_MAX <= DPL_AHEAD_PUTS_MAX, "all twists fit");
_Static_assert(DPL_ROLLOUTS_MAX <= DPL_AHEAD_ROLLOUTS_MAX, "all rollouts fit");

static struct dpl_ahead_rollout rollout_of(const struct dpl_rollouts_want *want)
{
    static const enum dpl_ahead_start starts[] = {
        [DPL_ROLLOUTS_HERE] = DPL_AHEAD_HERE,
        [DPL_ROLLOUTS_OFFSET] = DPL_AHEAD_OFFSET,
        [DPL_ROLLOUTS_AT] = DPL_AHEAD_AT,
    };
    return (struct dpl_ahead_rollout){
        .duration = dpl_ns_from_s(want->duration_s),
        .start = starts[want->start],
        .pose = want->pose,
        .ends_at_contact = true,
    };
}

static int ask(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_rollouts_request *asked = in;
    struct state *state = device->state;
    int err = rollouts_check(asked);
    if (err < 0 || asked->n == 0) {
        return err;
    }
    struct dpl_ahead_request *request = &state->request;
    request->sample = dpl_ns_from_s(asked->sample_s);
    request->n_rollouts = (size_t)asked->n;
    request->n_puts = 0;
    for (int64_t i = 0; i < asked->n; i++) {
        request->rollouts[i] = rollout_of(&asked->wants[i]);
    }
    for (size_t i = 0; i < asked->n_twists; i++) {
        add_puts(device, asked, &asked->twists[i]);
    }
    err = dpl_ahead_ask(state->ahead, request);
    state->asked |= err == 0;
    return err;
}

/* ---- answering ---- */

static void copy_poses(const struct dpl_ahead_result *result, size_t number,
                       struct dpl_rollouts_outcome *ret_outcome)
{
    const struct dpl_ahead_outcome *from = &result->rollouts[number];
    size_t n = from->n_samples < DPL_ROLLOUTS_POSES_MAX ? from->n_samples : DPL_ROLLOUTS_POSES_MAX;
    for (size_t i = 0; i < n; i++) {
        const double *planar = result->samples[number][i];
        dpl_ns at = i + 1 == from->n_samples ? from->last : (dpl_ns)i * result->sample;
        ret_outcome->poses[i] = (struct dpl_pose2){planar[0], planar[1], planar[2]};
        ret_outcome->pose_s[i] = dpl_ns_to_s(at);
    }
    ret_outcome->n_poses = n;
}

static void copy_outcome(const struct dpl_ahead_result *result, size_t number,
                         struct dpl_rollouts_outcome *ret_outcome)
{
    const struct dpl_ahead_outcome *from = &result->rollouts[number];
    *ret_outcome = (struct dpl_rollouts_outcome){
        .valid = from->error == 0,
        .touched = from->touched,
        .touched_s = dpl_ns_to_s(from->touched_at),
        .x = from->point[0],
        .y = from->point[1],
        .z = from->point[2],
        .clearance_m = from->clearance_m,
    };
    snprintf(ret_outcome->object, sizeof ret_outcome->object, "%s", from->object);
    copy_poses(result, number, ret_outcome);
}

static int answer(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    const struct dpl_ahead_result *result;
    int err = state->asked ? dpl_ahead_answer(state->ahead, &result) : -EAGAIN;
    if (err < 0) {
        return err == -ENOSPC ? -ENODEV : err;
    }
    if (state->answer.number != result->number) {
        state->answer.number = result->number;
        state->answer.stamp = result->stamp;
        state->answer.took_s = dpl_ns_to_s(result->took);
        state->answer.n = (int64_t)result->n_rollouts;
        for (size_t i = 0; i < result->n_rollouts; i++) {
            copy_outcome(result, i, &state->answer.outcomes[i]);
        }
    }
    *(const struct dpl_rollouts_answer **)out = &state->answer;
    return 0;
}

static int status(struct dpl_device *device, const void *in, void *out)
{
    static const int64_t states[] = {
        [DPL_AHEAD_WAITS] = DPL_ROLLOUTS_WAITS,
        [DPL_AHEAD_WORKS] = DPL_ROLLOUTS_WORKS,
        [DPL_AHEAD_SILENT] = DPL_ROLLOUTS_SILENT,
        [DPL_AHEAD_DEAD] = DPL_ROLLOUTS_DEAD,
    };
    const struct state *state = device->state;
    ((struct dpl_rollouts_status *)out)->state = states[dpl_ahead_state(state->ahead)];
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_ROLLOUTS_N_CALLS] = {
    [DPL_DRV_ROLLOUTS_ASK] = ask,
    [DPL_DRV_ROLLOUTS_ANSWER] = answer,
    [DPL_DRV_ROLLOUTS_STATUS] = status,
};

#define MOTOR(name_, aliases_, which_, fallback_)                                                  \
    {                                                                                              \
        .name = name_, .aliases = aliases_, .type = DPL_FIELD_STRING,                              \
        DPL_MEMBER(struct properties, motors[which_]), .default_text = fallback_,                  \
        .summary = "motor in the robot's model",                                                   \
    }

static const struct dpl_field properties[] = {
    DPL_NUMBER(struct properties, wheel_diameter_m, "WheelDiameter", "m", "0.13", 0.01, 2,
               "diameter of a wheel"),
    DPL_NUMBER(struct properties, axle_m, "AxleDistance", "m", "0.30", 0.02, 5,
               "distance between the wheels' contact points"),
    DPL_NUMBER(struct properties, max_velocity_m_s, "MaximumVelocity", "m/s", "0.2", 0.001, 20,
               "commands are clamped to it"),
    DPL_NUMBER(struct properties, max_angular_deg_s, "MaximumAngularVelocity", "deg/s", "120", 0.1,
               3600, "commands are clamped to it"),
    MOTOR("R_Motor_Name", "RightMotor", RIGHT, "RightWheel"),
    MOTOR("L_Motor_Name", "LeftMotor", LEFT, "Left Wheel"),
    DPL_NUMBER(struct properties, delay_ms, "Delay", "ms", "50", 0, 1000,
               "simulated clock: the answer comes so long after the request"),
    AVATAR_LINK_FIELDS(struct properties, link),
};

static const struct dpl_driver driver = {
    .name = "avatar",
    .summary = "rollouts in the embedded world of an avatar, by a process of its own",
    .device_class = &dpl_rollouts_class,
    .backend = DPL_BACKEND_SIMULATOR,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .state_size = sizeof(struct state),
    .open = avatar_open,
    .close = avatar_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
