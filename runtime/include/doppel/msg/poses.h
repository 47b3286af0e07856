/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of poses and twists to and from messages. */
#ifndef DOPPEL_MSG_POSES_H
#define DOPPEL_MSG_POSES_H

#include <doppel/math/pose3.h>
#include <doppel/msg/geometry.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline struct dpl_pose2 dpl_pose2_get(const Doppel__Pose2 *message)
{
    return (struct dpl_pose2){message->x, message->y, message->theta};
}

static inline void dpl_pose2_set(Doppel__Pose2 *message, struct dpl_pose2 pose)
{
    message->x = pose.x;
    message->y = pose.y;
    message->theta = pose.theta;
}

static inline struct dpl_twist2 dpl_twist2_get(const Doppel__Twist2 *message)
{
    return (struct dpl_twist2){message->linear, message->angular};
}

static inline void dpl_twist2_set(Doppel__Twist2 *message, struct dpl_twist2 twist)
{
    message->linear = twist.linear;
    message->angular = twist.angular;
}

static inline struct dpl_pose3 dpl_pose3_get(const Doppel__Pose3 *message)
{
    return (struct dpl_pose3){
        .position = {message->x, message->y, message->z},
        .orientation = {message->qw, message->qx, message->qy, message->qz},
    };
}

static inline void dpl_pose3_set(Doppel__Pose3 *message, struct dpl_pose3 pose)
{
    message->x = pose.position.x;
    message->y = pose.position.y;
    message->z = pose.position.z;
    message->qw = pose.orientation.w;
    message->qx = pose.orientation.x;
    message->qy = pose.orientation.y;
    message->qz = pose.orientation.z;
}

static inline struct dpl_twist3 dpl_twist3_get(const Doppel__Twist3 *message)
{
    return (struct dpl_twist3){
        .linear = {message->linear_x, message->linear_y, message->linear_z},
        .angular = {message->angular_x, message->angular_y, message->angular_z},
    };
}

static inline void dpl_twist3_set(Doppel__Twist3 *message, struct dpl_twist3 twist)
{
    message->linear_x = twist.linear.x;
    message->linear_y = twist.linear.y;
    message->linear_z = twist.linear.z;
    message->angular_x = twist.angular.x;
    message->angular_y = twist.angular.y;
    message->angular_z = twist.angular.z;
}

#ifdef __cplusplus
}
#endif

#endif
