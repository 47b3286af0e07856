/* SPDX-License-Identifier: Apache-2.0 */
/* Least squares of a line. */
#include "phase_fit.h"

#include <math.h>

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
