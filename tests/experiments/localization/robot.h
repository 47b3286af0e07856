/* SPDX-License-Identifier: Apache-2.0 */
/* The experiment's robot: its true motion, and what its encoders, gyro and laser say of it. */
#ifndef LOCALIZATION_ROBOT_H
#define LOCALIZATION_ROBOT_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/math/random.h>

#include "localizer.h"
#include "route.h"

#define ROBOT_STEP_S     0.005
#define ROBOT_TRACK      512 /* true poses kept: 2.5 s */
#define ROBOT_BEAMS_MAX  682
#define ROBOT_PEOPLE_MAX 16
#define ROBOT_AXLE_M     0.23

/* Its sensors. */
#define ROBOT_NOISE_M     0.010 /* of a range, 1 sigma: at least this, */
#define ROBOT_NOISE_SHARE 0.01  /* and this share of it */
#define ROBOT_RANGE_MAX_M 5.6
#define ROBOT_GYRO_NOISE  0.0003 /* rad per sqrt(s) */

/* How it differs from its data sheet, and what disturbs it. */
struct robot_faults {
    double value[LOCALIZER_N_PARAMETERS]; /* true calibration; scales 1, others 0: none */
    double slip_m;                        /* per sqrt(m) of a wheel, 1 sigma */
    double noise_scale;                   /* of the laser's noise */
    double dropout;                       /* share of beams without return */
    double revolution_s;                  /* of the laser; 0: one instant */
    double scan_period_s;
    size_t n_beams;
    int people;
    double glass_seen_rad; /* a pane is seen up to this angle from its normal; 0: never */
};

struct robot_person {
    double angle, distance, turning, radius;
};

/* Somebody, or something, that stands in the room. */
struct robot_bystander {
    bool there;
    double x, y, radius;
};

struct robot {
    struct robot_faults faults;
    const struct dpl_raycast_index *room;
    struct route *route;
    struct dpl_random rng;
    struct dpl_pose2 track[ROBOT_TRACK]; /* ring by number of the step */
    long steps;
    struct dpl_twist2 twist;
    double left_m, right_m; /* as encoders measure it, before ticks */
    double gyro_rad, speed_left, speed_right;
    double path_m;
    struct robot_person people[ROBOT_PEOPLE_MAX];
    struct robot_bystander bystander;
    float ranges[ROBOT_BEAMS_MAX];
    bool stands;
    const bool *glass; /* [objects of the room] panes; NULL: none */
};

void robot_faults_init(struct robot_faults *ret_faults);
void robot_init(struct robot *robot, const struct robot_faults *faults,
                const struct dpl_raycast_index *room, struct route *route, struct dpl_random rng);

/* Puts it elsewhere; wheels do not notice. */
void robot_place(struct robot *robot, struct dpl_pose2 pose);

/* One step of ROBOT_STEP_S. */
void robot_step(struct robot *robot);

/* One step, too, but of who drives it himself: the laser and the people come along. */
void robot_carry(struct robot *robot, struct dpl_pose2 to);
double robot_time(const struct robot *robot);

/* The true pose at an instant of the last 2.5 s. */
struct dpl_pose2 robot_pose(const struct robot *robot, double at_s);

struct localizer_odometry robot_odometry(const struct robot *robot);

/* Beam i of the scan whose middle was at `middle_s`, on the robot's own clock. */
struct dpl_raycast_ray robot_beam(const struct robot *robot, double middle_s, size_t i);

/* The scan whose middle, by the clock of its stamp, is at_s. Borrows robot->ranges. */
struct localizer_scan robot_scan(struct robot *robot, double at_s);

#endif
