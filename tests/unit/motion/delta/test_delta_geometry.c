/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of a delta: names, and reasons of the check. */
#include "delta_geometry.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

/* A change of the reference, and a part of the reason; NULL: it is accepted. */
struct change {
    const char *name;
    double value;
    const char *reason;
};

static const struct change changes[] = {
    {"RB", -0.1, "RB"},
    {"RB", 0.05, NULL},
    {"RB", 0.9, "L2 is too short"},
    {"RP", 0.0, NULL},
    {"RP", (double)NAN, "RP"},
    {"L1", 0.0, "L1"},
    {"L1", -0.24, "L1"},
    {"L2", 0.0, "L2"},
    {"L2", 0.1, "L2 is too short"},
    {"L2", (double)INFINITY, "L2"},
    {"HALF", -0.01, "HALF"},
    {"HALF", 0.0, NULL},
    {"MA", -1.0, "MA"},
    {"MR", -1.0, "MR"},
    {"MR", 0.0, NULL},
    {"MP", -1.0, "MP"},
    {"LA", -0.05, NULL},
    {"LA", (double)NAN, "LA"},
    {"IA", -1e-3, "IA"},
    {"RATIO", 0.0, "RATIO"},
    {"RATIO", -16.0, "RATIO"},
    {"ROTOR", -1e-5, "ROTOR"},
    {"PAYLOAD", -0.1, "PAYLOAD"},
    {"PAYLOAD", 0.25, NULL},
};

Test(delta_geometry, the_reference_is_good_and_each_bad_parameter_is_named)
{
    cr_assert_eq(dpl_delta_check(&dpl_delta_reference, NULL), 0);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct dpl_delta delta = dpl_delta_reference;
        const char *what = "";
        cr_assert_eq(dpl_delta_set(&delta, changes[i].name, changes[i].value), 0);
        int error = dpl_delta_check(&delta, &what);
        cr_assert_eq(error, changes[i].reason ? -EINVAL : 0, "%s %g", changes[i].name,
                     changes[i].value);
        if (changes[i].reason) {
            cr_assert(strncmp(what, changes[i].reason, strlen(changes[i].reason)) == 0, "%s: %s",
                      changes[i].name, what);
        }
    }
}

Test(delta_geometry, every_parameter_sets_a_number_of_its_own)
{
    struct dpl_delta delta;
    memset(&delta, 0, sizeof delta);
    for (size_t i = 0; i < DPL_DELTA_N_PARAMETERS; i++) {
        cr_assert_eq(dpl_delta_set(&delta, dpl_delta_parameters[i].name, 1.0 + (double)i), 0);
    }
    const double expected[] = {delta.base_radius_m, delta.platform_radius_m,
                               delta.arm_m,         delta.rod_m,
                               delta.half_pair_m,   delta.arm_kg,
                               delta.rod_kg,        delta.platform_kg,
                               delta.arm_centre_m,  delta.arm_inertia_kg_m2,
                               delta.gear,          delta.rotor_inertia_kg_m2,
                               delta.payload_kg};
    cr_assert_eq(sizeof expected / sizeof expected[0], DPL_DELTA_N_PARAMETERS);
    for (size_t i = 0; i < DPL_DELTA_N_PARAMETERS; i++) {
        cr_assert_eq(expected[i], 1.0 + (double)i, "%s", dpl_delta_parameters[i].name);
    }
    cr_assert_eq(dpl_delta_set(&delta, "L3", 1.0), -ENOENT);
    cr_assert_eq(dpl_delta_set(&delta, "l1", 1.0), -ENOENT);
    cr_assert_eq(dpl_delta_set(&delta, "", 1.0), -ENOENT);
}

Test(delta_geometry, the_joint_range_must_be_in_order_and_let_the_rods_meet)
{
    struct dpl_delta delta = dpl_delta_reference;
    const char *what = "";
    delta.low_rad = delta.high_rad;
    cr_assert_eq(dpl_delta_check(&delta, &what), -EINVAL);
    cr_assert(strstr(what, "joint range"));
    delta = dpl_delta_reference;
    delta.high_rad = 4.0;
    cr_assert_eq(dpl_delta_check(&delta, NULL), -EINVAL);
    delta = dpl_delta_reference;
    delta.low_rad = (double)NAN;
    cr_assert_eq(dpl_delta_check(&delta, NULL), -EINVAL);
    /* Elbows at R + L1 cos q = 0.30 to 0.37 m from the axis: rods of 0.29 m do not meet. */
    delta = dpl_delta_reference;
    delta.rod_m = 0.29;
    delta.low_rad = -0.7;
    delta.high_rad = 0.7;
    cr_assert_eq(dpl_delta_check(&delta, &what), -EINVAL);
    cr_assert(strstr(what, "L2"));
    delta.high_rad = 0.9; /* 0.279 m */
    cr_assert_eq(dpl_delta_check(&delta, NULL), 0);
    /* Elbows that pass the axis: from 1.13 m to 0.86 m behind it. */
    delta = dpl_delta_reference;
    delta.arm_m = 1.0;
    delta.high_rad = 3.0;
    cr_assert_eq(dpl_delta_check(&delta, NULL), 0);
    /* A platform wider than the base: 0.56 m behind the axis at the ends, 0.36 m when level. */
    delta = dpl_delta_reference;
    delta.platform_radius_m = 0.78;
    delta.low_rad = -1.4;
    delta.high_rad = 1.4;
    delta.rod_m = 0.37;
    cr_assert_eq(dpl_delta_check(&delta, NULL), 0);
    delta.rod_m = 0.35;
    cr_assert_eq(dpl_delta_check(&delta, NULL), -EINVAL);
}
