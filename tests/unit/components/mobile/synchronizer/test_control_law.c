/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the tracking law. The numbers are worked by hand for a period of 100 ms, where
 * k1 = 0.35 / 0.15 and the heading gain is at most 3. */
#include "control_law.h"

#include <criterion/criterion.h>

static void assert_near(double actual, double expected, const char *what)
{
    cr_assert(fabs(actual - expected) <= 1e-9, "%s: %.12g, expected %.12g", what, actual, expected);
}

/* Errors along the heading, across it and of the heading, and what is told. */
static const struct {
    const char *name;
    struct dpl_pose2 error;
    struct dpl_twist2 reference;
    double v, w; /* NAN: not looked at */
} rows[] = {
    {"no error: the reference", {0.0, 0.0, 0.0}, {-0.15, 0.1}, -0.15, 0.1},
    {"along: in proportion", {0.02, 0.0, 0.0}, {0.2, 0.0}, 0.2 + 0.35 / 0.15 * 0.02, (double)NAN},
    {"along: bounded, ahead", {1.0, 0.0, 0.0}, {0.2, 0.0}, 0.3, (double)NAN},
    {"along: bounded, behind", {-1.0, 0.0, 0.0}, {0.2, 0.0}, 0.1, (double)NAN},
    {"across: turns towards it", {0.0, 0.02, 0.0}, {0.2, 0.0}, (double)NAN, 81.0 * 0.2 * 0.02},
    {"across, in reverse: the other way",
     {0.0, 0.02, 0.0},
     {-0.1, 0.0},
     (double)NAN,
     -81.0 * 0.1 * 0.02},
    {"across: bounded", {0.0, 9.0, 0.0}, {0.2, 0.0}, (double)NAN, 0.8},
    /* the gain follows the damping of the lateral loop: 2 z g v = 1.6 * 9 * 0.15 = 2.16 */
    {"heading, moving", {0.0, 0.0, 0.1}, {0.15, 0.0}, (double)NAN, 0.216},
    {"heading, at rest: 1.5", {0.0, 0.0, 0.1}, {0.0, 0.0}, (double)NAN, 0.15},
    {"heading: 3.6 is capped at 0.45 / 0.15", {0.0, 0.0, 0.1}, {0.25, 0.0}, (double)NAN, 0.3},
    {"a heading error shortens the speed",
     {0.0, 0.0, 0.5},
     {0.2, 0.0},
     0.2 * 0.8775825618903728,
     (double)NAN},
    {"no creep at standstill within the band",
     {0.0029, 0.0, 0.0},
     {0.004, 0.0},
     0.004,
     (double)NAN},
};

Test(control_law, tells_the_reference_and_corrects_errors_in_proportion_and_bounded)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dpl_sync_tracking t = {
            .error = rows[i].error, .reference = rows[i].reference, .loop = {0.1, 0.2}};
        struct dpl_twist2 u = dpl_sync_control(&t);
        assert_near(u.linear, isnan(rows[i].v) ? u.linear : rows[i].v, rows[i].name);
        assert_near(u.angular, isnan(rows[i].w) ? u.angular : rows[i].w, rows[i].name);
    }
}

Test(control_law, corrects_an_error_beyond_the_band_at_standstill)
{
    struct dpl_sync_tracking t = {
        .error = {0.0031, 0.0, 0.0}, .reference = {0.004, 0.0}, .loop = {0.1, 0.2}};
    cr_assert_gt(dpl_sync_control(&t).linear, 0.01);
}

Test(control_law, where_poses_are_good_it_corrects_smaller_errors_at_standstill)
{
    struct dpl_sync_tracking t = {
        .error = {0.002, 0.0, 0.0}, .reference = {0.004, 0.0}, .loop = {0.1, 0.2}};
    t.doubt_m = 0.0008;
    cr_assert_gt(dpl_sync_control(&t).linear, 0.008);
    t.doubt_m = 0.0012;
    assert_near(dpl_sync_control(&t).linear, 0.004, "noise");
    t.doubt_m = 0.1;
    t.error.x = 0.0031;
    cr_assert_gt(dpl_sync_control(&t).linear, 0.01, "never more than without knowing it");
}

Test(control_law, weakens_its_gains_with_the_delay_in_the_loop)
{
    struct dpl_sync_tracking slow = {
        .error = {0.02, 0.02, 0.0}, .reference = {0.2, 0.0}, .loop = {0.25, 0.2}};
    /* Te = 0.30: k1 = 0.35 / 0.3, g = 0.30 / (0.3 * 0.2) = 5. */
    struct dpl_twist2 u = dpl_sync_control(&slow);
    assert_near(u.linear, 0.2 + 0.35 / 0.3 * 0.02, "v");
    assert_near(u.angular, 25.0 * 0.2 * 0.02, "w");
    slow.loop.period_s = 0.1;
    slow.latency_s = 0.10;
    slow.lag_s = 0.20; /* the same delay: 0.1 + 0.05 + (0.3 - 0.15) */
    assert_near(dpl_sync_control(&slow).angular, u.angular, "by lag");
}

Test(control_law, compensates_map_and_bias)
{
    struct dpl_sync_map map = {0.9, 0.0, 0.2, 1.1};
    struct dpl_twist2 u = dpl_sync_control_compensate((struct dpl_twist2){0.2, 0.3},
                                                      (struct dpl_twist2){0.01, 1.0}, &map);
    /* v: 0.2 - 0.005; w: 0.3 - 0.1 (bounded); the map of u is that again. */
    struct dpl_twist2 got = dpl_sync_map_apply(&map, u);
    assert_near(got.linear, 0.195, "v");
    assert_near(got.angular, 0.2, "w");
}

Test(control_law, leaves_a_singular_map_alone)
{
    struct dpl_sync_map map = {0.1, 0.0, 0.0, 0.1};
    struct dpl_twist2 u = dpl_sync_control_compensate((struct dpl_twist2){0.2, 0.3},
                                                      (struct dpl_twist2){0.0, 0.0}, &map);
    assert_near(u.linear, 0.2, "v");
    assert_near(u.angular, 0.3, "w");
}

Test(control_law, saturates_and_says_so)
{
    struct dpl_sync_limits limits = {0.3, 2.0};
    bool cut = false;
    struct dpl_twist2 u = dpl_sync_saturate((struct dpl_twist2){-0.5, 1.0}, &limits, &cut);
    assert_near(u.linear, -0.3, "v");
    assert_near(u.angular, 1.0, "w");
    cr_assert(cut);
    dpl_sync_saturate((struct dpl_twist2){0.3, -2.0}, &limits, &cut);
    cr_assert_not(cut);
    cr_assert_float_eq(dpl_sync_saturate((struct dpl_twist2){0.0, 9.0}, &limits, NULL).angular, 2.0,
                       1e-15);
}

Test(control_law, corrects_with_half_of_the_speed_of_a_fast_robot)
{
    struct dpl_sync_tracking fast = {
        .error = {9.0, 0.0, 0.0}, .reference = {0.0, 0.0}, .loop = {0.1, 3.0}};
    assert_near(dpl_sync_control(&fast).linear, 1.5, "v");
    fast.error.x = 0.0;
    fast.error.y = 0.1;
    fast.reference.linear = 3.0;
    /* g = 0.30 / (0.15 * 3). */
    assert_near(dpl_sync_control(&fast).angular, 4.0 / 9.0 * 3.0 * 0.1, "w");
}

Test(control_law, hastens_over_a_large_error_that_was_checked)
{
    struct dpl_sync_tracking t = {
        .error = {0.15, 0.0, 0.0}, .reference = {0.1, 0.0}, .loop = {0.1, 0.2}, .checked = true};
    assert_near(dpl_sync_control(&t).linear, 0.1 + 0.15, "v");
    t.error.x = 5.0;
    assert_near(dpl_sync_control(&t).linear, 0.1 + 0.2, "bounded");
}

Test(control_law, catches_up_no_faster_than_its_wheels_can_shed)
{
    struct dpl_sync_tracking t = {
        .error = {-0.9, 0.0, 0.0}, .reference = {1.0, 0.0}, .loop = {0.1, 3.0}};
    assert_near(dpl_sync_control(&t).linear, 1.0 - 1.5, "acceleration not known");
    t.acceleration = 2.5;
    /* sqrt(2 * 0.2 * 2.5 * 0.9) */
    assert_near(dpl_sync_control(&t).linear, 1.0 - sqrt(0.9), "bounded");
    t.error.x = 0.1;
    assert_near(dpl_sync_control(&t).linear, 1.0 + 0.35 / 0.15 * 0.1, "a small error");
}

Test(control_law, wheels_that_accelerate_leave_room_for_the_turn)
{
    struct dpl_sync_wheels_now wheels = {1.0, 1.0, 0.3, 4.0};
    /* They reach 0.6 m/s further in 0.15 s; the turn needs 0.15 of it. */
    struct dpl_twist2 u = dpl_sync_control_allocate((struct dpl_twist2){3.0, 1.0}, &wheels, 0.15);
    assert_near(u.linear, 1.0 + 0.6 - 0.15, "v");
    assert_near(u.angular, 1.0, "w");
}
