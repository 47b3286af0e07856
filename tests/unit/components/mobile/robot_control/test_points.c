/* SPDX-License-Identifier: Apache-2.0 */
/* From ranges to points. */
#include "points.h"

#include <criterion/criterion.h>

#define BEAMS 682

static float ranges[BEAMS];
static struct dpl_nav_points points;
static struct dpl_nav_beams beams;

static struct dpl_nav_scan scan_of(float range)
{
    for (int i = 0; i < BEAMS; i++) {
        ranges[i] = range;
    }
    return (struct dpl_nav_scan){.ranges_m = ranges,
                                 .count = BEAMS,
                                 .start_rad = -2.0862,
                                 .step_rad = 0.0061359,
                                 .range_min_m = 0.02,
                                 .range_max_m = 5.6};
}

static void convert(const struct dpl_nav_scan *scan)
{
    dpl_nav_beams_prepare(&beams, scan);
    dpl_nav_points_from_scan(&points, scan, &beams, (struct dpl_pose2){0});
}

Test(points, errors_and_far_ranges_give_no_points)
{
    struct dpl_nav_scan scan = scan_of(0.0F);
    ranges[10] = NAN;
    ranges[11] = 0.019F;
    ranges[12] = 5.7F;
    ranges[13] = -1.0F;
    ranges[14] = INFINITY;
    convert(&scan);
    cr_assert_eq(points.count, 0);
}

Test(points, a_lone_return_stays)
{
    struct dpl_nav_scan scan = scan_of(5.0F);
    ranges[340] = 1.0F;
    convert(&scan);
    bool found = false;
    for (size_t i = 0; i < points.count; i++) {
        found = found || hypot(points.x[i], points.y[i]) < 1.001;
    }
    cr_assert(found);
}

Test(points, neighbours_are_merged_and_no_gap_opens)
{
    struct dpl_nav_scan scan = scan_of(0.4F);
    convert(&scan);
    cr_assert_lt(points.count, BEAMS / 2);
    for (size_t i = 1; i < points.count; i++) {
        double gap = hypot(points.x[i] - points.x[i - 1], points.y[i] - points.y[i - 1]);
        cr_assert_lt(gap, 0.0165);
    }
}

Test(points, points_are_in_the_frame_of_the_lasers_pose)
{
    struct dpl_nav_scan scan = scan_of(0.0F);
    scan.start_rad = 0.0;
    ranges[0] = 2.0F;
    dpl_nav_beams_prepare(&beams, &scan);
    dpl_nav_points_from_scan(&points, &scan, &beams, (struct dpl_pose2){1.0, 1.0, DPL_PI / 2.0});
    cr_assert_eq(points.count, 1);
    cr_assert_float_eq(points.x[0], 1.0, 1e-9);
    cr_assert_float_eq(points.y[0], 3.0, 1e-9);
}

Test(points, too_many_distinct_returns_are_thinned_to_what_fits)
{
    static float many[DPL_NAV_MAX_BEAMS];
    for (int i = 0; i < DPL_NAV_MAX_BEAMS; i++) {
        many[i] = i % 2 ? 3.0F : 5.0F;
    }
    struct dpl_nav_scan scan = scan_of(0.0F);
    scan.ranges_m = many;
    scan.count = DPL_NAV_MAX_BEAMS;
    scan.step_rad = 0.003;
    convert(&scan);
    cr_assert_leq(points.count, DPL_NAV_MAX_POINTS);
    cr_assert_gt(points.count, 50);
}

Test(points, a_scan_that_cannot_be_used_is_recognised)
{
    struct dpl_nav_scan good = scan_of(1.0F), bad = good;
    cr_assert(dpl_nav_scan_is_usable(&good));
    bad.ranges_m = NULL;
    cr_assert_not(dpl_nav_scan_is_usable(&bad));
    bad = good;
    bad.count = DPL_NAV_MAX_BEAMS + 1;
    cr_assert_not(dpl_nav_scan_is_usable(&bad));
    bad = good;
    bad.step_rad = 0.0;
    cr_assert_not(dpl_nav_scan_is_usable(&bad));
    bad = good;
    bad.mount.x = (double)NAN;
    cr_assert_not(dpl_nav_scan_is_usable(&bad));
    bad = good;
    bad.stamp_s = (double)NAN;
    cr_assert_not(dpl_nav_scan_is_usable(&bad));
}

Test(points, relative_points_are_seen_from_the_origin_and_within_reach)
{
    static struct dpl_nav_points from, to;
    from.count = to.count = 0;
    dpl_nav_points_add(&from, 1.0, 2.0);
    dpl_nav_points_add(&from, 9.0, 2.0);
    dpl_nav_points_append_relative(&to, &from, (struct dpl_pose2){1.0, 1.0, DPL_PI / 2.0}, 3.0);
    cr_assert_eq(to.count, 1);
    cr_assert_float_eq(to.x[0], 1.0, 1e-12);
    cr_assert_float_eq(to.y[0], 0.0, 1e-12);
}
