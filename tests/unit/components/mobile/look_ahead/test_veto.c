/* SPDX-License-Identifier: Apache-2.0 */
/* What a veto leaves of a command. */
#include <math.h>

#include <criterion/criterion.h>

#include "outlook.h"

static const struct veto_limits limits = {
    .deceleration_m_s2 = 0.5,
    .deceleration_rad_s2 = 2.0,
    .latency_s = 0.2,
    .margin_m = 0.05,
};

Test(veto, the_speed_stops_exactly_within_the_way)
{
    for (double way = 0.01; way < 3.0; way += 0.13) {
        double v = veto_speed(way, 0.5, 0.2);
        cr_assert_float_eq(v * 0.2 + v * v / (2.0 * 0.5), way, 1e-12);
    }
    cr_assert_eq(veto_speed(0.0, 0.5, 0.2), 0.0);
    cr_assert_eq(veto_speed(-1.0, 0.5, 0.2), 0.0);
}

Test(veto, a_contact_that_is_far_slows_nothing)
{
    struct veto_contact contact = {.twist = {0.3, 0.1}, .way_m = 0.9};
    struct dpl_twist2 given;
    cr_assert_not(veto_command(&limits, &contact, (struct dpl_twist2){0.3, 0.1}, &given));
    cr_assert_eq(given.linear, 0.3);
    cr_assert_eq(given.angular, 0.1);
}

Test(veto, a_near_one_slows_down_and_lets_the_base_turn)
{
    struct veto_contact contact = {.twist = {0.3, 0.0}, .way_m = 0.1};
    struct dpl_twist2 given;
    cr_assert(veto_command(&limits, &contact, (struct dpl_twist2){0.3, 0.7}, &given));
    cr_assert_float_eq(given.linear, veto_speed(0.05, 0.5, 0.2), 1e-12);
    cr_assert_lt(given.linear, 0.3);
    cr_assert_gt(given.linear, 0.0);
    cr_assert_eq(given.angular, 0.7);
}

Test(veto, it_never_blocks_the_way_back)
{
    struct veto_contact contact = {.twist = {0.3, 0.0}, .way_m = 0.0};
    struct dpl_twist2 given;
    cr_assert_not(veto_command(&limits, &contact, (struct dpl_twist2){-0.2, 0.4}, &given));
    cr_assert_eq(given.linear, -0.2);
    contact.twist.linear = -0.3;
    cr_assert(veto_command(&limits, &contact, (struct dpl_twist2){-0.2, 0.4}, &given));
    cr_assert_eq(given.linear, 0.0);
}

Test(veto, a_turn_on_the_spot_that_touches_is_slowed)
{
    struct veto_contact contact = {.twist = {0.0, 1.0}, .turn_rad = 0.1};
    struct dpl_twist2 given;
    cr_assert(veto_command(&limits, &contact, (struct dpl_twist2){0.2, 1.0}, &given));
    cr_assert_float_eq(given.angular, veto_speed(0.05, 2.0, 0.2), 1e-12);
    cr_assert_eq(given.linear, 0.2);
    cr_assert_not(veto_command(&limits, &contact, (struct dpl_twist2){0.0, -1.0}, &given));
}
