/* SPDX-License-Identifier: Apache-2.0 */
/* A car with steered front wheels, as a single-track model without slip; the reference point is the
 * middle of the rear axle. Pure logic; metres, radians, seconds. */
#ifndef CAR_CAR_ACKERMANN_H
#define CAR_CAR_ACKERMANN_H

#include "car_motion.h"

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

#endif
