/* SPDX-License-Identifier: Apache-2.0 */
/* A car with a driven wheel on each side; a difference of their speeds turns the car. The reference
 * point is in the middle between the wheels. Pure logic; metres, radians, seconds. */
#ifndef CAR_CAR_DIFFERENTIAL_H
#define CAR_CAR_DIFFERENTIAL_H

#include "car_motion.h"

struct car_differential {
    double track_width; /* between the wheels, > 0 */
    struct car_lag motor;
    double left, right; /* speeds of the wheels, m/s */
};

/* The wheels follow their commanded speeds for `t` seconds; returns the mean twist. */
struct dpl_twist2 car_differential_drive(struct car_differential *car, double left, double right,
                                         double t);

#endif
