/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of ROS 2 as bags have them (CDR, either byte order), as ours. Of our own, so that bags
 * are read without DDS. Pure; bytes may be cut or wrong. */
#ifndef DOPPEL_RECORDED_ROS2_MESSAGE_H
#define DOPPEL_RECORDED_ROS2_MESSAGE_H

#include <stddef.h>

#include <doppel/math/pose3.h>
#include <doppel/time.h>

enum ros2_kind {
    ROS2_OTHER, /* not read */
    ROS2_SCAN,
    ROS2_ODOMETRY,
    ROS2_IMU,
    ROS2_JOINTS,
    ROS2_TRANSFORMS,
};

struct ros2_transform {
    const char *parent, *child;
    struct dpl_pose3 pose; /* of the child in the parent, with a unit quaternion */
};

struct ros2_message {
    dpl_ns stamp;                  /* of the measurement, on the clock of ROS; 0: it has none */
    const char *frame;             /* of the header, without a '/' in front */
    const char *child;             /* odometry: whose pose it is */
    struct ProtobufCMessage *ours; /* NULL: transforms */
    struct ros2_transform *transforms;
    size_t n_transforms;
};

/* Of a type as bags name it, "sensor_msgs/msg/LaserScan". */
enum ros2_kind ros2_kind_of(const char *type, size_t n);

/* Reads a message of a kind (not ROS2_OTHER) into memory of the arena. NULL; or why it is none, in
 * words of the program's life. */
struct dpl_arena;
const char *ros2_message_read(enum ros2_kind kind, const void *data, size_t n,
                              struct dpl_arena *arena, struct ros2_message *ret_message);

#endif
