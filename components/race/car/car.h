/* SPDX-License-Identifier: Apache-2.0 */
/* One interface for all models of a car. One tick of the bench: command (read the actuators), row
 * (for the log), move (and hit test, finish test, sensors). Pure logic; metres, radians, seconds,
 * except where a name contains mm or deg. */
#ifndef CAR_CAR_H
#define CAR_CAR_H

#include <stdint.h>

#include "car_motion.h"
#include "car_paper.h"

enum car_model {
    CAR_MODEL_PAPER,
    CAR_MODEL_DIFFERENTIAL,
    CAR_MODEL_ACKERMANN,
};

struct car_config {
    enum car_model model;
    double tick; /* the paper's is a whole number of milliseconds */
    struct car_surroundings around;
    size_t n_sensors;
    double sensor_deg[CAR_SENSORS_MAX];
    struct car_point mounts[CAR_SENSORS_MAX]; /* in the car's frame; of the paper's car a point */
    double reach;                             /* of the sensors */
    double length, width, behind;             /* of the outline, see car_footprint_rectangle */
    double track_width, wheel_base;
    struct car_lag motor, steering;
};

/* Inputs of the car for a tick. Neither scripted nor driven: it stops. */
struct car_command {
    bool scripted; /* heading and velocity apply immediately, without the model's dynamics */
    double heading_deg, velocity_mm_s;
    bool driven;
    double left, right; /* motors, m/s; the paper's car and the Ackermann car use only `left` */
    double steering;    /* rad; the paper's car turns its heading by it each tick */
};

/* A row of the log. */
struct car_row {
    int64_t x_mm, y_mm, velocity_mm_s, heading_deg;
    size_t n_ranges;
    double ranges[CAR_SENSORS_MAX]; /* m; INFINITY: no wall */
};

struct car {
    struct car_config config;
    struct car_body body; /* not for the paper's car */
    struct car_differential differential;
    struct car_ackermann ackermann;
    struct car_paper paper;
};

/* Copies the configuration; the car must stay at its address afterwards. 0, or -EINVAL when the
 * paper's arithmetic does not support the configuration: *ret_wall is the wall that is not parallel
 * to an axis (n_walls: the finish; larger: a number is out of range). */
int car_init(struct car *car, const struct car_config *config, size_t *ret_wall);

/* Sets the car to a start pose, at rest, and reads the sensors there. The paper's car rounds to
 * whole mm and degrees. */
void car_place(struct car *car, struct dpl_pose2 pose);

void car_command(struct car *car, const struct car_command *command);
void car_row(const struct car *car, struct car_row *ret_row);
enum dpl_car_outcome car_move(struct car *car);

struct dpl_pose2 car_pose(const struct car *car);
struct dpl_twist2 car_twist(const struct car *car);

/* Free space around the car. */
struct car_room {
    double clearance; /* m, distance of the outline (of the paper's car: the point) from the nearest
                         wall */
    double left,
        right; /* m, distance from the reference point to a wall, at right angles to the heading */
};

/* At the current pose; INFINITY where there is no wall. */
struct car_room car_room(const struct car *car);

/* The current ranges of the sensors, m; returns their number. */
size_t car_ranges(const struct car *car, double ret_ranges[CAR_SENSORS_MAX]);

#endif
