/* SPDX-License-Identifier: Apache-2.0 */
/* A place that the world is asked to put a robot at. */
#ifndef WHEEL_CONTROLLER_AVATAR_PLACE_H
#define WHEEL_CONTROLLER_AVATAR_PLACE_H

#include <doppel/channel.h>
#include <doppel/device.h>
#include <doppel/math/geometry.h>

struct avatar_place {
    struct dpl_channel channel;
    int result; /* 0, -EINPROGRESS, or why it was refused */
    dpl_ns asked_at;
    struct dpl_pose2 pose; /* in the world */
    dpl_ns refusal_told;   /* 0: never */
    int64_t n_refused;
};

/* Asks for a new place: -EINPROGRESS. */
int avatar_place_ask(struct avatar_place *place, const struct dpl_pose2 *pose, dpl_ns now);

/* Whether an answer has come since the last call, or none in time: then `result` is new. */
bool avatar_place_is_answered(struct avatar_place *place, dpl_ns now);

/* Counts it, and says why in the log, at most every 10 s. */
void avatar_place_report_refusal(struct dpl_device *device, struct avatar_place *place);

/* What happens to a robot in its world: touches, its bumper, being thrown out of things. */

struct avatar_touches {
    struct dpl_channel contacted, touched, ejected;
    int64_t contacts, ejections;
    bool pressed; /* where a base has its bumper */
};

/* Reads the channels, in the frame that was taken last; the robot is at `pose`. */
void avatar_touches_watch(struct dpl_device *device, struct avatar_touches *touches,
                          const struct dpl_pose2 *pose);

#endif
