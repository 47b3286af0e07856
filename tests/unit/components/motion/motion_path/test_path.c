/* SPDX-License-Identifier: Apache-2.0 */
/* The path together with the planner that brakes for it: start, underrun, rest, resumption, limits,
 * and axes that are not the pose. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "path.h"
#include "planner.h"

#define ACCEL 10.0

static struct dpl_path path;
static struct dpl_traj_planner planner;
static const double home[6] = {0.0, 0.0, 0.54, 0.0, 0.0, 0.0};

/* What a run has shown. */
static struct {
    double acceleration[6], velocity_jump, reference[6];
    struct dpl_axis_reference last;
    int tick, n_writes;
} seen;

static void brake_planner(void *context, const double pose[6], const double step[6],
                          double ret_pose[6])
{
    struct dpl_traj_planner *p = context;
    cr_assert_arr_eq(p->motion.y, pose, 6 * sizeof pose[0], "the planner is not where the path is");
    dpl_traj_planner_brake(p, ret_pose);
}

static void start(void)
{
    static const double hard[6] = {0.25, 0.15, 0.15, 0.0873, 0.1396, 0.0524};
    static const double accel[6] = {ACCEL, ACCEL, ACCEL, ACCEL, ACCEL, ACCEL};
    struct dpl_traj_config config;
    struct dpl_path_config path_config = {.servo_period_s = 0.625e-3,
                                          .time_base = dpl_time_base_default(),
                                          .brake = {brake_planner, &planner}};
    dpl_traj_config_set(&config, home, hard, accel);
    cr_assert_eq(dpl_traj_planner_init(&planner, &config), 0);
    cr_assert_eq(dpl_traj_planner_start(&planner, home), 0);
    cr_assert_eq(dpl_path_reset(&path, &path_config, home), 0);
    memset(&seen, 0, sizeof seen);
}

static void plan(void)
{
    double last[2][6], pose[6], t = 2.5e-3 * (seen.tick / 4);
    if (!dpl_pose_buffer_admits(&path.buffer)) {
        return;
    }
    struct dpl_traj_reference reference = {.stamp = (dpl_ns)(seen.tick / 4) * 2500000};
    uint64_t sequence = dpl_pose_buffer_resume(&path.buffer, last);
    for (int i = 0; i < 6; i++) {
        reference.pose[i] = home[i] + (i == 0 ? 0.05 * sin(6.283185307179586 * t) : 0.0);
    }
    memcpy(seen.reference, reference.pose, sizeof seen.reference);
    dpl_traj_planner_step(&planner, &reference, reference.stamp, NULL, pose);
    cr_assert_eq(dpl_pose_buffer_write(&path.buffer, sequence, pose), 0);
    seen.n_writes++;
}

static void run(int n_ticks, bool planning)
{
    for (int k = 0; k < n_ticks; k++, seen.tick++) {
        struct dpl_axis_reference reference;
        if (planning && seen.tick % 4 == 0) {
            plan();
        }
        cr_assert_eq(dpl_path_step(&path, &reference), 0);
        for (int i = 0; i < 6; i++) {
            double jump = fabs(reference.velocity[i] - seen.last.velocity[i]);
            seen.acceleration[i] = fmax(seen.acceleration[i], fabs(reference.acceleration[i]));
            seen.velocity_jump = fmax(seen.velocity_jump, jump);
        }
        seen.last = reference;
    }
}

static void expect_within_limits(void)
{
    for (int i = 0; i < 6; i++) {
        cr_assert_leq(seen.acceleration[i], ACCEL * (1.0 + 1e-9), "axis %d: %.12g", i,
                      seen.acceleration[i]);
    }
}

Test(path, waits_for_one_pose_more_than_the_distance)
{
    start();
    run(8, true);
    cr_assert_not(path.moving);
    cr_assert_eq(seen.n_writes, 2);
    run(1, true);
    cr_assert(path.moving);
    cr_assert_eq(dpl_pose_buffer_distance(&path.buffer), 2);
}

Test(path, follows_the_planner_with_its_constant_delay)
{
    start();
    run(4 * 4000 + 1, true);
    double t = 2.5e-3 * 4000 - 8.75e-3;
    cr_assert_float_eq(seen.last.position[0], 0.05 * sin(6.283185307179586 * t), 5e-6);
    cr_assert_float_eq(seen.last.velocity[0], 0.05 * 6.283185307179586 * cos(6.283185307179586 * t),
                       5e-5);
    cr_assert_eq(path.buffer.n_synthesised, 0);
    expect_within_limits();
}

Test(path, bridges_a_writer_that_is_late_by_12_ms_and_finds_back)
{
    start();
    run(4 * 4000, true);
    run(4 * 5, false);
    cr_assert_gt(path.buffer.n_synthesised, 0);
    run(4 * 100, true);
    cr_assert_eq(dpl_pose_buffer_distance(&path.buffer), 2);
    run(4 * 2000, true);
    cr_assert_eq(path.time_base.m, 0);
    cr_assert_arr_eq(planner.motion.y, seen.reference, sizeof seen.reference);
    expect_within_limits();
}

Test(path, comes_to_rest_when_no_pose_comes_and_waits_there)
{
    start();
    run(4 * 4000, true);
    run(1600, false);
    cr_assert_not(path.moving);
    cr_assert_lt(path.buffer.n_synthesised, 100);
    for (int i = 0; i < 6; i++) {
        cr_assert_eq(seen.last.velocity[i], 0.0);
        cr_assert_eq(seen.last.acceleration[i], 0.0);
        cr_assert_eq(seen.last.position[i], planner.motion.y[i]);
    }
    expect_within_limits();
}

Test(path, resumes_from_rest_within_the_limits)
{
    start();
    run(4 * 4000, true);
    run(1600, false);
    uint64_t synthesised = path.buffer.n_synthesised;
    run(4 * 4000, true);
    cr_assert(path.moving);
    cr_assert_eq(path.buffer.n_synthesised, synthesised);
    cr_assert_eq(dpl_pose_buffer_distance(&path.buffer), 2);
    cr_assert_arr_eq(planner.motion.y, seen.reference, sizeof seen.reference);
    expect_within_limits();
}

/* Every stall from one to forty periods, at different places of the sine. */
Test(path, keeps_the_limits_through_stalls_of_any_length)
{
    start();
    run(4 * 1000, true);
    for (int stall = 1; stall <= 40; stall++) {
        run(4 * (150 + stall), true);
        run(4 * stall, false);
    }
    run(4 * 1000, true);
    cr_assert_gt(path.buffer.n_synthesised, 100);
    cr_assert_eq(path.buffer.n_overruns, 0);
    cr_assert_eq(dpl_pose_buffer_distance(&path.buffer), 2);
    /* Two percent a move, spread over its ticks, at the sine's greatest velocity. */
    double time_base = 0.02 / 4.0 * 0.05 * 6.283185307179586 / 0.625e-3;
    cr_assert_leq(seen.velocity_jump, (ACCEL + time_base) * 0.625e-3, "%g", seen.velocity_jump);
    cr_assert_gt(seen.velocity_jump, 0.9 * ACCEL * 0.625e-3, "%g", seen.velocity_jump);
    expect_within_limits();
}

/* ---- axes that are not the pose ---- */

static int map_x_only(void *context, const double pose[6], double ret_axes[6])
{
    const double *limit = context;
    if (pose[0] > *limit) {
        return -EDOM;
    }
    for (int i = 0; i < 6; i++) {
        ret_axes[i] = pose[0] * (i + 1);
    }
    return 0;
}

static void hold(void *context, const double pose[6], const double step[6], double ret_pose[6])
{
    memcpy(ret_pose, pose, 6 * sizeof ret_pose[0]);
}

static int run_mapped(double to_x, double limit, struct dpl_axis_reference *ret_reference)
{
    struct dpl_path_config config = {.servo_period_s = 0.625e-3,
                                     .time_base = dpl_time_base_default(),
                                     .brake.next = hold,
                                     .map = {map_x_only, &limit}};
    const double zero[6] = {0.0};
    int worst = 0;
    cr_assert_eq(dpl_path_reset(&path, &config, zero), 0);
    for (int tick = 0; tick < 400; tick++) {
        double last[2][6], pose[6] = {to_x};
        if (tick % 4 == 0) {
            uint64_t sequence = dpl_pose_buffer_resume(&path.buffer, last);
            cr_assert_eq(dpl_pose_buffer_write(&path.buffer, sequence, pose), 0);
        }
        int r = dpl_path_step(&path, ret_reference);
        worst = r < worst ? r : worst;
    }
    return worst;
}

Test(path, gives_the_axes_that_the_map_gives)
{
    struct dpl_axis_reference reference;
    cr_assert_eq(run_mapped(0.5, 1.0, &reference), 0);
    for (int i = 0; i < 6; i++) {
        cr_assert_eq(reference.position[i], 0.5 * (i + 1));
    }
}

Test(path, stays_at_the_last_axes_that_the_map_had)
{
    struct dpl_axis_reference reference;
    cr_assert_eq(run_mapped(0.5, 0.4, &reference), -EDOM);
    cr_assert_gt(path.n_map_faults, 100);
    cr_assert(reference.position[0] > 0.2 && reference.position[0] <= 0.4);
    cr_assert_eq(reference.velocity[3], 0.0);
}

Test(path, refuses_a_configuration_without_brake_or_period)
{
    struct dpl_path_config config = {.servo_period_s = 0.625e-3,
                                     .time_base = dpl_time_base_default()};
    double pose[6] = {0.0};
    cr_assert_eq(dpl_path_reset(&path, &config, pose), -EINVAL);
    config.brake.next = hold;
    cr_assert_eq(dpl_path_reset(&path, &config, pose), 0);
    config.servo_period_s = 0.0;
    cr_assert_eq(dpl_path_reset(&path, &config, pose), -EINVAL);
    config.servo_period_s = 0.625e-3;
    pose[3] = (double)NAN;
    cr_assert_eq(dpl_path_reset(&path, &config, pose), -EINVAL);
    pose[3] = 0.0;
    config.time_base.limit = 0;
    cr_assert_eq(dpl_path_reset(&path, &config, pose), -EINVAL);
}

Test(path, rests_in_another_pose_while_it_moves_or_not)
{
    static const double there[6] = {0.1, 0.0, 0.5, 0.0, 0.0, 0.0};
    struct dpl_axis_reference reference;
    start();
    cr_assert(dpl_path_at_rest(&path));
    run(4000, true);
    cr_assert_not(dpl_path_at_rest(&path));
    uint64_t written = path.buffer.written;
    cr_assert_eq(dpl_path_rest_at(&path, there), 0);
    cr_assert(dpl_path_at_rest(&path));
    cr_assert_eq(path.buffer.written, written);
    for (int k = 0; k < 100; k++) {
        cr_assert_eq(dpl_path_step(&path, &reference), 0);
        cr_assert_arr_eq(reference.position, there, sizeof there);
        cr_assert_eq(reference.velocity[0], 0.0);
    }
}

Test(path, stays_where_it_is_when_it_cannot_rest_in_a_pose)
{
    const double nowhere[6] = {0.0, (double)NAN};
    start();
    run(4000, true);
    struct dpl_path before = path;
    cr_assert_eq(dpl_path_rest_at(&path, nowhere), -EINVAL);
    cr_assert_eq(memcmp(&before, &path, sizeof path), 0);
}

Test(path, is_not_at_rest_before_the_last_pose_has_passed)
{
    static const double there[6] = {0.001, 0.0, 0.54, 0.0, 0.0, 0.0};
    struct dpl_axis_reference reference;
    start();
    uint64_t sequence = 0;
    for (int k = 0; k < 80; k++) {
        if (k % 4 == 0) {
            const double *pose = k < 16 ? home : there;
            cr_assert_eq(dpl_pose_buffer_write(&path.buffer, sequence++, pose), 0);
        }
        cr_assert_eq(dpl_path_step(&path, &reference), 0);
        bool moves = reference.velocity[0] != 0.0 || reference.acceleration[0] != 0.0;
        cr_assert(!moves || !dpl_path_at_rest(&path), "tick %d", k);
        cr_assert(k < 16 || reference.position[0] == there[0] || !dpl_path_at_rest(&path));
    }
    cr_assert(dpl_path_at_rest(&path));
    cr_assert_eq(reference.position[0], there[0]);
}
