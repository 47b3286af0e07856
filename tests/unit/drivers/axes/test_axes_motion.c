/* SPDX-License-Identifier: Apache-2.0 */
/* The modes, the ramp to rest and the watch that drivers of axes share. */
#include <math.h>

#include <criterion/criterion.h>

#include "axes_motion.h"

#define NEAR(value, expected) cr_assert_float_eq(value, expected, 1e-12, "%.15g", value)

static const double period_s = 0.000625;

static const struct axes_motion_properties usual = {
    .stop_deceleration_m_s2 = 10.0,
    .max_following_error_m = 0.005,
};

static struct axes_motion motion;
static struct axes_motion_measured measured;

static void step(void)
{
    axes_motion_step(&motion, &usual, &measured, period_s);
}

static void switch_on(void)
{
    measured = (struct axes_motion_measured){.position_m = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}};
    axes_motion_init(&motion);
    cr_assert_eq(axes_motion_enable(&motion), 0);
    cr_assert_eq(motion.mode, DPL_AXES_STARTING);
    step();
    cr_assert_eq(motion.mode, DPL_AXES_ON);
}

static void follow(double position_m, double velocity_m_s)
{
    struct dpl_axes_reference reference = {0};
    for (int i = 0; i < DPL_AXES_N; i++) {
        reference.position_m[i] = position_m + i;
        reference.velocity_m_s[i] = velocity_m_s * (i + 1);
        measured.position_m[i] = position_m + i;
    }
    cr_assert_eq(axes_motion_follow(&motion, &reference), 0);
    step();
}

/* Steps until the mode is no longer STOPPING; how many it took. */
static int steps_to_rest(void)
{
    int n = 0;
    while (motion.mode == DPL_AXES_STOPPING && n < 100000) {
        step();
        n++;
    }
    return n;
}

Test(axes_motion, is_off_without_torque_at_first_and_follows_nothing)
{
    axes_motion_init(&motion);
    struct dpl_axes_reference reference = {0};
    cr_assert_eq(motion.mode, DPL_AXES_OFF);
    cr_assert_not(axes_motion_has_torque(&motion));
    cr_assert_eq(motion.fault_axis, -1);
    cr_assert_eq(axes_motion_follow(&motion, &reference), -EPERM);
    axes_motion_stop(&motion);
    axes_motion_disable(&motion);
    axes_motion_fail(&motion, 1, 5);
    cr_assert_eq(motion.mode, DPL_AXES_OFF);
}

Test(axes_motion, holds_where_it_stands_when_it_comes_on)
{
    switch_on();
    step();
    for (int i = 0; i < DPL_AXES_N; i++) {
        cr_assert_eq(motion.reference.position_m[i], measured.position_m[i]);
        cr_assert_eq(motion.reference.velocity_m_s[i], 0.0);
    }
}

Test(axes_motion, brings_axes_that_moved_when_it_came_on_to_rest)
{
    measured = (struct axes_motion_measured){.velocity_m_s = {0.2}};
    axes_motion_init(&motion);
    axes_motion_enable(&motion);
    for (int i = 0; i < 40; i++) {
        step();
    }
    cr_assert_eq(motion.mode, DPL_AXES_ON);
    cr_assert_eq(motion.reference.velocity_m_s[0], 0.0);
    NEAR(motion.reference.position_m[0], 0.2 * 0.2 / 20.0);
}

Test(axes_motion, starts_after_its_start_time)
{
    struct axes_motion_properties slow = usual;
    slow.start_time_s = 10.0 * period_s;
    axes_motion_init(&motion);
    axes_motion_enable(&motion);
    for (int i = 0; i < 9; i++) {
        axes_motion_step(&motion, &slow, &measured, period_s);
        cr_assert_eq(motion.mode, DPL_AXES_STARTING);
        cr_assert_not(axes_motion_has_torque(&motion));
    }
    axes_motion_step(&motion, &slow, &measured, period_s);
    axes_motion_step(&motion, &slow, &measured, period_s);
    cr_assert_eq(motion.mode, DPL_AXES_ON);
}

Test(axes_motion, goes_off_at_once_while_it_starts)
{
    axes_motion_init(&motion);
    axes_motion_enable(&motion);
    axes_motion_disable(&motion);
    cr_assert_eq(motion.mode, DPL_AXES_OFF);
}

Test(axes_motion, hands_the_reference_through_bit_by_bit)
{
    switch_on();
    follow(0.123456789, 0.1);
    cr_assert_eq(motion.reference.position_m[2], 0.123456789 + 2);
    cr_assert_eq(motion.reference.velocity_m_s[2], 0.1 * 3);
}

Test(axes_motion, stops_each_axis_on_its_own_way_of_v_squared_over_2a)
{
    switch_on();
    follow(0.0, 0.1);
    axes_motion_stop(&motion);
    cr_assert_eq(motion.mode, DPL_AXES_STOPPING);
    struct dpl_axes_reference reference = {0};
    cr_assert_eq(axes_motion_follow(&motion, &reference), -EPERM);
    int n = steps_to_rest();
    for (int i = 0; i < DPL_AXES_N; i++) {
        double v = 0.1 * (i + 1);
        NEAR(motion.reference.position_m[i], i + v * v / 20.0);
        cr_assert_eq(motion.reference.velocity_m_s[i], 0.0);
        cr_assert_eq(motion.reference.acceleration_m_s2[i], 0.0);
    }
    cr_assert_eq(motion.mode, DPL_AXES_ON);
    cr_assert(n == 96 || n == 97, "%d periods for 60 ms", n);
}

Test(axes_motion, keeps_holding_in_a_stop_that_is_asked_for_again_and_again)
{
    switch_on();
    follow(0.0, 0.0);
    for (int i = 0; i < 5; i++) {
        axes_motion_stop(&motion);
        step();
        cr_assert_eq(motion.mode, DPL_AXES_STOPPING);
    }
    step();
    cr_assert_eq(motion.mode, DPL_AXES_ON);
}

Test(axes_motion, goes_off_at_rest_when_disabled)
{
    switch_on();
    follow(0.0, -0.1);
    axes_motion_disable(&motion);
    cr_assert_eq(motion.mode, DPL_AXES_STOPPING);
    cr_assert(axes_motion_has_torque(&motion));
    steps_to_rest();
    cr_assert_eq(motion.mode, DPL_AXES_OFF);
    NEAR(motion.reference.position_m[5], 5.0 - 0.36 / 20.0);
}

Test(axes_motion, stays_on_when_it_is_enabled_again_while_it_goes_off)
{
    switch_on();
    follow(0.0, 0.1);
    axes_motion_disable(&motion);
    step();
    cr_assert_eq(axes_motion_enable(&motion), 0);
    steps_to_rest();
    cr_assert_eq(motion.mode, DPL_AXES_ON);
}

Test(axes_motion, comes_to_rest_without_references_and_takes_the_next_one)
{
    switch_on();
    follow(0.0, 0.1);
    step();
    cr_assert_eq(motion.mode, DPL_AXES_ON);
    NEAR(motion.reference.velocity_m_s[0], 0.1 - 10.0 * period_s);
    NEAR(motion.reference.acceleration_m_s2[0], -10.0);
    follow(0.5, 0.0);
    cr_assert_eq(motion.reference.position_m[0], 0.5);
}

Test(axes_motion, fails_the_first_axis_that_is_too_far_from_where_it_should_be)
{
    switch_on();
    follow(0.0, 0.0);
    measured.position_m[3] -= 0.00499;
    axes_motion_watch(&motion, &usual, &measured);
    cr_assert_eq(motion.mode, DPL_AXES_ON);
    measured.position_m[3] -= 0.00002;
    measured.position_m[4] += 1.0;
    axes_motion_watch(&motion, &usual, &measured);
    struct dpl_axes_state state = {0};
    axes_motion_read(&motion, &state);
    cr_assert_eq(state.mode, DPL_AXES_FAULT);
    cr_assert_eq(state.fault, AXES_FAULT_FOLLOWING);
    cr_assert_eq(state.fault_axis, 3);
    cr_assert_not(axes_motion_has_torque(&motion));
}

Test(axes_motion, fails_an_axis_whose_position_is_no_number)
{
    switch_on();
    measured.position_m[1] = (double)NAN;
    axes_motion_watch(&motion, &usual, &measured);
    cr_assert_eq(motion.fault_axis, 1);
}

Test(axes_motion, does_not_watch_without_a_limit)
{
    struct axes_motion_properties careless = usual;
    careless.max_following_error_m = 0.0;
    switch_on();
    measured.position_m[1] += 10.0;
    axes_motion_watch(&motion, &careless, &measured);
    cr_assert_eq(motion.mode, DPL_AXES_ON);
}

Test(axes_motion, leaves_a_fault_by_reset_only_and_keeps_its_first_cause)
{
    switch_on();
    axes_motion_fail(&motion, 2, 7);
    axes_motion_fail(&motion, 4, 8);
    cr_assert_eq(motion.fault, 7);
    cr_assert_eq(motion.fault_axis, 2);
    cr_assert_eq(axes_motion_enable(&motion), -EPERM);
    axes_motion_stop(&motion);
    axes_motion_disable(&motion);
    step();
    cr_assert_eq(motion.mode, DPL_AXES_FAULT);
    axes_motion_reset(&motion);
    cr_assert_eq(motion.mode, DPL_AXES_OFF);
    cr_assert_eq(motion.fault, 0);
    cr_assert_eq(axes_motion_enable(&motion), 0);
}

Test(axes_motion, does_not_take_a_reference_of_before_a_stop)
{
    switch_on();
    struct dpl_axes_reference far = {.position_m = {9.0}};
    cr_assert_eq(axes_motion_follow(&motion, &far), 0);
    axes_motion_stop(&motion);
    step();
    step();
    cr_assert_eq(motion.mode, DPL_AXES_ON);
    cr_assert_eq(motion.reference.position_m[0], 0.1);
}
