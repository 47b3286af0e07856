/* SPDX-License-Identifier: Apache-2.0 */
/* Geometry of the hexaslide: what can be computed with and what cannot. */
#include "hexa_geometry.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

/* The reference with one number changed. */
static int check_with(size_t offset, double value, const char **reterr_what)
{
    struct dpl_hexa_geometry geometry = dpl_hexa_reference;
    memcpy((char *)&geometry + offset, &value, sizeof value);
    return dpl_hexa_geometry_check(&geometry, reterr_what);
}

#define CHECK_WITH(field, value) check_with(offsetof(struct dpl_hexa_geometry, field), value, &what)

Test(hexa_geometry, reference_is_usable_and_mirrors_its_halves)
{
    const struct dpl_hexa_geometry *g = &dpl_hexa_reference;
    cr_assert_eq(dpl_hexa_geometry_check(g, NULL), 0);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(g->joint_m[0][i], g->joint_m[0][i + 3]);
        cr_assert_eq(g->joint_m[1][i], -g->joint_m[1][i + 3]);
        cr_assert_eq(g->rail_m[1][i], -g->rail_m[1][i + 3]);
        cr_assert_eq(g->branch[i], g->branch[i + 3]);
        cr_assert_float_eq(hypot(g->joint_m[0][i], g->joint_m[1][i]), 0.255, 1e-15);
    }
}

Test(hexa_geometry, each_breach_is_refused_and_named)
{
    const char *what = NULL;
    cr_assert_eq(CHECK_WITH(axis[0][2], 0.9), -EINVAL);
    cr_assert(strstr(what, "axis") != NULL, "%s", what);
    cr_assert_eq(CHECK_WITH(branch[1], 0.0), -EINVAL);
    cr_assert(strstr(what, "branch") != NULL, "%s", what);
    cr_assert_eq(CHECK_WITH(link_m[5], -0.88), -EINVAL);
    cr_assert(strstr(what, "link") != NULL, "%s", what);
    cr_assert_eq(CHECK_WITH(low_m[0], 2.0), -EINVAL);
    cr_assert(strstr(what, "ends") != NULL, "%s", what);
    cr_assert_eq(CHECK_WITH(reserve, 1.0), -EINVAL);
    cr_assert(strstr(what, "reserve") != NULL, "%s", what);
    cr_assert_eq(CHECK_WITH(half_range[4], 0.0), -EINVAL);
    cr_assert(strstr(what, "half-range") != NULL, "%s", what);
    cr_assert_eq(CHECK_WITH(home[3], (double)INFINITY), -EINVAL);
    cr_assert(strstr(what, "home") != NULL, "%s", what);
}

Test(hexa_geometry, not_a_number_is_refused_in_any_field)
{
    const char *what = NULL;
    for (size_t at = 0; at < sizeof(struct dpl_hexa_geometry); at += sizeof(double)) {
        cr_assert_eq(check_with(at, (double)NAN, &what), -EINVAL, "number %zu",
                     at / sizeof(double));
    }
}

Test(hexa_geometry, travel_is_kept_between_the_ends_and_not_beyond)
{
    double q_m[DPL_AXES_N];
    memcpy(q_m, dpl_hexa_reference.low_m, sizeof q_m);
    cr_assert(dpl_hexa_travel_ok(&dpl_hexa_reference, q_m));
    q_m[4] = dpl_hexa_reference.high_m[4] + 1e-9;
    cr_assert_not(dpl_hexa_travel_ok(&dpl_hexa_reference, q_m));
    q_m[4] = (double)NAN;
    cr_assert_not(dpl_hexa_travel_ok(&dpl_hexa_reference, q_m));
}
