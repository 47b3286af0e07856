/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the places where something unknown stands. */
#include "strangers.h"

#include <criterion/criterion.h>
#include <math.h>

static struct strangers strangers;

/* Scans 10 times a second of something at (x, y) that moves along x. */
static void watch(double from_s, double to_s, double x, double speed)
{
    for (int i = 0; from_s + 0.1 * i < to_s - 1e-9; i++) {
        const double point[1][2] = {{x + speed * 0.1 * i, 1.0}};
        strangers_add(&strangers, from_s + 0.1 * i, point, 1);
    }
}

Test(strangers, names_what_stays_for_eight_seconds)
{
    strangers_init(&strangers);
    watch(0.0, 7.9, 2.0, 0.0);
    cr_assert_null(strangers_oldest(&strangers));
    watch(7.9, 8.3, 2.0, 0.0);
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

Test(strangers, forgets_what_has_gone)
{
    strangers_init(&strangers);
    watch(0.0, 10.0, 2.0, 0.0);
    cr_assert_not_null(strangers_oldest(&strangers));
    for (int i = 0; i < 12; i++) {
        strangers_add(&strangers, 10.0 + 0.1 * i, NULL, 0);
    }
    cr_assert_null(strangers_oldest(&strangers));
}

Test(strangers, does_not_count_what_is_seen_now_and_then)
{
    strangers_init(&strangers);
    for (int i = 0; i < 200; i++) {
        const double point[1][2] = {{2.0, 1.0}};
        strangers_add(&strangers, 0.1 * i, point, i % 4 == 0);
    }
    cr_assert_null(strangers_oldest(&strangers));
}

Test(strangers, keeps_a_bounded_number_of_places)
{
    strangers_init(&strangers);
    for (int i = 0; i < 1000; i++) {
        const double point[1][2] = {{0.5 * i, (double)NAN}};
        const double other[1][2] = {{0.5 * i, 0.0}};
        strangers_add(&strangers, 0.001 * i, point, 1);
        strangers_add(&strangers, 0.001 * i + 0.0005, other, 1);
    }
    cr_assert_null(strangers_oldest(&strangers));
}
