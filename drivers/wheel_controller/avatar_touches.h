/* SPDX-License-Identifier: Apache-2.0 */
/* What happens to a robot in its world: touches, its bumper, being thrown out of things. */
#ifndef WHEEL_CONTROLLER_AVATAR_TOUCHES_H
#define WHEEL_CONTROLLER_AVATAR_TOUCHES_H

#include <doppel/channel.h>
#include <doppel/device.h>
#include <doppel/math/geometry.h>

struct avatar_touches {
    struct dpl_channel contacted, touched, ejected;
    int64_t contacts, ejections;
    bool pressed; /* where a base has its bumper */
};

/* Reads the channels, in the frame that was taken last; the robot is at `pose`. */
void avatar_touches_watch(struct dpl_device *device, struct avatar_touches *touches,
                          const struct dpl_pose2 *pose);

#endif
