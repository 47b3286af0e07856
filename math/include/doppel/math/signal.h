/* SPDX-License-Identifier: Apache-2.0 */
/* Signal models for emulated sensors and actuators: low-pass, resolution, calibration, noise and
 * drift. Header only, pure; the caller owns the state. */
#ifndef DOPPEL_MATH_SIGNAL_H
#define DOPPEL_MATH_SIGNAL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include <doppel/math/random.h>

#ifdef __cplusplus
extern "C" {
#endif

/* RC low-pass: the output voltage after `dt_s`, from output `level`, with the constant mean input
 * `input`. A time constant of 0 returns the input. The ripple of a PWM with period T, at most T /
 * (4 tau) of the amplitude, is neglected. */
static inline double dpl_low_pass(double level, double input, double dt_s, double tau_s)
{
    if (tau_s <= 0.0 || dt_s >= 50.0 * tau_s) {
        return input;
    }
    return input + (level - input) * exp(-dt_s / tau_s);
}

/* The code of an analog-to-digital converter; `ratio` is the input divided by the reference
 * voltage. */
static inline int64_t dpl_adc_code(double ratio, int bits)
{
    double steps = ldexp(1.0, bits);
    return (int64_t)fmin(fmax(floor(ratio * steps), 0.0), steps - 1.0);
}

/* Noise (white, normal) and drift (linear, with a slope drawn once) that are added to a value. */
struct dpl_spread {
    struct dpl_random rng;
    double noise;   /* standard deviation; 0: none */
    double slope_s; /* of the drift, per second */
};

/* `drift_s` is the largest slope, per second, in both directions. Disabled: the value is not
 * changed. */
static inline struct dpl_spread dpl_spread_make(struct dpl_random rng, bool on, double noise,
                                                double drift_s)
{
    double part = dpl_random_uniform(&rng, -1.0, 1.0);
    return (struct dpl_spread){
        .rng = rng, .noise = on ? noise : 0.0, .slope_s = on ? drift_s * part : 0.0};
}

/* The sum of noise and drift at `t_s` seconds of the run. */
static inline double dpl_spread_at(struct dpl_spread *spread, double t_s)
{
    double noise = spread->noise > 0.0 ? spread->noise * dpl_random_normal(&spread->rng) : 0.0;
    return noise + spread->slope_s * t_s;
}

#ifdef __cplusplus
}
#endif

#endif
