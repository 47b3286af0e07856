/* SPDX-License-Identifier: Apache-2.0 */
/* What the sources of a robot's motion say about the last second, and by how much they contradict
 * each other: the command, the wheels, the gyro, the laser (poses of single scans). A contradiction
 * is a residual beyond its tolerance; tolerances grow with the way, with the turn, and with what is
 * not yet known of the calibration. Pure. */
#ifndef RESIDUALS_H
#define RESIDUALS_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/math/geometry.h>

#include "command_model.h"
#include "parameters.h"

#define RESIDUALS_RING     64
#define RESIDUALS_WINDOW_S 1.0

/* At one usable scan; sums since the start of the window's records. */
struct residuals_record {
    double stamp_s;
    double wheel_m[2]; /* calibrated travel */
    double back_m[2];  /* the part of it that is backward, as a positive number */
    double raw_m[2];   /* by the drive's own numbers, as the command is meant */
    double path_m;     /* sum of the mean absolute travel of the wheels */
    double gyro_rad;
    size_t gyro_steps;         /* number of records whose step had a gyro */
    struct dpl_pose2 odometry; /* in a frame of its own */
    struct dpl_pose2 laser;    /* in the world; theta unwrapped */
    struct dpl_pose2 seen;     /* the same, but odometry's steps where the scan shows nothing */
    double along_m;            /* sum of the steps of `seen` along the robot's heading */
    double across_m;           /* sum of them across it, minus those of odometry */
    double forward_m_s, turn_rad_s; /* by odometry since the record before */
    double agreement;
    double spread[3]; /* m^2 xx xy yy in the world: of the laser's position */
};

struct residuals_window {
    double axle_m;
    struct residuals_record record[RESIDUALS_RING];
    size_t next, n;
};

/* Of one scan: what happened since the scan before, and its own pose. */
struct residuals_step {
    double stamp_s, left_m, right_m, gyro_rad;
    struct dpl_pose2 moved; /* of base by odometry */
    double scale[2];        /* of the wheels: calibrated over raw travel */
    bool has_gyro;
    struct dpl_pose2 laser;
    bool unobservable;
    double unobservable_rad;
    double spread[3]; /* m^2 xx xy yy in the world: covariance of the laser's position */
    double agreement;
};

struct residuals {
    double span_s, path_m; /* of the window; with NO_LASER span_s is how long no scan came */
    double weak_m;         /* 1 sigma of the laser's way, along the direction that is shown worst */
    bool full;             /* the window is as long as it should be */
    bool has_command, has_gyro;
    double wheel_m[2];            /* by odometry */
    double back_m[2], ahead_m[2]; /* its parts, backward and forward, positive */
    double command_m[2];          /* wheel - commanded wheel, by the drive's numbers */
    double laser_wheel_m[2]; /* what the wheels would have done if they rolled as the laser went */
    double across_m;         /* way of the laser across the heading, beyond odometry's */
    double shift_m;     /* |odometric - laser displacement|; its limit is that of its direction */
    bool shift_is_weak; /* more than half of the limit is the doubt of single scans: when the way of
                         * 3 s contradicts, path, wheels, shift and across are of these 3 s */
    double odometry_gyro_rad, odometry_laser_rad, gyro_laser_rad;
    double agreement_fall; /* since five scans ago */
    /* above which the absolute values contradict; `command` holds for a whole contradiction */
    double command_limit_m[2], command_early_m[2]; /* `early`: something may be beginning */
    double shift_limit_m, across_limit_m, wheel_limit_m[2];
    double gyro_limit_rad, laser_limit_rad;
};

void residuals_init(struct residuals_window *window, double axle_m);

/* Forgets the records: the pose has jumped, there is no motion between. */
void residuals_clear(struct residuals_window *window);

void residuals_add(struct residuals_window *window, const struct residuals_step *step);

/* False: fewer than two records. */
bool residuals_compute(const struct residuals_window *window,
                       const struct localizer_calibration *calibration,
                       struct residuals *ret_residuals);

/* Adds the comparison with the command, when it is known. With `learn` the model takes the window
 * as one of a sound drive if it does not contradict. */
void residuals_add_command(const struct residuals_window *window, struct command_model *model,
                           bool learn, struct residuals *residuals);

#endif
