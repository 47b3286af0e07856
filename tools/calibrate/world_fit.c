/* SPDX-License-Identifier: Apache-2.0 */
/* Judges whether scans fitted the world: see world_fit.h. */
#include "world_fit.h"

#include <math.h>

struct world_fit world_fit_begin(double from_s, double to_s)
{
    return (struct world_fit){.half_s = 0.5 * (from_s + to_s), .unknown_s = (double)NAN};
}

void world_fit_add(struct world_fit *fit, double from_s, double to_s, double agreement)
{
    if (from_s >= fit->half_s) {
        fit->agreement += isfinite(agreement) ? agreement * (to_s - from_s) : 0.0;
        fit->duration_s += to_s - from_s;
    }
}

void world_fit_know(struct world_fit *fit, double from_s, bool is_known)
{
    if (is_known) {
        fit->unknown_s = (double)NAN;
    } else if (isnan(fit->unknown_s)) {
        fit->unknown_s = from_s;
    }
}

double world_fit_agreement(const struct world_fit *fit)
{
    return fit->duration_s > 0.0 ? fit->agreement / fit->duration_s : 0.0;
}

bool world_fit_holds(const struct world_fit *fit, bool is_known)
{
    return is_known && fit->agreement >= WORLD_FIT_AGREEMENT * fit->duration_s;
}
