/* SPDX-License-Identifier: Apache-2.0 */
/* Choice of an admissible velocity. */
#include "clearance.h"
#include "window.h"

#include <criterion/criterion.h>

#include <doppel/math/random.h>

static struct dpl_nav_points points;

static const struct dpl_nav_limits limits = {
    .radius_m = 0.2,
    .safe_radius_m = 0.3,
    .linear_m_s = 0.2,
    .angular_rad_s = 0.7,
    .linear_m_s2 = 0.5,
    .angular_rad_s2 = 2.0,
    .period_s = 0.1,
    .latency_s = 0.15,
};

static struct dpl_nav_choice choose(double v, double w, double wish_v, double wish_w)
{
    return dpl_nav_window_choose(&limits, &points, (struct dpl_twist2){v, w},
                                 (struct dpl_twist2){wish_v, wish_w});
}

Test(window, in_the_open_the_wish_is_met_within_the_accelerations)
{
    points.count = 0;
    struct dpl_nav_choice choice = choose(0.0, 0.0, 0.2, 0.7);
    cr_assert_float_eq(choice.twist.linear, 0.05, 1e-9);
    cr_assert_float_eq(choice.twist.angular, 0.2, 1e-9);
    choice = choose(0.2, 0.1, 0.2, 0.15);
    cr_assert_float_eq(choice.twist.linear, 0.2, 1e-9);
    cr_assert_float_eq(choice.twist.angular, 0.15, 1e-9);
}

Test(window, a_wall_close_ahead_stops_the_robot)
{
    points.count = 0;
    for (double y = -0.5; y < 0.5; y += 0.02) {
        dpl_nav_points_add(&points, 0.24, y);
    }
    struct dpl_nav_choice choice = choose(0.2, 0.0, 0.2, 0.0);
    cr_assert_eq(choice.twist.linear, 0.0);
    cr_assert_not(choice.admissible);
}

Test(window, wishes_beyond_the_limits_are_cut_and_backwards_is_refused)
{
    points.count = 0;
    struct dpl_nav_choice choice = choose(0.2, 0.7, 5.0, 9.0);
    cr_assert_float_eq(choice.twist.linear, 0.2, 1e-9);
    cr_assert_float_eq(choice.twist.angular, 0.7, 1e-9);
    cr_assert_eq(choose(0.02, 0.0, -0.2, 0.0).twist.linear, 0.0);
}

Test(window, from_every_chosen_velocity_the_robot_can_stop)
{
    struct dpl_random rng = dpl_random_seeded(3, 0);
    int moving = 0;
    for (int n = 0; n < 2000; n++) {
        points.count = 0;
        for (int i = 0; i < 12; i++) {
            double r = dpl_random_uniform(&rng, 0.22, 1.0);
            double a = dpl_random_uniform(&rng, -DPL_PI, DPL_PI);
            dpl_nav_points_add(&points, r * cos(a), r * sin(a));
        }
        double v = dpl_random_uniform(&rng, 0.0, 0.2), w = dpl_random_uniform(&rng, -0.7, 0.7);
        struct dpl_nav_choice choice = choose(v, w, 0.2, -w);
        double speed = choice.twist.linear;
        if (speed <= 0.0) {
            continue;
        }
        moving++;
        double stop = dpl_nav_stopping_distance(speed, 0.25, 0.5);
        double free_m = dpl_nav_free_arc(&points, 0.2, choice.twist.angular / speed, false, 1.0);
        cr_assert_gt(free_m, stop);
    }
    cr_assert_gt(moving, 200);
}
