/* SPDX-License-Identifier: Apache-2.0 */
/* The pick-and-place path and its quintic. */
#include "pick_place.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "quintic.h"

Test(quintic, goes_from_rest_to_rest_with_the_peak_of_theory)
{
    struct dpl_quintic begin = dpl_quintic_at(0.0), end = dpl_quintic_at(1.0);
    double peak = 0.0;
    cr_assert(begin.s == 0.0 && begin.ds == 0.0 && begin.dds == 0.0);
    cr_assert(end.s == 1.0 && end.ds == 0.0 && end.dds == 0.0);
    for (int i = 1; i < 10000; i++) {
        double u = 1e-4 * i, h = 1e-5;
        struct dpl_quintic at = dpl_quintic_at(u);
        cr_assert_float_eq(at.ds, (dpl_quintic_s(u + h) - dpl_quintic_s(u - h)) / (2.0 * h), 1e-8);
        cr_assert_float_eq(at.dds, (dpl_quintic_at(u + h).ds - dpl_quintic_at(u - h).ds) / (2 * h),
                           1e-7);
        peak = fmax(peak, at.dds);
    }
    cr_assert_float_eq(peak, DPL_QUINTIC_PEAK_ACCELERATION, 1e-5);
    cr_assert_eq(dpl_quintic_at(-1.0).s, 0.0);
    cr_assert_eq(dpl_quintic_at(7.0).s, 1.0);
    cr_assert_eq(dpl_quintic_at(7.0).dds, 0.0);
}

static const struct dpl_pick_place slanted = {
    .pick_m = {-0.1, 0.05, -0.52},
    .place_m = {0.12, -0.2, -0.47},
    .lift_m = 0.03,
    .way_s = 0.4,
    .lift_s = 0.15,
    .across_after_s = 0.1,
};

Test(pick_place, touches_both_places_at_rest_and_passes_above_them)
{
    double p[3], v[3], a[3], top = -1.0;
    for (int cycle = -2; cycle < 3; cycle++) {
        dpl_pick_place_at(&slanted, 0.8 * cycle, p, v, a);
        for (int k = 0; k < 3; k++) {
            cr_assert_float_eq(p[k], slanted.pick_m[k], 1e-12);
            cr_assert_float_eq(v[k], 0.0, 1e-9);
        }
        dpl_pick_place_at(&slanted, 0.8 * cycle + 0.4, p, v, a);
        for (int k = 0; k < 3; k++) {
            cr_assert_float_eq(p[k], slanted.place_m[k], 1e-12);
            cr_assert_float_eq(v[k], 0.0, 1e-9);
        }
    }
    for (int i = 0; i < 800; i++) {
        dpl_pick_place_at(&slanted, 1e-3 * i, p, v, a);
        top = fmax(top, p[2]);
    }
    cr_assert_float_eq(top, -0.44, 1e-12);
}

Test(pick_place, comes_back_the_same_way)
{
    for (int i = 0; i <= 400; i++) {
        double p[3], v[3], a[3], back[3], w[3], b[3];
        dpl_pick_place_at(&slanted, 1e-3 * i, p, v, a);
        dpl_pick_place_at(&slanted, 0.8 - 1e-3 * i, back, w, b);
        for (int k = 0; k < 3; k++) {
            cr_assert_float_eq(p[k], back[k], 1e-12);
            cr_assert_float_eq(v[k], -w[k], 1e-9);
            cr_assert_float_eq(a[k], b[k], 1e-7);
        }
    }
}

Test(pick_place, velocity_and_acceleration_are_derivatives_and_continuous)
{
    const double h = 1e-5;
    double last[3] = {0};
    for (int i = -8000; i < 8000; i++) {
        double t = 1e-4 * i, p[3], v[3], a[3], low[3], high[3], w[3], b[3], wl[3];
        dpl_pick_place_at(&slanted, t, p, v, a);
        dpl_pick_place_at(&slanted, t - h, low, wl, b);
        dpl_pick_place_at(&slanted, t + h, high, w, b);
        for (int k = 0; k < 3; k++) {
            cr_assert_float_eq(v[k], (high[k] - low[k]) / (2.0 * h), 1e-6, "%g s", t);
            cr_assert_float_eq(a[k], (w[k] - wl[k]) / (2.0 * h), 2e-2, "%g s", t);
            if (i > -8000) {
                cr_assert_float_eq(a[k], last[k], 0.2, "%g s", t);
            }
            last[k] = a[k];
        }
    }
}

Test(pick_place, what_is_no_path_is_refused)
{
    static const struct {
        double lift_m, way_s, lift_s, across_after_s;
    } bad[] = {
        {-0.01, 0.3, 0.1, 0.05}, {(double)NAN, 0.3, 0.1, 0.05},
        {0.02, 0.0, 0.0, 0.0},   {0.02, (double)INFINITY, 0.1, 0.05},
        {0.02, 0.3, 0.16, 0.05}, {0.02, 0.3, 0.0, 0.05},
        {0.02, 0.3, 0.1, -0.01}, {0.02, 0.3, 0.1, 0.15},
    };
    cr_assert_eq(dpl_pick_place_check(&dpl_pick_place_reference, NULL), 0);
    cr_assert_eq(dpl_pick_place_check(&slanted, NULL), 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct dpl_pick_place path = slanted;
        const char *what = NULL;
        path.lift_m = bad[i].lift_m;
        path.way_s = bad[i].way_s;
        path.lift_s = bad[i].lift_s;
        path.across_after_s = bad[i].across_after_s;
        cr_assert_eq(dpl_pick_place_check(&path, &what), -EINVAL, "row %zu", i);
        cr_assert(what && strlen(what) > 0);
    }
    struct dpl_pick_place path = slanted;
    path.place_m[2] = (double)NAN;
    cr_assert_eq(dpl_pick_place_check(&path, NULL), -EINVAL);
}
