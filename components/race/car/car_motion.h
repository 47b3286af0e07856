/* SPDX-License-Identifier: Apache-2.0 */
/* Motion of a planar body among walls: exact arcs, contact of its outline during the motion,
 * crossing of a line by its reference point; and the body of a car, which moves so and senses.
 * Pure logic; metres, radians, seconds. */
#ifndef CAR_CAR_MOTION_H
#define CAR_CAR_MOTION_H

#include <doppel/msg/race_enums.h>

#include "car_geometry.h"

/* The pose of a body after `t` seconds of a constant twist: an arc or a straight line, in closed
 * form that is also valid at angular velocity 0. */
struct dpl_pose2 car_motion_arc(struct dpl_pose2 from, struct dpl_twist2 twist, double t);

/* The time at which the outline first touches one of `n` walls during `t` seconds of a constant
 * twist; false: no contact. Conservative advancement (Mirtich, "Impulse-based dynamic simulation",
 * 1996, section 2.3): in a step no point of the body moves farther than the distance of the nearest
 * wall, but a step is at least CAR_MOTION_RESOLUTION_M. So the body cannot pass through a wall, and
 * a contact is found at most this far inside; only a corner that touches the end of a wall by less
 * may be missed. */
#define CAR_MOTION_RESOLUTION_M 1e-4
bool car_motion_contact(const struct car_footprint *footprint, struct dpl_pose2 from,
                        struct dpl_twist2 twist, double t, const struct car_segment *walls,
                        size_t n, double *ret_t);

/* The time at which the reference point first crosses or reaches `line` during `t` seconds; false:
 * it does not. A motion that begins on the line does not cross it there. */
bool car_motion_crosses(struct dpl_pose2 from, struct dpl_twist2 twist, double t,
                        const struct car_segment *line, double *ret_t);

/* A quantity that follows its target with a first-order lag, a limit and a limited rate: a motor's
 * speed, a steering angle. */
struct car_lag {
    double time_constant_s; /* 0: no lag */
    double limit;           /* of the magnitude */
    double rate;            /* largest change per second; 0: no limit */
};

/* Advances *value by `t` seconds towards `target` and returns its mean over this time: exact for
 * the lag; when the rate is limited, a linear change is assumed. */
double car_lag_advance(const struct car_lag *lag, double *value, double target, double t);

/* A car with steered front wheels, as a single-track model without slip; the reference point is the
 * middle of the rear axle. */
struct car_ackermann {
    double wheel_base; /* between the axles, > 0 */
    struct car_lag motor, steering;
    double speed; /* m/s */
    double angle; /* of the front wheels, rad, to the left */
};

/* Speed and steering follow their commands for `t` seconds. Returns the mean twist; the curvature
 * of the path is tan(angle) / wheel_base. */
struct dpl_twist2 car_ackermann_drive(struct car_ackermann *car, double speed, double angle,
                                      double t);

/* A car with a driven wheel on each side; a difference of their speeds turns the car. The reference
 * point is in the middle between the wheels. */
struct car_differential {
    double track_width; /* between the wheels, > 0 */
    struct car_lag motor;
    double left, right; /* speeds of the wheels, m/s */
};

/* The wheels follow their commanded speeds for `t` seconds; returns the mean twist. */
struct dpl_twist2 car_differential_drive(struct car_differential *car, double left, double right,
                                         double t);

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

/* A car as a planar body with an outline and range sensors, among walls: the common part of the
 * differential and the Ackermann car. */
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
