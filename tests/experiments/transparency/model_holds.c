/* SPDX-License-Identifier: Apache-2.0 */
/* Criterion A3, second part: the effect of each hold on the model's response, compared with the
 * continuous model, over 0 to 7 Hz. */
#include "model_holds.h"
#include "response.h"

#include <math.h>
#include <stdio.h>

#include "spring_mass_damper.h"

#define PI     3.14159265358979323846
#define T      2.5e-3
#define N_GRID 70

struct number {
    double re, im;
};

static struct number add(struct number a, struct number b)
{
    return (struct number){a.re + b.re, a.im + b.im};
}

static struct number multiply(struct number a, struct number b)
{
    return (struct number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static struct number divide(struct number a, struct number b)
{
    double square = b.re * b.re + b.im * b.im;
    return (struct number){(a.re * b.re + a.im * b.im) / square,
                           (a.im * b.re - a.re * b.im) / square};
}

static struct number real(double value)
{
    return (struct number){value, 0.0};
}

/* Deflection over force of the sampled model: first row of (z - ad)^-1 (b0 + b1 z). */
static struct number sampled(const struct dpl_smd *model, double frequency_hz)
{
    double w = 2.0 * PI * frequency_hz * T;
    const double(*ad)[2] = model->ad[0];
    struct number z = {cos(w), sin(w)};
    struct number p = add(z, real(-ad[0][0])), q = add(z, real(-ad[1][1]));
    struct number determinant = add(multiply(p, q), real(-ad[0][1] * ad[1][0]));
    struct number b[2];
    for (int i = 0; i < 2; i++) {
        b[i] = add(real(model->b0[0][i]), multiply(real(model->b1[0][i]), z));
    }
    return divide(add(multiply(q, b[0]), multiply(real(ad[0][1]), b[1])), determinant);
}

static struct number continuous(const struct dpl_smd *model, double frequency_hz)
{
    double w = 2.0 * PI * frequency_hz;
    return divide(real(1.0),
                  (struct number){5000.0 - w * w * model->mass[0], w * model->damping[0]});
}

int a3_hold(double natural_hz, enum dpl_hold hold)
{
    double f[N_GRID], phase[N_GRID], gain = 0.0;
    struct dpl_smd model;
    struct dpl_smd_config config = dpl_smd_paper_config(natural_hz, T, hold);
    char name[80];
    int r = dpl_smd_init(&model, &config);
    if (r < 0) {
        return r;
    }
    for (int i = 0; i < N_GRID; i++) {
        f[i] = 0.1 * (i + 1);
        struct number ratio = divide(sampled(&model, f[i]), continuous(&model, f[i]));
        gain = fmax(gain, fabs(20.0 * log10(hypot(ratio.re, ratio.im))));
        phase[i] = atan2(ratio.im, ratio.re) * 180.0 / PI;
    }
    bool first = hold == DPL_HOLD_FIRST;
    struct phase_fit fit = phase_fit_line(f, phase, N_GRID, false);
    snprintf(name, sizeof name, "A3 %g Hz %s hold, gain error dB", natural_hz,
             first ? "first-order" : "zero-order");
    row_at_most(name, gain, first ? 0.01 : 0.005, "");
    snprintf(name, sizeof name, "A3 %g Hz %s hold, delay ms", natural_hz,
             first ? "first-order" : "zero-order");
    row_near(name, fit.delay_ms, first ? 0.0 : 1.25, 5e-4);
    snprintf(name, sizeof name, "A3 %g Hz %s hold, phase residual deg", natural_hz,
             first ? "first-order" : "zero-order");
    row_at_most(name, fit.max_abs_deg, 5e-4, "");
    return 0;
}
