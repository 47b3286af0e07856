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
    int n, puts;
    enum dpl_sync_state state;
    struct dpl_twist2 (*command)(double t);
    struct dpl_sync_robot_status found; /* of the avatar */
    double lost_from_s, lost_to_s;      /* no pose of either, and the avatar stands still */
};

static struct loop loop, twin;

static struct dpl_twist2 wave(double t)
{
    return (struct dpl_twist2){0.15, 0.4 * sin(2.0 * DPL_PI * t / 8.0)};
}

/* Half a period straight, standing, turning in place, standing. */
static struct dpl_twist2 stop_and_go(double t)
{
    double phase = fmod(t, 5.0);
    return phase < 2.0   ? (struct dpl_twist2){0.2, 0.0}
           : phase < 3.0 ? (struct dpl_twist2){0.0, 0.0}
           : phase < 4.0 ? (struct dpl_twist2){0.0, 0.6}
                         : (struct dpl_twist2){0.0, 0.0};
}

static struct dpl_twist2 turn_in_place(double t)
{
    return (struct dpl_twist2){0.0, fmod(t, 8.0) < 4.0 ? 0.5 : -0.5};
}

static void start(struct loop *l, enum dpl_sync_strategy strategy, double avatar_scale)
{
    struct dpl_sync_config config = dpl_sync_config_default();
    struct dpl_mock_plant_config real = dpl_mock_plant_config_default();
    memset(l, 0, sizeof *l);
    l->command = wave;
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

static void tick(struct loop *l, double t, bool has_command)
{
    struct dpl_sync_input input = {
        .now_s = t, .has_command = has_command, .command = l->command(t)};
    struct dpl_sync_output output;
    input.real.valid = dpl_mock_plant_read(&l->real, t, &input.real.pose, &input.real.stamp_s);
    input.avatar.valid =
        dpl_mock_plant_read(&l->avatar, t, &input.avatar.pose, &input.avatar.stamp_s);
    bool lost = t >= l->lost_from_s && t < l->lost_to_s;
    input.real.valid = input.real.valid && !lost;
    input.avatar.valid = input.avatar.valid && !lost;
    input.has_command = has_command && !lost;
    dpl_sync_step(&l->sync, &input, &output);
    dpl_mock_plant_command(&l->real, t, input.command.linear, input.command.angular);
    for (int i = 0; i < output.n_drive; i++) {
        struct dpl_twist2 drive = lost ? (struct dpl_twist2){0.0, 0.0} : output.drive[i];
        dpl_mock_plant_command(&l->avatar, t, drive.linear, drive.angular);
    }
    if (output.has_set_pose) {
        dpl_mock_plant_set_pose(&l->avatar, t, output.set_pose);
        l->puts++;
    }
    l->state = output.status.state;
    l->found = output.status.avatar;
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

/* A component that lost its device commands nothing, and its avatar stands; the robot goes on
 * blindly. Returns the largest distance from 2 s after the return on. */
static double lose(struct loop *l, double from_s, double to_s)
{
    double worst = 0.0;
    l->lost_from_s = from_s;
    l->lost_to_s = to_s;
    for (int i = 0; i < (int)((to_s + 12.0) / TICK_S); i++) {
        double t = i * TICK_S;
        tick(l, t, true);
        if (t >= to_s + 2.0) {
            worst = fmax(worst, dpl_pose2_distance(dpl_mock_plant_true_pose(&l->real),
                                                   dpl_mock_plant_true_pose(&l->avatar)));
            cr_assert_eq(l->state, DPL_SYNC_OK, "%s at %g s", dpl_sync_state_name(l->state), t);
        }
    }
    return worst;
}

Test(closed_loop, two_seconds_after_a_loss_they_are_together_again_however_long_it_was)
{
    static const struct {
        double loss_s, limit_m;
        int puts;
    } cases[] = {
        {1.5, 0.15, 0}, /* within the safe radius it is driven out */
        {4.0, 0.03, 1},
        {20.0, 0.03, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        start(&loop, DPL_SYNC_ADAPTIVE, 0.92);
        double worst = lose(&loop, 8.0, 8.0 + cases[i].loss_s);
        cr_assert_lt(worst, cases[i].limit_m, "%g m after a loss of %g s", worst, cases[i].loss_s);
        cr_assert_eq(loop.puts, cases[i].puts);
    }
}

Test(closed_loop, without_being_put_it_needs_long)
{
    start(&loop, DPL_SYNC_ADAPTIVE, 0.92);
    loop.sync.placement.on_return = false;
    loop.lost_from_s = 8.0;
    loop.lost_to_s = 28.0;
    for (int i = 0; i < 320; i++) {
        tick(&loop, i * TICK_S, true);
    }
    cr_assert_eq(loop.state, DPL_SYNC_DIVERGED, "4 s after the return");
    cr_assert_eq(loop.puts, 0);
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

static void identify(struct dpl_twist2 (*command)(double), double scale, double lag_s)
{
    start(&loop, DPL_SYNC_ADAPTIVE, scale);
    loop.command = command;
    struct dpl_mock_plant_config avatar = loop.avatar.config;
    avatar.lag_s = lag_s;
    cr_assert_eq(dpl_mock_plant_init(&loop.avatar, &avatar), 0);
    for (int i = 0; i < 400; i++) {
        tick(&loop, i * TICK_S, true);
    }
}

Test(closed_loop, a_slow_motor_is_not_taken_for_a_small_gain)
{
    struct dpl_twist2 (*const commands[])(double) = {wave, stop_and_go};
    for (size_t i = 0; i < 2; i++) {
        for (double lag_s = 0.05; lag_s < 0.6; lag_s += lag_s < 0.3 ? 0.125 : 0.1) {
            identify(commands[i], 0.92, lag_s);
            double found_s = loop.found.latency_s + loop.found.lag_s, true_s = lag_s + 0.02;
            cr_assert_float_eq(loop.found.map.m11, 0.92, 0.03, "m11 %g, lag %g s",
                               loop.found.map.m11, lag_s);
            cr_assert_float_eq(loop.found.map.m22, 0.92, 0.04, "m22 %g, lag %g s",
                               loop.found.map.m22, lag_s);
            cr_assert_float_eq(found_s, true_s, 0.05 + 0.2 * true_s, "%g of %g s", found_s, true_s);
        }
    }
}

Test(closed_loop, says_what_the_motion_does_not_show)
{
    identify(turn_in_place, 0.92, 0.25);
    cr_assert_not(loop.found.certainty.m11);
    cr_assert_not(loop.found.certainty.m21);
    cr_assert(loop.found.certainty.m22 && loop.found.certainty.m12);
    cr_assert_float_eq(loop.found.map.m22, 0.92, 0.03);
    identify(wave, 0.92, 0.05);
    cr_assert(loop.found.certainty.m11 && loop.found.certainty.m22);
    cr_assert(loop.found.certainty.m12 && loop.found.certainty.m21);
    cr_assert_lt(loop.found.certainty.sigma.m11, 0.05);
    cr_assert_not(loop.found.certainty.clamped);
}

Test(closed_loop, says_that_a_gain_or_a_lag_is_at_its_end)
{
    identify(wave, 0.6, 0.05);
    cr_assert_float_eq(loop.found.map.m11, 0.7, 1e-12);
    cr_assert(loop.found.certainty.clamped);
    identify(wave, 0.8, 0.05);
    cr_assert_not(loop.found.certainty.clamped);
    cr_assert_not(loop.found.lag_at_end);
    identify(stop_and_go, 0.92, 1.2);
    cr_assert(loop.found.lag_at_end);
}

static struct dpl_twist2 go_and_stop(double t)
{
    return (struct dpl_twist2){fmod(t, 4.0) < 2.0 ? 0.2 : 0.0, 0.0};
}

/* Its poses are fresh; nobody but the user can know that it is the commands that are late. */
static double run_with_slow_commands(bool poses_are_late)
{
    start(&loop, DPL_SYNC_ADAPTIVE, 0.92);
    struct dpl_mock_plant_config real = dpl_mock_plant_config_default();
    real.lag_s = 0.05;
    real.latency_s = 0.40;
    real.pose_noise_m = 0.0005;
    cr_assert_eq(dpl_mock_plant_init(&loop.real, &real), 0);
    loop.sync.config.slow_answer = poses_are_late ? DPL_SYNC_SLOW_POSES : DPL_SYNC_SLOW_COMMANDS;
    loop.command = go_and_stop;
    run(&loop, true); /* finds that it answers late */
    loop.square = loop.n = 0;
    for (int i = 240; i < 480; i++) {
        tick(&loop, i * TICK_S, true);
    }
    return sqrt(loop.square / loop.n);
}

Test(closed_loop, follows_a_robot_whose_commands_are_long_on_the_way_when_told)
{
    double told = run_with_slow_commands(false), taken_for_late = run_with_slow_commands(true);
    cr_assert_lt(told, 0.010, "%g", told);
    cr_assert_gt(taken_for_late, 0.030, "%g", taken_for_late);
}
