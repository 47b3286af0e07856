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

static void scan(double stamp_s, double x, double y)
{
    const double point[1][2] = {{x, y}};
    const struct strangers_view view = {.points = point, .n_points = 1};
    strangers_add(&strangers, stamp_s, &view);
}

/* Scans 10 times a second of something at (x, 1) that moves along x. */
static void watch(double from_s, double to_s, double x, double speed)
{
    for (int i = 0; from_s + 0.1 * i < to_s - 1e-9; i++) {
        scan(from_s + 0.1 * i, x + speed * 0.1 * i, 1.0);
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

Test(strangers, names_what_stays_for_eight_seconds)
{
    strangers_init(&strangers);
    watch(0.0, 7.9, 2.0, 0.0);
    cr_assert_null(strangers_oldest(&strangers));
    watch(7.9, 8.4, 2.0, 0.0);
    const struct stranger *stranger = strangers_oldest(&strangers);
    cr_assert_not_null(stranger);
    cr_assert_float_eq(stranger->x, 2.0, 1e-9);
}

Test(strangers, takes_what_walks_for_people)
{
    strangers_init(&strangers);
    watch(0.0, 30.0, 0.0, 0.3);
    cr_assert_null(strangers_oldest(&strangers));
}

Test(strangers, adds_up_what_is_seen_again_and_again)
{
    strangers_init(&strangers);
    watch(0.0, 4.5, 2.0, 0.0);
    look_away(4.5, 300, false);
    cr_assert_null(strangers_oldest(&strangers));
    watch(34.5, 39.0, 2.0, 0.0);
    cr_assert_not_null(strangers_oldest(&strangers));
}

Test(strangers, forgets_what_the_laser_looks_through)
{
    strangers_init(&strangers);
    watch(0.0, 10.0, 2.0, 0.0);
    look_away(10.0, 2, true);
    cr_assert_not_null(strangers_oldest(&strangers));
    look_away(10.2, 1, true);
    cr_assert_null(strangers_oldest(&strangers));
}

Test(strangers, is_silent_of_what_was_not_seen_for_ten_seconds)
{
    strangers_init(&strangers);
    watch(0.0, 10.0, 2.0, 0.0);
    look_away(10.0, 105, false);
    cr_assert_null(strangers_oldest(&strangers));
    watch(20.5, 20.8, 2.0, 0.0);
    cr_assert_not_null(strangers_oldest(&strangers));
}

Test(strangers, keeps_the_places_that_were_seen_most)
{
    strangers_init(&strangers);
    watch(0.0, 5.0, 2.0, 0.0);
    for (int i = 0; i < 1000; i++) {
        scan(5.0 + 0.001 * i, 0.5 * i, (double)NAN);
        scan(5.0 + 0.001 * i + 0.0005, 0.5 * i, 3.0);
    }
    cr_assert_null(strangers_oldest(&strangers));
    look_away(6.0, 1, false);
    watch(6.1, 12.0, 2.0, 0.0);
    cr_assert_not_null(strangers_oldest(&strangers));
}
