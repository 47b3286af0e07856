/* SPDX-License-Identifier: Apache-2.0 */
/* A robot with two driven wheels that goes from point to point, and can be given faults: its true
 * pose, its odometry, its gyro and the stamps of its laser. No walls and no scans: who needs scans
 * casts them from the true pose of the laser. Repeats to the last bit for a seed. */
#ifndef FAULTY_ROBOT_H
#define FAULTY_ROBOT_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/math/geometry.h>
#include <doppel/math/random.h>

#define FAULTY_ROBOT_STEP_S 0.005

enum robot_fault {
    ROBOT_IS_SOUND,
    ROBOT_SLIPS_LEFT,   /* `amount`: part of the left wheel's way that is lost */
    ROBOT_SLIPS_BOTH,   /* the same of both */
    ROBOT_BLOCKED_LEFT, /* the left wheel stands */
    ROBOT_BLOCKED_BOTH, /* the drive is dead */
    ROBOT_ENCODER_LEFT, /* `amount`: part of the left wheel's way that is not counted; 1: dead */
    ROBOT_RADIUS_LEFT,  /* `amount`: by this part the left wheel goes less than before */
    ROBOT_LASER_YAW,    /* `amount`, rad: the laser has turned */
    ROBOT_LATENCY,      /* `amount`, s: stamps of scans are later */
    ROBOT_PUSHED,       /* `amount`, m/s: to the left */
    ROBOT_KIDNAPPED,    /* once, to `kidnapped_to` */
    ROBOT_GYRO_SCALE,   /* `amount`: part of the turn that the gyro does not see; 1: dead */
    ROBOT_GYRO_DRIFT,   /* `amount`, rad/s */
    ROBOT_LASER_ABSENT, /* no scans come */
    ROBOT_LASER_FROZEN, /* the same scan comes again and again */
};

struct faulty_robot_config {
    uint64_t seed;
    double axle_m, speed, acceleration, latency_s, lag_s;
    double scale[2], axle_scale; /* true over what the data sheet says */
    double slip_m;               /* noise of a wheel's way, m per square root of a metre */
    bool has_gyro;
    struct dpl_pose2 start;
    struct dpl_pose2 kidnapped_to;
    const double (*points)[2]; /* [n_points] m; gone to in a random order; borrowed */
    size_t n_points;
    /* Instead of the points, when it is set: what to drive from the true pose, 20 times a second.
     */
    struct dpl_twist2 (*drive)(void *context, struct dpl_pose2 at);
    void *context;
    enum robot_fault fault;
    double amount, from_s, to_s; /* when the fault is there */
};

#define FAULTY_ROBOT_LATENCY_STEPS 64

struct faulty_robot {
    struct faulty_robot_config config;
    struct dpl_random random;
    double now_s, stop_until_s;
    size_t goal;
    struct dpl_twist2 command; /* sent now */
    struct dpl_twist2 on_the_way[FAULTY_ROBOT_LATENCY_STEPS];
    size_t n_steps;
    double slewed[2], wheel_speed[2]; /* m/s, left and right */
    struct dpl_pose2 pose;            /* true, of base */
    double counted_m[2], gyro_rad;    /* what odometry says */
    bool kidnapped;
};

/* 0.23 m axle, 0.4 m/s, 1 m/s^2, latency 60 ms, lag 50 ms, slip 3 mm, a gyro, no fault. */
void faulty_robot_config_init(struct faulty_robot_config *ret_config);

void faulty_robot_init(struct faulty_robot *robot, const struct faulty_robot_config *config);

/* By FAULTY_ROBOT_STEP_S. */
void faulty_robot_step(struct faulty_robot *robot);

bool faulty_robot_has_fault(const struct faulty_robot *robot, enum robot_fault fault);

/* What a fault adds to the yaw of the laser's mount, rad. */
double faulty_robot_laser_yaw(const struct faulty_robot *robot);

/* What a fault adds to the stamps of scans, s. */
double faulty_robot_laser_delay(const struct faulty_robot *robot);

#endif
