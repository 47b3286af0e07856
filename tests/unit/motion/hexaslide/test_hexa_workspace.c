/* SPDX-License-Identifier: Apache-2.0 */
/* Workspace of the hexaslide: conditioning, surveys, extents, and the ellipsoid that fits. */
#include "hexa_workspace.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "hexa_ik.h"

#define N_BORDER 400

static const struct dpl_hexa_geometry *const g = &dpl_hexa_reference;

static struct dpl_hexa_survey survey_of(double scale, int n)
{
    struct dpl_random rng = dpl_random_seeded(5, 1);
    struct dpl_hexa_survey survey = dpl_hexa_survey_begin();
    for (int k = 0; k < n; k++) {
        double direction[DPL_SIX], pose[DPL_SIX];
        dpl_hexa_direction(&rng, direction);
        dpl_hexa_place(g, direction, scale, pose);
        dpl_hexa_survey_add(&survey, g, pose, 0.25);
    }
    return survey;
}

Test(hexa_workspace, home_is_conditioned_as_specified)
{
    double ratio;
    cr_assert_eq(dpl_hexa_conditioning(g, g->home, 0.25, &ratio), 0);
    cr_assert_float_eq(ratio, 0.370, 5e-4);
}

Test(hexa_workspace, conditioning_out_of_reach_is_refused)
{
    const double high[] = {0.0, 0.0, 1.2, 0.0, 0.0, 0.0};
    double ratio = 42.0;
    cr_assert_eq(dpl_hexa_conditioning(g, high, 0.25, &ratio), -EDOM);
    cr_assert_eq(ratio, 42.0);
}

Test(hexa_workspace, the_ellipsoid_of_the_half_ranges_is_within_reach_and_within_travel)
{
    struct dpl_hexa_survey survey = survey_of(1.0, 4000);
    cr_assert_eq(survey.n, 4000);
    cr_assert_eq(survey.n_unreachable, 0);
    cr_assert_float_eq(survey.least_conditioning, 0.252, 0.01);
    cr_assert_float_eq(survey.least_reach, 0.438, 0.01);
    for (int i = 0; i < DPL_AXES_N; i++) {
        cr_assert_gt(survey.low_m[i], g->low_m[i]);
        cr_assert_lt(survey.high_m[i], g->high_m[i]);
    }
}

Test(hexa_workspace, poses_out_of_reach_are_counted_and_leave_no_mark)
{
    struct dpl_hexa_survey survey = dpl_hexa_survey_begin();
    const double corner[] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    double pose[DPL_SIX];
    dpl_hexa_place(g, corner, 4.0, pose);
    dpl_hexa_survey_add(&survey, g, pose, 0.25);
    cr_assert_eq(survey.n, 1);
    cr_assert_eq(survey.n_unreachable, 1);
    cr_assert_gt(survey.least_conditioning, 1e299);
}

Test(hexa_workspace, directions_have_length_one_and_no_side)
{
    struct dpl_random rng = dpl_random_seeded(5, 2);
    double mean[DPL_SIX] = {0.0};
    for (int k = 0; k < 4000; k++) {
        double direction[DPL_SIX], square = 0.0;
        dpl_hexa_direction(&rng, direction);
        for (int j = 0; j < DPL_SIX; j++) {
            square += direction[j] * direction[j];
            mean[j] += direction[j] / 4000.0;
        }
        cr_assert_float_eq(square, 1.0, 1e-14);
    }
    for (int j = 0; j < DPL_SIX; j++) {
        cr_assert_float_eq(mean[j], 0.0, 0.03);
    }
}

Test(hexa_workspace, extent_ends_where_the_pose_is_no_longer_allowed)
{
    static const struct dpl_hexa_limits limits = {
        .arm_m = 0.25, .least_conditioning = 0.25, .within_travel = true};
    struct dpl_random rng = dpl_random_seeded(5, 3);
    for (int k = 0; k < 100; k++) {
        double direction[DPL_SIX], pose[DPL_SIX];
        dpl_hexa_direction(&rng, direction);
        double extent = dpl_hexa_extent(g, &limits, direction, 6.0);
        cr_assert_gt(extent, 0.9);
        dpl_hexa_place(g, direction, extent, pose);
        cr_assert(dpl_hexa_allowed(g, &limits, pose));
        dpl_hexa_place(g, direction, extent + 2e-4, pose);
        cr_assert(extent >= 6.0 || !dpl_hexa_allowed(g, &limits, pose));
    }
}

Test(hexa_workspace, extent_is_capped_and_is_zero_when_home_is_not_allowed)
{
    const double up[] = {0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    struct dpl_hexa_limits limits = {.arm_m = 0.25};
    cr_assert_eq(dpl_hexa_extent(g, &limits, up, 0.5), 0.5);
    limits.least_conditioning = 0.9;
    cr_assert_eq(dpl_hexa_extent(g, &limits, up, 0.5), 0.0);
}

/* Points on an ellipsoid with given semi-axes. */
static void draw_border(const double *semi_axes, double (*ret_border)[DPL_SIX])
{
    struct dpl_random rng = dpl_random_seeded(5, 4);
    for (int k = 0; k < N_BORDER; k++) {
        dpl_hexa_direction(&rng, ret_border[k]);
        for (int j = 0; j < DPL_SIX; j++) {
            ret_border[k][j] *= semi_axes[j];
        }
    }
}

Test(hexa_workspace, fit_finds_a_sphere_and_gives_its_radius)
{
    static const double semi_axes[] = {1.5, 1.5, 1.5, 1.5, 1.5, 1.5};
    double border[N_BORDER][DPL_SIX], found[DPL_SIX], volume = 1.0;
    draw_border(semi_axes, border);
    cr_assert_float_eq(dpl_hexa_fit(border[0], N_BORDER, found), 1.5, 1e-9);
    for (int j = 0; j < DPL_SIX; j++) {
        volume *= found[j] / 1.5;
    }
    cr_assert_geq(volume, 1.0 - 1e-9);
}

Test(hexa_workspace, fit_holds_no_point_and_is_no_smaller_than_where_it_began)
{
    static const double semi_axes[] = {2.0, 1.0, 0.8, 1.3, 1.0, 1.7};
    double border[N_BORDER][DPL_SIX], found[DPL_SIX], volume = 1.0;
    draw_border(semi_axes, border);
    double begun = dpl_hexa_fit(border[0], N_BORDER, found);
    cr_assert_geq(begun, 0.8);
    for (int k = 0; k < N_BORDER; k++) {
        double sum = 0.0;
        for (int j = 0; j < DPL_SIX; j++) {
            sum += border[k][j] * border[k][j] / (found[j] * found[j]);
        }
        cr_assert_geq(sum, 1.0 - 1e-12);
    }
    for (int j = 0; j < DPL_SIX; j++) {
        volume *= found[j] / begun;
    }
    cr_assert_gt(volume, 2.0);
    cr_assert_gt(found[0], found[2], "the long axis is longer than the short one");
}
