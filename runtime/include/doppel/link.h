/* SPDX-License-Identifier: Apache-2.0 */
/* The avatar link: how a driver reaches the devices of a robot in a simulated world, by name, with
 * stamped values. The same calls work on a world in this process and on one served by `doppel sim`
 * over ZeroMQ. Set calls never block: they leave a setpoint. Get calls return the newest known
 * value. One thread at a time uses a link. */
#ifndef DOPPEL_LINK_H
#define DOPPEL_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/math/geometry.h>
#include <doppel/time.h>

#define DPL_LINK_SCAN_MAX  2048
#define DPL_LINK_WALLS_MAX 512

struct dpl_link_config {
    const char
        *world; /* file of a world to embed ("": the application's world); or "tcp://host:port" */
    const char *robot; /* name of the robot in the world */
    bool take_over; /* of a served world: drive the robot although another program does already */
    struct dpl_place place; /* of the property that names it, for errors */
    /* Motors that this link sets change their speed by at most this much, rad/s^2; 0: as fast as
     * they can. The world ramps, in its own steps. */
    double motor_ramp_rad_s2;
};

enum dpl_link_device {
    DPL_LINK_MOTOR,
    DPL_LINK_ENCODER,
    DPL_LINK_LASER,
    DPL_LINK_AXIS,
};

/* An axis whose effort nobody has set for this long gets none. */
#define DPL_LINK_AXIS_SILENCE (20 * DPL_MS)

/* A linear axis of a machine: what its motor's encoder tells, and what its motor gives. */
struct dpl_link_axis {
    dpl_ns stamp; /* clock of the run */
    double position_m, velocity_m_s, effort_n;
};

struct dpl_link_encoder {
    dpl_ns stamp;     /* clock of the run */
    double angle_rad; /* unwrapped, quantised by the encoder's resolution */
    double velocity_rad_s;
    uint32_t world; /* as of struct dpl_link_robot */
};

struct dpl_link_laser {
    uint32_t n; /* ranges a scan, at most DPL_LINK_SCAN_MAX */
    double start_angle_rad, step_angle_rad, min_range_m, max_range_m, period_s;
    struct dpl_pose2 mount; /* in the robot's frame */
};

struct dpl_link_scan {
    dpl_ns stamp;
    uint64_t sequence;
    uint32_t n;
    float ranges_m[DPL_LINK_SCAN_MAX]; /* 0: no return */
};

struct dpl_link_robot {
    dpl_ns stamp;
    struct dpl_pose2 pose; /* the truth of the world: base frame on the ground */
    struct dpl_twist2 twist;
    uint64_t
        contacts; /* touches of the robot's body with anything but the ground, since the start */
    uint32_t touched; /* bit i: something touches its body now, from i to i + 1 times 15 degrees
                         from ahead, counter-clockwise */
    /* Another number once a world in another process was started anew: whatever was done to the
     * robot is undone, it stands at its start again. */
    uint32_t world;
    uint64_t ejections; /* times that the solver threw it out of something that it was in */
};

/* From (x1, y1) to (x2, y2), m. */
struct dpl_link_segment {
    double x1, y1, x2, y2;
};

/* What stands still in a world, seen from above at one height, and the race that it is made for. */
struct dpl_link_course {
    uint32_t n_walls;
    struct dpl_link_segment walls[DPL_LINK_WALLS_MAX]; /* round things: polygons around them */
    bool has_finish;
    struct dpl_link_segment finish;
    struct dpl_pose2 start; /* of the link's robot */
};

struct dpl_link;

struct dpl_link_ops {
    /* The handle of a named device. -ENOENT with the names there are; -EAGAIN while a remote world
     * has not answered yet: ask again. Dimensions of a laser in ret_laser (NULL allowed for
     * others). */
    int (*find)(struct dpl_link *, enum dpl_link_device kind, const char *name, unsigned *ret_id,
                struct dpl_link_laser *ret_laser, struct dpl_diag *reterr);
    void (*set_motor)(struct dpl_link *, unsigned id, double velocity_rad_s);
    int (*get_encoder)(struct dpl_link *, unsigned id, struct dpl_link_encoder *ret);
    /* Axes only in a world of this process: find says -ENOTSUP over the network. The effort, N,
     * holds from the next step of the world on; a link that closes, or says nothing for
     * DPL_LINK_AXIS_SILENCE, leaves 0. */
    void (*set_axis)(struct dpl_link *, unsigned id, double effort_n);
    int (*get_axis)(struct dpl_link *, unsigned id, struct dpl_link_axis *ret);
    /* The truth of the world: where a machine's platform is (x y z m, roll pitch yaw rad). -ENOTSUP
     * for other robots. */
    int (*get_platform)(struct dpl_link *, dpl_ns *ret_stamp, double ret_pose[6]);
    void (*enable_laser)(struct dpl_link *, unsigned id, bool enable); /* off at the start */
    int (*get_scan)(struct dpl_link *, unsigned id,
                    struct dpl_link_scan *ret); /* -EAGAIN: no newer */
    int (*get_robot)(struct dpl_link *, struct dpl_link_robot *ret);
    /* Asks for the robot to be put at a pose, once: the world does so at its next step, if the
     * robot fits there. */
    void (*set_pose)(struct dpl_link *, const struct dpl_pose2 *pose);
    /* What came of the last set_pose: 0 it was put there (or nothing was ever asked for),
     * -EINPROGRESS no answer yet, -EBUSY something stands there, -EINVAL it cannot be put at all,
     * -ENOTCONN the world was lost before it answered. After anything but 0 it stands where it
     * stood. */
    int (*placed)(struct dpl_link *);
    /* The course at a height in m, for drivers that do their own geometry: -ENOTSUP over the
     * network, -ENOSPC with more than DPL_LINK_WALLS_MAX segments. Call in open. */
    int (*get_course)(struct dpl_link *, double height_m, struct dpl_link_course *ret,
                      struct dpl_diag *reterr);
    /* Newest value younger than `age`? A world in this process is always alive. */
    bool (*alive)(struct dpl_link *);
    void (*close)(struct dpl_link *); /* motors of this link stop */
};

struct dpl_link {
    const struct dpl_link_ops *ops;
};

#endif
