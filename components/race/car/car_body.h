/* SPDX-License-Identifier: Apache-2.0 */
/* A car as a planar body with an outline and range sensors, among walls: the common part of the
 * differential and the Ackermann car. Pure logic; metres, radians, seconds. */
#ifndef CAR_CAR_BODY_H
#define CAR_CAR_BODY_H

#include <doppel/msg/race_enums.h>

#include "car_geometry.h"

#define CAR_SENSORS_MAX 16

struct car_mount {
    struct car_point at; /* in the car's frame */
    double angle_rad;
};

struct car_surroundings {
    size_t n_walls;
    struct car_segment walls[CAR_WALLS_MAX];
    bool has_finish;
    struct car_segment finish;
};

struct car_body {
    struct car_footprint footprint;
    const struct car_surroundings *around; /* borrowed */
    size_t n_sensors;
    struct car_mount sensors[CAR_SENSORS_MAX];
    double reach;

    struct dpl_pose2 pose;          /* of the reference point */
    struct dpl_twist2 twist;        /* of the current tick */
    double ranges[CAR_SENSORS_MAX]; /* of the newest sensing; INFINITY: nothing within reach */
};

/* Sets the body to a pose, at rest, and reads the sensors there. */
void car_body_place(struct car_body *body, struct dpl_pose2 pose);

/* Moves by `t` seconds of body->twist. The move ends at the first contact of the outline with a
 * wall (DPL_CAR_HIT), or where the reference point crosses the finish (DPL_CAR_FINISHED), whichever
 * comes first; this does not depend on the length of a tick. Reads the sensors if the race
 * continues. */
enum dpl_car_outcome car_body_move(struct car_body *body, double t);

#endif
