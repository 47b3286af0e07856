/* SPDX-License-Identifier: Apache-2.0 */
/* A car as a planar body with an outline, among walls, with range sensors: what the differential
 * and the Ackermann car have in common. Pure logic; metres, radians, seconds. */
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
    struct dpl_twist2 twist;        /* of the tick under way */
    double ranges[CAR_SENSORS_MAX]; /* as sensed last; INFINITY: nothing within reach */
};

/* Puts the body somewhere, standing, and senses there. */
void car_body_place(struct car_body *body, struct dpl_pose2 pose);

/* Moves by `t` seconds of body->twist. A contact of the outline with a wall ends the move there
 * (DPL_CAR_HIT); so does the finish, when the reference point crosses it before (DPL_CAR_FINISHED):
 * what came first does not depend on the length of a tick. Senses where the race goes on. */
enum dpl_car_outcome car_body_move(struct car_body *body, double t);

#endif
