/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of one tick of the synchronization: what goes in, what comes out, what is rejected. */
#include "sync.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

static struct dpl_sync sync_;
static struct dpl_sync_input input;
static struct dpl_sync_output output;

static struct dpl_sync_config config_of(enum dpl_sync_strategy strategy)
{
    struct dpl_sync_config config = dpl_sync_config_default();
    config.strategy = strategy;
    config.align = DPL_SYNC_ALIGN_NONE;
    return config;
}

static void start(const struct dpl_sync_config *config)
{
    cr_assert_eq(dpl_sync_init(&sync_, config), 0);
    input = (struct dpl_sync_input){.now_s = 100.0, .has_command = true};
}

static void start_with(enum dpl_sync_strategy strategy)
{
    struct dpl_sync_config config = config_of(strategy);
    start(&config);
}

/* One tick of 100 ms with fresh poses. */
static void tick(struct dpl_pose2 real, struct dpl_pose2 avatar)
{
    input.now_s += 0.1;
    input.real = (struct dpl_sync_pose_input){true, real, input.now_s};
    input.avatar = (struct dpl_sync_pose_input){true, avatar, input.now_s};
    dpl_sync_step(&sync_, &input, &output);
}

static void tick_blind(void)
{
    input.now_s += 0.1;
    dpl_sync_step(&sync_, &input, &output);
}

static void assert_drive(int n, double v, double w)
{
    cr_assert_eq(output.n_drive, n);
    cr_assert_float_eq(output.drive[n - 1].linear, v, 1e-9, "v %g, expected %g",
                       output.drive[n - 1].linear, v);
    cr_assert_float_eq(output.drive[n - 1].angular, w, 1e-9, "w %g, expected %g",
                       output.drive[n - 1].angular, w);
}

static const struct dpl_pose2 origin = {0.0, 0.0, 0.0};

Test(sync, default_configuration_is_valid_and_adaptive)
{
    struct dpl_sync_config config = dpl_sync_config_default();
    cr_assert_eq(config.strategy, DPL_SYNC_ADAPTIVE);
    cr_assert_float_eq(config.avatar_headroom, 1.5, 0.0);
    cr_assert_eq(dpl_sync_init(&sync_, &config), 0);
}

Test(sync, rejects_configurations_out_of_range)
{
    struct dpl_sync_config config = dpl_sync_config_default();
    config.period_s = (double)NAN;
    cr_assert_eq(dpl_sync_init(&sync_, &config), -EINVAL);
    config = dpl_sync_config_default();
    config.avatar_headroom = 0.9;
    cr_assert_eq(dpl_sync_init(&sync_, &config), -EINVAL);
    config = dpl_sync_config_default();
    config.strategy = (enum dpl_sync_strategy)9;
    cr_assert_eq(dpl_sync_init(&sync_, &config), -EINVAL);
    config = dpl_sync_config_default();
    config.avatar_map.m11 = 2.0;
    cr_assert_eq(dpl_sync_init(&sync_, &config), -EINVAL);
}

Test(sync, forwards_the_command_until_both_were_seen)
{
    start_with(DPL_SYNC_ADAPTIVE);
    input.command = (struct dpl_twist2){0.1, 0.2};
    tick_blind();
    assert_drive(1, 0.1, 0.2);
    cr_assert_eq(output.status.state, DPL_SYNC_INIT);
    cr_assert(isnan(output.status.position_error) && isnan(output.status.rms));
    cr_assert_eq(output.status.tracking, 0.0);
    tick(origin, origin);
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
}

Test(sync, none_forwards_the_command_whatever_the_error)
{
    start_with(DPL_SYNC_NONE);
    input.command = (struct dpl_twist2){0.15, -0.3};
    tick((struct dpl_pose2){0.1, 0.1, 0.0}, origin);
    assert_drive(1, 0.15, -0.3);
    cr_assert_float_eq(output.status.ex, 0.1, 0.01);
}

Test(sync, clamps_what_the_avatar_is_sent_to_its_headroom)
{
    start_with(DPL_SYNC_KANAYAMA);
    input.command = (struct dpl_twist2){0.9, 0.0}; /* the real robot does 0.2 */
    tick((struct dpl_pose2){1.0, 0.0, 0.0}, origin);
    assert_drive(1, 0.3, 0.0);
    cr_assert_not(output.status.saturated);
    struct dpl_sync_config config = config_of(DPL_SYNC_KANAYAMA);
    config.avatar_headroom = 1.25;
    start(&config);
    input.command = (struct dpl_twist2){0.2, 0.0};
    tick((struct dpl_pose2){1.0, 0.0, 0.0}, origin);
    assert_drive(1, 0.25, 0.0);
    cr_assert(output.status.saturated);
}

Test(sync, fig12_may_send_two_commands)
{
    start_with(DPL_SYNC_FIG12);
    input.command = (struct dpl_twist2){0.1, 0.0};
    tick(origin, origin);
    assert_drive(1, 0.1, 0.0);
    tick((struct dpl_pose2){-0.05, 0.0, 0.1}, origin);
    assert_drive(2, 0.0, 0.1);
}

Test(sync, drives_towards_the_real_robot)
{
    start_with(DPL_SYNC_ADAPTIVE);
    input.command = (struct dpl_twist2){0.0, 0.0};
    tick((struct dpl_pose2){0.05, 0.0, 0.0}, origin);
    cr_assert_gt(output.drive[0].linear, 0.05);
    start_with(DPL_SYNC_ADAPTIVE);
    tick((struct dpl_pose2){0.0, 0.0, 0.3}, origin);
    cr_assert_gt(output.drive[0].angular, 0.1);
}

Test(sync, holds_its_tongue_when_time_stands_still_or_is_no_number)
{
    start_with(DPL_SYNC_ADAPTIVE);
    tick(origin, origin);
    dpl_sync_step(&sync_, &input, &output);
    cr_assert_eq(output.n_drive, 0);
    input.now_s = (double)NAN;
    dpl_sync_step(&sync_, &input, &output);
    cr_assert_eq(output.n_drive, 0);
    input.now_s = 99.0;
    dpl_sync_step(&sync_, &input, &output);
    cr_assert_eq(output.n_drive, 0);
    cr_assert_eq(output.status.state, DPL_SYNC_OK, "the last state is still published");
}

Test(sync, stays_finite_whatever_it_is_fed)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e300, -1e300};
    for (int strategy = DPL_SYNC_NONE; strategy <= DPL_SYNC_ADAPTIVE; strategy++) {
        start_with((enum dpl_sync_strategy)strategy);
        tick(origin, origin);
        for (int i = 0; i < 200; i++) {
            double x = bad[i % 5], y = bad[i / 5 % 5];
            input.command = (struct dpl_twist2){i % 3 ? x : 0.1, i % 7 ? 0.1 : y};
            input.real = (struct dpl_sync_pose_input){
                true, {i % 2 ? x : 0.0, 0.0, y}, i % 11 ? input.now_s : x};
            input.avatar = (struct dpl_sync_pose_input){true, {0.0, y, 0.0}, input.now_s};
            tick_blind();
            cr_assert_geq(output.n_drive, 1);
            cr_assert(isfinite(output.drive[0].linear) && isfinite(output.drive[0].angular));
            cr_assert(isfinite(output.status.tracking));
        }
        tick(origin, origin);
        cr_assert_gt(output.status.real.rejected, 20u);
    }
}

Test(sync, counts_rejected_poses_and_lets_their_age_grow)
{
    start_with(DPL_SYNC_ADAPTIVE);
    tick(origin, origin);
    double newest = input.now_s;
    input.real.pose.x = (double)NAN;
    tick_blind();
    input.real = (struct dpl_sync_pose_input){true, origin, input.now_s + 1.0};
    tick_blind();
    cr_assert_eq(output.status.real.rejected, 2u);
    cr_assert_float_eq(output.status.real.pose_age_s, input.now_s - newest, 1e-9);
}

Test(sync, goes_through_stale_degraded_and_lost_and_comes_back)
{
    start_with(DPL_SYNC_ADAPTIVE);
    tick(origin, origin);
    for (int i = 1; i <= 32; i++) {
        tick_blind();
        enum dpl_sync_state expected = i <= 5    ? DPL_SYNC_OK
                                       : i <= 10 ? DPL_SYNC_STALE
                                       : i <= 30 ? DPL_SYNC_DEGRADED
                                                 : DPL_SYNC_LOST;
        if (i % 5 != 0) { /* at a boundary rounding decides */
            cr_assert_eq(output.status.state, expected, "tick %d: %s", i,
                         dpl_sync_state_name(output.status.state));
        }
    }
    tick(origin, origin);
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
}

/* Steps of 100 ms for 3.3 s with the poses of one robot only; the ages count from the first step.
 */
static void assert_is_lost_without(const char *missing)
{
    struct dpl_sync_config config = config_of(DPL_SYNC_ADAPTIVE);
    config.align = DPL_SYNC_ALIGN_FRAMES;
    config.on_lost = DPL_SYNC_ON_LOST_STOP;
    start(&config);
    input.command = (struct dpl_twist2){0.1, 0.0};
    for (int i = 0; i <= 33; i++) {
        enum dpl_sync_state expected = i <= 10   ? DPL_SYNC_INIT
                                       : i <= 30 ? DPL_SYNC_DEGRADED
                                                 : DPL_SYNC_LOST;
        input.real = (struct dpl_sync_pose_input){missing[0] != 'r', origin, input.now_s + 0.1};
        input.avatar = (struct dpl_sync_pose_input){missing[0] != 'a', origin, input.now_s + 0.1};
        tick_blind();
        if (i % 10 != 0) { /* at a boundary rounding decides */
            cr_assert_eq(output.status.state, expected, "%s missing, step %d: %s", missing, i,
                         dpl_sync_state_name(output.status.state));
            cr_assert_eq(output.status.warn, expected != DPL_SYNC_INIT);
        }
        assert_drive(1, expected == DPL_SYNC_LOST ? 0.0 : 0.1, 0.0);
    }
    cr_assert_eq(output.status.tracking, 0.0);
    cr_assert(isnan(output.status.max_position_error));
}

Test(sync, sees_no_error_while_a_robot_says_nothing)
{
    start_with(DPL_SYNC_ADAPTIVE);
    tick(origin, origin);
    cr_assert(output.status.seen);
    input.avatar.valid = false;
    tick_blind();
    cr_assert_not(output.status.seen, "its device is gone");
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
    tick(origin, origin);
    cr_assert(output.status.seen);
    for (int i = 0; i < 12; i++) {
        tick_blind();
    }
    cr_assert_not(output.status.seen, "the same pose for 1.2 s");
}

Test(sync, a_robot_that_never_shows_itself_is_lost_like_any_other)
{
    assert_is_lost_without("real");
    cr_assert_float_eq(output.status.real.pose_age_s, 3.3, 1e-6);
    cr_assert_float_eq(output.status.avatar.pose_age_s, 0.0, 1e-6, "it came, but is not aligned");
    assert_is_lost_without("avatar");
    cr_assert_float_eq(output.status.avatar.pose_age_s, 3.3, 1e-6);
}

Test(sync, begins_when_a_pose_comes_after_all)
{
    start_with(DPL_SYNC_ADAPTIVE);
    for (int i = 0; i < 40; i++) {
        tick_blind();
    }
    cr_assert_eq(output.status.state, DPL_SYNC_LOST);
    tick(origin, origin);
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
    cr_assert_eq(output.status.tracking, 1.0);
    cr_assert_float_eq(output.status.rms, 0.0, 1e-9);
}

Test(sync, feeds_forward_without_a_pose_and_stops_when_told_so)
{
    struct dpl_sync_config config = config_of(DPL_SYNC_ADAPTIVE);
    config.on_lost = DPL_SYNC_ON_LOST_STOP;
    start(&config);
    input.command = (struct dpl_twist2){0.1, 0.0};
    tick((struct dpl_pose2){0.02, 0.0, 0.0}, origin);
    for (int i = 0; i < 25; i++) {
        tick_blind();
    }
    cr_assert_eq(output.status.state, DPL_SYNC_DEGRADED);
    cr_assert_float_eq(output.drive[0].linear, 0.1, 0.005);
    for (int i = 0; i < 10; i++) {
        tick_blind();
    }
    assert_drive(1, 0.0, 0.0);
}

Test(sync, teleports_once_after_a_jump)
{
    struct dpl_sync_config config = config_of(DPL_SYNC_ADAPTIVE);
    struct dpl_pose2 avatar = origin, real = {0.6, 0.4, 1.0};
    int n = 0;
    config.teleport = true;
    start(&config);
    for (int i = 0; i < 10; i++) {
        tick(origin, origin);
    }
    for (int i = 0; i < 60; i++) {
        tick(real, avatar);
        if (output.has_set_pose) {
            n++;
            avatar = output.set_pose;
            cr_assert_float_eq(output.status.judged_error, hypot(0.6, 0.4), 0.01);
            cr_assert_float_eq(output.status.position_error, 0.0, 1e-9);
            cr_assert_float_eq(avatar.x, 0.6, 0.01);
            cr_assert_float_eq(avatar.theta, 1.0, 0.02);
        }
    }
    cr_assert_eq(n, 1);
    cr_assert_eq(output.status.teleports, 1u);
    cr_assert_eq(output.status.real.jumps, 1u);
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
}

Test(sync, does_not_teleport_unless_told_to)
{
    start_with(DPL_SYNC_ADAPTIVE);
    for (int i = 0; i < 60; i++) {
        tick((struct dpl_pose2){1.0, 0.0, 0.0}, origin);
        cr_assert_not(output.has_set_pose);
    }
    cr_assert_eq(output.status.state, DPL_SYNC_DIVERGED);
    cr_assert(output.status.warn);
}

/* Ten ticks together, twenty of a loss, then the real robot is seen 1 m away; the avatar does what
 * it is told. Returns how often it was to be put, `seconds` after the return. */
static int come_back(const struct dpl_sync_config *config, enum dpl_sync_placing answer,
                     double seconds)
{
    struct dpl_pose2 avatar = origin, real = {1.0, 0.0, 0.5};
    int n = 0;
    start(config);
    for (int i = 0; i < 10; i++) {
        tick(origin, origin);
    }
    for (int i = 0; i < 20; i++) {
        tick_blind();
    }
    for (int i = 0; i < (int)lround(seconds * 10.0); i++) {
        bool asked = output.has_set_pose;
        input.placing = asked ? answer : DPL_SYNC_PLACED;
        avatar = asked && answer == DPL_SYNC_PLACED ? output.set_pose : avatar;
        tick(real, avatar);
        n += output.has_set_pose;
    }
    return n;
}

Test(sync, puts_the_avatar_on_a_robot_that_comes_back_far_away)
{
    struct dpl_sync_config config = config_of(DPL_SYNC_ADAPTIVE);
    cr_assert_eq(come_back(&config, DPL_SYNC_PLACED, 2.0), 1);
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
    cr_assert_eq(output.status.teleports, 1u);
    cr_assert_lt(output.status.position_error, 0.01);
    cr_assert_lt(output.status.max_position_error, 0.1, "%g", output.status.max_position_error);
    cr_assert_eq(come_back(&config, DPL_SYNC_PLACED, 20.0), 1, "and only once");
}

Test(sync, drives_back_to_it_when_told_to)
{
    struct dpl_sync_config config = config_of(DPL_SYNC_ADAPTIVE);
    config.place_on_return = false;
    cr_assert_eq(come_back(&config, DPL_SYNC_PLACED, 2.0), 0);
    cr_assert_eq(output.status.state, DPL_SYNC_DIVERGED);
}

Test(sync, strategies_that_correct_nothing_or_by_the_paper_put_nothing)
{
    struct dpl_sync_config none = config_of(DPL_SYNC_NONE), fig12 = config_of(DPL_SYNC_FIG12);
    cr_assert_eq(come_back(&none, DPL_SYNC_PLACED, 2.0), 0);
    cr_assert_eq(come_back(&fig12, DPL_SYNC_PLACED, 2.0), 0);
}

Test(sync, a_refused_place_leaves_the_estimate_where_the_avatar_is)
{
    struct dpl_sync_config config = config_of(DPL_SYNC_ADAPTIVE);
    int n = come_back(&config, DPL_SYNC_PLACE_REFUSED, 3.0);
    cr_assert(n >= 3 && n <= 6, "asked %d times in 3 s", n);
    tick((struct dpl_pose2){1.0, 0.0, 0.5}, origin);
    cr_assert_eq(output.status.state, DPL_SYNC_DIVERGED);
    cr_assert_eq(output.status.teleports, 0u);
    cr_assert_float_eq(output.status.max_position_error, 1.0, 0.02, "it stays, and counts");
    cr_assert_geq(output.status.refused_places, (unsigned)n - 1);
    cr_assert_eq(output.status.avatar.jumps, 0u, "nothing has jumped");
    if (!output.has_set_pose) {
        cr_assert_float_eq(output.status.avatar_pose.x, 0.0, 0.01);
        cr_assert_float_eq(output.status.position_error, 1.0, 0.02);
    }
}

Test(sync, while_the_answer_is_due_no_pose_of_the_avatar_counts)
{
    struct dpl_sync_config config = config_of(DPL_SYNC_ADAPTIVE);
    come_back(&config, DPL_SYNC_PLACED, 0.1);
    for (int i = 0; i < 10 && !output.has_set_pose; i++) {
        tick((struct dpl_pose2){1.0, 0.0, 0.5}, origin);
    }
    cr_assert(output.has_set_pose, "within a second");
    struct dpl_pose2 there = output.set_pose;
    input.placing = DPL_SYNC_PLACE_PENDING;
    for (int i = 0; i < 3; i++) {
        tick((struct dpl_pose2){1.0, 0.0, 0.5}, origin); /* read before the world took it */
        cr_assert_not(output.has_set_pose);
    }
    input.placing = DPL_SYNC_PLACED;
    tick((struct dpl_pose2){1.0, 0.0, 0.5}, there);
    cr_assert_eq(output.status.avatar.outliers, 0u);
    cr_assert_lt(output.status.position_error, 0.02);
    cr_assert_eq(output.status.teleports, 1u);
}

Test(sync, aligns_two_frames_at_rest)
{
    struct dpl_sync_config config = dpl_sync_config_default();
    start(&config);
    struct dpl_pose2 real = {5.0, -2.0, 2.0}, avatar = {1.0, 1.0, 0.0};
    for (int i = 0; i < 9; i++) {
        tick(real, avatar);
        cr_assert_eq(output.status.state, DPL_SYNC_INIT);
    }
    tick(real, avatar);
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
    cr_assert_not(output.has_set_pose);
    cr_assert_float_eq(output.status.position_error, 0.0, 1e-9);
    cr_assert_float_eq(output.status.real_pose.x, 1.0, 1e-9);
}

Test(sync, snaps_the_avatar_to_the_real_robot)
{
    struct dpl_sync_config config = dpl_sync_config_default();
    int n = 0;
    config.align = DPL_SYNC_ALIGN_SNAP;
    start(&config);
    struct dpl_pose2 real = {5.0, -2.0, 2.0}, avatar = {1.0, 1.0, 0.0};
    for (int i = 0; i < 30; i++) {
        tick(real, avatar);
        if (output.has_set_pose) {
            avatar = output.set_pose;
            n++;
        }
    }
    cr_assert_eq(n, 1);
    cr_assert_float_eq(avatar.x, 5.0, 1e-9);
    cr_assert_float_eq(avatar.theta, 2.0, 1e-9);
    cr_assert_float_eq(output.status.position_error, 0.0, 1e-6);
}

Test(sync, subtracts_a_configured_delay_from_the_stamps)
{
    struct dpl_sync_config config = config_of(DPL_SYNC_ADAPTIVE);
    config.real_delay_s = 0.08;
    start(&config);
    tick(origin, origin);
    cr_assert_float_eq(output.status.real.pose_age_s, 0.08, 1e-9);
    cr_assert_float_eq(output.status.avatar.pose_age_s, 0.0, 1e-9);
}

Test(sync, counts_overruns)
{
    start_with(DPL_SYNC_NONE);
    tick(origin, origin);
    input.now_s += 0.04;
    tick(origin, origin);
    cr_assert_eq(output.status.overruns, 0u);
    input.now_s += 0.2;
    tick(origin, origin);
    cr_assert_eq(output.status.overruns, 1u);
}

Test(sync, falls_back_to_kanayama_when_the_estimator_is_surprised_for_long)
{
    start_with(DPL_SYNC_ADAPTIVE);
    int i = 0;
    for (; i < 100 && !output.status.fallback; i++) {
        double wiggle = i % 2 ? 0.03 : -0.03; /* twenty times the noise it was told of */
        tick((struct dpl_pose2){wiggle, wiggle, wiggle}, origin);
    }
    cr_assert(output.status.fallback);
    cr_assert_geq(i, 20);
    for (i = 0; i < 200 && output.status.fallback; i++) {
        tick(origin, origin);
    }
    cr_assert_not(output.status.fallback);
    cr_assert_geq(i, 49, "healthy for five seconds");
}

/* ---- the avatar's world is started anew ---- */

static const struct dpl_pose2 far_away = {2.0, 1.0, 0.5};

/* Both have driven to far_away together; then the avatar stands at its start again. */
static void lose_the_world(void)
{
    start_with(DPL_SYNC_ADAPTIVE);
    for (int i = 0; i < 20; i++) {
        tick(far_away, far_away);
    }
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
    input.avatar.restarts = 1;
}

static void tick_restarted(struct dpl_pose2 avatar)
{
    input.now_s += 0.1;
    input.real = (struct dpl_sync_pose_input){true, far_away, input.now_s, 0};
    input.avatar = (struct dpl_sync_pose_input){true, avatar, input.now_s, 1};
    dpl_sync_step(&sync_, &input, &output);
}

Test(sync, puts_the_avatar_on_the_real_robot_when_its_world_began_anew)
{
    lose_the_world();
    tick_restarted(origin);
    cr_assert(output.has_set_pose);
    cr_assert_lt(dpl_pose2_distance(output.set_pose, far_away), 1e-3);
    cr_assert_eq(output.status.state, DPL_SYNC_LOST, "until it is known that it was put");
    assert_drive(1, 0.0, 0.0);
    for (int i = 0; i < 20; i++) {
        tick_restarted(far_away);
        cr_assert_not(output.has_set_pose);
        cr_assert_eq(output.status.state, DPL_SYNC_OK);
    }
    cr_assert_eq(output.status.rejoins, 1);
    cr_assert_eq(output.status.avatar.jumps, 0);
    cr_assert_lt(output.status.position_error, 1e-3);
    cr_assert_lt(output.status.max_position_error, 1e-3, "the way to it is no error of following");
    for (int i = 0; i < 20; i++) {
        tick_restarted((struct dpl_pose2){2.2, 1.0, 0.5});
    }
    cr_assert_float_eq(output.status.max_position_error, 0.2, 0.01, "what stays after it is");
}

Test(sync, says_while_the_avatar_is_being_put_that_it_is)
{
    lose_the_world();
    cr_assert(output.status.seen && !output.status.placing);
    tick_restarted(origin);
    cr_assert(output.status.placing);
    cr_assert_not(output.status.seen, "where it was asked to be put is no pose that was measured");
    input.placing = DPL_SYNC_PLACE_PENDING;
    tick_restarted(origin);
    cr_assert(output.status.placing && !output.status.seen);
    input.placing = DPL_SYNC_PLACED;
    tick_restarted(far_away);
    cr_assert(output.status.seen && !output.status.placing);
}

Test(sync, is_lost_and_stands_while_the_avatar_does_not_fit_where_the_robot_is)
{
    int n_puts = 0;
    lose_the_world();
    for (int i = 0; i < 30; i++) {
        tick_restarted(origin);
        n_puts += output.has_set_pose;
        input.placing = DPL_SYNC_PLACE_REFUSED;
        cr_assert_eq(output.status.state, DPL_SYNC_LOST);
        cr_assert(output.has_set_pose || output.status.avatar_pose.x < 0.1, "it is where it was");
        assert_drive(1, 0.0, 0.0);
    }
    cr_assert(n_puts >= 5 && n_puts <= 7, "%d tries in 3 s", n_puts);
    cr_assert_eq(output.status.rejoins, 0);
    cr_assert_lt(output.status.tracking, 0.2);
    cr_assert_gt(output.status.max_position_error, 2.0, "after 2 s it is an error");
    do {
        tick_restarted(origin);
    } while (!output.has_set_pose);
    input.placing = DPL_SYNC_PLACED;
    tick_restarted(far_away);
    tick_restarted(far_away);
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
    cr_assert_eq(output.status.rejoins, 1);
}

Test(sync, aligns_anew_when_the_world_began_anew_before_the_frames_were_aligned)
{
    struct dpl_sync_config config = dpl_sync_config_default();
    start(&config);
    tick(origin, (struct dpl_pose2){9.0, 0.0, 0.0});
    for (int i = 0; i < 30; i++) {
        tick_restarted(origin);
        cr_assert_not(output.has_set_pose);
    }
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
    cr_assert_lt(output.status.position_error, 1e-3);
}

/* A robot of 70 ms latency and 80 ms lag, whose commands change 30 ms after a correction. */
static struct dpl_sync_lag lag_found(bool hears)
{
    start_with(DPL_SYNC_ADAPTIVE);
    const double step_s = 0.01, delay_s = 0.07, lag_s = 0.08, slew = 0.5 * 0.01;
    double sent[4000] = {0.0}, ramped = 0.0, speed = 0.0, way = 0.0;
    const int delay = (int)lround(delay_s / step_s);
    for (int k = 0; k < 4000; k++) {
        sent[k] = (k - 3) / 90 % 2 ? 0.15 : -0.1;
        double aim = k > delay ? sent[k - delay - 1] : 0.0;
        ramped += fmin(fmax(aim - ramped, -slew), slew);
        speed += (1.0 - exp(-step_s / lag_s)) * (ramped - speed);
        way += speed * step_s;
        input.command = (struct dpl_twist2){sent[k], 0.0};
        if (k % 10 == 0) {
            tick((struct dpl_pose2){way, 0.0, 0.0}, (struct dpl_pose2){way, 0.0, 0.0});
        } else if (hears) {
            dpl_sync_hear(&sync_, input.now_s + k % 10 * step_s, true, input.command);
        }
    }
    return dpl_sync_observer_lag(&sync_.real);
}

Test(sync, a_command_counts_from_when_it_was_heard)
{
    struct dpl_sync_lag lag = lag_found(true);
    cr_assert_float_eq(lag.latency_s + lag.lag_s, 0.15, 0.011, "latency %g, lag %g", lag.latency_s,
                       lag.lag_s);
    lag = lag_found(false);
    cr_assert_lt(lag.latency_s + lag.lag_s, 0.13, "latency %g, lag %g", lag.latency_s, lag.lag_s);
}

Test(sync, hears_nothing_that_it_cannot_use)
{
    start_with(DPL_SYNC_ADAPTIVE);
    dpl_sync_hear(&sync_, 100.0, true, (struct dpl_twist2){0.1, 0.0});
    cr_assert_not(sync_.has_command, "before the first step");
    tick(origin, origin);
    const double times[] = {(double)NAN, (double)INFINITY, 1e13, input.now_s, 50.0};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        dpl_sync_hear(&sync_, times[i], true, (struct dpl_twist2){0.1, 0.0});
        cr_assert_float_eq(sync_.command.linear, 0.0, 0.0, "time %g", times[i]);
    }
    dpl_sync_hear(&sync_, input.now_s + 0.01, true, (struct dpl_twist2){(double)NAN, 0.0});
    cr_assert_float_eq(sync_.command.linear, 0.0, 0.0);
}
