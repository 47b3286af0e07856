/* SPDX-License-Identifier: Apache-2.0 */
/* The fit of a drive, with recordings of a drive that is known. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <criterion/criterion.h>

#include <doppel/math/geometry.h>
#include <doppel/math/random.h>

#include "drive_fit.h"

#define STEP_S    0.0005
#define SAMPLE_S  0.01
#define LATER_MAX 1000 /* steps: the longest latency */

static const struct drive_config config = {0.23, 0.3, 2.0, 0.5};

struct truth {
    double gain[DRIVE_N_WHEELS], latency_s, lag_s, acceleration;
    double tick_m; /* of the encoders; 0: exact */
};

/* What a patrol commands: a new speed and turn every 0.7 s. */
static void in_steps(double t, double scale, double *ret_linear, double *ret_angular)
{
    static const double linear[] = {0.2, 0.2, 0.1, 0.0, 0.2, 0.15, 0.0, 0.2};
    static const double angular[] = {0.0, 0.5, -0.3, 0.7, 0.0, -0.6, -0.7, 0.2};
    int i = (int)(t / 0.7) % 8;
    *ret_linear = scale * linear[i];
    *ret_angular = scale * angular[i];
}

static void softly(double t, double scale, double *ret_linear, double *ret_angular)
{
    *ret_linear = scale * 0.1 * (1.0 - cos(1.2 * t));
    *ret_angular = scale * 0.3 * sin(0.9 * t);
}

static void (*command_at)(double t, double scale, double *ret_linear,
                          double *ret_angular) = in_steps;

/* An own simulation, in steps that the fit does not use. */
static size_t record(const struct truth *truth, double duration_s, double scale,
                     struct drive_sample *samples)
{
    static double late[LATER_MAX][DRIVE_N_WHEELS];
    double slewed[2] = {0}, speed[2] = {0}, travel[2] = {0};
    size_t n = 0, n_late = (size_t)lround(truth->latency_s / STEP_S);
    size_t per_sample = (size_t)lround(SAMPLE_S / STEP_S);
    cr_assert_lt(n_late, LATER_MAX);
    for (size_t k = 0; k < (size_t)(duration_s / STEP_S); k++) {
        double v, w;
        command_at((double)(k - k % per_sample) * STEP_S, scale, &v, &w);
        if (k % per_sample == 0) {
            double tick = truth->tick_m;
            double left = tick > 0.0 ? tick * floor(travel[0] / tick) : travel[0];
            double right = tick > 0.0 ? tick * floor(travel[1] / tick) : travel[1];
            double t = (double)k * STEP_S;
            samples[n++] = (struct drive_sample){t, v, w, t, left, right};
        }
        for (int wheel = 0; wheel < 2; wheel++) {
            double asked = v + (wheel == DRIVE_LEFT ? -0.5 : 0.5) * config.axle_m * w;
            double now = n_late == 0 ? asked : k < n_late ? 0.0 : late[k % n_late][wheel];
            if (n_late > 0) {
                late[k % n_late][wheel] = asked;
            }
            double step = truth->acceleration * STEP_S;
            slewed[wheel] += dpl_clamp(now - slewed[wheel], -step, step);
            double follow = truth->lag_s > 0.0 ? 1.0 - exp(-STEP_S / truth->lag_s) : 1.0;
            speed[wheel] += follow * (slewed[wheel] - speed[wheel]);
            travel[wheel] += truth->gain[wheel] * speed[wheel] * STEP_S;
        }
    }
    return n;
}

static struct drive_fit fit(const struct truth *truth, double duration_s, double scale)
{
    struct drive_sample *samples = calloc((size_t)(duration_s / SAMPLE_S) + 2, sizeof *samples);
    size_t n = record(truth, duration_s, scale, samples);
    struct drive_fit found;
    cr_assert_eq(drive_fit(samples, n, &config, &found), 0);
    free(samples);
    return found;
}

Test(drive_fit, finds_a_drive_from_its_encoders)
{
    const struct truth truth = {{0.97, 1.02}, 0.06, 0.05, 0.5, 8.5e-5};
    struct drive_fit found = fit(&truth, 60.0, 1.0);
    cr_assert_float_eq(found.value[DRIVE_GAIN_LEFT], 0.97, 0.001);
    cr_assert_float_eq(found.value[DRIVE_GAIN_RIGHT], 1.02, 0.001);
    cr_assert_float_eq(found.value[DRIVE_LATENCY], 0.06, 0.003);
    cr_assert_float_eq(found.value[DRIVE_LAG], 0.05, 0.003);
    cr_assert_float_eq(found.value[DRIVE_RAMP], 2.0, 0.04);
    for (int i = 0; i < DRIVE_N_PARAMETERS; i++) {
        cr_assert(found.identified[i], "%d", i);
    }
}

Test(drive_fit, finds_slow_drives_from_any_start)
{
    const struct truth truth = {{1.0, 1.0}, 0.35, 0.2, 0.3, 0.0};
    struct drive_fit found = fit(&truth, 60.0, 1.0);
    cr_assert_float_eq(found.value[DRIVE_LATENCY], 0.35, 0.005);
    cr_assert_float_eq(found.value[DRIVE_LAG], 0.2, 0.005);
    cr_assert_float_eq(1.0 / found.value[DRIVE_RAMP], 0.3, 0.01);
}

/* A ramp of 4 ms is gone before the lag shows anything: it is known to be short. */
Test(drive_fit, knows_that_a_ramp_is_short)
{
    const struct truth truth = {{1.0, 1.0}, 0.05, 0.05, 50.0, 2e-4};
    struct drive_fit found = fit(&truth, 60.0, 1.0);
    cr_assert(found.identified[DRIVE_RAMP]);
    cr_assert_lt(found.value[DRIVE_RAMP], 0.2, "%g s to 1 m/s", found.value[DRIVE_RAMP]);
    cr_assert_float_eq(found.value[DRIVE_GAIN_LEFT], 1.0, 0.002);
    cr_assert_float_eq(found.value[DRIVE_LATENCY] + found.value[DRIVE_LAG], 0.1, 0.003);
}

/* Speeds that change by less than 0.2 m/s^2: any drive of more follows. */
Test(drive_fit, marks_a_ramp_that_no_command_shows)
{
    const struct truth truth = {{1.0, 1.0}, 0.05, 0.05, 5.0, 8.5e-5};
    command_at = softly;
    struct drive_fit found = fit(&truth, 60.0, 1.0);
    cr_assert_not(found.identified[DRIVE_RAMP], "%g +- %g", found.value[DRIVE_RAMP],
                  found.sigma[DRIVE_RAMP]);
    cr_assert_float_eq(found.value[DRIVE_GAIN_LEFT], 1.0, 0.002);
    cr_assert_float_eq(found.value[DRIVE_LATENCY] + found.value[DRIVE_LAG], 0.1, 0.003);
}

/* Blocked for 5 of 60 s: least squares alone would take it for a gain of 0.9. */
Test(drive_fit, is_not_misled_by_a_blocked_wheel)
{
    const struct truth truth = {{1.0, 1.0}, 0.06, 0.05, 0.5, 8.5e-5};
    struct drive_sample samples[6001];
    size_t n = record(&truth, 60.0, 1.0, samples);
    double stood = samples[2500].left_m - samples[2000].left_m;
    for (size_t i = 2000; i < n; i++) {
        samples[i].left_m = i < 2500 ? samples[2000].left_m : samples[i].left_m - stood;
    }
    struct drive_fit found;
    cr_assert_eq(drive_fit(samples, n, &config, &found), 0);
    cr_assert_float_eq(found.value[DRIVE_GAIN_LEFT], 1.0, 0.003);
    cr_assert_float_eq(found.value[DRIVE_GAIN_RIGHT], 1.0, 0.003);
}

/* The deviations are about right: not too small, and not of no use. */
Test(drive_fit, says_how_far_off_it_may_be)
{
    struct truth truth = {{0.98, 1.01}, 0.08, 0.06, 0.6, 8.5e-5};
    struct drive_sample samples[3001];
    size_t n = record(&truth, 30.0, 1.0, samples);
    struct dpl_random random;
    double left = 0.0, right = 0.0, square = 0.0;
    for (unsigned seed = 1; seed <= 20; seed++) {
        struct drive_sample noisy[3001];
        struct drive_fit found;
        random = dpl_random_seeded(seed, 1);
        left = right = 0.0;
        for (size_t i = 0; i < n; i++) { /* a random walk of the wheels: slip */
            left += 3e-5 * dpl_random_normal(&random);
            right += 3e-5 * dpl_random_normal(&random);
            noisy[i] = samples[i];
            noisy[i].left_m += left;
            noisy[i].right_m += right;
        }
        cr_assert_eq(drive_fit(noisy, n, &config, &found), 0);
        double q = (found.value[DRIVE_GAIN_LEFT] - 0.98) / found.sigma[DRIVE_GAIN_LEFT];
        square += q * q / 20.0;
    }
    cr_assert(square > 0.1 && square < 3.0, "errors over deviations: %g squared", square);
}

/* Commands reach the robot 0.1 s later for a while: a machine with much to do. */
static double late_period_s, late_for_s;

static void late_for_a_while(double t, double scale, double *ret_linear, double *ret_angular)
{
    bool is_late = fmod(t, late_period_s) < late_for_s;
    in_steps(is_late ? fmax(t - 0.1, 0.0) : t, scale, ret_linear, ret_angular);
}

static void fit_late_as_ramp(double period_s, double for_s)
{
    const struct truth truth = {{1.0, 1.0}, 0.06, 0.05, 0.5, 8.5e-5};
    struct drive_sample samples[6001];
    command_at = late_for_a_while;
    late_period_s = period_s;
    late_for_s = for_s;
    size_t n = record(&truth, 60.0, 1.0, samples);
    for (size_t i = 0; i < n; i++) {
        in_steps(samples[i].time_s, 1.0, &samples[i].linear, &samples[i].angular);
    }
    struct drive_fit found;
    cr_assert_eq(drive_fit(samples, n, &config, &found), 0);
    double off = fabs(found.value[DRIVE_RAMP] - 2.0);
    cr_assert(!found.identified[DRIVE_RAMP] && off < 3.0 * found.sigma[DRIVE_RAMP],
              "%g +- %g s to 1 m/s", found.value[DRIVE_RAMP], found.sigma[DRIVE_RAMP]);
}

Test(drive_fit, does_not_take_commands_that_came_late_for_a_ramp)
{
    fit_late_as_ramp(60.0, 30.0);
    fit_late_as_ramp(13.0, 6.5);
}

/* In each 8 s the base is off the line for 0.7 s: it stops by itself, is not heard, and gets
 * commands again 0.3 s later. */
static bool is_silent(double t)
{
    return fmod(t, 8.0) > 7.0 && fmod(t, 8.0) < 7.7;
}

static void but_for_silence(double t, double scale, double *ret_linear, double *ret_angular)
{
    in_steps(t, fmod(t, 8.0) > 7.0 ? 0.0 : scale, ret_linear, ret_angular);
}

Test(drive_fit, leaves_out_the_time_after_a_silence_of_the_base)
{
    const struct truth truth = {{1.0, 1.0}, 0.06, 0.05, 20.0, 8.5e-5};
    struct drive_sample samples[6001];
    command_at = but_for_silence;
    size_t n = record(&truth, 60.0, 1.0, samples);
    for (size_t i = 0; i < n; i++) {
        in_steps(samples[i].time_s, 1.0, &samples[i].linear, &samples[i].angular);
        if (i > 0 && is_silent(samples[i].time_s)) {
            samples[i].measured_s = samples[i - 1].measured_s;
            samples[i].left_m = samples[i - 1].left_m;
            samples[i].right_m = samples[i - 1].right_m;
        }
    }
    struct drive_fit found;
    cr_assert_eq(drive_fit(samples, n, &config, &found), 0);
    double off = fabs(found.value[DRIVE_RAMP] - 0.05);
    cr_assert_lt(off, 3.0 * found.sigma[DRIVE_RAMP], "%g +- %g", found.value[DRIVE_RAMP],
                 found.sigma[DRIVE_RAMP]);
    cr_assert_float_eq(found.value[DRIVE_LATENCY], 0.06, 0.01, "%g", found.value[DRIVE_LATENCY]);
    cr_assert_float_eq(found.value[DRIVE_GAIN_LEFT], 1.0, 0.003, "%g",
                       found.value[DRIVE_GAIN_LEFT]);
    cr_assert_lt(found.rms_m, 0.001, "%g", found.rms_m);
}

/* Known to be shorter than the nominal one, but not how short: its inverse may be anything. */
Test(drive_fit, takes_no_ramp_that_is_hardly_surer_than_it_is_long)
{
    struct truth truth = {{1.0, 1.0}, 0.06, 0.05, 2.6, 8.5e-5};
    struct drive_sample samples[3001];
    size_t n = record(&truth, 30.0, 0.5, samples);
    size_t n_taken = 0;
    for (unsigned seed = 1; seed <= 10; seed++) {
        struct dpl_random random = dpl_random_seeded(seed, 1);
        struct drive_sample noisy[3001];
        struct drive_fit found;
        for (size_t i = 0; i < n; i++) {
            noisy[i] = samples[i];
            noisy[i].left_m += 2e-3 * dpl_random_normal(&random);
            noisy[i].right_m += 2e-3 * dpl_random_normal(&random);
        }
        cr_assert_eq(drive_fit(noisy, n, &config, &found), 0);
        double value = found.value[DRIVE_RAMP], sigma = found.sigma[DRIVE_RAMP];
        cr_log_info("%g +- %g", value, sigma);
        bool known = sigma <= value / 3.0 || value + 2.0 * sigma <= 0.4;
        cr_assert(known || !found.identified[DRIVE_RAMP], "%g +- %g s", value, sigma);
        n_taken += known;
    }
    cr_assert_lt(n_taken, 10, "the noise is too little for this test");
}

Test(drive_fit, needs_motion)
{
    const struct truth truth = {{1.0, 1.0}, 0.06, 0.05, 0.5, 0.0};
    struct drive_sample samples[2001];
    struct drive_fit found;
    size_t n = record(&truth, 20.0, 0.0, samples);
    cr_assert_eq(drive_fit(samples, n, &config, &found), -ENODATA);
    cr_assert_eq(drive_fit(samples, 1, &config, &found), -ENODATA);
}
