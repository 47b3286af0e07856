/* SPDX-License-Identifier: Apache-2.0 */
/* Each is computed as a middle point plus steps from it, so that equal points give exactly the same
 * point. */
#include "splines.h"

#include <string.h>

void dpl_blend_reset(struct dpl_blend *blend, const double pose[DPL_SIX])
{
    for (int i = 0; i < 3; i++) {
        memcpy(blend->pose[i], pose, sizeof blend->pose[i]);
    }
}

void dpl_blend_push(struct dpl_blend *blend, const double pose[DPL_SIX])
{
    memmove(blend->pose[0], blend->pose[1], 2 * sizeof blend->pose[0]);
    memcpy(blend->pose[2], pose, sizeof blend->pose[2]);
}

void dpl_blend_at(const struct dpl_blend *blend, double part, double ret_pose[DPL_SIX])
{
    const double(*p)[DPL_SIX] = blend->pose;
    double rest = 1.0 - part, from = 0.5 * rest * rest, to = 0.5 * part * part;
    for (int i = 0; i < DPL_SIX; i++) {
        ret_pose[i] = p[1][i] + from * (p[0][i] - p[1][i]) + to * (p[2][i] - p[1][i]);
    }
}

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
