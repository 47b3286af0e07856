/* SPDX-License-Identifier: Apache-2.0 */
/* Judges whether scans fitted the world: see world_fit.h. */
#include "world_fit.h"

#include <math.h>

#define LEAST_AGREEMENT 0.55

struct world_fit world_fit_begin(double from_s, double to_s)
{
    return (struct world_fit){.half_s = 0.5 * (from_s + to_s)};
}

void world_fit_add(struct world_fit *fit, double from_s, double to_s, double agreement)
{
    if (from_s >= fit->half_s) {
        fit->agreement += isfinite(agreement) ? agreement * (to_s - from_s) : 0.0;
        fit->duration_s += to_s - from_s;
    }
}

bool world_fit_holds(const struct world_fit *fit, bool is_known)
{
    return is_known && fit->agreement >= LEAST_AGREEMENT * fit->duration_s;
}
