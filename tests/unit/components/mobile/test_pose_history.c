/* SPDX-License-Identifier: Apache-2.0 */
/* Poses in the past. */
#include "pose_history.h"

#include <criterion/criterion.h>

Test(pose_history, an_empty_one_knows_nothing)
{
    struct pose_history history = {0};
    struct dpl_pose2 pose;
    cr_assert_not(pose_history_at(&history, 1.0, &pose));
}

Test(pose_history, a_pose_in_between_is_interpolated_across_the_angle_seam)
{
    struct pose_history history = {0};
    pose_history_add(&history, 1.0, (struct dpl_pose2){0.0, 0.0, 3.1});
    pose_history_add(&history, 2.0, (struct dpl_pose2){1.0, 2.0, -3.1});
    struct dpl_pose2 pose;
    cr_assert(pose_history_at(&history, 1.5, &pose));
    cr_assert_float_eq(pose.x, 0.5, 1e-12);
    cr_assert_float_eq(pose.y, 1.0, 1e-12);
    cr_assert_float_eq(fabs(pose.theta), DPL_PI, 1e-9);
}

Test(pose_history, times_outside_give_the_ends)
{
    struct pose_history history = {0};
    for (int i = 0; i < 2 * POSE_HISTORY_SIZE; i++) {
        pose_history_add(&history, i, (struct dpl_pose2){i, 0.0, 0.0});
    }
    struct dpl_pose2 pose;
    cr_assert(pose_history_at(&history, 1e9, &pose));
    cr_assert_eq(pose.x, 2.0 * POSE_HISTORY_SIZE - 1.0);
    cr_assert(pose_history_at(&history, -1.0, &pose));
    cr_assert_eq(pose.x, (double)POSE_HISTORY_SIZE);
}

Test(pose_history, says_how_far_it_reaches)
{
    struct pose_history history = {0};
    cr_assert_not(pose_history_reaches(&history, 1.0));
    for (int i = 0; i < 2 * POSE_HISTORY_SIZE; i++) {
        pose_history_add(&history, i, (struct dpl_pose2){i, 0.0, 0.0});
    }
    cr_assert(pose_history_reaches(&history, POSE_HISTORY_SIZE));
    cr_assert(pose_history_reaches(&history, 1e9));
    cr_assert_not(pose_history_reaches(&history, POSE_HISTORY_SIZE - 1.0));
}

Test(pose_history, a_step_back_in_time_empties_it_first)
{
    struct pose_history history = {0};
    pose_history_add(&history, 5.0, (struct dpl_pose2){5.0, 0.0, 0.0});
    pose_history_add(&history, 1.0, (struct dpl_pose2){1.0, 0.0, 0.0});
    struct dpl_pose2 pose;
    cr_assert(pose_history_at(&history, 5.0, &pose));
    cr_assert_eq(pose.x, 1.0);
    cr_assert_eq(history.count, 1);
}
