/* SPDX-License-Identifier: Apache-2.0 */
/* A writer whose clock is not the servo's, over 1e5 moves: no pose may be missing or in excess
 * where the time base works, and poses must be missing where it does not. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/math/random.h>

#include "path.h"

#define MOVE_NS  ((int64_t)2500000)
#define SERVO_NS ((int64_t)625000)
#define N_MOVES  100000

static struct dpl_path path;
static double f_min, f_max;

static void hold(void *context, const double pose[6], const double step[6], double ret_pose[6])
{
    memcpy(ret_pose, pose, 6 * sizeof ret_pose[0]);
}

static void reset(enum dpl_time_base_law law)
{
    struct dpl_path_config config = {.servo_period_s = 1e-9 * SERVO_NS,
                                     .time_base = dpl_time_base_default(),
                                     .brake.next = hold};
    const double home[6] = {0.0};
    config.time_base.law = law;
    cr_assert_eq(dpl_path_reset(&path, &config, home), 0);
    f_min = f_max = 1.0;
}

static void write_pose(int64_t k)
{
    double last[2][6], pose[6];
    if (!dpl_pose_buffer_admits(&path.buffer)) {
        return;
    }
    uint64_t sequence = dpl_pose_buffer_resume(&path.buffer, last);
    for (int i = 0; i < 6; i++) {
        pose[i] = sin(0.01 * (double)(k + i));
    }
    cr_assert_eq(dpl_pose_buffer_write(&path.buffer, sequence, pose), 0);
}

static void run(enum dpl_time_base_law law, double period_error, bool jitter)
{
    struct dpl_random rng = {11};
    int64_t period = llround((double)MOVE_NS * (1.0 + period_error)), k = 0, due = 0;
    reset(law);
    for (int64_t now = 0; now < N_MOVES * MOVE_NS; now += SERVO_NS) {
        struct dpl_axis_reference reference;
        for (; due <= now; k++) {
            write_pose(k);
            due = (k + 1) * period;
            due += jitter ? (int64_t)dpl_random_uniform(&rng, 0.0, (double)MOVE_NS) : 0;
        }
        dpl_path_step(&path, &reference);
        f_min = fmin(f_min, reference.factor);
        f_max = fmax(f_max, reference.factor);
    }
}

static void expect_none_missing(enum dpl_time_base_law law, double period_error, bool jitter)
{
    run(law, period_error, jitter);
    cr_assert_eq(path.buffer.n_synthesised, 0, "%+g: %d", period_error,
                 (int)path.buffer.n_synthesised);
    cr_assert_eq(path.buffer.n_overruns, 0, "%+g: %d", period_error, (int)path.buffer.n_overruns);
    cr_assert(f_min >= 0.8 && f_max <= 1.2);
}

Test(path_clock, steps_keep_up_with_a_writer_ten_percent_off)
{
    static const double errors[] = {1e-4, -1e-4, 1e-3, -1e-3, 0.02, -0.02, 0.05, -0.05, 0.1, -0.1};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        expect_none_missing(DPL_TIME_BASE_STEPS, errors[i], false);
    }
}

Test(path_clock, steps_keep_up_with_jitter_of_a_move)
{
    expect_none_missing(DPL_TIME_BASE_STEPS, 0.0, true);
    expect_none_missing(DPL_TIME_BASE_STEPS, 1e-3, true);
    expect_none_missing(DPL_TIME_BASE_STEPS, -1e-3, true);
}

Test(path_clock, proportion_keeps_up_with_both_at_once)
{
    static const double errors[] = {0.0, 1e-3, -1e-3, 0.02, -0.02, 0.05, -0.05, 0.1, -0.1};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        expect_none_missing(DPL_TIME_BASE_FRACTIONAL, errors[i], false);
        expect_none_missing(DPL_TIME_BASE_FRACTIONAL, errors[i], true);
    }
}

Test(path_clock, the_default_keeps_what_the_specification_asks_for)
{
    enum dpl_time_base_law law = dpl_time_base_default().law;
    expect_none_missing(law, 0.1, true);
    expect_none_missing(law, -0.1, true);
}

Test(path_clock, starves_without_control)
{
    run(DPL_TIME_BASE_OFF, 1e-3, false);
    cr_assert_gt(path.buffer.n_synthesised, 50);
    run(DPL_TIME_BASE_OFF, -1e-3, false);
    cr_assert_gt(path.buffer.n_overruns, 50);
}

Test(path_clock, one_clock_never_leaves_the_nominal_factor)
{
    run(DPL_TIME_BASE_STEPS, 0.0, false);
    cr_assert_eq(path.buffer.n_synthesised, 0);
    cr_assert_eq(f_min, 1.0);
    cr_assert_eq(f_max, 1.0);
    run(DPL_TIME_BASE_FRACTIONAL, 0.0, false);
    cr_assert_eq(f_min, 1.0);
    cr_assert_eq(f_max, 1.0);
}

/* The path without buffer and time base: both splines, stepped by hand. */
struct bare {
    struct dpl_blend blend;
    struct dpl_spline spline;
};

static void pose_of(int k, double ret_pose[6])
{
    for (int i = 0; i < 6; i++) {
        ret_pose[i] = k < 0 ? 0.0 : 0.1 * sin(0.02 * k * (i + 1)) * fmin(0.001 * k, 1.0);
    }
}

/* Pose k is written at tick 4 k and consumed two moves later. */
static void bare_step(struct bare *bare, int tick, struct dpl_spline_point *ret_point)
{
    double pose[6], knot[6];
    struct dpl_blend ahead = bare->blend;
    pose_of(tick / 4 - (tick % 4 == 0 ? 2 : 1), pose);
    dpl_blend_push(&ahead, pose);
    if (tick % 2 == 0) {
        dpl_blend_at(&ahead, tick % 4 == 0 ? 1.0 : 0.5, knot);
        dpl_spline_push(&bare->spline, knot);
    }
    bare->blend = tick % 4 == 0 ? ahead : bare->blend;
    dpl_spline_at(&bare->spline, 0.5 * (tick % 2), ret_point);
}

Test(path_clock, one_clock_gives_the_path_without_time_base_bit_for_bit)
{
    struct bare bare;
    double pose[6];
    reset(DPL_TIME_BASE_STEPS);
    pose_of(-1, pose);
    dpl_blend_reset(&bare.blend, pose);
    dpl_spline_reset(&bare.spline, pose);
    for (int tick = 0; tick < 40000; tick++) {
        struct dpl_axis_reference reference;
        struct dpl_spline_point point;
        if (tick % 4 == 0) {
            double last[2][6];
            uint64_t sequence = dpl_pose_buffer_resume(&path.buffer, last);
            pose_of(tick / 4, pose);
            cr_assert_eq(dpl_pose_buffer_write(&path.buffer, sequence, pose), 0);
        }
        cr_assert_eq(dpl_path_step(&path, &reference), 0);
        bare_step(&bare, tick, &point);
        cr_assert_arr_eq(reference.position, point.position, sizeof point.position, "tick %d",
                         tick);
        cr_assert_eq(reference.factor, 1.0);
    }
}
