/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronizer: keeps the avatar on the real robot's pose by correcting the avatar's velocity. It
 * observes both at its own period and corrects at property Period; for that it takes the avatar,
 * and releases it when it stops. The real robot's command stream is never touched. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/msg/device.h>
#include <doppel/msg/geometry.h>
#include <doppel/msg/mobile.h>
#include <doppel/msg/poses.h>
#include <doppel/msg/wheel_controller.h>
#include <doppel/plugin.h>

#include "robot_limits.h"
#include "tables.h"
#include "tell.h"

enum port {
    PORT_REAL,
    PORT_AVATAR,
    PORT_COMMAND,
    PORT_REAL_POSE,
    PORT_TRUTH,
};

/* Back to the state before the first cycle: nothing estimated, nothing counted. */
static int begin(struct dpl_component *self, struct dpl_sync_config config, struct dpl_diag *reterr)
{
    const struct sync_properties *props = self->properties;
    struct sync_state *state = self->state;
    dpl_ns cycle = state->cycle;
    memset(state, 0, sizeof *state);
    state->cycle = cycle;
    state->period = dpl_ns_from_s(props->period_ms * 1e-3);
    state->period = cycle > state->period ? cycle : state->period;
    config.period_s = dpl_ns_to_s(state->period);
    int err = dpl_sync_init(&state->sync, &config);
    if (err < 0) {
        return dpl_fail(reterr, err, (struct dpl_place){0},
                        "a property is out of its range; `doppel info Synchronizer` lists them");
    }
    state->strategy = props->strategy;
    sync_view_init(&state->view);
    state->truth = (struct sync_truth){.distance_mm = (double)NAN,
                                       .heading_deg = (double)NAN,
                                       .rms_mm = (double)NAN,
                                       .max_mm = (double)NAN,
                                       .final_mm = (double)NAN,
                                       .heading_rms_deg = (double)NAN};
    state->interval_held = (double)NAN;
    state->place_mm = state->refusal_told_s = (double)NAN;
    return 0;
}

/* Finds what is wrong with the properties. */
static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    return begin(self, sync_config_from(self->properties), reterr);
}

/* After a stop both robots may be anywhere, and others too: what was estimated and counted before
 * is of a synchronization that is over. Not in stop: what it came to is read after that. */
static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct sync_properties *props = self->properties;
    const struct sync_state *state = self->state;
    struct dpl_sync_config config = sync_config_from(props);
    sync_limits_ask(self, PORT_REAL, PORT_AVATAR, &config);
    int err = begin(self, config, reterr);
    if (err == 0 && dpl_ns_to_s(state->period) * 1e3 > props->period_ms + 1e-6) {
        dpl_component_log(self, DPL_LOG_WARN,
                          "Period %g ms is shorter than the component's own of %g ms: it corrects "
                          "every %g ms",
                          props->period_ms, dpl_ns_to_s(state->cycle) * 1e3,
                          dpl_ns_to_s(state->period) * 1e3);
    }
    return err;
}

static int period_changed(struct dpl_component *self, dpl_ns period)
{
    struct sync_state *state = self->state;
    state->cycle = period;
    return 0;
}

static bool read_truth(struct dpl_component *self, unsigned port, struct stamped_pose *ret)
{
    Doppel__StampedPose response = DOPPEL__STAMPED_POSE__INIT;
    Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
    response.pose = &pose;
    int err = dpl_wheel_controller_call_get_truth(self, port, &response);
    if (err < 0 || !response.valid) {
        return false;
    }
    *ret = (struct stamped_pose){dpl_ns_to_s(response.stamp_ns), dpl_pose2_get(&pose)};
    return true;
}

/* The true poses of both robots at the same time. That of the real robot may come late, from a
 * world in another process. */
static bool read_truths(struct dpl_component *self, struct dpl_pose2 *ret_real,
                        struct dpl_pose2 *ret_avatar)
{
    struct sync_state *state = self->state;
    struct stamped_pose real, avatar;
    unsigned port = dpl_port_is_connected(self, PORT_TRUTH) ? PORT_TRUTH : PORT_REAL;
    if (!read_truth(self, port, &real) || !read_truth(self, PORT_AVATAR, &avatar)) {
        return false;
    }
    pose_history_add(&state->avatar_truth, avatar.time_s, avatar.pose);
    *ret_real = real.pose;
    return pose_history_at(&state->avatar_truth, real.time_s, ret_avatar);
}

/* The true error is measured every cycle, corrections or not. */
static void measure_truth(struct dpl_component *self)
{
    struct sync_state *state = self->state;
    struct dpl_pose2 real, avatar;
    struct sync_truth *truth = &state->truth;
    truth->distance_mm = truth->heading_deg = truth->final_mm = (double)NAN;
    if (!read_truths(self, &real, &avatar)) {
        return;
    }
    double distance = dpl_pose2_distance(real, avatar);
    double heading = dpl_wrap_angle(real.theta - avatar.theta);
    truth->distance_mm = distance * 1e3;
    truth->heading_deg = dpl_rad_to_deg(heading);
    truth->final_mm = truth->distance_mm;
    truth->max_mm = truth->n == 0 ? truth->distance_mm : fmax(truth->max_mm, truth->distance_mm);
    truth->n++;
    truth->sum2_m2 += distance * distance;
    truth->heading_sum2_rad2 += heading * heading;
    truth->rms_mm = 1e3 * sqrt(truth->sum2_m2 / (double)truth->n);
    truth->heading_rms_deg = dpl_rad_to_deg(sqrt(truth->heading_sum2_rad2 / (double)truth->n));
}

/* Of the avatar its true pose in its world, which only a base in a world knows; of the real robot,
 * and of an avatar that is hardware itself, its odometry. */
static struct dpl_sync_pose_input read_pose(struct dpl_component *self, unsigned port)
{
    struct sync_state *state = self->state;
    Doppel__StampedPose response = DOPPEL__STAMPED_POSE__INIT;
    Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
    response.pose = &pose;
    int err = -ENOTSUP;
    if (port == PORT_AVATAR) {
        err = dpl_wheel_controller_call_get_truth(self, port, &response);
        state->avatar_by_truth = err != -ENOTSUP;
    }
    if (err == -ENOTSUP) {
        err = dpl_wheel_controller_call_get_position(self, port, &response);
    }
    return (struct dpl_sync_pose_input){
        .valid = err == 0 && response.valid,
        .pose = dpl_pose2_get(&pose),
        .stamp_s = dpl_ns_to_s(response.stamp_ns),
        .restarts = response.restarts,
    };
}

/* A base that does not say has none. */
static void read_bumper(struct dpl_component *self, unsigned port, struct dpl_sync_pose_input *pose)
{
    Doppel__StampedOdometry response = DOPPEL__STAMPED_ODOMETRY__INIT;
    Doppel__Odometry odometry = DOPPEL__ODOMETRY__INIT;
    Doppel__Pose2 at = DOPPEL__POSE2__INIT;
    Doppel__Twist2 twist = DOPPEL__TWIST2__INIT;
    odometry.pose = &at;
    odometry.twist = &twist;
    response.odometry = &odometry;
    if (dpl_wheel_controller_call_get_odometry(self, port, &response) == 0 && response.valid) {
        pose->has_bumper = odometry.has_bumper;
        pose->pressed = odometry.pressed;
    }
}

/* `code`: an error, positive or negative. */
static void refuse_place(struct sync_state *state, int code)
{
    int error = abs(code);
    state->placing = DPL_SYNC_PLACE_REFUSED;
    state->refusal = error == EBUSY                        ? SYNC_REFUSAL_BLOCKED
                     : error == ENOTSUP || error == ENOSYS ? SYNC_REFUSAL_NO_WORLD
                                                           : SYNC_REFUSAL_ERROR;
    state->refusal_code = error;
}

/* What came of the last place: GetError of the avatar's port tells. */
static enum dpl_sync_placing read_placing(struct dpl_component *self)
{
    struct sync_state *state = self->state;
    Doppel__ErrorState error;
    doppel__error_state__init(&error);
    if (state->placing == DPL_SYNC_PLACE_PENDING) {
        int err = dpl_wheel_controller_call_get_error(self, PORT_AVATAR, &error);
        int code = err < 0 ? err : error.code;
        if (code == 0) {
            state->placing = DPL_SYNC_PLACED;
        } else if (code != EINPROGRESS) {
            refuse_place(state, code);
        }
    }
    return state->placing;
}

static bool read_command(struct dpl_component *self, struct dpl_twist2 *ret_command)
{
    const struct dpl_message *message = dpl_port_latest(self, PORT_COMMAND);
    if (!message) {
        return false;
    }
    const Doppel__VelocityCommand *command = message->body;
    *ret_command = dpl_twist2_get(command->twist);
    return command->active;
}

/* What the Localizer's message says. Its covariance is complete. */
static void read_message(const Doppel__LocalizedPose *message, dpl_ns now,
                         struct dpl_sync_localization *ret)
{
    ret->state = (enum dpl_sync_localizer_state)message->state;
    ret->correction = dpl_pose2_get(message->correction);
    ret->relocations = message->relocations;
    memcpy(ret->covariance, message->covariance, sizeof ret->covariance);
    ret->map_error_m = message->map_error;
    ret->scan_age_s =
        message->scan_stamp_ns != 0 ? dpl_ns_to_s(now - message->scan_stamp_ns) : (double)NAN;
    ret->agreement = message->agreement;
    ret->avatar_agreement = message->has_avatar ? message->avatar_agreement : (double)NAN;
}

static struct dpl_sync_localization read_localization(struct dpl_component *self, dpl_ns now)
{
    struct dpl_sync_localization heard = {.expected = dpl_port_is_connected(self, PORT_REAL_POSE)};
    const struct dpl_message *message =
        heard.expected ? dpl_port_latest(self, PORT_REAL_POSE) : NULL;
    if (!message || dpl_ns_to_s(now - message->stamp) > DPL_SYNC_LOCALIZATION_S) {
        return heard;
    }
    const Doppel__LocalizedPose *body = message->body;
    heard.valid = body->n_covariance == DPL_COUNT(heard.covariance);
    if (heard.valid) {
        read_message(body, now, &heard);
    }
    return heard;
}

static struct dpl_sync_input gather(struct dpl_component *self, const struct dpl_tick *tick)
{
    /* Before the avatar's pose is read, which may be that of the place already. */
    enum dpl_sync_placing placing = read_placing(self);
    struct dpl_sync_input input = {
        .now_s = dpl_ns_to_s(tick->now),
        .real = read_pose(self, PORT_REAL),
        .avatar = read_pose(self, PORT_AVATAR),
        .placing = placing,
        .localization = read_localization(self, tick->now),
    };
    read_bumper(self, PORT_REAL, &input.real);
    read_bumper(self, PORT_AVATAR, &input.avatar);
    input.has_command = read_command(self, &input.command);
    return input;
}

static void show_drive(struct dpl_component *self, struct dpl_twist2 twist)
{
    struct sync_state *state = self->state;
    state->view.drive_v = twist.linear;
    state->view.drive_w = twist.angular;
}

/* Also before each command, since we lose the avatar when we are late or when the avatar is lost.
 * An avatar that is a base of its own, no side of a HIL driver, cannot be taken and need not be. */
static int take_avatar(struct dpl_component *self)
{
    struct sync_state *state = self->state;
    int err = dpl_wheel_controller_call_take_wheel(self, PORT_AVATAR);
    if (err == -EBUSY && state->hold != SYNC_AVATAR_OF_OTHERS) {
        dpl_component_log(self, DPL_LOG_WARN, "another component has taken the avatar");
    }
    switch (err) {
    case 0: state->hold = SYNC_AVATAR_TAKEN; return 0;
    case -ENOTSUP: state->hold = SYNC_AVATAR_ALONE; return 0;
    case -EBUSY: state->hold = SYNC_AVATAR_OF_OTHERS; return err;
    default: state->hold = SYNC_AVATAR_FREE; return err;
    }
}

static void release_avatar(struct dpl_component *self)
{
    struct sync_state *state = self->state;
    if (state->hold == SYNC_AVATAR_TAKEN) {
        dpl_wheel_controller_call_release_wheel(self, PORT_AVATAR);
        state->hold = SYNC_AVATAR_FREE;
    }
}

static void drive_avatar(struct dpl_component *self, struct dpl_twist2 twist)
{
    struct sync_state *state = self->state;
    int err = take_avatar(self);
    if (err == 0) {
        err = dpl_wheel_controller_call_drive_wheel(self, PORT_AVATAR, twist.linear, twist.angular);
    }
    state->refused += err < 0;
    show_drive(self, twist);
}

static void put_avatar(struct dpl_component *self, const struct dpl_sync_output *output)
{
    struct sync_state *state = self->state;
    Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
    dpl_pose2_set(&pose, output->set_pose);
    /* Of a base of its own SetPosition moves the odometry, not the base. */
    bool moves_odometry = state->hold == SYNC_AVATAR_ALONE && state->avatar_by_truth;
    int err = moves_odometry ? -ENOTSUP
                             : dpl_wheel_controller_call_set_position(self, PORT_AVATAR, &pose);
    state->placing = DPL_SYNC_PLACE_PENDING;
    if (err < 0) {
        refuse_place(state, err);
    }
}

static void send(struct dpl_component *self, const struct dpl_sync_input *input,
                 const struct dpl_sync_output *output)
{
    struct sync_state *state = self->state;
    if (output->has_set_pose) {
        put_avatar(self, output);
    }
    if (state->strategy == DPL_SYNC_NONE && input->has_command && !output->stops) {
        release_avatar(self); /* the HIL driver brings it the command */
        show_drive(self, (struct dpl_twist2){0});
        return;
    }
    for (int i = 0; i < output->n_drive; i++) {
        drive_avatar(self, output->drive[i]);
    }
}

/* How often the interval that is published holds the true distance. */
static void judge_interval(struct sync_state *state)
{
    const struct sync_view *view = &state->view;
    double within = view->error_limit_mm - view->distance_mm;
    double off = fabs(state->truth.distance_mm - view->distance_mm);
    if (isnan(within) || isnan(off)) {
        return;
    }
    state->n_judged++;
    state->n_held += off <= within;
    state->interval_held = (double)state->n_held / (double)state->n_judged;
}

static void correct(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct sync_state *state = self->state;
    struct sync_view before = state->view;
    struct dpl_sync_input input = gather(self, tick);
    struct dpl_sync_output output;
    dpl_sync_step(&state->sync, &input, &output);
    sync_view_fill(&state->view, &output.status);
    sync_view_localizer(&state->view, &state->sync.localization);
    judge_interval(state);
    if (output.has_set_pose) {
        state->place_mm = output.place_distance * 1e3;
    }
    if (!tick->halt) {
        send(self, &input, &output);
    } else if (output.has_set_pose) {
        state->placing = DPL_SYNC_PLACE_REFUSED;
        state->refusal = SYNC_REFUSAL_HALTED;
    }
    sync_tell(self, &before, &output.status);
}

/* Commands come more often than corrections, and corrections may be further apart than the avatar's
 * owner may be silent. */
static void hear(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct sync_state *state = self->state;
    struct dpl_twist2 command = {0.0, 0.0};
    bool has_command = read_command(self, &command);
    dpl_sync_hear(&state->sync, dpl_ns_to_s(tick->now), has_command, command);
    if (state->hold == SYNC_AVATAR_TAKEN && !tick->halt) {
        take_avatar(self);
    }
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct sync_properties *props = self->properties;
    struct sync_state *state = self->state;
    if (!state->started) {
        state->started = true;
        state->started_at = tick->now;
        state->next_step = tick->now;
    }
    if (dpl_ns_to_s(tick->now - state->started_at) >= props->settle_s) {
        measure_truth(self);
    }
    if (tick->now >= state->next_step) {
        correct(self, tick);
        dpl_ns behind = tick->now - state->next_step;
        state->next_step +=
            state->period * (1 + behind / state->period); /* keeps its grid after a late cycle */
    } else {
        hear(self, tick);
    }
    return 0;
}

static int stop(struct dpl_component *self)
{
    const struct sync_state *state = self->state;
    if (state->hold == SYNC_AVATAR_ALONE) {
        dpl_wheel_controller_call_stop_wheel(self, PORT_AVATAR);
    }
    release_avatar(self);
    return 0;
}

static const struct dpl_port_desc ports[] = {
    [PORT_REAL] =
        {
            .name = "Real",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__wheel_controller_service__descriptor,
            .required = true,
            .summary = "the real robot's base, e.g. WheelController.HardwareService",
        },
    [PORT_AVATAR] =
        {
            .name = "Avatar",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__wheel_controller_service__descriptor,
            .required = true,
            .summary = "the avatar's base, e.g. WheelController.SimulationService",
        },
    [PORT_COMMAND] =
        {
            .name = "command",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__velocity_command__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary = "the application's command; without it the real robot's motion is followed",
        },
    [PORT_REAL_POSE] =
        {
            .name = "real_pose",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__localized_pose__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary =
                "where a Localizer finds the real robot in the avatar's world; without it the "
                "avatar follows the real robot's odometry",
        },
    [PORT_TRUTH] =
        {
            .name = "Truth",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__wheel_controller_service__descriptor,
            .summary = "a base that knows the true pose of the real robot, only to measure errors; "
                       "not connected: the base of Real",
        },
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
    .stop = stop,
    .period_changed = period_changed,
};

static const struct dpl_component_class class = {
    .name = "Synchronizer",
    .summary = "keeps the avatar on the real robot's pose and says how well",
    .tag = "sync",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = sync_property_table,
    .n_properties = SYNC_N_PROPERTIES,
    .properties_size = sizeof(struct sync_properties),
    .exports = sync_export_table,
    .n_exports = SYNC_N_EXPORTS,
    .state_size = sizeof(struct sync_state),
    .default_period = 10 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
