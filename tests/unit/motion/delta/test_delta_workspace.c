/* SPDX-License-Identifier: Apache-2.0 */
/* Workspace of a delta: golden radii, and the reasons. */
#include "delta_workspace.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/geometry.h>

static const struct dpl_delta *const d = &dpl_delta_reference;

static bool ring_allowed(double radius, double z)
{
    for (int azimuth = 0; azimuth < 360; azimuth++) {
        double phi = dpl_deg_to_rad(azimuth);
        const double p[3] = {radius * cos(phi), radius * sin(phi), z};
        if (dpl_delta_place(d, p, 8.0) != DPL_DELTA_ALLOWED) {
            return false;
        }
    }
    return true;
}

Test(delta_workspace, agrees_with_the_golden_radii)
{
    static const double golden[][2] = {{-0.36, 0.396}, {-0.40, 0.384}, {-0.45, 0.366},
                                       {-0.50, 0.340}, {-0.55, 0.306}, {-0.60, 0.264},
                                       {-0.65, 0.208}, {-0.70, 0.130}};
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        double radius = 0.0;
        while (ring_allowed(radius + 0.001, golden[i][0])) {
            radius += 0.001;
        }
        cr_assert_float_eq(radius, golden[i][1], 0.0021, "z %g: %g", golden[i][0], radius);
    }
}

Test(delta_workspace, says_why_a_position_is_not_allowed)
{
    const double good[3] = {0.0, 0.0, -0.5}, far[3] = {0.0, 0.0, -0.9};
    const double low[3] = {0.1, 0.0, -0.72}, high[3] = {0.0, 0.0, 0.3};
    const double folded[3] = {0.0, 0.0, -0.249}, nan[3] = {(double)NAN, 0.0, -0.5};
    cr_assert_eq(dpl_delta_place(d, good, 8.0), DPL_DELTA_ALLOWED);
    cr_assert_eq(dpl_delta_place(d, good, 1.5), DPL_DELTA_ILL_CONDITIONED);
    cr_assert_eq(dpl_delta_place(d, far, 8.0), DPL_DELTA_OUT_OF_REACH);
    cr_assert_eq(dpl_delta_place(d, nan, 8.0), DPL_DELTA_OUT_OF_REACH);
    cr_assert_eq(dpl_delta_place(d, folded, 8.0), DPL_DELTA_BEYOND_RANGE);
    cr_assert_eq(dpl_delta_place(d, high, 8.0), DPL_DELTA_OTHER_ASSEMBLY);
    cr_assert_eq(dpl_delta_place(d, low, 8.0), DPL_DELTA_ALLOWED);
    cr_assert_eq(dpl_delta_place(d, low, 5.0), DPL_DELTA_ILL_CONDITIONED);
    cr_assert_str_eq(dpl_delta_place_name(DPL_DELTA_OUT_OF_REACH), "out of reach");
}
