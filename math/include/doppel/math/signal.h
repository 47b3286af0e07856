/* SPDX-License-Identifier: Apache-2.0 */
/* What every emulated sensor and actuator does to a signal: low-pass, resolution, calibration,
 * noise and drift. Header only, pure; the caller owns the state. */
#ifndef DOPPEL_MATH_SIGNAL_H
#define DOPPEL_MATH_SIGNAL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include <doppel/math/random.h>

/* The voltage behind a resistor and a capacitor after `dt_s`, when it was `level` and the input's
 * mean was `input` all the while. A time constant of 0: the input. The ripple of a PWM of period T
 * around that mean, at most T / (4 tau) of the swing, is left out. */
static inline double dpl_low_pass(double level, double input, double dt_s, double tau_s)
{
    if (tau_s <= 0.0 || dt_s >= 50.0 * tau_s) {
        return input;
    }
    return input + (level - input) * exp(-dt_s / tau_s);
}

/* The code of an analog-to-digital converter for a part of its reference. */
static inline int64_t dpl_adc_code(double ratio, int bits)
{
    double steps = ldexp(1.0, bits);
    return (int64_t)fmin(fmax(floor(ratio * steps), 0.0), steps - 1.0);
}

/* Noise (white, normal) and drift (a line whose slope is drawn once) on top of a value. */
struct dpl_spread {
    struct dpl_random rng;
    double noise;   /* standard deviation; 0: none */
    double slope_s; /* of the drift, per second */
};

/* `drift_s` is the steepest slope, per second, to either side. Off: the value stays as it is. */
static inline struct dpl_spread dpl_spread_make(struct dpl_random rng, bool on, double noise,
                                                double drift_s)
{
    double part = dpl_random_uniform(&rng, -1.0, 1.0);
    return (struct dpl_spread){
        .rng = rng, .noise = on ? noise : 0.0, .slope_s = on ? drift_s * part : 0.0};
}

/* What is added to a value at `t_s` seconds of the run. */
static inline double dpl_spread_at(struct dpl_spread *spread, double t_s)
{
    double noise = spread->noise > 0.0 ? spread->noise * dpl_random_normal(&spread->rng) : 0.0;
    return noise + spread->slope_s * t_s;
}

#endif
