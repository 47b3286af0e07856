/* SPDX-License-Identifier: Apache-2.0 */
/* A faulty robot with a diagnosis, and between them, in place of a filter, poses of single scans
 * as good as the real ones are: 2 mm, 0.03 deg. The calibration is told, not estimated. */
#ifndef SCENE_H
#define SCENE_H

#include <stdbool.h>
#include <stddef.h>

#include "diagnosis.h"
#include "faulty_robot.h"

struct scene_config {
    struct faulty_robot_config robot;
    bool commands;      /* the diagnosis is told the commands */
    double rate_hz;     /* of the scans */
    bool unobservable;  /* the scans show nothing along the world's x axis */
    double noise_m;     /* of a scan's position, in x and in y: 2 mm */
    double sigma_scale; /* of the calibration: 1 as after a minute of driving */
};

struct scene {
    struct scene_config config;
    struct faulty_robot robot;
    struct diagnosis diagnosis;
    struct dpl_random random;
    struct localizer_calibration calibration;
    double left_m, right_m, gyro_rad;  /* at the last scan */
    struct dpl_pose2 odometry, before; /* by the wheels; at the last scan */
    size_t scan_number;
    /* the first event after a time, and the number of all rises */
    struct diagnosis_event first;
    bool has_first;
    unsigned rises;
};

/* Points of a hall of 16 x 10 m, 10 Hz, with commands, no fault. */
void scene_config_init(struct scene_config *ret_config);

void scene_init(struct scene *scene, const struct scene_config *config);

/* Until `until_s`; what rises is noted. */
void scene_run(struct scene *scene, double until_s);

#endif
