/* SPDX-License-Identifier: Apache-2.0 */
/* A joint with lag, against its solution in closed form. */
#include <math.h>

#include <criterion/criterion.h>

#include "joint_motion.h"

static const struct mock_joint_properties joint_of = {
    .lag_s = 0.1, .max_speed = 100.0, .friction = 4.0};

static struct mock_joint after(const struct mock_joint_properties *props, enum dpl_joints_mode mode,
                               double setpoint, double time_s, int n_steps)
{
    struct mock_joint joint = {0};
    for (int i = 0; i < n_steps; i++) {
        mock_joint_step(&joint, props, mode, setpoint, time_s / n_steps);
    }
    return joint;
}

Test(mock_joint, comes_to_a_position_with_its_lag_whatever_the_steps)
{
    double expected = 2.0 * -expm1(-0.25 / 0.1);
    cr_assert_float_eq(after(&joint_of, DPL_JOINTS_POSITION, 2.0, 0.25, 1).position, expected,
                       1e-12);
    cr_assert_float_eq(after(&joint_of, DPL_JOINTS_POSITION, 2.0, 0.25, 25).position, expected,
                       1e-12);
}

Test(mock_joint, comes_to_a_velocity_with_its_lag_and_travels_the_integral)
{
    double v = 3.0 * -expm1(-0.25 / 0.1), way = 3.0 * 0.25 - v * 0.1;
    for (int n = 1; n <= 25; n += 24) {
        struct mock_joint joint = after(&joint_of, DPL_JOINTS_VELOCITY, 3.0, 0.25, n);
        cr_assert_float_eq(joint.velocity, v, 1e-12);
        cr_assert_float_eq(joint.position, way, 1e-12);
        cr_assert_float_eq(joint.effort, 4.0 * v, 1e-12);
    }
}

Test(mock_joint, moves_as_fast_as_friction_lets_an_effort)
{
    struct mock_joint joint = after(&joint_of, DPL_JOINTS_EFFORT, -8.0, 5.0, 500);
    cr_assert_float_eq(joint.velocity, -2.0, 1e-9);
    cr_assert_eq(joint.effort, -8.0);
}

Test(mock_joint, is_never_faster_than_its_limit)
{
    struct mock_joint_properties props = joint_of;
    props.max_speed = 0.5;
    cr_assert_float_eq(after(&props, DPL_JOINTS_POSITION, 9.0, 1.0, 100).position, 0.5, 1e-12);
    cr_assert_float_eq(after(&props, DPL_JOINTS_VELOCITY, -9.0, 5.0, 500).velocity, -0.5, 1e-9);
    cr_assert_float_eq(after(&props, DPL_JOINTS_EFFORT, 99.0, 5.0, 500).velocity, 0.5, 1e-9);
}

Test(mock_joint, without_lag_is_there_at_once_and_in_no_time_nothing_happens)
{
    struct mock_joint_properties props = joint_of;
    props.lag_s = 0.0;
    struct mock_joint joint = after(&props, DPL_JOINTS_POSITION, 0.25, 0.01, 1);
    cr_assert_eq(joint.position, 0.25);
    mock_joint_step(&joint, &props, DPL_JOINTS_POSITION, 9.0, 0.0);
    cr_assert_eq(joint.position, 0.25);
    cr_assert_float_eq(joint.velocity, 25.0, 1e-12);
}
