/* SPDX-License-Identifier: Apache-2.0 */
/* Command limiter: clamps, dead band, acceleration and jerk at every step, arrival. */
#include <doppel/drive/drive_limiter.h>

#include <criterion/criterion.h>
#include <doppel/math/random.h>

static const double dt = 0.1;

Test(drive_limiter, has_the_papers_limits_by_default)
{
    struct dpl_drive_limits limits = dpl_drive_limits_default(0.2, 0.5);
    cr_assert_float_eq(limits.linear.velocity, 0.2, 1e-15);
    cr_assert_float_eq(limits.linear.acceleration, 0.5, 1e-15);
    cr_assert_float_eq(limits.linear.jerk, 1.0, 1e-15);
    cr_assert_float_eq(limits.linear.dead_band, 0.01, 1e-15);
    cr_assert_float_eq(limits.angular.velocity, 40.0 * DPL_PI / 180.0, 1e-15);
    cr_assert_float_eq(limits.angular.dead_band, 0.5 * DPL_PI / 180.0, 1e-15);
}

/* Steps towards `target` until it is reached, checking every limit; returns how many steps. */
static int run(struct dpl_drive_limiter *limiter, const struct dpl_drive_limits *limits,
               double target, double step_s)
{
    const struct dpl_axis_limits *axis = &limits->linear;
    double before = limiter->velocity.linear, last = limiter->acceleration.linear;
    double start = before;
    for (int i = 1; i <= 20000; i++) {
        double v = dpl_drive_limiter_step(limiter, limits, (struct dpl_twist2){target, 0.0}, step_s)
                       .linear;
        double a = (v - before) / step_s;
        cr_assert_leq(fabs(a), axis->acceleration * (1.0 + 1e-9));
        cr_assert_leq(fabs(a - last), axis->jerk * step_s + 1e-9, "step %d: %g -> %g", i, last, a);
        cr_assert(target > start ? v <= target : v >= target, "overshoot: %.17g", v);
        if (v == target && a == 0.0) {
            return i;
        }
        before = v;
        last = a;
    }
    cr_assert_fail("never arrived at %g, is at %g", target, limiter->velocity.linear);
    return -1;
}

Test(drive_limiter, arrives_exactly_without_overshoot_at_any_period)
{
    static const double periods[] = {0.001, 0.0073, 0.02, 0.1, 0.25};
    static const double targets[] = {0.2, -0.2, 0.013, 0.1234, 0.19999};
    struct dpl_drive_limits limits = dpl_drive_limits_default(0.2, 0.5);
    for (size_t p = 0; p < 5; p++) {
        for (size_t t = 0; t < 5; t++) {
            struct dpl_drive_limiter limiter;
            dpl_drive_limiter_reset(&limiter, (struct dpl_twist2){0.0, 0.0});
            run(&limiter, &limits, targets[t], periods[p]);
            run(&limiter, &limits, 0.0, periods[p]);
        }
    }
}

Test(drive_limiter, takes_the_time_of_the_closed_form)
{
    /* To 1 m/s at 0.5 m/s^2 and 1 m/s^3: v / a + a / j = 2.5 s. */
    struct dpl_drive_limits limits = dpl_drive_limits_default(1.0, 0.5);
    struct dpl_drive_limiter limiter;
    dpl_drive_limiter_reset(&limiter, (struct dpl_twist2){0.0, 0.0});
    int steps = run(&limiter, &limits, 1.0, 0.001);
    cr_assert_float_eq(steps * 0.001, 2.5, 0.005);
}

Test(drive_limiter, clamps_both_velocities)
{
    struct dpl_drive_limits limits = dpl_drive_limits_default(0.2, 0.0);
    struct dpl_drive_limiter limiter;
    dpl_drive_limiter_reset(&limiter, (struct dpl_twist2){0.0, 0.0});
    struct dpl_twist2 got =
        dpl_drive_limiter_step(&limiter, &limits, (struct dpl_twist2){5.0, -5.0}, dt);
    cr_assert_float_eq(got.linear, 0.2, 1e-15);
    cr_assert_float_eq(got.angular, dpl_deg_to_rad(-40.0), 1e-15);
}

Test(drive_limiter, holds_still_within_the_dead_band)
{
    struct dpl_drive_limits limits = dpl_drive_limits_default(0.2, 0.0);
    struct dpl_drive_limiter limiter;
    dpl_drive_limiter_reset(&limiter, (struct dpl_twist2){0.0, 0.0});
    struct dpl_twist2 inside = {0.0099, dpl_deg_to_rad(-0.49)};
    struct dpl_twist2 outside = {-0.0101, dpl_deg_to_rad(0.51)};
    struct dpl_twist2 got = dpl_drive_limiter_step(&limiter, &limits, inside, dt);
    cr_assert_eq(got.linear, 0.0);
    cr_assert_eq(got.angular, 0.0);
    got = dpl_drive_limiter_step(&limiter, &limits, outside, dt);
    cr_assert_float_eq(got.linear, -0.0101, 1e-15);
    cr_assert_float_eq(got.angular, outside.angular, 1e-15);
}

Test(drive_limiter, takes_what_is_not_finite_for_a_stop)
{
    struct dpl_drive_limits limits = dpl_drive_limits_default(0.2, 0.0);
    struct dpl_drive_limiter limiter;
    dpl_drive_limiter_reset(&limiter, (struct dpl_twist2){0.1, 0.1});
    struct dpl_twist2 bad = {(double)NAN, (double)INFINITY};
    struct dpl_twist2 got = dpl_drive_limiter_step(&limiter, &limits, bad, dt);
    cr_assert_eq(got.linear, 0.0);
    cr_assert_eq(got.angular, 0.0);
}

Test(drive_limiter, repeats_the_last_command_when_no_time_has_passed)
{
    struct dpl_drive_limits limits = dpl_drive_limits_default(0.2, 0.5);
    struct dpl_drive_limiter limiter;
    dpl_drive_limiter_reset(&limiter, (struct dpl_twist2){0.15, 0.0});
    struct dpl_twist2 stop = {0.0, 0.0};
    double got;
    got = dpl_drive_limiter_step(&limiter, &limits, stop, 0.0).linear;
    cr_assert_eq(got, 0.15);
    got = dpl_drive_limiter_step(&limiter, &limits, stop, (double)NAN).linear;
    cr_assert_eq(got, 0.15);
}

Test(drive_limiter, limits_acceleration_alone_when_there_is_no_jerk_limit)
{
    struct dpl_drive_limits limits = dpl_drive_limits_default(0.2, 0.5);
    struct dpl_drive_limiter limiter;
    limits.linear.jerk = 0.0;
    dpl_drive_limiter_reset(&limiter, (struct dpl_twist2){0.0, 0.0});
    struct dpl_twist2 fast = {0.2, 0.0};
    double got;
    got = dpl_drive_limiter_step(&limiter, &limits, fast, dt).linear;
    cr_assert_float_eq(got, 0.05, 1e-15);
    got = dpl_drive_limiter_step(&limiter, &limits, fast, dt).linear;
    cr_assert_float_eq(got, 0.10, 1e-15);
}

Test(drive_limiter, needs_the_stopping_path_that_it_predicts)
{
    struct dpl_drive_limits limits = dpl_drive_limits_default(2.0, 0.5);
    static const double speeds[] = {0.05, 0.2, 0.25, 0.8, 2.0};
    for (size_t i = 0; i < 5; i++) {
        struct dpl_drive_limiter limiter;
        dpl_drive_limiter_reset(&limiter, (struct dpl_twist2){speeds[i], 0.0});
        double path = 0.0;
        for (int k = 0; k < 20000; k++) {
            path +=
                dpl_drive_limiter_step(&limiter, &limits, (struct dpl_twist2){0}, 0.001).linear *
                0.001;
        }
        cr_assert_float_eq(path, dpl_axis_stop_distance(&limits.linear, speeds[i]),
                           0.003 * speeds[i]);
    }
    cr_assert_eq(dpl_axis_stop_distance(&limits.angular, 1.0), 0.0);
}

Test(drive_limiter, keeps_acceleration_and_jerk_while_the_target_jumps_about)
{
    struct dpl_drive_limits limits = dpl_drive_limits_default(0.5, 0.4);
    struct dpl_random random = dpl_random_seeded(7, 0);
    struct dpl_drive_limiter limiter;
    struct dpl_twist2 target = {0.0, 0.0};
    double v = 0.0, a = 0.0;
    dpl_drive_limiter_reset(&limiter, target);
    for (int i = 0; i < 20000; i++) {
        if (i % 7 == 0) {
            target.linear = dpl_random_uniform(&random, -0.6, 0.6);
        }
        double next = dpl_drive_limiter_step(&limiter, &limits, target, 0.02).linear;
        double acceleration = (next - v) / 0.02;
        cr_assert_leq(fabs(acceleration), 0.4 + 1e-9);
        cr_assert_leq(fabs(acceleration - a), 1.0 * 0.02 + 1e-9);
        v = next;
        a = acceleration;
    }
}

Test(drive_limiter, comes_down_gently_when_the_limit_is_lowered)
{
    struct dpl_drive_limits limits = dpl_drive_limits_default(0.2, 0.5);
    struct dpl_drive_limiter limiter;
    dpl_drive_limiter_reset(&limiter, (struct dpl_twist2){0.5, 0.0});
    double got =
        dpl_drive_limiter_step(&limiter, &limits, (struct dpl_twist2){0.5, 0.0}, dt).linear;
    cr_assert_float_eq(got, 0.5 - 1.0 * dt * dt, 1e-12);
    for (int i = 0; i < 100; i++) {
        got = dpl_drive_limiter_step(&limiter, &limits, (struct dpl_twist2){0.5, 0.0}, dt).linear;
    }
    cr_assert_eq(got, 0.2);
}
