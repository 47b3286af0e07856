/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the protection level. Its covariances are positive where the plan shows nothing in one,
 * two or three directions. */
#include "protection.h"

#include <criterion/criterion.h>

#include "plan.h"

static struct loc_match match;
static struct loc_scan scan;
static struct protection protection;
static uint32_t groups[72];

static struct protection_result protect(const struct dpl_raycast_outline *outlines, size_t n,
                                        struct dpl_pose2 truth, struct dpl_pose2 taken_at)
{
    const struct loc_kernel whole = {1, 1.0, (double)INFINITY};
    const struct dpl_raycast_index *plan = plan_index(outlines, n);
    struct loc_information information;
    struct loc_laser laser = {taken_at, 0, 0};
    struct protection_result result;
    bool equal;
    cr_assert(loc_match_init(&match, plan, n, 2) && loc_scan_init(&scan, PLAN_BEAMS));
    for (size_t i = 0; i < n; i++) {
        groups[i] = (uint32_t)i;
    }
    cr_assert(protection_init(&protection, groups, n));
    struct localizer_scan taken = plan_scan(plan, truth, 1.0);
    cr_assert(loc_scan_take(&scan, &taken, &equal));
    match.map_error_m = 0.015;
    loc_match_evaluate(&match, &scan, &laser, &whole, &information);
    struct protection_input input = {.match = &match,
                                     .bias_variance = 1e-4,
                                     .scale_variance = 1e-4,
                                     .position = {1e-6, 0, 1e-6}};
    protection_scan(&protection, &input, &result);
    loc_match_finish(&match);
    loc_scan_finish(&scan);
    protection_finish(&protection);
    return result;
}

static bool is_sound(const struct protection_result *r)
{
    return r->level_m > 0.0 && isfinite(r->level_m) && r->sigma_m > 0.0 && r->sigma_rad > 0.0 &&
           r->separation_m >= 0.0;
}

static const struct dpl_pose2 truth = {2.5, 1.4, 0.3};

Test(protection, room_fixes_the_position_to_centimetres)
{
    struct protection_result r = protect(plan_room, 9, truth, truth);
    cr_expect(is_sound(&r) && r.level_m < 0.2, "%g", r.level_m);
    cr_expect_lt(r.sigma_m, 0.03);
    cr_expect_lt(r.offset_m, 0.002);
}

Test(protection, pose_that_is_off_has_a_level_beyond_it)
{
    struct dpl_pose2 off = {truth.x + 0.06, truth.y - 0.03, truth.theta};
    struct protection_result r = protect(plan_room, 9, truth, off);
    cr_expect_gt(r.offset_m, 0.03);
    cr_expect_gt(r.level_m, hypot(0.06, 0.03));
}

Test(protection, direction_that_nothing_shows_keeps_the_prior)
{
    struct dpl_pose2 at = {0, 0.2, 0.1};
    struct protection_result r = protect(plan_corridor, 2, at, at);
    cr_expect(is_sound(&r));
    cr_expect_float_eq(r.sigma_m, 0.15, 0.005);
    cr_expect_gt(r.level_m, 0.3);
}

Test(protection, round_room_does_not_show_the_heading)
{
    static struct dpl_raycast_outline ring[72];
    for (int i = 0; i < 72; i++) {
        double a = DPL_PI * i / 36.0, b = DPL_PI * (i + 1) / 36.0;
        ring[i] = (struct dpl_raycast_outline){
            3 * cos(a), 3 * sin(a), 3 * (cos(b) - cos(a)), 3 * (sin(b) - sin(a)), 0.0, -1};
    }
    struct dpl_pose2 at = {0, 0, 0.2};
    struct protection_result r = protect(ring, 72, at, at);
    cr_expect(is_sound(&r) && isfinite(r.sigma_rad));
}

Test(protection, scan_that_meets_nothing_leaves_the_prior_alone)
{
    struct dpl_pose2 outside = {200, 200, 0};
    struct protection_result r = protect(plan_room, 9, outside, outside);
    cr_expect(is_sound(&r));
    cr_expect_float_eq(r.sigma_m, 0.15, 1e-6);
    cr_expect_float_eq(r.sigma_rad, 0.0524, 1e-6);
}

Test(protection, contradiction_fades)
{
    struct protection_result r;
    struct loc_match none = {.map_error_m = 0.015};
    cr_assert(protection_init(&protection, groups, 1));
    struct protection_input input = {.match = &none, .nis = 20.0, .innovation_m = 0.2};
    protection_scan(&protection, &input, &r);
    cr_expect_float_eq(r.contradicted_m, 0.1, 1e-12);
    input.nis = 1.0;
    protection_scan(&protection, &input, &r);
    cr_expect_float_eq(r.contradicted_m, 0.09, 1e-12);
    protection_finish(&protection);
}
