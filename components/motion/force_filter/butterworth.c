/* SPDX-License-Identifier: Apache-2.0 */
/* Butterworth low-pass: design, steps and frequency response. */
#include "butterworth.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#define PI 3.14159265358979323846

/* Twice the damping of the pole pair `i`; with an odd order the last pair is the single real
 * pole. */
static double pair_damping(int order, int i)
{
    return 2.0 * sin(PI * (2 * i + 1) / (2.0 * order));
}

static bool is_single(int order, int i)
{
    return order % 2 == 1 && i == order / 2;
}

static struct dpl_butterworth_section single_section(double k)
{
    double scale = 1.0 / (1.0 + k);
    return (struct dpl_butterworth_section){
        .b = {k * scale, k * scale, 0.0},
        .a = {1.0, (k - 1.0) * scale, 0.0},
    };
}

static struct dpl_butterworth_section pair_section(double k, double damping)
{
    double scale = 1.0 / (1.0 + damping * k + k * k), b = k * k * scale;
    return (struct dpl_butterworth_section){
        .b = {b, 2.0 * b, b},
        .a = {1.0, 2.0 * (k * k - 1.0) * scale, (1.0 - damping * k + k * k) * scale},
    };
}

int dpl_butterworth_design(int order, double cutoff_hz, double rate_hz,
                           struct dpl_butterworth *ret_filter)
{
    if (order < 1 || order > DPL_BUTTERWORTH_ORDER_MAX || !isfinite(rate_hz) ||
        !(cutoff_hz > 0.0) || !(cutoff_hz < 0.5 * rate_hz)) {
        return -EINVAL;
    }
    struct dpl_butterworth filter = {
        .order = order, .n_sections = (order + 1) / 2, .rate_hz = rate_hz};
    double k = tan(PI * cutoff_hz / rate_hz);
    for (int i = 0; i < filter.n_sections; i++) {
        filter.sections[i] =
            is_single(order, i) ? single_section(k) : pair_section(k, pair_damping(order, i));
    }
    *ret_filter = filter;
    return 0;
}

void dpl_butterworth_reset(const struct dpl_butterworth *filter,
                           struct dpl_butterworth_state *state, double value)
{
    *state = (struct dpl_butterworth_state){.output = value};
    for (int i = 0; i < filter->n_sections; i++) {
        const struct dpl_butterworth_section *s = &filter->sections[i];
        state->z[i][1] = (s->b[2] - s->a[2]) * value;
        state->z[i][0] = (s->b[1] - s->a[1]) * value + state->z[i][1];
    }
}

double dpl_butterworth_step(const struct dpl_butterworth *filter,
                            struct dpl_butterworth_state *state, double input)
{
    if (!isfinite(input)) {
        return state->output;
    }
    double u = input;
    for (int i = 0; i < filter->n_sections; i++) {
        const struct dpl_butterworth_section *s = &filter->sections[i];
        double *z = state->z[i], y = s->b[0] * u + z[0];
        z[0] = s->b[1] * u - s->a[1] * y + z[1];
        z[1] = s->b[2] * u - s->a[2] * y;
        u = y;
    }
    state->output = u;
    return u;
}

/* Multiplies a response by (n_re + i n_im) / (d_re + i d_im). */
static void multiply(struct dpl_butterworth_response *response, const double n[2],
                     const double d[2])
{
    response->gain *= hypot(n[0], n[1]) / hypot(d[0], d[1]);
    response->phase_rad += atan2(n[1] * d[0] - n[0] * d[1], n[0] * d[0] + n[1] * d[1]);
}

struct dpl_butterworth_response dpl_butterworth_response_at(const struct dpl_butterworth *filter,
                                                            double frequency_hz)
{
    struct dpl_butterworth_response response = {.gain = 1.0};
    double w = 2.0 * PI * frequency_hz / filter->rate_hz;
    for (int i = 0; i < filter->n_sections; i++) {
        const double *b = filter->sections[i].b, *a = filter->sections[i].a;
        double n[2] = {b[0] + b[1] * cos(w) + b[2] * cos(2.0 * w),
                       -b[1] * sin(w) - b[2] * sin(2.0 * w)};
        double d[2] = {a[0] + a[1] * cos(w) + a[2] * cos(2.0 * w),
                       -a[1] * sin(w) - a[2] * sin(2.0 * w)};
        multiply(&response, n, d);
    }
    return response;
}

struct dpl_butterworth_response dpl_butterworth_analog_at(int order, double cutoff_hz,
                                                          double frequency_hz)
{
    struct dpl_butterworth_response response = {.gain = 1.0};
    double w = frequency_hz / cutoff_hz;
    const double one[2] = {1.0, 0.0};
    for (int i = 0; i < (order + 1) / 2; i++) {
        double single[2] = {1.0, w}, pair[2] = {1.0 - w * w, pair_damping(order, i) * w};
        multiply(&response, one, is_single(order, i) ? single : pair);
    }
    return response;
}
