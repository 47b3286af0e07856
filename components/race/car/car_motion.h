/* SPDX-License-Identifier: Apache-2.0 */
/* How a planar body moves among walls: exact arcs, contact of its outline on the way, crossing of a
 * line by its reference point. Pure logic; metres, radians, seconds. */
#ifndef CAR_CAR_MOTION_H
#define CAR_CAR_MOTION_H

#include "car_geometry.h"

/* Where a body is after `t` seconds of a constant twist: the arc of a circle or a straight line, in
 * closed form and without a special case at angular velocity 0. */
struct dpl_pose2 car_motion_arc(struct dpl_pose2 from, struct dpl_twist2 twist, double t);

/* When the outline first touches one of `n` walls during `t` seconds of a constant twist; false: it
 * does not. Conservative advancement (Mirtich, "Impulse-based dynamic simulation", 1996, section
 * 2.3): no point of the body moves farther in a step than the nearest wall is away, and at least
 * CAR_MOTION_RESOLUTION_M. So no wall is tunnelled through, and a contact is found at most that far
 * inside; only a corner that grazes a wall's end by less may be missed. */
#define CAR_MOTION_RESOLUTION_M 1e-4
bool car_motion_contact(const struct car_footprint *footprint, struct dpl_pose2 from,
                        struct dpl_twist2 twist, double t, const struct car_segment *walls,
                        size_t n, double *ret_t);

/* When the reference point first crosses or reaches `line` during `t` seconds; false: it does not.
 * A way that begins on the line does not cross it there. */
bool car_motion_crosses(struct dpl_pose2 from, struct dpl_twist2 twist, double t,
                        const struct car_segment *line, double *ret_t);

/* A quantity that follows its target with a first-order lag, a limit and a limited rate: a motor's
 * speed, a steering angle. */
struct car_lag {
    double time_constant_s; /* 0: at once */
    double limit;           /* of the magnitude */
    double rate;            /* largest change a second; 0: any */
};

/* Advances *value by `t` seconds towards `target` and returns its mean over them: exact for the
 * lag; where the rate limits the change, the change is taken as linear. */
double car_lag_advance(const struct car_lag *lag, double *value, double target, double t);

#endif
