/* SPDX-License-Identifier: Apache-2.0 */
/* The velocity of a base that an operator drives. */
#include <math.h>

#include <criterion/criterion.h>

#include "velocity.h"

static const struct teleop_limits limits = {0.3, 1.0, 0.5, 2.0};

Test(teleop_velocity, grows_with_its_acceleration_to_its_limit)
{
    struct teleop_wish wish = {.held = true, .forward = 1.0, .turn = -1.0, .share = 1.0};
    struct dpl_twist2 twist = {0};
    twist = teleop_velocity(&limits, twist, &wish, 0.1);
    cr_assert_float_eq(twist.linear, 0.05, 1e-12);
    cr_assert_float_eq(twist.angular, -0.2, 1e-12);
    for (int i = 0; i < 100; i++) {
        twist = teleop_velocity(&limits, twist, &wish, 0.1);
    }
    cr_assert_float_eq(twist.linear, 0.3, 1e-12);
    cr_assert_float_eq(twist.angular, -1.0, 1e-12);
}

Test(teleop_velocity, is_zero_at_once_without_the_switch)
{
    struct teleop_wish wish = {.held = false, .forward = 1.0, .turn = 1.0, .share = 1.0};
    struct dpl_twist2 twist = teleop_velocity(&limits, (struct dpl_twist2){0.3, 1.0}, &wish, 0.05);
    cr_assert_eq(twist.linear, 0.0);
    cr_assert_eq(twist.angular, 0.0);
}

Test(teleop_velocity, is_a_share_of_its_limits_and_never_beyond_them)
{
    struct teleop_wish wish = {.held = true, .forward = 7.0, .turn = 0.5, .share = 0.5};
    struct dpl_twist2 twist = teleop_velocity(&limits, (struct dpl_twist2){0}, &wish, 10.0);
    cr_assert_float_eq(twist.linear, 0.15, 1e-12);
    cr_assert_float_eq(twist.angular, 0.25, 1e-12);
    wish.share = 3.0;
    cr_assert_float_eq(teleop_velocity(&limits, twist, &wish, 10.0).linear, 0.3, 1e-12);
}
