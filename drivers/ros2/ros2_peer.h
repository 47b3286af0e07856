/* SPDX-License-Identifier: Apache-2.0 */
/* What drivers `ros2` need of DDS. They are loaded without it: the module of the gateway has it
 * (gateways/ros2, package doppel-ros2). All devices and the gateway of a process have one
 * participant, and are one node. The functions of one peer: on one thread at a time, the control
 * thread; they wait for nobody, but for `open` and `close`. */
#ifndef DRIVERS_ROS2_PEER_H
#define DRIVERS_ROS2_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/host/gateway.h>
#include <doppel/math/geometry.h>
#include <doppel/time.h>

#define ROS2_JOINT_SIZE 64 /* of a name, with its end */
#define ROS2_TEXT_SIZE  256

/* What is taken. Stamps are those of the headers, on the clock of who publishes; 0: none. */
enum ros2_kind {
    ROS2_ODOMETRY, /* struct ros2_pose_reading */
    ROS2_SCAN,     /* struct dpl_laser_scan; the stamp is that of the middle of the scan */
    ROS2_IMU,      /* struct dpl_imu_sample */
    ROS2_JOINTS,   /* struct dpl_joints_state, in the order of the configured names */
};

/* What is published. */
enum ros2_order {
    ROS2_NO_ORDER,
    ROS2_TWIST,      /* struct dpl_twist2, as Twist or TwistStamped: what is read there */
    ROS2_TRAJECTORY, /* struct ros2_joint_order, as JointTrajectory of one point */
    ROS2_VALUES,     /* struct ros2_joint_order, as Float64MultiArray */
};

struct ros2_pose_reading {
    dpl_ns stamp;
    struct dpl_pose2 pose;
};

struct ros2_joint_order {
    const double *values; /* of the configured joints */
    double after_s;       /* until they are reached; of a trajectory */
};

struct ros2_peer_config {
    enum ros2_kind kind;
    const char *topic;
    enum ros2_order order;
    const char *order_topic;
    size_t n_joints; /* 0, or those that are looked for */
    char (*joints)[ROS2_JOINT_SIZE];
};

struct ros2_counts {
    int64_t messages;  /* taken */
    int64_t refused;   /* values that make no sense */
    int64_t strangers; /* of another publisher than the first one */
    int64_t malformed; /* bytes of no message, of all topics of this process */
};

struct ros2_peer;

struct ros2_devices {
    /* Joins the domain, and waits at most `wait_s` until somebody publishes the topic, and reads
     * the commands. 0; -ENODEV: nobody does; -EINVAL and others, with reterr. Copies the config. */
    int (*open)(const struct ros2_peer_config *config, double wait_s, struct ros2_peer **ret_peer,
                struct dpl_diag *reterr);
    /* What was sent is delivered first, if it is taken within 0.1 s. NULL: does nothing. */
    void (*close)(struct ros2_peer *peer);
    /* NULL: somebody publishes, and reads the commands; else what is missing, until the next call.
     */
    const char *(*lack)(struct ros2_peer *peer);
    /* The next message of who publishes it: true. What makes no sense is left out and counted. */
    bool (*take)(struct ros2_peer *peer, void *ret_message);
    /* From now on another one may publish. */
    void (*forget)(struct ros2_peer *peer);
    void (*send)(struct ros2_peer *peer, const void *order);
    void (*count)(const struct ros2_peer *peer, struct ros2_counts *ret_counts);
    /* For the log, at most one a second, valid until the next call; NULL: nothing. */
    const char *(*complaint)(struct ros2_peer *peer, dpl_ns now);
};

/* What the gateway's module exports. */
struct ros2_module {
    struct dpl_gateway_module gateway; /* `bytes` is its size alone */
    const struct ros2_devices *devices;
};

#endif
