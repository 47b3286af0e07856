/* SPDX-License-Identifier: Apache-2.0 */
/* The quadratic B-spline of poses, one move at a time. */
#include "blend.h"

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

/* Computed as the middle pose plus steps from it, so that equal poses give exactly the same
 * pose. */
void dpl_blend_at(const struct dpl_blend *blend, double part, double ret_pose[DPL_SIX])
{
    const double(*p)[DPL_SIX] = blend->pose;
    double rest = 1.0 - part, from = 0.5 * rest * rest, to = 0.5 * part * part;
    for (int i = 0; i < DPL_SIX; i++) {
        ret_pose[i] = p[1][i] + from * (p[0][i] - p[1][i]) + to * (p[2][i] - p[1][i]);
    }
}
