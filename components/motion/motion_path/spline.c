/* SPDX-License-Identifier: Apache-2.0 */
/* The uniform cubic B-spline, computed as the second knot plus steps from it, so that equal knots
 * give exactly the same position. */
#include "spline.h"

#include <string.h>

void dpl_spline_reset(struct dpl_spline *spline, const double knot[DPL_AXES_N])
{
    for (int i = 0; i < 4; i++) {
        memcpy(spline->knot[i], knot, sizeof spline->knot[i]);
    }
}

void dpl_spline_push(struct dpl_spline *spline, const double knot[DPL_AXES_N])
{
    memmove(spline->knot[0], spline->knot[1], 3 * sizeof spline->knot[0]);
    memcpy(spline->knot[3], knot, sizeof spline->knot[3]);
}

void dpl_spline_at(const struct dpl_spline *spline, double part, struct dpl_spline_point *ret_point)
{
    double u = part, r = 1.0 - part;
    double w0 = r * r * r / 6.0, w2 = (1.0 + 3.0 * u * (1.0 + u * r)) / 6.0, w3 = u * u * u / 6.0;
    double s0 = -0.5 * r * r, s2 = 0.5 * (1.0 + u * (2.0 - 3.0 * u)), s3 = 0.5 * u * u;
    for (int i = 0; i < DPL_AXES_N; i++) {
        double base = spline->knot[1][i], a = spline->knot[0][i] - base;
        double b = spline->knot[2][i] - base, c = spline->knot[3][i] - base;
        ret_point->position[i] = base + w0 * a + w2 * b + w3 * c;
        ret_point->rate[i] = s0 * a + s2 * b + s3 * c;
        ret_point->curvature[i] = r * (a + b) + u * (c - 2.0 * b);
    }
}
