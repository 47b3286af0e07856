/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the places where something unknown stands. */
#include "strangers.h"

#include <criterion/criterion.h>
#include <math.h>

static struct strangers strangers;

static bool everywhere(const void *context, double x, double y)
{
    return true;
}

/* The laser drives along x at 0.1 m/s. */
static void show(double stamp_s, double x, double y, bool through)
{
    const double point[1][2] = {{x, y}};
    const struct strangers_view view = {.points = point,
                                        .n_points = 1,
                                        .from = {0.1 * stamp_s, 0.0},
                                        .looks_through = through ? everywhere : NULL};
    strangers_add(&strangers, stamp_s, &view);
}

static void scan(double stamp_s, double x, double y)
{
    show(stamp_s, x, y, false);
}

/* Scans 10 times a second of something at (x, 1) that moves along x. */
static void watch(double from_s, double to_s, double x, double speed)
{
    for (int i = 0; from_s + 0.1 * i < to_s - 1e-9; i++) {
        show(from_s + 0.1 * i, x + speed * 0.1 * i, 1.0, true);
    }
}

/* Scans that show nothing there: it is out of sight, or the laser looks through. */
static void look_away(double from_s, int scans, bool through)
{
    for (int i = 0; i < scans; i++) {
        const struct strangers_view view = {.looks_through = through ? everywhere : NULL};
        strangers_add(&strangers, from_s + 0.1 * i, &view);
    }
}

static void begin(void)
{
    strangers_init(&strangers);
}

TestSuite(strangers, .init = begin);

Test(strangers, names_what_stays_for_fifteen_seconds)
{
    watch(0.0, 14.9, 2.0, 0.0);
    cr_assert_null(strangers_oldest(&strangers));
    watch(14.9, 15.3, 2.0, 0.0);
    const struct stranger *stranger = strangers_oldest(&strangers);
    cr_assert_not_null(stranger);
    cr_assert_float_eq(stranger->x, 2.0, 1e-9);
}

Test(strangers, takes_what_walks_for_people)
{
    watch(0.0, 30.0, 0.0, 0.3);
    cr_assert_null(strangers_oldest(&strangers));
}

Test(strangers, takes_who_stands_for_eight_seconds_for_people)
{
    for (int i = 0; i < 5; i++) {
        watch(20.0 * i, 20.0 * i + 8.0, 2.0, 0.0);
        look_away(20.0 * i + 8.0, 120, true);
        cr_assert_null(strangers_oldest(&strangers));
    }
}

Test(strangers, adds_up_what_is_seen_again_and_again)
{
    watch(0.0, 1.6, 2.0, 0.0);
    look_away(1.6, 150, false);
    cr_assert_null(strangers_oldest(&strangers));
    watch(16.6, 18.6, 2.0, 0.0);
    cr_assert_not_null(strangers_oldest(&strangers));
}

Test(strangers, trusts_less_in_what_was_seen_long_ago)
{
    watch(0.0, 1.6, 2.0, 0.0);
    look_away(1.6, 1800, false);
    watch(181.6, 183.6, 2.0, 0.0);
    cr_assert_null(strangers_oldest(&strangers));
    watch(183.6, 184.4, 2.0, 0.0);
    cr_assert_not_null(strangers_oldest(&strangers));
}

/* What is fixed to a robot that stands looks the same. */
Test(strangers, is_silent_while_the_laser_stands)
{
    const double point[1][2] = {{2.0, 1.0}};
    const struct strangers_view view = {.points = point, .n_points = 1};
    for (int i = 0; i < 600; i++) {
        strangers_add(&strangers, 0.1 * i, &view);
    }
    cr_assert_null(strangers_oldest(&strangers));
    watch(60.0, 60.2, 2.0, 0.0);
    cr_assert_not_null(strangers_oldest(&strangers));
}

Test(strangers, forgets_what_the_laser_looks_through)
{
    watch(0.0, 16.0, 2.0, 0.0);
    look_away(16.0, 10, false);
    cr_assert_not_null(strangers_oldest(&strangers));
    look_away(17.0, 1, true);
    cr_assert_null(strangers_oldest(&strangers));
}

Test(strangers, is_silent_of_what_was_not_seen_for_ten_seconds)
{
    watch(0.0, 16.0, 2.0, 0.0);
    look_away(16.0, 105, false);
    cr_assert_null(strangers_oldest(&strangers));
    watch(26.5, 26.8, 2.0, 0.0);
    cr_assert_not_null(strangers_oldest(&strangers));
}

Test(strangers, keeps_the_places_that_were_seen_most)
{
    watch(0.0, 5.0, 2.0, 0.0);
    for (int i = 0; i < 1000; i++) {
        scan(5.0 + 0.001 * i, 0.5 * i, (double)NAN);
        scan(5.0 + 0.001 * i + 0.0005, 0.5 * i, 3.0);
    }
    cr_assert_null(strangers_oldest(&strangers));
    look_away(6.0, 1, false);
    watch(6.1, 18.0, 2.0, 0.0);
    cr_assert_not_null(strangers_oldest(&strangers));
}
