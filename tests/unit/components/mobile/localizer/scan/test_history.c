/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the last odometry. */
#include "loc_history.h"

#include <criterion/criterion.h>

static struct loc_history history;
static const struct loc_wheels wheels = {1.0, 1.0, 0.25};

static void assert_near(double actual, double expected, double tolerance, const char *what)
{
    cr_assert(fabs(actual - expected) <= tolerance, "%s: %.9g, expected %.9g", what, actual,
              expected);
}

static bool add(double stamp_s, double left_m, double right_m)
{
    struct localizer_odometry sample = {stamp_s, left_m, right_m, false, 0.0};
    return loc_history_add(&history, &sample);
}

/* 10 s of 0.2 m/s and 0.4 rad/s at 50 Hz. */
static void drive(void)
{
    loc_history_init(&history);
    for (int i = 0; i <= 500; i++) {
        double t = 0.02 * i;
        add(t, (0.2 - 0.05) * t, (0.2 + 0.05) * t);
    }
}

Test(loc_history, moves_along_an_arc)
{
    drive();
    struct dpl_pose2 moved = loc_history_move(&history, &wheels, 4.003, 9.011);
    double turn = 0.4 * 5.008, radius = 0.5;
    assert_near(moved.theta, turn, 1e-9, "theta");
    assert_near(moved.x, radius * sin(turn), 1e-4, "x");
    assert_near(moved.y, radius * (1.0 - cos(turn)), 1e-4, "y");
}

Test(loc_history, moves_back_as_it_came)
{
    drive();
    struct dpl_pose2 there = loc_history_move(&history, &wheels, 4.0, 6.5);
    struct dpl_pose2 back = loc_history_move(&history, &wheels, 6.5, 4.0);
    struct dpl_pose2 both = dpl_pose2_compose(there, back);
    assert_near(hypot(both.x, both.y), 0.0, 1e-12, "place");
    assert_near(both.theta, 0.0, 1e-12, "theta");
}

Test(loc_history, uses_calibrated_wheels)
{
    drive();
    struct loc_wheels larger = {1.1, 1.1, 0.275};
    struct dpl_pose2 one = loc_history_move(&history, &wheels, 4.0, 5.0);
    struct dpl_pose2 other = loc_history_move(&history, &larger, 4.0, 5.0);
    assert_near(other.theta, one.theta, 1e-12, "theta");
    assert_near(other.x, 1.1 * one.x, 1e-12, "x");
}

Test(loc_history, knows_the_twist_of_an_instant)
{
    drive();
    struct dpl_twist2 twist = loc_history_twist(&history, &wheels, 5.0);
    assert_near(twist.linear, 0.2, 1e-9, "v");
    assert_near(twist.angular, 0.4, 1e-9, "w");
}

Test(loc_history, leaves_out_what_is_not_newer_or_not_finite)
{
    drive();
    cr_assert(!add(10.0, 2.0, 2.0));
    cr_assert(!add(9.0, 2.0, 2.0));
    cr_assert(!add((double)NAN, 2.0, 2.0));
    cr_assert(!add(10.02, (double)INFINITY, 2.0));
    assert_near(loc_history_newest(&history), 10.0, 0.0, "newest");
}

Test(loc_history, takes_jumps_off)
{
    drive();
    struct loc_travel before = loc_history_travel(&history, 9.0, 10.0);
    add(10.02, 1.503 + 1000.0, 2.505);
    add(10.04, 1.506 + 1000.0, 2.510);
    struct loc_travel after = loc_history_travel(&history, 9.02, 10.04);
    assert_near(before.left_m, 0.15, 1e-9, "before");
    cr_assert(fabs(after.left_m) < 0.2, "left moved %g m", after.left_m);
}

Test(loc_history, goes_on_for_a_moment_after_the_newest_sample)
{
    drive();
    assert_near(loc_history_travel(&history, 10.0, 10.05).left_m, 0.0075, 1e-9, "soon");
    assert_near(loc_history_travel(&history, 10.0, 99.0).left_m, 0.015, 1e-9, "later");
    assert_near(loc_history_travel(&history, -9.0, loc_history_oldest(&history)).left_m, 0.0, 0.0,
                "long ago");
}

Test(loc_history, knows_its_gaps)
{
    drive();
    add(10.30, 1.545, 2.575);
    add(10.50, 1.575, 2.625);
    cr_assert(loc_history_is_in_gap(&history, 10.01));
    cr_assert(loc_history_is_in_gap(&history, 10.29));
    cr_assert(!loc_history_is_in_gap(&history, 9.99));
    cr_assert(!loc_history_is_in_gap(&history, 10.35)); /* 0.2 s: the motion is still known */
    cr_assert(!loc_history_is_in_gap(&history, 11.0));  /* nobody knows yet */
}

Test(loc_history, has_no_gaps_where_odometry_is_slow)
{
    loc_history_init(&history);
    for (int i = 0; i < 20; i++) {
        add(0.5 * i, 0.1 * i, 0.1 * i);
    }
    cr_assert(!loc_history_is_in_gap(&history, 8.2));
    add(12.0, 2.0, 2.0);
    cr_assert(loc_history_is_in_gap(&history, 10.0));
}

Test(loc_history, stands_still_without_samples)
{
    loc_history_init(&history);
    struct dpl_pose2 moved = loc_history_move(&history, &wheels, 0.0, 1.0);
    cr_assert(moved.x == 0.0 && moved.y == 0.0 && moved.theta == 0.0);
    cr_assert(isnan(loc_history_newest(&history)));
}
