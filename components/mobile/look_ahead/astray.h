/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the robot drives in the world that is looked into. */
#ifndef LOOK_AHEAD_ASTRAY_H
#define LOOK_AHEAD_ASTRAY_H

#include <stdbool.h>

#include <doppel/math/geometry.h>

/* Zeroed: nothing was seen. */
struct astray {
    bool seen, moves;              /* moves: the avatar has left its first place */
    struct dpl_pose2 base, avatar; /* at first */
};

/* The base by its odometry, and the avatar in the world that is looked into. True: the base has
 * driven, and that avatar has never moved. */
bool astray_see(struct astray *astray, struct dpl_pose2 base, struct dpl_pose2 avatar);

#endif
