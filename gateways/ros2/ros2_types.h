/* SPDX-License-Identifier: Apache-2.0 */
/* Our types as messages of ROS 2: a row a type. Functions of a row are pure. */
#ifndef DPL_GATEWAYS_ROS2_TYPES_H
#define DPL_GATEWAYS_ROS2_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#include <dds/dds.h>
#include <protobuf-c/protobuf-c.h>

#include <doppel/math/geometry.h>
#include <doppel/time.h>

#include "arena.h"
#include "bytes.h"

/* Profiles of quality of service, as nodes of ROS 2 expect them. */
enum ros2_qos {
    ROS2_SENSOR,    /* best effort, the newest 5 */
    ROS2_TRANSFORM, /* reliable, 100 */
    ROS2_HOLDS,     /* reliable, who joins late gets the newest */
    ROS2_CLOCK,     /* best effort, the newest */
    ROS2_LINES,     /* reliable, who joins late gets the newest 100 */
    ROS2_PLAIN,     /* reliable, 10 */
};

/* A type on the wire. */
struct ros2_type {
    const dds_topic_descriptor_t *type;
    const char *hash; /* as rosidl has it: "RIHS01_..." */
    enum ros2_qos qos;
};

/* What a message of ours does not say. Made messages are in `arena`. */
struct ros2_context {
    dpl_ns stamp;       /* of the measurement, on the clock of ROS */
    dpl_ns offset;      /* of that clock from the run's */
    const char *prefix; /* of frames: "", or "avatar/" */
    const char *sensor; /* frame of the component that publishes it */
    struct dpl_arena *arena;
};

struct ros2_row {
    const ProtobufCMessageDescriptor *ours;
    const char *name;  /* of the topic of ROS, without a '/' in front */
    const char *topic; /* ours with this name alone; NULL: any */
    struct ros2_type ros;
    /* Fills a zeroed message of ros.type->m_size; false: there is none to send. NULL: none comes
     * from us. */
    bool (*to)(const struct ros2_context *context, const void *message, void *ret_ros);
    /* Adds our message, packed; false: what came makes no sense. NULL: none comes to us. */
    bool (*from)(const void *ros, struct dpl_bytes *out);
    /* Where the sensor of a message is in the frame "base_link"; NULL: it needs no such frame. */
    struct dpl_pose2 (*mount)(const void *message);
};

extern const struct ros2_row ros2_rows[];
extern const size_t ros2_n_rows;

/* Types of which the gateway itself makes messages. */
extern const struct ros2_type ros2_clock, ros2_static_transforms, ros2_diagnostics,
    ros2_description;
/* Those that devices take and publish. */
extern const struct ros2_type ros2_odometry, ros2_scan, ros2_imu, ros2_joint_state;
extern const struct ros2_type ros2_twist, ros2_stamped_twist, ros2_joint_trajectory, ros2_numbers;

#endif
