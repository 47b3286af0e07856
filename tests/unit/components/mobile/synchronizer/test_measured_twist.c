/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the velocity from poses. */
#include "motion_map.h"

#include <criterion/criterion.h>

Test(measured_twist, converges_to_the_velocity_on_an_arc)
{
    struct dpl_sync_measured_twist m = {0};
    for (int i = 0; i <= 20; i++) {
        double a = 0.4 * 0.1 * i;
        struct dpl_pose2 pose = {0.5 * sin(a), 0.5 * (1.0 - cos(a)), a};
        dpl_sync_measured_twist_update(&m, pose, 0.1 * i);
    }
    cr_assert_float_eq(m.twist.linear, 0.2, 1e-6);
    cr_assert_float_eq(m.twist.angular, 0.4, 1e-6);
}

Test(measured_twist, smooths_with_a_time_constant_of_a_tenth_of_a_second)
{
    struct dpl_sync_measured_twist m = {0};
    dpl_sync_measured_twist_update(&m, (struct dpl_pose2){0.0, 0.0, 0.0}, 0.0);
    dpl_sync_measured_twist_update(&m, (struct dpl_pose2){-0.02, 0.0, 0.0}, 0.1);
    cr_assert_float_eq(m.twist.linear, -0.2 * (1.0 - exp(-1.0)), 1e-12);
}

Test(measured_twist, ignores_a_pose_that_is_not_newer)
{
    struct dpl_sync_measured_twist m = {0};
    dpl_sync_measured_twist_update(&m, (struct dpl_pose2){0.0, 0.0, 0.0}, 1.0);
    dpl_sync_measured_twist_update(&m, (struct dpl_pose2){5.0, 0.0, 0.0}, 1.0);
    dpl_sync_measured_twist_update(&m, (struct dpl_pose2){5.0, 0.0, 0.0}, 0.5);
    cr_assert_float_eq(m.twist.linear, 0.0, 1e-15);
    cr_assert_float_eq(m.last.x, 0.0, 1e-15);
}

Test(measured_twist, starts_again_after_a_gap)
{
    struct dpl_sync_measured_twist m = {0};
    dpl_sync_measured_twist_update(&m, (struct dpl_pose2){0.0, 0.0, 0.0}, 0.0);
    dpl_sync_measured_twist_update(&m, (struct dpl_pose2){0.1, 0.0, 0.0}, 0.1);
    cr_assert_gt(m.twist.linear, 0.1);
    dpl_sync_measured_twist_update(&m, (struct dpl_pose2){9.0, 0.0, 0.0}, 2.0);
    cr_assert_float_eq(m.twist.linear, 0.0, 1e-15);
}
