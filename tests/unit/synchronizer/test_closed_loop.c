/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the synchronization around two mock plants. */
#include "mock_plant.h"
#include "sync.h"

#include <criterion/criterion.h>
#include <string.h>

#define TICK_S 0.1

struct loop {
    struct dpl_sync sync;
    struct dpl_mock_plant real, avatar;
    double square, max;
    int n;
};

static struct loop loop, twin;

static void start(struct loop *l, enum dpl_sync_strategy strategy, double avatar_scale)
{
    struct dpl_sync_config config = dpl_sync_config_default();
    struct dpl_mock_plant_config real = dpl_mock_plant_config_default();
    memset(l, 0, sizeof *l);
    config.strategy = strategy;
    config.align = DPL_SYNC_ALIGN_NONE;
    real.lag_s = 0.05;
    real.latency_s = 0.02;
    real.pose_noise_m = 0.002;
    real.pose_noise_rad = 0.0035;
    real.seed = 42;
    struct dpl_mock_plant_config avatar = real;
    avatar.maximum_velocity = 0.3;
    avatar.pose_noise_m = avatar.pose_noise_rad = 0.0;
    avatar.wheel_scale_left = avatar.wheel_scale_right = avatar_scale;
    cr_assert_eq(dpl_sync_init(&l->sync, &config), 0);
    cr_assert_eq(dpl_mock_plant_init(&l->real, &real), 0);
    cr_assert_eq(dpl_mock_plant_init(&l->avatar, &avatar), 0);
}

static struct dpl_twist2 wave(double t)
{
    return (struct dpl_twist2){0.15, 0.4 * sin(2.0 * DPL_PI * t / 8.0)};
}

static void tick(struct loop *l, double t, bool has_command)
{
    struct dpl_sync_input input = {.now_s = t, .has_command = has_command, .command = wave(t)};
    struct dpl_sync_output output;
    input.real.valid = dpl_mock_plant_read(&l->real, t, &input.real.pose, &input.real.stamp_s);
    input.avatar.valid =
        dpl_mock_plant_read(&l->avatar, t, &input.avatar.pose, &input.avatar.stamp_s);
    dpl_sync_step(&l->sync, &input, &output);
    dpl_mock_plant_command(&l->real, t, wave(t).linear, wave(t).angular);
    for (int i = 0; i < output.n_drive; i++) {
        dpl_mock_plant_command(&l->avatar, t, output.drive[i].linear, output.drive[i].angular);
    }
    double e = dpl_pose2_distance(dpl_mock_plant_true_pose(&l->real),
                                  dpl_mock_plant_true_pose(&l->avatar));
    l->square += e * e;
    l->max = fmax(l->max, e);
    l->n++;
}

static double run(struct loop *l, bool has_command)
{
    for (int i = 0; i < 240; i++) {
        tick(l, i * TICK_S, has_command);
    }
    return sqrt(l->square / l->n);
}

Test(closed_loop, adaptive_keeps_a_slow_avatar_within_millimetres)
{
    start(&loop, DPL_SYNC_NONE, 0.92);
    double none = run(&loop, true);
    start(&loop, DPL_SYNC_ADAPTIVE, 0.92);
    double adaptive = run(&loop, true);
    cr_assert_gt(none, 0.1);
    cr_assert_lt(adaptive, 0.006, "%g m", adaptive);
    cr_assert_float_eq(loop.sync.avatar.estimator.map.m11, 0.92, 0.01);
}

Test(closed_loop, kanayama_needs_no_model)
{
    start(&loop, DPL_SYNC_KANAYAMA, 0.92);
    double rms = run(&loop, true);
    cr_assert_lt(rms, 0.01, "%g m", rms);
}

Test(closed_loop, both_trackers_follow_a_robot_that_nobody_commands)
{
    start(&loop, DPL_SYNC_ADAPTIVE, 0.92);
    double adaptive = run(&loop, false);
    cr_assert_lt(adaptive, 0.03, "adaptive %g m", adaptive);
    start(&loop, DPL_SYNC_KANAYAMA, 0.92);
    double kanayama = run(&loop, false);
    cr_assert_lt(kanayama, 0.04, "kanayama %g m", kanayama);
}

Test(closed_loop, follows_on_when_the_command_stream_comes_and_goes)
{
    start(&loop, DPL_SYNC_ADAPTIVE, 0.92);
    for (int i = 0; i < 400; i++) {
        tick(&loop, i * TICK_S, i / 50 % 2 == 0);
    }
    cr_assert_lt(loop.max, 0.08, "%g m", loop.max);
}

Test(closed_loop, warp_follows_the_past)
{
    start(&loop, DPL_SYNC_ADAPTIVE, 1.0);
    loop.sync.warp.delay_s = 0.5;
    for (int i = 0; i < 200; i++) {
        tick(&loop, i * TICK_S, true);
    }
    struct dpl_pose2 past = dpl_mock_plant_pose_at(&loop.real, 199 * TICK_S - 0.5);
    struct dpl_pose2 avatar = dpl_mock_plant_true_pose(&loop.avatar);
    struct dpl_pose2 present = dpl_mock_plant_true_pose(&loop.real);
    cr_assert_lt(dpl_pose2_distance(past, avatar), 0.02);
    cr_assert_gt(dpl_pose2_distance(present, avatar), 0.05);
}

Test(closed_loop, same_seed_gives_the_same_bits)
{
    start(&loop, DPL_SYNC_ADAPTIVE, 0.95);
    start(&twin, DPL_SYNC_ADAPTIVE, 0.95);
    double a = run(&loop, true), b = run(&twin, true);
    cr_assert_eq(memcmp(&a, &b, sizeof a), 0);
    cr_assert_eq(memcmp(&loop.avatar.pose, &twin.avatar.pose, sizeof loop.avatar.pose), 0);
    cr_assert_eq(memcmp(&loop.sync.avatar.filter.p, &twin.sync.avatar.filter.p,
                        sizeof loop.sync.avatar.filter.p),
                 0);
}
