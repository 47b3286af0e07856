/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of messages of ROS 2. */
#ifndef DPL_GATEWAYS_ROS2_CONVERT_H
#define DPL_GATEWAYS_ROS2_CONVERT_H

#include "ros2_messages.h"
#include "ros2_types.h"

static inline builtin_interfaces_msg_dds__Time_ ros2_time(dpl_ns stamp)
{
    dpl_ns seconds = stamp / DPL_S - (stamp % DPL_S < 0);
    return (builtin_interfaces_msg_dds__Time_){(int32_t)seconds,
                                               (uint32_t)(stamp - seconds * DPL_S)};
}

/* DDS only reads it. */
static inline char *ros2_text(const char *text)
{
    return (char *)(uintptr_t)(text ? text : "");
}

static inline std_msgs_msg_dds__Header_ ros2_header(dpl_ns stamp, const char *frame)
{
    return (std_msgs_msg_dds__Header_){ros2_time(stamp), ros2_text(frame)};
}

/* Of a planar pose. */
geometry_msgs_msg_dds__TransformStamped_
ros2_transform(dpl_ns stamp, const char *parent, const char *child, const struct dpl_pose2 *pose);

#endif
