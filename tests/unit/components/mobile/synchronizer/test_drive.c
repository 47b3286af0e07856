/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of what `adaptive` commands: in ramps, and while poses contradict each other. */
#include "sync.h"

#include <criterion/criterion.h>

static struct dpl_sync sync_;
static struct dpl_sync_input input;
static struct dpl_sync_output output;

static const struct dpl_pose2 origin = {0.0, 0.0, 0.0};

static void start(struct dpl_twist2 command)
{
    struct dpl_sync_config config = dpl_sync_config_default();
    config.strategy = DPL_SYNC_ADAPTIVE;
    config.align = DPL_SYNC_ALIGN_NONE;
    cr_assert_eq(dpl_sync_init(&sync_, &config), 0);
    input = (struct dpl_sync_input){.now_s = 100.0, .has_command = true, .command = command};
}

/* 100 ms later the real robot says nothing new. */
static void tick_in_silence(void)
{
    input.now_s += 0.1;
    input.avatar = (struct dpl_sync_pose_input){.valid = true, origin, input.now_s};
    dpl_sync_step(&sync_, &input, &output);
}

/* 100 ms later the real robot's pose is one of `age_s` before. */
static void tick_of(struct dpl_pose2 real, double age_s)
{
    input.real = (struct dpl_sync_pose_input){.valid = true, real, input.now_s + 0.1 - age_s};
    tick_in_silence();
}

/* 100 ms later both stand where they are told to, as the poses say. */
static void tick(struct dpl_pose2 real)
{
    tick_of(real, 0.0);
}

Test(drive, in_a_ramp_it_commands_what_is_to_be_reached)
{
    start((struct dpl_twist2){0.2, 0.0});
    tick(origin);
    /* The wheels do 0.05 m/s in a period. */
    cr_assert_gt(output.drive[0].linear, 0.1);
    cr_assert_lt(output.drive[0].linear, 0.21);
}

Test(drive, without_a_ramp_it_commands_what_the_robot_does)
{
    start((struct dpl_twist2){0.01, 0.0});
    tick(origin);
    cr_assert_leq(output.drive[0].linear, 0.0101);
}

Test(drive, does_not_follow_a_first_pose_that_the_others_contradict)
{
    start((struct dpl_twist2){0.0, 0.0});
    tick((struct dpl_pose2){2.0, -2.0, 0.0});
    tick((struct dpl_pose2){-1.0, 0.0, 0.0});
    cr_assert_eq(sync_.outliers[0], 1);
    tick((struct dpl_pose2){0.0, 1.0, 0.0});
    cr_assert_eq(sync_.outliers[0], 2);
    /* What is left is half the estimated slip of an avatar that did not move. */
    cr_assert_lt(fabs(output.drive[0].linear), 0.03, "%g", output.drive[0].linear);
}

static void settle(void)
{
    start((struct dpl_twist2){0.0, 0.0});
    for (int i = 0; i < 5; i++) {
        tick(origin);
    }
}

Test(drive, begins_at_the_first_pose_of_a_robot_that_was_moved)
{
    settle();
    tick((struct dpl_pose2){0.4, 0.0, 0.0});
    cr_assert_eq(sync_.outliers[0], 1);
    cr_assert_gt(output.drive[0].linear, 0.05);
}

Test(drive, waits_for_the_vote_where_a_pose_was_wrong)
{
    settle();
    tick((struct dpl_pose2){0.0, 0.0, 1.0});
    tick(origin);
    tick((struct dpl_pose2){0.4, 0.0, 0.0});
    cr_assert_eq(sync_.outliers[0], 2);
    cr_assert_float_eq(output.drive[0].linear, 0.0, 1e-3);
}

/* A single pose that does not fit is perhaps right for as long as the next one may still come. */
Test(drive, goes_back_to_its_belief_when_poses_end_with_one_that_does_not_fit)
{
    start((struct dpl_twist2){0.0, 0.0});
    for (int i = 0; i < 35; i++) {
        tick(origin);
    }
    tick((struct dpl_pose2){0.4, 0.0, 0.0});
    cr_assert_eq(sync_.outliers[0], 1);
    cr_assert_gt(output.drive[0].linear, 0.05);
    tick_in_silence();
    cr_assert_gt(output.drive[0].linear, 0.05, "the next pose may come");
    tick_in_silence();
    tick_in_silence();
    cr_assert_lt(fabs(output.drive[0].linear), 0.03, "%g", output.drive[0].linear);
}

Test(drive, poses_that_are_always_late_have_not_ended)
{
    start((struct dpl_twist2){0.0, 0.0});
    for (int i = 0; i < 35; i++) {
        tick_of(origin, 0.25);
    }
    tick_of((struct dpl_pose2){0.4, 0.0, 0.0}, 0.25);
    cr_assert_eq(sync_.outliers[0], 1);
    cr_assert_gt(output.drive[0].linear, 0.03);
}
