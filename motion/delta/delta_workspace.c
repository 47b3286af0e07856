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
    double elbow[DPL_DELTA_ARMS][3], b[3], c[3], n[3], rod[3];
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        dpl__delta_elbow(delta, i, q[i], elbow[i]);
    }
    for (int k = 0; k < 3; k++) {
        b[k] = elbow[1][k] - elbow[0][k];
        c[k] = elbow[2][k] - elbow[0][k];
        rod[k] = p[k] - elbow[0][k];
    }
    dpl__delta_cross(b, c, n);
    return dpl__delta_dot(rod, n) * n[2] < 0.0;
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
