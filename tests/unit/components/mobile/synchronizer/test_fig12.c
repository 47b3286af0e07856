/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the strategy fig12, step by step as the flow chart goes. */
#include "control_law.h"

#include <criterion/criterion.h>

static struct dpl_sync_fig12 fig12;
static const struct dpl_twist2 command = {0.2, 0.3};

static void start_with(bool accumulate, enum dpl_sync_faster faster)
{
    struct dpl_sync_fig12_config config = {0.01, accumulate, faster};
    dpl_sync_fig12_init(&fig12, &config);
}

/* The avatar stands at the origin; the real robot is `ahead` of it, turned by `turn`. */
static struct dpl_sync_fig12_drive step(double ahead, double turn)
{
    return dpl_sync_fig12_step(&fig12, (struct dpl_pose2){ahead, 0.0, turn},
                               (struct dpl_pose2){0.0, 0.0, 0.0}, command);
}

static void assert_drive(struct dpl_sync_fig12_drive d, int n, double v, double w)
{
    cr_assert_eq(d.n_drive, n);
    cr_assert_float_eq(d.drive[n - 1].linear, v, 1e-12, "v %g, expected %g", d.drive[n - 1].linear,
                       v);
    cr_assert_float_eq(d.drive[n - 1].angular, w, 1e-12, "w %g, expected %g",
                       d.drive[n - 1].angular, w);
}

Test(fig12, forwards_the_command_first)
{
    start_with(true, DPL_SYNC_FASTER_AHEAD);
    assert_drive(step(0.1, 0.2), 1, 0.2, 0.3);
}

Test(fig12, accumulate_adds_a_step_a_tick_while_the_distance_grows_and_takes_it_back_after)
{
    start_with(true, DPL_SYNC_FASTER_AHEAD);
    step(0.10, 0.0);
    assert_drive(step(0.11, 0.05), 1, 0.21, 0.05);
    assert_drive(step(0.12, 0.05), 1, 0.22, 0.05);
    assert_drive(step(0.11, -0.1), 1, 0.21, -0.1);
    assert_drive(step(0.11, 0.0), 1, 0.20, 0.0); /* equal distance is not growing */
}

Test(fig12, reset_starts_from_the_command_each_tick)
{
    start_with(false, DPL_SYNC_FASTER_AHEAD);
    step(0.10, 0.0);
    assert_drive(step(0.11, 0.0), 1, 0.21, 0.0);
    assert_drive(step(0.12, 0.0), 1, 0.21, 0.0);
    assert_drive(step(0.11, 0.0), 1, 0.19, 0.0);
}

Test(fig12, stops_and_turns_when_the_avatar_is_ahead)
{
    start_with(true, DPL_SYNC_FASTER_AHEAD);
    step(0.1, 0.0);
    struct dpl_sync_fig12_drive d = step(-0.01, 0.2);
    assert_drive(d, 2, 0.0, 0.2);
    cr_assert_float_eq(d.drive[0].linear, 0.0, 0.0);
    cr_assert_float_eq(d.drive[0].angular, 0.0, 0.0);
    assert_drive(step(-0.01, 0.0), 1, 0.0, 0.0); /* no heading error, no second command */
}

Test(fig12, remembers_the_distance_of_the_tick_it_stopped_in)
{
    start_with(true, DPL_SYNC_FASTER_AHEAD);
    step(0.1, 0.0);
    step(-0.05, 0.0);
    assert_drive(step(0.04, 0.0), 1, 0.19, 0.0); /* 0.04 < 0.05: closing */
}

Test(fig12, begins_again_from_a_command_that_changed)
{
    start_with(true, DPL_SYNC_FASTER_AHEAD);
    step(0.10, 0.0);
    step(0.11, 0.0);
    step(0.12, 0.0);
    struct dpl_sync_fig12_drive d =
        dpl_sync_fig12_step(&fig12, (struct dpl_pose2){0.13, 0.0, 0.0},
                            (struct dpl_pose2){0.0, 0.0, 0.0}, (struct dpl_twist2){0.1, 0.3});
    assert_drive(d, 1, 0.11, 0.0);
}

Test(fig12, travelled_compares_the_lengths_of_the_paths)
{
    struct dpl_pose2 zero = {0.0, 0.0, 0.0};
    start_with(true, DPL_SYNC_FASTER_TRAVELLED);
    dpl_sync_fig12_step(&fig12, zero, zero, command);
    assert_drive(dpl_sync_fig12_step(&fig12, (struct dpl_pose2){0.02, 0.0, 0.0},
                                     (struct dpl_pose2){0.0, 0.03, 0.0}, command),
                 1, 0.0, 0.0);
    assert_drive(dpl_sync_fig12_step(&fig12, (struct dpl_pose2){0.06, 0.0, 0.0},
                                     (struct dpl_pose2){0.0, 0.03, 0.0}, command),
                 1, 0.21, 0.0);
}

Test(fig12, speed_compares_the_last_steps)
{
    struct dpl_pose2 zero = {0.0, 0.0, 0.0};
    start_with(true, DPL_SYNC_FASTER_SPEED);
    dpl_sync_fig12_step(&fig12, zero, zero, command);
    dpl_sync_fig12_step(&fig12, (struct dpl_pose2){0.1, 0.0, 0.0}, zero, command);
    assert_drive(dpl_sync_fig12_step(&fig12, (struct dpl_pose2){0.11, 0.0, 0.0},
                                     (struct dpl_pose2){0.02, 0.0, 0.0}, command),
                 1, 0.0, 0.0);
}

Test(fig12, throws_the_turn_of_the_command_away)
{
    start_with(true, DPL_SYNC_FASTER_AHEAD);
    step(0.0, 0.0);
    assert_drive(step(0.0, 0.0), 1, 0.19, 0.0); /* 0.3 rad/s was asked for */
}

Test(fig12, wraps_the_heading_difference)
{
    start_with(true, DPL_SYNC_FASTER_AHEAD);
    struct dpl_pose2 real = {0.0, 0.0, -3.1}, avatar = {0.0, 0.0, 3.1};
    dpl_sync_fig12_step(&fig12, real, avatar, command);
    assert_drive(dpl_sync_fig12_step(&fig12, real, avatar, command), 1, 0.19, 2.0 * DPL_PI - 6.2);
}
