/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of poses of six numbers (x y z in m, roll pitch yaw in rad) to and from messages. */
#ifndef MOTION_POSE6_H
#define MOTION_POSE6_H

#include <doppel/msg/motion.h>

/* `ret_pose`: 6. */
static inline void dpl_pose6_get(const Doppel__Pose6 *message, double *ret_pose)
{
    ret_pose[0] = message->x;
    ret_pose[1] = message->y;
    ret_pose[2] = message->z;
    ret_pose[3] = message->roll;
    ret_pose[4] = message->pitch;
    ret_pose[5] = message->yaw;
}

/* `pose`: 6. */
static inline void dpl_pose6_set(Doppel__Pose6 *message, const double *pose)
{
    message->x = pose[0];
    message->y = pose[1];
    message->z = pose[2];
    message->roll = pose[3];
    message->pitch = pose[4];
    message->yaw = pose[5];
}

#endif
