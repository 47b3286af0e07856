/* SPDX-License-Identifier: Apache-2.0 */
/* How a force sensor falls short of the force: offset, drift, mains pick-up, noise, range and
 * resolution. Pure logic. What is 0 leaves the value as it is, bit by bit. */
#ifndef FORCE_SENSOR_IMPERFECTIONS_H
#define FORCE_SENSOR_IMPERFECTIONS_H

#include <doppel/math/random.h>
#include <doppel/math/six_axes.h>

/* N for x y z, N m for roll pitch yaw. */
struct force_imperfections {
    double offset[DPL_SIX];
    double drift_s[DPL_SIX];    /* per second, from the start of the run on */
    double hum[DPL_SIX];        /* amplitude of a sine of hum_hz */
    double noise[DPL_SIX];      /* standard deviation, white */
    double range[DPL_SIX];      /* greatest magnitude; 0: no end */
    double resolution[DPL_SIX]; /* 0: exact */
    double hum_hz;
};

/* What the sensor reads where `applied` acts. Returns whether a channel is at the end of its
 * range. */
bool force_imperfections_apply(const struct force_imperfections *imperfections,
                               struct dpl_random *rng, double t_s, const double applied[DPL_SIX],
                               double ret_reading[DPL_SIX]);

#endif
