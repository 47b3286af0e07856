/* SPDX-License-Identifier: Apache-2.0 */
/* Computes a sensor's reading from the force: first the added errors, then the converter. */
#include "imperfections.h"

#include <math.h>

#define PI 3.14159265358979323846

static double added(const struct force_imperfections *p, struct dpl_random *rng, double t_s, int i)
{
    double sum = p->offset[i] + p->drift_s[i] * t_s;
    if (p->hum[i] > 0.0) {
        sum += p->hum[i] * sin(2.0 * PI * p->hum_hz * t_s);
    }
    if (p->noise[i] > 0.0) {
        sum += p->noise[i] * dpl_random_normal(rng);
    }
    return sum;
}

bool force_imperfections_apply(const struct force_imperfections *imperfections,
                               struct dpl_random *rng, double t_s, const double applied[DPL_SIX],
                               double ret_reading[DPL_SIX])
{
    bool saturated = false;
    for (int i = 0; i < DPL_SIX; i++) {
        double more = added(imperfections, rng, t_s, i), value = applied[i];
        double range = imperfections->range[i], step = imperfections->resolution[i];
        value = more != 0.0 ? value + more : value;
        if (step > 0.0) {
            value = step * round(value / step);
        }
        if (range > 0.0 && fabs(value) >= range) {
            value = copysign(range, value);
            saturated = true;
        }
        ret_reading[i] = value;
    }
    return saturated;
}
