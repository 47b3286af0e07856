/* SPDX-License-Identifier: Apache-2.0 */
/* How well the mount of the laser can be known at all: the posterior Cramer-Rao bound (Tichavsky,
 * Muravchik, Nehorai, IEEE Transactions on Signal Processing 46(5), 1998) of pose and calibration
 * along one drive. It is the Riccati recursion at the truth with the true noise of wheels, gyro and
 * ranges, an exact plan and all beams. What it leaves out (ticks of the encoders, drift of the
 * gyro, noise of the wheels within a sweep) would only make it larger. */
#ifndef LOCALIZATION_BOUND_H
#define LOCALIZATION_BOUND_H

#include "robot.h"

#define BOUND_STATES (3 + LOCALIZER_N_PARAMETERS + 1) /* pose, parameters, heading before */

struct bound {
    double p[BOUND_STATES][BOUND_STATES];
};

/* From what the Localizer is told before the drive. */
void bound_init(struct bound *bound, const struct localizer_config *config);

/* After a step of the robot. */
void bound_step(struct bound *bound, const struct robot *robot);

/* A scan that was stamped `stamp_s`; the robot's track still has that instant. */
void bound_scan(struct bound *bound, const struct robot *robot, double stamp_s);

/* 1 sigma, in the parameter's unit (of scales: of their logarithm). */
double bound_sigma(const struct bound *bound, enum localizer_parameter parameter);

#endif
