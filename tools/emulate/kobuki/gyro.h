/* SPDX-License-Identifier: Apache-2.0 */
/* What a MEMS yaw gyro makes of a true heading: rate noise (white), a bias that wanders, a wrong
 * scale, and the integral of all this. The model: IEEE Std 952, angle random walk and rate random
 * walk. Pure; the caller owns the struct; the same calls give the same numbers. */
#ifndef EMULATE_GYRO_H
#define EMULATE_GYRO_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/math/random.h>
#include <doppel/time.h>

struct gyro_config {
    double noise;  /* rad/s per sqrt(Hz): the heading wanders by this times sqrt(t) */
    double bias;   /* rad/s, at the start */
    double wander; /* of the bias: rad/s per sqrt(s) */
    double scale;  /* measured over true rate, minus 1 */
    uint64_t seed;
};

struct gyro {
    struct gyro_config config;
    struct dpl_random rng;
    double bias, true_rad, measured_rad, rate_rad_s;
    dpl_ns stamp;
    bool is_started;
};

void gyro_init(struct gyro *gyro, const struct gyro_config *config);

/* A sample: true heading (unwrapped) and rate at `stamp`; the caller's values become the measured
 * ones. The first sample measures the heading as it is; one that is not newer repeats the last. */
void gyro_measure(struct gyro *gyro, dpl_ns stamp, double *inout_heading_rad,
                  double *inout_rate_rad_s);

#endif
