/* SPDX-License-Identifier: Apache-2.0 */
/* The reference delta, the names of the parameters, and the check. */
#include "delta_geometry.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <doppel/math/geometry.h>

#define DEGREE     (DPL_PI / 180.0)
#define SIN_60_DEG 0.86602540378443864676

const double dpl_delta_azimuth[DPL_DELTA_ARMS][3] = {
    {1.0, 0.0, 0.0},
    {-0.5, SIN_60_DEG, 0.0},
    {-0.5, -SIN_60_DEG, 0.0},
};

const struct dpl_delta dpl_delta_reference = {
    .base_radius_m = 0.180,
    .platform_radius_m = 0.050,
    .arm_m = 0.240,
    .rod_m = 0.520,
    .half_pair_m = 0.040,
    .arm_kg = 0.400,
    .rod_kg = 0.060,
    .platform_kg = 0.200,
    .arm_centre_m = 0.080,
    .arm_inertia_kg_m2 = 0.0030,
    .gear = 16.0,
    .rotor_inertia_kg_m2 = 2.0e-5,
    .payload_kg = 0.0,
    .low_rad = -50.0 * DEGREE,
    .high_rad = 95.0 * DEGREE,
};

/* What a value of each range must be. */
#define MUST_POSITIVE     "a finite number above 0"
#define MUST_NOT_NEGATIVE "a finite number, 0 or above"
#define MUST_ANY          "a finite number"
#define ROW(name, unit, field, range, summary)                                                     \
    {                                                                                              \
        name, unit, summary, offsetof(struct dpl_delta, field), DPL_DELTA_##range,                 \
            name " (" summary ") must be " MUST_##range                                            \
    }

const struct dpl_delta_parameter dpl_delta_parameters[DPL_DELTA_N_PARAMETERS] = {
    ROW("RB", "m", base_radius_m, NOT_NEGATIVE, "radius of the base"),
    ROW("RP", "m", platform_radius_m, NOT_NEGATIVE, "radius of the platform"),
    ROW("L1", "m", arm_m, POSITIVE, "length of an arm"),
    ROW("L2", "m", rod_m, POSITIVE, "length of a rod"),
    ROW("HALF", "m", half_pair_m, NOT_NEGATIVE, "half the distance of the rods of a pair"),
    ROW("MA", "kg", arm_kg, NOT_NEGATIVE, "mass of an arm"),
    ROW("MR", "kg", rod_kg, NOT_NEGATIVE, "mass of one rod"),
    ROW("MP", "kg", platform_kg, NOT_NEGATIVE, "mass of the platform"),
    ROW("LA", "m", arm_centre_m, ANY, "distance of the arm's centre of mass from its hinge"),
    ROW("IA", "kg m2", arm_inertia_kg_m2, NOT_NEGATIVE,
        "inertia of an arm about its centre of mass"),
    ROW("RATIO", "", gear, POSITIVE, "gear ratio"),
    ROW("ROTOR", "kg m2", rotor_inertia_kg_m2, NOT_NEGATIVE, "inertia of a rotor"),
    ROW("PAYLOAD", "kg", payload_kg, NOT_NEGATIVE, "mass of the payload"),
};

int dpl_delta_set(struct dpl_delta *delta, const char *name, double value)
{
    for (size_t i = 0; i < DPL_DELTA_N_PARAMETERS; i++) {
        if (strcmp(dpl_delta_parameters[i].name, name) == 0) {
            memcpy((char *)delta + dpl_delta_parameters[i].offset, &value, sizeof value);
            return 0;
        }
    }
    return -ENOENT;
}

static bool in_range(const struct dpl_delta_parameter *parameter, double value)
{
    switch (parameter->range) {
    case DPL_DELTA_POSITIVE: return isfinite(value) && value > 0.0;
    case DPL_DELTA_NOT_NEGATIVE: return isfinite(value) && value >= 0.0;
    case DPL_DELTA_ANY: break;
    }
    return isfinite(value);
}

/* The elbow nearest to the z axis of the platform, within the joint range. */
static double least_lean(const struct dpl_delta *d)
{
    double offset = d->base_radius_m - d->platform_radius_m;
    double most =
        d->low_rad <= 0.0 && d->high_rad >= 0.0 ? 1.0 : fmax(cos(d->low_rad), cos(d->high_rad));
    double a = offset + d->arm_m * fmin(cos(d->low_rad), cos(d->high_rad));
    double b = offset + d->arm_m * most;
    return (a < 0.0) != (b < 0.0) ? 0.0 : fmin(fabs(a), fabs(b));
}

static const char *breach_of(const struct dpl_delta *delta)
{
    for (size_t i = 0; i < DPL_DELTA_N_PARAMETERS; i++) {
        double value;
        memcpy(&value, (const char *)delta + dpl_delta_parameters[i].offset, sizeof value);
        if (!in_range(&dpl_delta_parameters[i], value)) {
            return dpl_delta_parameters[i].breach;
        }
    }
    if (!(delta->low_rad < delta->high_rad && delta->low_rad > -DPL_PI &&
          delta->high_rad < DPL_PI)) {
        return "the ends of the joint range are not in order within half a turn of level";
    }
    if (!(least_lean(delta) < delta->rod_m)) {
        return "L2 is too short: the rods never meet below the middle of the base";
    }
    return NULL;
}

int dpl_delta_check(const struct dpl_delta *delta, const char **reterr_what)
{
    const char *breach = breach_of(delta);
    if (breach && reterr_what) {
        *reterr_what = breach;
    }
    return breach ? -EINVAL : 0;
}
