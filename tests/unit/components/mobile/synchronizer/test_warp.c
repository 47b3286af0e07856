/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the time warp. */
#include "warp.h"

#include <criterion/criterion.h>

static struct dpl_sync_reference at(double t)
{
    return (struct dpl_sync_reference){t, {2.0 * t, 0.0, dpl_wrap_angle(3.0 + t)}, {t, -t}};
}

Test(warp, returns_the_newest_when_off)
{
    struct dpl_sync_warp warp;
    dpl_sync_warp_init(&warp, 0.0);
    cr_assert_float_eq(dpl_sync_warp_step(&warp, at(7.0)).pose.x, 14.0, 1e-12);
}

Test(warp, returns_the_past_interpolated_across_the_wrap)
{
    struct dpl_sync_warp warp;
    struct dpl_sync_reference past = {0};
    dpl_sync_warp_init(&warp, 0.25);
    for (int i = 0; i <= 100; i++) {
        past = dpl_sync_warp_step(&warp, at(0.1 * i));
    }
    cr_assert_float_eq(past.pose.x, 2.0 * 9.75, 1e-9);
    cr_assert_float_eq(past.twist.angular, -9.75, 1e-9);
    cr_assert_float_eq(dpl_wrap_angle(past.pose.theta - 12.75), 0.0, 1e-9);
}

Test(warp, keeps_a_second_at_a_period_of_a_millisecond)
{
    struct dpl_sync_warp warp;
    struct dpl_sync_reference past = {0};
    dpl_sync_warp_init(&warp, 1.0);
    for (int i = 0; i <= 5000; i++) {
        past = dpl_sync_warp_step(&warp, at(0.001 * i));
    }
    cr_assert_float_eq(past.pose.x, 2.0 * 4.0, 1e-6);
}

Test(warp, gives_the_oldest_while_it_is_young)
{
    struct dpl_sync_warp warp;
    dpl_sync_warp_init(&warp, 1.0);
    dpl_sync_warp_step(&warp, at(5.0));
    cr_assert_float_eq(dpl_sync_warp_step(&warp, at(5.1)).pose.x, 10.0, 1e-12);
}
