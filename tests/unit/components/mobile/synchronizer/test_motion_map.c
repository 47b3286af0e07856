/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the motion map and its estimation. */
#include "motion_map.h"

#include "doppel/math/random.h"

#include <criterion/criterion.h>

static void assert_near(double actual, double expected, double tolerance, const char *what)
{
    cr_assert(fabs(actual - expected) <= tolerance, "%s: %.9g, expected %.9g", what, actual,
              expected);
}

Test(motion_map, inverts_what_it_applies)
{
    struct dpl_sync_map map = {0.9, 0.01, 0.2, 1.1};
    struct dpl_twist2 back, there = dpl_sync_map_apply(&map, (struct dpl_twist2){0.2, -0.4});
    assert_near(there.linear, 0.9 * 0.2 - 0.01 * 0.4, 1e-15, "v");
    assert_near(there.angular, 0.2 * 0.2 - 1.1 * 0.4, 1e-15, "w");
    cr_assert(dpl_sync_map_invert(&map, there, &back));
    assert_near(back.linear, 0.2, 1e-12, "v back");
    assert_near(back.angular, -0.4, 1e-12, "w back");
}

Test(motion_map, refuses_to_invert_a_nearly_singular_map)
{
    struct dpl_sync_map map = {0.5, 0.0, 0.0, 0.59};
    struct dpl_twist2 twist = {7.0, 8.0};
    cr_assert_not(dpl_sync_map_invert(&map, twist, &twist));
    assert_near(twist.linear, 7.0, 0.0, "untouched");
}

Test(motion_map, reads_wheel_scales_and_axle_from_a_map)
{
    /* sL 0.97, sR 1.03, axle 0.309 on a nominal 0.30. */
    double left = 0.97, right = 1.03, axle = 0.309;
    struct dpl_sync_map map = {(left + right) / 2.0, 0.30 * (right - left) / 4.0,
                               (right - left) / axle, 0.30 * (left + right) / (2.0 * axle)};
    struct dpl_sync_wheels wheels = dpl_sync_map_wheels(&map, 0.30);
    assert_near(wheels.scale_left, left, 1e-12, "left");
    assert_near(wheels.scale_right, right, 1e-12, "right");
    assert_near(wheels.axle_m, axle, 1e-12, "axle");
}

Test(motion_map, measures_a_quarter_circle_as_an_arc)
{
    struct dpl_twist2 arc = dpl_sync_arc_between((struct dpl_pose2){0.0, 0.0, 0.0},
                                                 (struct dpl_pose2){2.0, 2.0, DPL_PI / 2.0});
    assert_near(arc.linear, DPL_PI, 1e-12, "quarter of a circle of radius 2");
    assert_near(arc.angular, DPL_PI / 2.0, 1e-12, "turn");
}

Test(motion_map, measures_a_backward_motion_across_the_wrap_as_negative)
{
    struct dpl_twist2 arc =
        dpl_sync_arc_between((struct dpl_pose2){0.0, 0.0, 3.1}, (struct dpl_pose2){0.1, 0.0, -3.1});
    assert_near(arc.linear, -0.1, 1e-4, "distance");
    assert_near(arc.angular, 2.0 * DPL_PI - 6.2, 1e-12, "turn");
}

static struct dpl_sync_window window_of(const struct dpl_sync_map *truth, double v, double w)
{
    struct dpl_twist2 promised = {v * 0.2, w * 0.2};
    struct dpl_twist2 moved = dpl_sync_map_apply(truth, promised);
    return (struct dpl_sync_window){0.2, moved.linear, moved.angular, promised, true};
}

Test(motion_map, estimation_converges_to_the_true_map)
{
    struct dpl_sync_map truth = {0.92, 0.004, 0.15, 0.95};
    struct dpl_sync_map_estimator estimator;
    struct dpl_random rng = dpl_random_seeded(3, 0);
    dpl_sync_map_estimator_init(&estimator, &dpl_sync_map_identity, 0.002, 0.0035);
    for (int i = 0; i < 300; i++) {
        double v = dpl_random_uniform(&rng, 0.05, 0.2), w = dpl_random_uniform(&rng, -0.6, 0.6);
        struct dpl_sync_window window = window_of(&truth, v, w);
        cr_assert_eq(dpl_sync_map_estimator_update(&estimator, &window), DPL_SYNC_LEARNED);
    }
    assert_near(estimator.map.m11, truth.m11, 1e-3, "m11");
    assert_near(estimator.map.m12, truth.m12, 1e-3, "m12");
    assert_near(estimator.map.m21, truth.m21, 3e-3, "m21");
    assert_near(estimator.map.m22, truth.m22, 3e-3, "m22");
}

Test(motion_map, first_step_is_the_kalman_gain_by_hand)
{
    struct dpl_sync_map truth = {0.9, 0.0, 0.0, 1.0};
    struct dpl_sync_map_estimator estimator;
    struct dpl_sync_window window = window_of(&truth, 0.2, 0.0);
    dpl_sync_map_estimator_init(&estimator, &dpl_sync_map_identity, 0.002, 0.0035);
    dpl_sync_map_estimator_update(&estimator, &window);
    assert_near(estimator.map.m11, 1.0, 0.0, "nothing before the next window");
    dpl_sync_map_estimator_update(&estimator, &window);
    /* u = 0.04, residual -0.004, r = 2 * 4e-6 + (0.04 * 0.04)^2 + 5e-6, P = 0.05. */
    double u = 0.04, r = 8e-6 + 0.0016 * 0.0016 + 5e-6;
    assert_near(estimator.map.m11, 1.0 - 0.05 * u / (r + 0.05 * u * u) * 0.004, 1e-12, "m11");
}

static void feed(struct dpl_sync_map_estimator *estimator, const struct dpl_sync_window *window,
                 int times)
{
    for (int i = 0; i < times; i++) {
        dpl_sync_map_estimator_update(estimator, window);
    }
}

Test(motion_map, learns_nothing_at_rest_or_while_the_profile_changes)
{
    struct dpl_sync_map truth = {0.9, 0.0, 0.0, 0.9};
    struct dpl_sync_map_estimator estimator;
    dpl_sync_map_estimator_init(&estimator, &dpl_sync_map_identity, 0.002, 0.0035);
    struct dpl_sync_window slow = window_of(&truth, 0.019, 0.09);
    struct dpl_sync_window changing = window_of(&truth, 0.2, 0.3);
    changing.steady = false;
    cr_assert_eq(dpl_sync_map_estimator_update(&estimator, &slow), DPL_SYNC_NOT_INFORMATIVE);
    cr_assert_eq(dpl_sync_map_estimator_update(&estimator, &changing), DPL_SYNC_NOT_INFORMATIVE);
    feed(&estimator, &slow, 5);
    feed(&estimator, &changing, 5);
    assert_near(estimator.map.m11, 1.0, 0.0, "m11");
    assert_near(estimator.map.m22, 1.0, 0.0, "m22");
}

Test(motion_map, drops_the_windows_on_both_edges_of_a_contact)
{
    struct dpl_sync_map_estimator estimator;
    struct dpl_sync_window good = window_of(&dpl_sync_map_identity, 0.2, 0.0);
    struct dpl_sync_window edge = good, blocked = good;
    edge.distance *= 0.7; /* blocked for the last 30 %: looks like a scale */
    blocked.distance = 0.0;
    dpl_sync_map_estimator_init(&estimator, &dpl_sync_map_identity, 0.0003, 0.0005);
    feed(&estimator, &good, 10);
    cr_assert_eq(dpl_sync_map_estimator_update(&estimator, &edge), DPL_SYNC_LEARNED);
    cr_assert_eq(dpl_sync_map_estimator_update(&estimator, &blocked), DPL_SYNC_CONTACT);
    feed(&estimator, &edge, 1);
    feed(&estimator, &good, 3);
    assert_near(estimator.map.m11, 1.0, 1e-12, "m11");
}

Test(motion_map, clamping_a_cross_term_keeps_what_the_pair_explains)
{
    /* A constant arc cannot tell m11 from m12; whatever is clamped, the sum must fit the arc. */
    struct dpl_sync_map truth = {0.75, 0.0, 0.0, 0.75};
    struct dpl_sync_map_estimator estimator;
    dpl_sync_map_estimator_init(&estimator, &dpl_sync_map_identity, 0.0003, 0.0005);
    struct dpl_sync_window before = window_of(&dpl_sync_map_identity, 0.18, 0.15);
    struct dpl_sync_window slipping = window_of(&truth, 0.18, 0.15);
    feed(&estimator, &before, 100);
    feed(&estimator, &slipping, 100);
    const struct dpl_sync_map *m = &estimator.map;
    assert_near(m->m11 * 0.18 + m->m12 * 0.15, 0.75 * 0.18, 2e-3, "speed on the arc");
    assert_near(m->m21 * 0.18 + m->m22 * 0.15, 0.75 * 0.15, 4e-3, "turn on the arc");
    cr_assert_leq(fabs(m->m12), 0.02);
}

Test(motion_map, stays_in_its_bounds_whatever_it_is_fed)
{
    struct dpl_sync_map_estimator estimator;
    struct dpl_random rng = dpl_random_seeded(9, 0);
    dpl_sync_map_estimator_init(&estimator, &dpl_sync_map_identity, 0.0, 0.0);
    for (int i = 0; i < 5000; i++) {
        struct dpl_sync_map truth = {dpl_random_uniform(&rng, 0.6, 1.4), 0.0,
                                     dpl_random_uniform(&rng, -1.0, 1.0),
                                     dpl_random_uniform(&rng, 0.6, 1.4)};
        struct dpl_sync_window window = window_of(&truth, dpl_random_uniform(&rng, -0.3, 0.3),
                                                  dpl_random_uniform(&rng, -2.0, 2.0));
        dpl_sync_map_estimator_update(&estimator, &window);
        const struct dpl_sync_map *m = &estimator.map;
        cr_assert(m->m11 >= 0.7 && m->m11 <= 1.3 && m->m22 >= 0.7 && m->m22 <= 1.3);
        cr_assert(fabs(m->m12) <= 0.02 && fabs(m->m21) <= 0.6);
    }
}

Test(motion_map, takes_a_window_that_is_no_number_for_contact)
{
    struct dpl_sync_map_estimator estimator;
    struct dpl_sync_window window = window_of(&dpl_sync_map_identity, 0.2, 0.0);
    dpl_sync_map_estimator_init(&estimator, &dpl_sync_map_identity, 0.002, 0.0035);
    window.distance = (double)NAN;
    cr_assert_eq(dpl_sync_map_estimator_update(&estimator, &window), DPL_SYNC_CONTACT);
}
