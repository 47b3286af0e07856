/* SPDX-License-Identifier: Apache-2.0 */
/* The test of a position. */
#include "delta_workspace.h"

#include <stdbool.h>

#include "delta_chain.h"
#include "delta_kinematics.h"
#include "delta_vector.h"

static bool within_range(const struct dpl_delta *delta, const double *q)
{
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        if (!(q[i] >= delta->low_rad && q[i] <= delta->high_rad)) {
            return false;
        }
    }
    return true;
}

/* Whether the platform is on the side of the elbows' plane that forward kinematics selects. */
static bool below_elbows(const struct dpl_delta *delta, const double *p, const double *q)
{
    struct dpl__delta_triangle elbows;
    double rod[3];
    dpl__delta_triangle_set(delta, q, &elbows);
    for (int k = 0; k < 3; k++) {
        rod[k] = p[k] - elbows.first[k];
    }
    return dpl__delta_dot(rod, elbows.n) * elbows.n[2] < 0.0;
}

enum dpl_delta_place dpl_delta_place(const struct dpl_delta *delta, const double *p,
                                     double most_condition)
{
    double q[DPL_DELTA_ARMS], condition;
    if (dpl_delta_ik(delta, p, q) != 0) {
        return DPL_DELTA_OUT_OF_REACH;
    }
    if (!within_range(delta, q)) {
        return DPL_DELTA_BEYOND_RANGE;
    }
    if (!below_elbows(delta, p, q)) {
        return DPL_DELTA_OTHER_ASSEMBLY;
    }
    int error = dpl_delta_condition(delta, p, q, &condition);
    return !error && condition <= most_condition ? DPL_DELTA_ALLOWED : DPL_DELTA_ILL_CONDITIONED;
}

const char *dpl_delta_place_name(enum dpl_delta_place place)
{
    switch (place) {
    case DPL_DELTA_ALLOWED: return "allowed";
    case DPL_DELTA_OUT_OF_REACH: return "out of reach";
    case DPL_DELTA_BEYOND_RANGE: return "outside of the joint range";
    case DPL_DELTA_OTHER_ASSEMBLY: return "above the elbows";
    case DPL_DELTA_ILL_CONDITIONED: break;
    }
    return "too near to a singular pose";
}
