/* SPDX-License-Identifier: Apache-2.0 */
/* Model of a car with steered front wheels. */
#include "car_ackermann.h"

#include <math.h>

struct dpl_twist2 car_ackermann_drive(struct car_ackermann *car, double speed, double angle,
                                      double t)
{
    double mean_speed = car_lag_advance(&car->motor, &car->speed, speed, t);
    double mean_angle = car_lag_advance(&car->steering, &car->angle, angle, t);
    return (struct dpl_twist2){
        .linear = mean_speed,
        .angular = mean_speed * tan(mean_angle) / car->wheel_base,
    };
}
