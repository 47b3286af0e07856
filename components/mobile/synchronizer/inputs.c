/* SPDX-License-Identifier: Apache-2.0 */
/* What the Synchronizer reads from both bases, the application and the Localizer. */
#include "tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/component.h>
#include <doppel/msg/device.h>
#include <doppel/msg/geometry.h>
#include <doppel/msg/mobile.h>
#include <doppel/msg/poses.h>
#include <doppel/msg/wheel_controller.h>

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

bool sync_read_truths(struct dpl_component *self, struct dpl_pose2 *ret_real,
                      struct dpl_pose2 *ret_avatar)
{
    struct sync_state *state = self->state;
    struct stamped_pose real, avatar;
    unsigned port = dpl_port_is_connected(self, SYNC_PORT_TRUTH) ? SYNC_PORT_TRUTH : SYNC_PORT_REAL;
    if (!read_truth(self, port, &real) || !read_truth(self, SYNC_PORT_AVATAR, &avatar)) {
        return false;
    }
    pose_history_add(&state->avatar_truth, avatar.time_s, avatar.pose);
    *ret_real = real.pose;
    return pose_history_at(&state->avatar_truth, real.time_s, ret_avatar);
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
    if (port == SYNC_PORT_AVATAR) {
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
void sync_refuse_place(struct sync_state *state, int code)
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
        int err = dpl_wheel_controller_call_get_error(self, SYNC_PORT_AVATAR, &error);
        int code = err < 0 ? err : error.code;
        if (code == 0) {
            state->placing = DPL_SYNC_PLACED;
        } else if (code != EINPROGRESS) {
            sync_refuse_place(state, code);
        }
    }
    return state->placing;
}

bool sync_read_command(struct dpl_component *self, struct dpl_twist2 *ret_command)
{
    const struct dpl_message *message = dpl_port_latest(self, SYNC_PORT_COMMAND);
    if (!message) {
        return false;
    }
    const Doppel__VelocityCommand *command = message->body;
    *ret_command = dpl_twist2_get(command->twist);
    return command->active;
}

/* What the Localizer's message says. A covariance that is not complete is none. */
static void read_message(const Doppel__LocalizedPose *message, dpl_ns now,
                         struct dpl_sync_localization *ret)
{
    ret->state = (enum dpl_sync_localizer_state)message->state;
    ret->correction = dpl_pose2_get(message->correction);
    ret->relocations = message->relocations;
    for (size_t i = 0; i < DPL_COUNT(ret->covariance); i++) {
        bool complete = message->n_covariance == DPL_COUNT(ret->covariance);
        ret->covariance[i] = complete ? message->covariance[i] : (double)NAN;
    }
    ret->doubt_m = message->doubt;
    ret->level_m = message->protection_level;
    ret->map_error_m = message->map_error;
    ret->scan_age_s =
        message->scan_stamp_ns != 0 ? dpl_ns_to_s(now - message->scan_stamp_ns) : (double)NAN;
    ret->agreement = message->agreement;
    ret->avatar_agreement = message->has_avatar ? message->avatar_agreement : (double)NAN;
}

static struct dpl_sync_localization read_localization(struct dpl_component *self, dpl_ns now)
{
    struct dpl_sync_localization heard = {.expected =
                                              dpl_port_is_connected(self, SYNC_PORT_REAL_POSE)};
    const struct dpl_message *message =
        heard.expected ? dpl_port_latest(self, SYNC_PORT_REAL_POSE) : NULL;
    if (!message || dpl_ns_to_s(now - message->stamp) > DPL_SYNC_LOCALIZATION_S) {
        return heard;
    }
    heard.valid = true;
    read_message(message->body, now, &heard);
    return heard;
}

struct dpl_sync_input sync_gather(struct dpl_component *self, const struct dpl_tick *tick)
{
    /* Before the avatar's pose is read, which may be that of the place already. */
    enum dpl_sync_placing placing = read_placing(self);
    struct dpl_sync_input input = {
        .now_s = dpl_ns_to_s(tick->now),
        .real = read_pose(self, SYNC_PORT_REAL),
        .avatar = read_pose(self, SYNC_PORT_AVATAR),
        .placing = placing,
        .localization = read_localization(self, tick->now),
    };
    read_bumper(self, SYNC_PORT_REAL, &input.real);
    read_bumper(self, SYNC_PORT_AVATAR, &input.avatar);
    input.has_command = sync_read_command(self, &input.command);
    return input;
}
