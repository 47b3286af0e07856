/* SPDX-License-Identifier: Apache-2.0 */
/* Model of a car with two driven wheels. */
#include "car_differential.h"

struct dpl_twist2 car_differential_drive(struct car_differential *car, double left, double right,
                                         double t)
{
    double mean_left = car_lag_advance(&car->motor, &car->left, left, t);
    double mean_right = car_lag_advance(&car->motor, &car->right, right, t);
    return (struct dpl_twist2){
        .linear = (mean_left + mean_right) / 2.0,
        .angular = (mean_right - mean_left) / car->track_width,
    };
}
