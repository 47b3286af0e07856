/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of a force sensor: offset, drift, mains interference, noise, range and resolution. Pure
 * logic. An error of 0 leaves the value unchanged, bit by bit. */
#ifndef FORCE_SENSOR_IMPERFECTIONS_H
#define FORCE_SENSOR_IMPERFECTIONS_H

#include <doppel/math/random.h>
#include <doppel/math/six_axes.h>

/* N for x y z, N m for roll pitch yaw. */
struct force_imperfections {
    double offset[DPL_SIX];
    double drift_s[DPL_SIX];    /* per second, from the start of the run */
    double hum[DPL_SIX];        /* amplitude of a sine of hum_hz */
    double noise[DPL_SIX];      /* standard deviation, white */
    double range[DPL_SIX];      /* largest magnitude; 0: no limit */
    double resolution[DPL_SIX]; /* 0: exact */
    double hum_hz;
};

/* The reading of the sensor for the force `applied`. Returns whether a channel is at the end of its
 * range. */
bool force_imperfections_apply(const struct force_imperfections *imperfections,
                               struct dpl_random *rng, double t_s, const double applied[DPL_SIX],
                               double ret_reading[DPL_SIX]);

#endif
