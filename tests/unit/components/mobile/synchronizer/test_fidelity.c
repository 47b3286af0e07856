/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the fidelity and its parts. Ticks of 100 ms. */
#include "fidelity.h"

#include <criterion/criterion.h>

static struct dpl_sync_fidelity fidelity;
static struct dpl_sync_fidelity_input input;
static struct dpl_sync_localization localization;

static void start(void)
{
    struct dpl_sync_fidelity_config config = {0.05, DPL_PI / 180.0};
    dpl_sync_fidelity_init(&fidelity, &config);
    localization = (struct dpl_sync_localization){
        .expected = true,
        .valid = true,
        .state = DPL_SYNC_LOCALIZER_TRACKING,
        .agreement = 0.8,
        .avatar_agreement = 0.8,
    };
    input = (struct dpl_sync_fidelity_input){.elapsed_s = 0.1, .localization = &localization};
}

TestSuite(fidelity, .init = start);
TestSuite(localization, .init = start);

static void run(double duration_s)
{
    for (int i = 0; i < (int)lround(duration_s / 0.1); i++) {
        dpl_sync_fidelity_step(&fidelity, &input);
    }
}

static void run_without_scan(double duration_s)
{
    for (int i = 0; i < (int)lround(duration_s / 0.1); i++) {
        localization.scan_age_s += 0.1;
        dpl_sync_fidelity_step(&fidelity, &input);
    }
}

Test(fidelity, without_a_localizer_only_the_tracking_is_known)
{
    input.localization = NULL;
    input.position_error = 0.05;
    run(20.0);
    cr_assert_float_eq(fidelity.tracking, exp(-0.5), 1e-6);
    cr_assert(isnan(fidelity.index) && isnan(fidelity.covariance) && isnan(fidelity.agreement));
    cr_assert(isnan(fidelity.error_limit) && isnan(fidelity.error_sigma));
    cr_assert_eq(dpl_sync_fidelity_known(&fidelity), fidelity.tracking);
}

Test(fidelity, of_a_sure_pose_and_an_equal_scan_is_the_tracking)
{
    input.position_error = 0.03;
    input.heading_error = 0.05;
    run(30.0);
    cr_assert_float_eq(fidelity.index, fidelity.tracking, 1e-12);
    cr_assert_eq(fidelity.covariance, 1.0);
    cr_assert_eq(fidelity.agreement, 1.0);
}

/* D = 50 mm, H = 5 degrees. */
Test(fidelity, is_the_product_of_tracking_certainty_and_agreement)
{
    double h = 5.0 * DPL_PI / 180.0, errors2 = 0.03 * 0.03, variances = 4e-4 + 9e-4;
    input.position_error = 0.03;
    input.heading_error = 0.02;
    localization.covariance[0] = 4e-4;
    localization.covariance[1] = 1e-4;
    localization.covariance[2] = 9e-4;
    localization.covariance[5] = 3e-4;
    localization.avatar_agreement = 0.2;
    run(30.0);
    double expected =
        exp(-(errors2 + variances) / (2.0 * 0.0025) - (4e-4 + 3e-4) / (2.0 * h * h)) * 0.2 / 0.8;
    cr_assert_float_eq(fidelity.index, expected, 1e-9, "%g, expected %g", fidelity.index, expected);
    cr_assert_float_eq(fidelity.agreement, 0.25, 1e-12);
    cr_assert_eq(dpl_sync_fidelity_known(&fidelity), fidelity.index);
}

Test(fidelity, a_scan_that_fits_better_at_the_avatar_makes_it_no_better)
{
    localization.avatar_agreement = 0.9;
    run(1.0);
    cr_assert_eq(fidelity.agreement, 1.0);
}

Test(fidelity, falls_to_nothing_at_once_where_the_place_is_not_decided)
{
    run(1.0);
    cr_assert_eq(fidelity.index, 1.0);
    localization.state = DPL_SYNC_LOCALIZER_AMBIGUOUS;
    run(0.1);
    cr_assert_eq(fidelity.index, 0.0);
    localization.state = DPL_SYNC_LOCALIZER_TRACKING;
    run(1.0);
    cr_assert_float_eq(fidelity.index, 1.0 - exp(-1.0), 1e-9, "and comes back slowly");
    localization.state = DPL_SYNC_LOCALIZER_LOST;
    run(0.1);
    cr_assert_eq(fidelity.index, 0.0);
    cr_assert_eq(fidelity.tracking, 1.0);
}

Test(fidelity, is_nothing_before_the_first_scan_and_then_begins_at_its_first_value)
{
    localization.state = DPL_SYNC_LOCALIZER_INIT;
    localization.scan_age_s = (double)NAN;
    input.position_error = 0.05;
    run(0.1);
    cr_assert_eq(fidelity.index, 0.0);
    cr_assert_not(fidelity.begun);
    cr_assert(isnan(fidelity.error_limit), "of a pose that is not known");
    run(0.4);
    cr_assert_eq(fidelity.index, 0.0);
    localization.state = DPL_SYNC_LOCALIZER_TRACKING;
    localization.scan_age_s = 0.0;
    run(0.1);
    cr_assert_float_eq(fidelity.index, exp(-0.5), 1e-12, "%g", fidelity.index);
    start();
    localization.state = DPL_SYNC_LOCALIZER_INIT;
    run(1.5);
    cr_assert(fidelity.begun, "no scan came");
    cr_assert_eq(fidelity.index, 0.0);
}

Test(fidelity, is_nothing_in_a_world_that_explains_no_scan)
{
    run(1.0);
    localization.state = DPL_SYNC_LOCALIZER_MAP_WRONG;
    run(0.1);
    cr_assert_eq(fidelity.index, 0.0);
}

Test(fidelity, holds_the_agreement_of_the_last_scan_for_a_second_and_then_leaves_it_out)
{
    localization.avatar_agreement = 0.4;
    run(1.0);
    run_without_scan(0.3);
    localization.avatar_agreement = 0.1; /* of a scan that is too old */
    run_without_scan(1.0);
    cr_assert_float_eq(fidelity.agreement, 0.5, 1e-12, "%g", fidelity.agreement);
    run_without_scan(0.2);
    cr_assert(isnan(fidelity.agreement));
    run_without_scan(30.0);
    cr_assert_float_eq(fidelity.index, 1.0, 1e-9, "the covariance alone says what is not known");
    cr_assert_gt(fidelity.scan_age_s, 31.0);
}

Test(fidelity, needs_the_avatars_agreement_and_a_world_that_explains_scans)
{
    localization.avatar_agreement = (double)NAN;
    run(1.0);
    cr_assert(isnan(fidelity.agreement));
    cr_assert_eq(fidelity.index, 1.0);
    localization.avatar_agreement = 0.1;
    localization.state = DPL_SYNC_LOCALIZER_MAP_WRONG;
    run(1.0);
    cr_assert(isnan(fidelity.agreement));
    localization.state = DPL_SYNC_LOCALIZER_TRACKING;
    localization.agreement = 0.0; /* no beam was judged */
    run(1.0);
    cr_assert(isnan(fidelity.agreement));
}

Test(fidelity, falls_where_a_pose_is_lost)
{
    run(1.0);
    input.lost = true;
    run(1.0);
    cr_assert_float_eq(fidelity.index, exp(-1.0), 1e-9);
    cr_assert_float_eq(fidelity.tracking, exp(-1.0), 1e-9);
}

/* An ellipse of 30 by 10 mm, turned by 0.5 rad: the deviation is that of its long axis. */
Test(fidelity, the_limit_is_the_protection_level_and_what_has_grown_since)
{
    double c = cos(0.5), s = sin(0.5), a = 0.03 * 0.03, b = 0.01 * 0.01;
    localization.covariance[0] = c * c * a + s * s * b;
    localization.covariance[1] = c * s * (a - b);
    localization.covariance[2] = s * s * a + c * c * b;
    localization.level_m = 0.12;
    input.position_error = 0.04;
    run(0.1);
    cr_assert_float_eq(fidelity.error_sigma, 0.03, 1e-9);
    cr_assert_float_eq(fidelity.error_limit, 0.04 + 0.12, 1e-9);
    input.growth.position = 0.03;
    input.doubt_m = 0.04;
    run(0.1);
    cr_assert_float_eq(fidelity.error_limit, 0.04 + 0.12 + 3.72 * 0.05, 1e-9);
}

Test(fidelity, what_is_doubtful_is_in_the_interval)
{
    localization.covariance[0] = localization.covariance[2] = 9e-6;
    localization.covariance[1] = 0.0;
    localization.doubt_m = 0.04;
    run(0.1);
    cr_assert_float_eq(fidelity.error_sigma, hypot(0.003, 0.04), 1e-9);
    input.doubt_m = 0.03;
    run(0.1);
    cr_assert_float_eq(fidelity.error_sigma, hypot(0.003, 0.05), 1e-9);
}

Test(localization, its_noise_is_without_the_worlds_error_and_within_limits)
{
    struct dpl_sync_sigma floor = {0.002, 0.0035};
    localization.covariance[0] = localization.covariance[2] = 25e-6 + 64e-6;
    localization.covariance[5] = 1e-4;
    localization.map_error_m = 0.008;
    struct dpl_sync_sigma noise = dpl_sync_localization_noise(&localization, floor);
    cr_assert_float_eq(noise.position, 0.005, 1e-9);
    cr_assert_float_eq(noise.heading, 0.01, 1e-9);
    localization.map_error_m = 0.1;
    cr_assert_eq(dpl_sync_localization_noise(&localization, floor).position, 0.002);
    localization.covariance[0] = localization.covariance[5] = 4.0;
    noise = dpl_sync_localization_noise(&localization, floor);
    cr_assert_float_eq(noise.position, 0.02, 1e-12);
    cr_assert_float_eq(noise.heading, DPL_PI / 180.0, 1e-12);
}
