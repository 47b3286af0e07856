/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the observer: which poses it uses, and what it makes of them. */
#include "observer.h"

#include "doppel/math/random.h"

#include <criterion/criterion.h>

static struct dpl_sync_observer observer;

static void start(void)
{
    struct dpl_sync_observer_config config = {0.30, 0.5, 0.002, 0.0035, 0.2, {1.0, 0.0, 0.0, 1.0}};
    dpl_sync_observer_init(&observer, &config);
    dpl_sync_observer_advance(&observer, 0.0);
}

static enum dpl_sync_observation offer(double x, double stamp_s, double now_s)
{
    struct dpl_sync_stamped_pose measured = {{x, 0.0, 0.0}, stamp_s};
    return dpl_sync_observer_pose(&observer, measured, now_s);
}

/* The first pose that is offered. */
static const struct {
    const char *name;
    double x, stamp_s, now_s;
    enum dpl_sync_observation expected;
} firsts[] = {
    {"a position that is no number", (double)NAN, 0.0, 0.1, DPL_SYNC_POSE_REJECTED},
    {"a position without end", (double)INFINITY, 0.0, 0.1, DPL_SYNC_POSE_REJECTED},
    {"a stamp that is no number", 0.0, (double)NAN, 0.1, DPL_SYNC_POSE_REJECTED},
    {"a stamp more than 50 ms ahead", 0.0, 1.06, 1.0, DPL_SYNC_POSE_REJECTED},
    {"a stamp less than 50 ms ahead", 0.0, 1.04, 1.0, DPL_SYNC_POSE_USED},
    {"older than the history", 0.0, 7.9, 10.0, DPL_SYNC_POSE_OLD},
    {"much older", 0.0, -1e300, 10.0, DPL_SYNC_POSE_OLD},
    {"as old as the history", 0.0, 8.1, 10.0, DPL_SYNC_POSE_USED},
    {"a position off the earth", 1e300, 0.1, 0.1, DPL_SYNC_POSE_REJECTED},
    {"a position off the earth, to the other side", -1e8, 0.1, 0.1, DPL_SYNC_POSE_REJECTED},
};

Test(observer, begins_with_a_pose_that_can_be)
{
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
        double now_s = firsts[i].now_s;
        bool is_used = firsts[i].expected == DPL_SYNC_POSE_USED;
        start();
        cr_assert_eq(offer(firsts[i].x, firsts[i].stamp_s, now_s), firsts[i].expected, "%s",
                     firsts[i].name);
        cr_assert_eq(observer.has_pose, is_used, "%s", firsts[i].name);
        double age_s = dpl_sync_observer_age(&observer, now_s);
        double expected_s = is_used ? fmax(0.0, now_s - firsts[i].stamp_s) : (double)INFINITY;
        cr_assert(age_s == expected_s || fabs(age_s - expected_s) < 1e-12, "%s: %g s",
                  firsts[i].name, age_s);
        dpl_sync_observer_forecast(&observer);
        cr_assert(dpl_pose2_is_finite(dpl_sync_observer_predict(&observer, now_s).pose), "%s",
                  firsts[i].name);
    }
}

Test(observer, ignores_a_pose_that_is_not_newer, .init = start)
{
    cr_assert_eq(offer(0.0, 1.0, 1.0), DPL_SYNC_POSE_USED);
    cr_assert_eq(offer(9.0, 1.0, 1.1), DPL_SYNC_POSE_OLD);
    cr_assert_eq(offer(9.0, 0.9, 1.2), DPL_SYNC_POSE_OLD);
    cr_assert_float_eq(observer.filter.pose.x, 0.0, 1e-12);
    cr_assert_float_eq(dpl_sync_observer_age(&observer, 1.2), 0.2, 1e-12);
}

Test(observer, tells_an_outlier_from_a_genuine_jump, .init = start)
{
    offer(0.0, 0.05, 0.05);
    offer(0.0, 0.1, 0.1);
    cr_assert_eq(offer(0.7, 0.2, 0.2), DPL_SYNC_POSE_OUTLIER);
    cr_assert_eq(offer(0.0, 0.3, 0.3), DPL_SYNC_POSE_USED);
    for (int i = 0; i < 2; i++) {
        double t = 0.4 + 0.1 * i;
        cr_assert_eq(offer(0.7, t, t), DPL_SYNC_POSE_OUTLIER);
    }
    cr_assert_float_eq(dpl_sync_observer_age(&observer, 0.6), 0.3, 1e-9,
                       "outliers do not count as poses");
    cr_assert_eq(offer(0.7, 0.6, 0.6), DPL_SYNC_POSE_JUMP);
    cr_assert_float_eq(observer.filter.pose.x, 0.7, 1e-12);
}

/* Drives at `v` for `seconds` a robot that covers `scale` of it after `delay_s`, at 10 Hz. */
static void drive(double v, double scale, double delay_s, double seconds)
{
    struct dpl_twist2 command = {v, 0.0};
    for (int i = 1; i <= (int)(seconds * 10.0); i++) {
        double t = 0.1 * i;
        dpl_sync_observer_advance(&observer, t);
        /* Half of the ramp, then the delay. */
        double moved = fmax(0.0, t - 0.1 - v / 0.5 - delay_s);
        double ramp = fmax(0.0, fmin(t - 0.1 - delay_s, v / 0.5));
        offer(scale * (0.25 * ramp * ramp + v * moved), t, t);
        dpl_sync_observer_command(&observer, &command);
        dpl_sync_observer_forecast(&observer);
    }
}

Test(observer, learns_the_scale_of_a_drive, .init = start)
{
    drive(0.2, 0.9, 0.07, 8.0);
    cr_assert_float_eq(observer.estimator.map.m11, 0.9, 0.01);
    cr_assert_float_eq(dpl_sync_observer_predict(&observer, 8.0).twist.linear, 0.18, 0.005);
}

Test(observer, learns_a_long_latency_from_the_start, .init = start)
{
    drive(0.2, 1.0, 0.30, 3.0);
    struct dpl_sync_lag lag = dpl_sync_observer_lag(&observer);
    cr_assert_float_eq(lag.latency_s + lag.lag_s, 0.30, 0.08);
}

/* Goes and stops, so that a delay shows. */
static void stop_and_go(double delay_s, double shown_s)
{
    struct dpl_twist2 command = {0.0, 0.0};
    double x = 0.0, v = 0.0, past[16] = {0.0};
    int late = (int)lround(delay_s / 0.1);
    for (int i = 0; i < 120; i++) {
        double t = 0.1 * i, before = v;
        dpl_sync_observer_advance(&observer, t);
        v += dpl_clamp(command.linear - v, -0.05, 0.05);
        x += 0.1 * (v + before) / 2.0;
        past[i % 16] = x;
        offer(past[(i + 16 - late) % 16], t - shown_s, t);
        command.linear = i / 20 % 2 == 0 ? 0.2 : 0.0;
        dpl_sync_observer_command(&observer, &command);
        dpl_sync_observer_forecast(&observer);
    }
}

Test(observer, finds_how_late_poses_are_that_say_they_are_fresh, .init = start)
{
    stop_and_go(0.4, 0.0);
    double hidden = dpl_sync_observer_hidden_delay(&observer);
    cr_assert_float_eq(hidden, 0.36, 0.08, "%g s", hidden);
}

Test(observer, finds_no_delay_that_the_stamps_admit, .init = start)
{
    stop_and_go(0.4, 0.4);
    cr_assert_float_eq(dpl_sync_observer_hidden_delay(&observer), 0.0, 1e-12);
}

Test(observer, follows_a_robot_that_nobody_commands, .init = start)
{
    dpl_sync_observer_command(&observer, NULL);
    for (int i = 1; i <= 30; i++) {
        double t = 0.1 * i;
        dpl_sync_observer_advance(&observer, t);
        offer(0.15 * t, t, t);
        dpl_sync_observer_forecast(&observer);
    }
    struct dpl_sync_estimate e = dpl_sync_observer_predict(&observer, 3.2);
    cr_assert_float_eq(e.twist.linear, 0.15, 0.005);
    cr_assert_float_eq(e.pose.x, 0.15 * 3.2, 0.005);
    cr_assert_float_eq(observer.estimator.map.m11, 1.0, 1e-12, "nothing learned without commands");
}

/* Largest error of the speed of a robot that nobody commands, of noisy poses at 10 Hz. */
static double speed_noise(double acceleration)
{
    struct dpl_sync_observer_config config = {0.30,   acceleration, 0.002,
                                              0.0035, 0.2,          {1.0, 0.0, 0.0, 1.0}};
    struct dpl_random rng = dpl_random_seeded(1, 2);
    double most = 0.0;
    dpl_sync_observer_init(&observer, &config);
    dpl_sync_observer_command(&observer, NULL);
    for (int i = 1; i <= 200; i++) {
        double t = 0.1 * i;
        dpl_sync_observer_advance(&observer, t);
        offer(0.15 * t + 0.002 * dpl_random_normal(&rng), t, t);
        dpl_sync_observer_forecast(&observer);
        double v = dpl_sync_observer_speed(&observer, t).linear;
        most = i > 50 ? fmax(most, fabs(v - 0.15)) : 0.0;
    }
    return most;
}

Test(observer, a_robot_that_cannot_accelerate_has_a_calm_speed)
{
    double slow = speed_noise(0.5), quick = speed_noise(2.5);
    cr_assert_lt(slow, 0.05, "%g", slow);
    cr_assert_gt(quick, 1.2 * slow, "%g", quick);
}

Test(observer, set_pose_moves_the_estimate_and_keeps_the_map, .init = start)
{
    drive(0.2, 0.9, 0.07, 5.0);
    double m11 = observer.estimator.map.m11;
    dpl_sync_observer_set_pose(&observer, (struct dpl_pose2){3.0, 4.0, 1.0}, 5.0);
    cr_assert_float_eq(dpl_sync_observer_predict(&observer, 5.0).pose.y, 4.0, 1e-12);
    cr_assert_float_eq(observer.estimator.map.m11, m11, 1e-15);
    cr_assert_eq(offer(0.9, 4.95, 5.0), DPL_SYNC_POSE_OLD, "measured before it was put there");
}

Test(observer, survives_hours_without_a_call, .init = start)
{
    drive(0.2, 1.0, 0.07, 2.0);
    dpl_sync_observer_advance(&observer, 1e5);
    dpl_sync_observer_forecast(&observer);
    cr_assert(dpl_pose2_is_finite(dpl_sync_observer_predict(&observer, 1e5).pose));
    cr_assert_geq(observer.filter.time_s, 1e5 - 1.6);
}

/* The speed that it estimates of a robot that is told to do 0.2 m/s from 1 s on, after `drives_s`
 * of standing still although it did so before. */
static double speed_of_blocked(double drives_s, double blocked_s)
{
    struct dpl_twist2 command = {0.2, 0.0};
    double x = 0.0, end_s = drives_s + blocked_s;
    start();
    dpl_sync_observer_command(&observer, &command);
    for (double t = 0.05; t < end_s; t += 0.05) {
        dpl_sync_observer_advance(&observer, t);
        x += t < drives_s && t > 0.5 ? 0.2 * 0.05 : 0.0;
        offer(x, t, t);
        dpl_sync_observer_forecast(&observer);
    }
    return dpl_sync_observer_speed(&observer, end_s).linear;
}

/* What a command misses fades, but not while the robot is held back. */
Test(observer, a_robot_that_is_held_back_stands)
{
    double v = speed_of_blocked(5.0, 4.0);
    cr_assert(observer.held_back);
    cr_assert_lt(fabs(v), 0.01, "%g m/s", v);
}

Test(observer, a_late_answer_holds_nothing_back)
{
    speed_of_blocked(5.0, 0.0);
    cr_assert_not(observer.held_back);
    cr_assert_gt(dpl_sync_observer_speed(&observer, 5.0).linear, 0.18);
}

/* A start to 0.2 m/s of a robot whose wheels accelerate at `acceleration`. */
static double quickness_after_start(double acceleration)
{
    struct dpl_twist2 command = {0.2, 0.0};
    start();
    observer.learns_ramp = true;
    for (double t = 0.0; t < 2.0; t += 0.1) {
        double ramp = fmin(t, 0.2 / acceleration);
        dpl_sync_observer_advance(&observer, t);
        offer(acceleration * ramp * ramp / 2.0 + 0.2 * (t - ramp), t, t);
        dpl_sync_observer_command(&observer, &command);
    }
    return dpl_sync_observer_quickness(&observer);
}

Test(observer, finds_a_robot_that_accelerates_harder_than_it_was_said_to)
{
    cr_assert_eq(quickness_after_start(0.5), 1.0, "as said");
    cr_assert_eq(quickness_after_start(0.4), 1.0, "less");
    cr_assert_geq(quickness_after_start(20.0), 2.0);
}
