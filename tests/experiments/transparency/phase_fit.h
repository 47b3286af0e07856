/* SPDX-License-Identifier: Apache-2.0 */
/* Straight lines through phases over frequency: the corresponding delay, and the residuals. */
#ifndef TRANSPARENCY_PHASE_FIT_H
#define TRANSPARENCY_PHASE_FIT_H

#include <stdbool.h>
#include <stddef.h>

struct phase_fit {
    double delay_ms; /* of the slope */
    double offset_deg;
    double rmse_deg, mean_abs_deg, max_abs_deg; /* of the residuals */
};

/* Least squares over n >= 2 points (Hz, deg); without `intercept` the line goes through the origin.
 */
struct phase_fit phase_fit_line(const double *frequency_hz, const double *phase_deg, size_t n,
                                bool intercept);

#endif
