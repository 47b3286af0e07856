/* SPDX-License-Identifier: Apache-2.0 */
/* How a joint is led to its set-point. */
#include <math.h>

#include <criterion/criterion.h>

#include "joint_motion.h"

#define PERIOD 0.01

static const struct joint_lead_limits limits = {.speed = 2.0, .acceleration = 10.0};

static struct joint_lead led(struct joint_lead from, enum dpl_joints_mode mode, double setpoint,
                             int n_steps)
{
    for (int i = 0; i < n_steps; i++) {
        struct joint_lead to = joint_lead_step(&from, &limits, mode, setpoint, PERIOD);
        cr_assert_float_eq(to.position - from.position, to.velocity * PERIOD, 1e-15);
        from = to;
    }
    return from;
}

Test(joint_lead, a_position_that_is_near_is_reached_exactly_with_the_speed_of_the_way)
{
    struct joint_lead to = led((struct joint_lead){.position = 0.1}, DPL_JOINTS_POSITION, 0.115, 1);
    cr_assert_eq(to.position, 0.115);
    cr_assert_float_eq(to.velocity, 1.5, 1e-12);
    to = led(to, DPL_JOINTS_POSITION, 0.115, 1);
    cr_assert_eq(to.position, 0.115);
    cr_assert_eq(to.velocity, 0.0);
}

Test(joint_lead, one_that_is_far_is_reached_with_the_largest_speed)
{
    struct joint_lead to = led((struct joint_lead){.position = 1.0}, DPL_JOINTS_POSITION, -1.0, 50);
    cr_assert_float_eq(to.position, 0.0, 1e-12);
    cr_assert_eq(to.velocity, -2.0);
    to = led(to, DPL_JOINTS_POSITION, -1.0, 51);
    cr_assert_eq(to.position, -1.0);
}

Test(joint_lead, a_speed_is_reached_with_the_largest_acceleration_and_is_limited)
{
    struct joint_lead to = led((struct joint_lead){.position = 0.0}, DPL_JOINTS_VELOCITY, 1.0, 5);
    cr_assert_float_eq(to.velocity, 0.5, 1e-12);
    to = led(to, DPL_JOINTS_VELOCITY, 1.0, 5);
    cr_assert_float_eq(to.velocity, 1.0, 1e-12);
    cr_assert_float_eq(to.position, 0.055, 1e-12); /* 1 + 2 + ... + 10 steps of 0.001 */
    to = led(to, DPL_JOINTS_VELOCITY, 9.0, 100);
    cr_assert_float_eq(to.velocity, 2.0, 1e-12);
    to = led(to, DPL_JOINTS_VELOCITY, -9.0, 40);
    cr_assert_float_eq(to.velocity, -2.0, 1e-12);
}
