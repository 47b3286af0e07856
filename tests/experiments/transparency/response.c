/* SPDX-License-Identifier: Apache-2.0 */
/* Discrete Fourier sums of the few relevant bins, and their ratios. */
#include "response.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

double *spectrum_cosines(void)
{
    double *cosines = malloc(CHAIN_WINDOW * sizeof *cosines);
    for (int i = 0; cosines && i < CHAIN_WINDOW; i++) {
        cosines[i] = cos(2.0 * PI * i / CHAIN_WINDOW);
    }
    return cosines;
}

void spectrum_add(struct spectrum *spectrum, const double *cosines, int tick, double value)
{
    for (int bin = 0; bin <= CHAIN_N_BINS; bin++) {
        int at = bin * tick % CHAIN_WINDOW;
        spectrum->re[bin] += cosines[at] * value;
        spectrum->im[bin] -= cosines[(at + 3 * CHAIN_WINDOW / 4) % CHAIN_WINDOW] * value;
    }
}

void ratio_add(struct ratio_mean *mean, const struct spectrum *ideal, const struct spectrum *real)
{
    for (int bin = 0; bin <= CHAIN_N_BINS; bin++) {
        double a = ideal->re[bin], b = ideal->im[bin], c = real->re[bin], d = real->im[bin];
        double square = a * a + b * b;
        mean->sum.re[bin] += (c * a + d * b) / square;
        mean->sum.im[bin] += (d * a - c * b) / square;
    }
    mean->n++;
}

void ratio_response(const struct ratio_mean *mean, double reference,
                    struct chain_response *ret_response)
{
    const double *re = mean->sum.re, *im = mean->sum.im;
    double before = 0.0, turns = 0.0;
    ret_response->static_gain_db = 20.0 * log10(hypot(re[0], im[0]) / mean->n);
    double zero_db = reference > 0.0 ? 20.0 * log10(reference) : ret_response->static_gain_db;
    for (int i = 0; i < CHAIN_N_BINS; i++) {
        double phase = atan2(im[i + 1], re[i + 1]);
        turns += phase - before > PI ? -2.0 * PI : 0.0;
        turns += phase - before < -PI ? 2.0 * PI : 0.0;
        before = phase;
        ret_response->frequency_hz[i] = (i + 1) * CHAIN_RATE_HZ / CHAIN_WINDOW;
        ret_response->gain_db[i] = 20.0 * log10(hypot(re[i + 1], im[i + 1]) / mean->n) - zero_db;
        ret_response->phase_deg[i] = (phase + turns) * 180.0 / PI;
    }
}

size_t chain_bins_to(const struct chain_response *response, double to_hz)
{
    size_t n = 0;
    while (n < CHAIN_N_BINS && response->frequency_hz[n] <= to_hz) {
        n++;
    }
    return n;
}

void response_gain_range(const struct chain_response *response, double to_hz, double *ret_least,
                         double *ret_greatest)
{
    *ret_least = *ret_greatest = 0.0;
    for (size_t i = 0; i < chain_bins_to(response, to_hz); i++) {
        *ret_least = fmin(*ret_least, response->gain_db[i]);
        *ret_greatest = fmax(*ret_greatest, response->gain_db[i]);
    }
}

double impulse_at(int shape, int tick)
{
    double t = CHAIN_PERIOD_S * tick, length = 15e-3 + 5e-3 * shape;
    return t > 0.0 && t < length ? (60.0 - 10.0 * shape) * sin(PI * t / length) : 0.0;
}

struct phase_fit phase_fit_line(const double *frequency_hz, const double *phase_deg, size_t n,
                                bool intercept)
{
    double mean_f = 0.0, mean_p = 0.0, ff = 0.0, fp = 0.0;
    for (size_t i = 0; intercept && i < n; i++) {
        mean_f += frequency_hz[i] / (double)n;
        mean_p += phase_deg[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        ff += (frequency_hz[i] - mean_f) * (frequency_hz[i] - mean_f);
        fp += (frequency_hz[i] - mean_f) * (phase_deg[i] - mean_p);
    }
    double slope = fp / ff;
    struct phase_fit fit = {.delay_ms = -slope / 0.36, .offset_deg = mean_p - slope * mean_f};
    for (size_t i = 0; i < n; i++) {
        double rest = phase_deg[i] - fit.offset_deg - slope * frequency_hz[i];
        fit.rmse_deg += rest * rest / (double)n;
        fit.mean_abs_deg += fabs(rest) / (double)n;
        fit.max_abs_deg = fmax(fit.max_abs_deg, fabs(rest));
    }
    fit.rmse_deg = sqrt(fit.rmse_deg);
    return fit;
}
