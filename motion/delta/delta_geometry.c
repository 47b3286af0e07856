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

#define ROW(name, unit, field, range, summary, must)                                               \
    {                                                                                              \
        name, unit, summary, offsetof(struct dpl_delta, field), range,                             \
            name " (" summary ") must be " must                                                    \
    }
#define POSITIVE(name, unit, field, summary)                                                       \
    ROW(name, unit, field, DPL_DELTA_POSITIVE, summary, "a finite number above 0")
#define NOT_NEGATIVE(name, unit, field, summary)                                                   \
    ROW(name, unit, field, DPL_DELTA_NOT_NEGATIVE, summary, "a finite number, 0 or above")
#define ANY(name, unit, field, summary)                                                            \
    ROW(name, unit, field, DPL_DELTA_ANY, summary, "a finite number")

const struct dpl_delta_parameter dpl_delta_parameters[DPL_DELTA_N_PARAMETERS] = {
    NOT_NEGATIVE("RB", "m", base_radius_m, "radius of the base"),
    NOT_NEGATIVE("RP", "m", platform_radius_m, "radius of the platform"),
    POSITIVE("L1", "m", arm_m, "length of an arm"),
    POSITIVE("L2", "m", rod_m, "length of a rod"),
    NOT_NEGATIVE("HALF", "m", half_pair_m, "half the distance of the rods of a pair"),
    NOT_NEGATIVE("MA", "kg", arm_kg, "mass of an arm"),
    NOT_NEGATIVE("MR", "kg", rod_kg, "mass of one rod"),
    NOT_NEGATIVE("MP", "kg", platform_kg, "mass of the platform"),
    ANY("LA", "m", arm_centre_m, "distance of the arm's centre of mass from its hinge"),
    NOT_NEGATIVE("IA", "kg m2", arm_inertia_kg_m2, "inertia of an arm about its centre of mass"),
    POSITIVE("RATIO", "", gear, "gear ratio"),
    NOT_NEGATIVE("ROTOR", "kg m2", rotor_inertia_kg_m2, "inertia of a rotor"),
    NOT_NEGATIVE("PAYLOAD", "kg", payload_kg, "mass of the payload"),
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
