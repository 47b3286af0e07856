/* SPDX-License-Identifier: Apache-2.0 */
/* The reference machine HX-A, and the check of a geometry. */
#include "hexa_geometry.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>

#define AXIS_TOLERANCE 1e-9

#define DEGREE 0.017453292519943295

/* 0.255 m times cosine and sine of 7.5, 81 and 135 degrees: cos and sin are not constant
 * expressions in C. */
#define JOINT_X1 0.25281843965032164
#define JOINT_X2 0.039890788585258886
#define JOINT_X3 -0.18031222920256962
#define JOINT_Y1 0.03328417901611315
#define JOINT_Y2 0.25186052685176014
#define JOINT_Y3 0.18031222920256965

/* Legs 4-6 mirror legs 1-3 at the plane y = 0. The travel is the one that the workspace ellipsoid
 * needs, plus a centimetre. */
const struct dpl_hexa_geometry dpl_hexa_reference = {
    .joint_m = {{JOINT_X1, JOINT_X2, JOINT_X3, JOINT_X1, JOINT_X2, JOINT_X3},
                {JOINT_Y1, JOINT_Y2, JOINT_Y3, -JOINT_Y1, -JOINT_Y2, -JOINT_Y3},
                {-0.063, -0.063, -0.063, -0.063, -0.063, -0.063}},
    .rail_m = {{0.0}, {0.460, 0.233, 0.295, -0.460, -0.233, -0.295}, {0.0}},
    .axis = {{1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, {0.0}, {0.0}},
    .branch = {1.0, -1.0, 1.0, 1.0, -1.0, 1.0},
    .link_m = {0.880, 0.880, 0.880, 0.880, 0.880, 0.880},
    .low_m = {0.535, -0.967, 0.268, 0.535, -0.967, 0.268},
    .high_m = {1.151, -0.418, 0.821, 1.151, -0.418, 0.821},
    .reserve = 0.05,
    .home = {0.0, 0.0, 0.540, 0.0, 0.0, 0.0},
    .half_range = {0.25, 0.15, 0.15, 5.0 * DEGREE, 8.0 * DEGREE, 3.0 * DEGREE},
};

static bool all_finite(const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

static const char *leg_breach(const struct dpl_hexa_geometry *g, size_t leg)
{
    double norm = hypot(hypot(g->axis[0][leg], g->axis[1][leg]), g->axis[2][leg]);
    if (!(fabs(norm - 1.0) <= AXIS_TOLERANCE)) {
        return "the axis of a rail is no unit vector";
    }
    if (fabs(g->branch[leg]) != 1.0) {
        return "a branch is neither +1 nor -1";
    }
    if (!(g->link_m[leg] > 0.0) || !isfinite(g->link_m[leg])) {
        return "the length of a link is not positive";
    }
    if (!(g->low_m[leg] < g->high_m[leg]) || !isfinite(g->low_m[leg]) ||
        !isfinite(g->high_m[leg])) {
        return "the ends of a rail are not in order";
    }
    for (size_t c = 0; c < 3; c++) {
        if (!isfinite(g->joint_m[c][leg]) || !isfinite(g->rail_m[c][leg])) {
            return "a joint or a rail is not at a finite place";
        }
    }
    return NULL;
}

static const char *breach_of(const struct dpl_hexa_geometry *g)
{
    const char *breach = NULL;
    for (size_t leg = 0; leg < DPL_AXES_N && !breach; leg++) {
        breach = leg_breach(g, leg);
    }
    if (breach) {
        return breach;
    }
    if (!(g->reserve >= 0.0 && g->reserve < 1.0)) {
        return "the reserve of reach is not in [0, 1)";
    }
    if (!all_finite(g->home, DPL_SIX)) {
        return "home is not finite";
    }
    for (size_t i = 0; i < DPL_SIX; i++) {
        if (!(g->half_range[i] > 0.0) || !isfinite(g->half_range[i])) {
            return "a half-range is not positive";
        }
    }
    return NULL;
}

int dpl_hexa_geometry_check(const struct dpl_hexa_geometry *geometry, const char **reterr_what)
{
    const char *breach = breach_of(geometry);
    if (breach && reterr_what) {
        *reterr_what = breach;
    }
    return breach ? -EINVAL : 0;
}

bool dpl_hexa_travel_ok(const struct dpl_hexa_geometry *geometry, const double *q_m)
{
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        if (!(q_m[i] >= geometry->low_m[i] && q_m[i] <= geometry->high_m[i])) {
            return false;
        }
    }
    return true;
}
