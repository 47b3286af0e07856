/* SPDX-License-Identifier: Apache-2.0 */
/* The trajectory planner as a whole: start, stages that can be switched and observed, faults,
 * braking for a late planner, and what holds for any reference. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/math/random.h>

#include "machine.h"

#define N_TICKS 100000

static struct dpl_traj_planner started(const struct dpl_traj_config *config)
{
    struct dpl_traj_planner planner;
    cr_assert_eq(dpl_traj_planner_init(&planner, config), 0);
    cr_assert_eq(dpl_traj_planner_start(&planner, machine_centre), 0);
    return planner;
}

/* Slow sines about the centre, within every limit. */
static struct dpl_traj_reference calm(int k)
{
    struct dpl_traj_reference r = {.stamp = 2500 * DPL_US * k};
    for (int i = 0; i < DPL_SIX; i++) {
        r.pose[i] = machine_centre[i] + 0.2 * machine_hard[i] * sin((2.5 - 0.3 * i) * 0.0025 * k);
    }
    return r;
}

Test(traj_planner, says_what_is_wrong_with_a_configuration)
{
    struct dpl_traj_config good = machine_config(1.0), bad = good;
    struct dpl_traj_planner planner;
    cr_assert_null(dpl_traj_config_check(&good));
    bad.axes.accel_max[3] = 0.0;
    cr_assert_not_null(dpl_traj_config_check(&bad));
    cr_assert_eq(dpl_traj_planner_init(&planner, &bad), -EINVAL);
    bad = good;
    bad.workspace.soft.semi[1] = 0.2;
    cr_assert_not_null(strstr(dpl_traj_config_check(&bad), "soft ellipsoid"));
    bad = good;
    bad.workspace.home[0] = 0.22;
    cr_assert_not_null(strstr(dpl_traj_config_check(&bad), "home"));
    bad = good;
    bad.saturation.kd = (double)NAN;
    cr_assert_not_null(strstr(dpl_traj_config_check(&bad), "kd"));
    bad = good;
    bad.sync.accel_share = 1.5;
    cr_assert_not_null(strstr(dpl_traj_config_check(&bad), "sync"));
    bad = good;
    bad.condition.expire_after = 0;
    cr_assert_not_null(strstr(dpl_traj_config_check(&bad), "conditioning"));
    bad = good;
    bad.stages = 64;
    cr_assert_not_null(strstr(dpl_traj_config_check(&bad), "stage"));
}

Test(traj_planner, starts_inside_the_hard_ellipsoid_only)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_planner planner;
    struct dpl_traj_motion at = machine_at(0.26, 0.0);
    cr_assert_eq(dpl_traj_planner_init(&planner, &config), 0);
    cr_assert_eq(dpl_traj_planner_restart(&planner), -EINVAL, "never started");
    cr_assert_eq(dpl_traj_planner_start(&planner, at.y), -ERANGE);
    at.y[0] = (double)NAN;
    cr_assert_eq(dpl_traj_planner_start(&planner, at.y), -EINVAL);
    cr_assert_eq(planner.mode, DPL_TRAJ_STOPPED);
    at = machine_at(0.249, 0.0);
    cr_assert_eq(dpl_traj_planner_start(&planner, at.y), 0);
    cr_assert_eq(planner.mode, DPL_TRAJ_RUNNING);
}

Test(traj_planner, is_transparent_bit_for_bit_after_the_ramp)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_planner planner = started(&config);
    for (int k = 0; k < N_TICKS; k++) {
        struct dpl_traj_reference r = calm(k);
        struct dpl_traj_trace trace;
        double y[DPL_SIX];
        dpl_traj_planner_step(&planner, &r, r.stamp, &trace, y);
        if (k >= 799) {
            cr_assert_eq(trace.acted, 0, "tick %d: %x", k, trace.acted);
            cr_assert_arr_eq(y, r.pose, sizeof y);
        }
    }
}

Test(traj_planner, trace_shows_which_stage_changed_what)
{
    struct dpl_traj_config config = machine_config(1.0);
    config.stages &= ~(unsigned)DPL_TRAJ_SYNC;
    struct dpl_traj_planner planner = started(&config);
    struct dpl_traj_reference r = calm(0);
    struct dpl_traj_trace trace;
    double y[DPL_SIX];
    r.pose[0] = 0.1;
    dpl_traj_planner_step(&planner, &r, 0, &trace, y);
    cr_assert_eq(trace.acted, DPL_TRAJ_SATURATION);
    cr_assert_arr_eq(trace.deflected, r.pose, sizeof y);
    cr_assert_arr_eq(trace.saturated, y, sizeof y);
    cr_assert_float_eq(y[0], config.axes.step_max[0], 1e-18);
    r.pose[0] = 0.3;
    dpl_traj_planner_step(&planner, &r, 0, &trace, y);
    cr_assert_eq(trace.acted, DPL_TRAJ_WORKSPACE);
    cr_assert_arr_eq(trace.synced, r.pose, sizeof y);
    cr_assert_arr_eq(trace.emitted, y, sizeof y);
    r.pose[0] = (double)NAN;
    dpl_traj_planner_step(&planner, &r, 0, &trace, y);
    cr_assert_eq(trace.acted, DPL_TRAJ_CONDITION | DPL_TRAJ_WORKSPACE);
    cr_assert_eq(trace.conditioned[0], 0.3);
}

Test(traj_planner, with_every_stage_off_is_a_wire)
{
    struct dpl_traj_config config = machine_config(1.0);
    config.stages = 0;
    struct dpl_traj_planner planner = started(&config);
    struct dpl_random random = dpl_random_seeded(3, 3);
    for (int k = 0; k < 100; k++) {
        struct dpl_traj_reference r = {.stamp = -k * DPL_S};
        double y[DPL_SIX];
        r.pose[k % 6] = dpl_random_uniform(&random, -1e6, 1e6);
        dpl_traj_planner_step(&planner, &r, 0, NULL, y);
        cr_assert_arr_eq(y, r.pose, sizeof y);
    }
}

Test(traj_planner, brakes_and_faults_when_references_stay_away_and_restarts_through_the_ramp)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_planner planner = started(&config);
    struct dpl_traj_reference r;
    double y[DPL_SIX];
    int k = 0;
    for (; k < 1000; k++) {
        r = calm(k);
        dpl_traj_planner_step(&planner, &r, r.stamp, NULL, y);
    }
    cr_assert_eq(dpl_traj_planner_restart(&planner), -EBUSY);
    for (int n = 0; n < 399; n++) {
        dpl_traj_planner_step(&planner, NULL, r.stamp, NULL, y);
    }
    cr_assert_eq(planner.mode, DPL_TRAJ_RUNNING);
    for (int n = 0; n < 200; n++) {
        dpl_traj_planner_step(&planner, n > 0 ? &r : NULL, r.stamp, NULL, y);
        cr_assert_eq(planner.mode, DPL_TRAJ_FAULT);
    }
    cr_assert(dpl_traj_planner_at_rest(&planner), "and stays so though references are back");
    cr_assert_eq(dpl_traj_planner_restart(&planner), 0);
    r.pose[0] += 0.02;
    double from = y[0];
    dpl_traj_planner_step(&planner, &r, r.stamp, NULL, y);
    cr_assert(fabs(y[0] - from) < 1e-6, "no jump");
    for (int n = 1; n < 800; n++) {
        dpl_traj_planner_step(&planner, &r, r.stamp, NULL, y);
    }
    cr_assert_arr_eq(y, r.pose, sizeof y);
}

Test(traj_planner, a_pose_made_for_a_late_planner_keeps_the_limits_and_is_gone_on_from)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_planner planner = started(&config);
    double y[DPL_SIX], before[DPL_SIX] = {0}, d[DPL_SIX] = {0};
    for (int k = 0; k < 3000; k++) {
        struct dpl_traj_reference r = calm(k);
        if (k % 500 > 480) {
            dpl_traj_planner_brake(&planner, y);
        } else {
            dpl_traj_planner_step(&planner, &r, r.stamp, NULL, y);
        }
        for (int i = 0; i < DPL_SIX; i++) {
            double change = k > 1 ? y[i] - before[i] - d[i] : 0.0;
            cr_assert_leq(fabs(change), config.axes.step_max[i] * (1.0 + 1e-9));
            d[i] = k > 0 ? y[i] - before[i] : 0.0;
            before[i] = y[i];
        }
    }
}

/* Noise, steps, spikes or a sweep, all far beyond the workspace, by turns of 4 s. */
static struct dpl_traj_reference wild(int k, struct dpl_random *random, double *target)
{
    struct dpl_traj_reference r = {.stamp = 0};
    for (int i = 0; i < DPL_SIX; i++) {
        double x = dpl_random_uniform(random, -1.0, 1.0);
        double sine = sin(1e-4 * k * (k % 1600) * 0.01 + i);
        target[i] = k % 200 == 0 ? 2.0 * x : target[i];
        double values[] = {3.0 * x, target[i], fabs(x) > 0.995 ? 5.0 : 0.2 * sine, 2.0 * sine};
        r.pose[i] = machine_centre[i] + machine_hard[i] * values[k / 1600 % 4];
    }
    if (k % 997 < 20) {
        r.pose[k % DPL_SIX] = k % 2 == 0 ? (double)NAN : -(double)INFINITY;
    }
    return r;
}

struct worst {
    double level, accel;
    bool finite;
};

static struct worst run_wild(double scale, unsigned stages)
{
    struct dpl_traj_config config = machine_config(scale);
    config.stages = stages;
    config.condition.n_fault = 0;
    struct dpl_traj_planner planner = started(&config);
    struct dpl_random random = dpl_random_seeded(7, 1);
    struct worst worst = {.finite = true};
    double before[DPL_SIX], d[DPL_SIX] = {0}, target[DPL_SIX] = {0};
    dpl_traj_copy(before, machine_centre);
    for (int k = 0; k < N_TICKS; k++) {
        struct dpl_traj_reference r = wild(k, &random, target);
        double y[DPL_SIX];
        dpl_traj_planner_step(&planner, &r, 0, NULL, y);
        double level = dpl_traj_ellipsoid_level(&config.workspace.hard, y);
        worst.finite = worst.finite && isfinite(level);
        worst.level = fmax(worst.level, level);
        for (int i = 0; i < DPL_SIX; i++) {
            double next = y[i] - before[i];
            worst.accel = fmax(worst.accel, fabs(next - d[i]) / config.axes.step_max[i]);
            d[i] = next;
            before[i] = y[i];
        }
    }
    return worst;
}

Test(traj_planner, any_reference_stays_within_workspace_and_acceleration)
{
    static const unsigned stages[] = {DPL_TRAJ_ALL_STAGES,
                                      DPL_TRAJ_ALL_STAGES & ~DPL_TRAJ_WORKSPACE,
                                      DPL_TRAJ_ALL_STAGES & ~DPL_TRAJ_SYNC};
    for (int n = 0; n < 6; n++) {
        struct worst worst = run_wild(n % 2 == 0 ? 1.0 : 0.1, stages[n / 2]);
        cr_assert(worst.finite);
        cr_assert_leq(worst.level, 1.0, "%.12g", worst.level);
        cr_assert_leq(worst.accel, 1.0 + 1e-9, "%.12g", worst.accel);
        cr_assert_gt(worst.accel, 0.9, "the reference asks for it");
    }
}

Test(traj_planner, each_protection_is_needed)
{
    const unsigned all = DPL_TRAJ_ALL_STAGES;
    cr_assert_gt(run_wild(0.1, all & ~(unsigned)DPL_TRAJ_GUARD).level, 1.5);
    const unsigned no_guard = all & ~(unsigned)DPL_TRAJ_GUARD;
    cr_assert_gt(run_wild(1.0, no_guard & ~(unsigned)DPL_TRAJ_SATURATION).accel, 10.0);
    cr_assert_not(run_wild(1.0, no_guard & ~(unsigned)DPL_TRAJ_CONDITION).finite);
}

/* What a planner emits that is told, each tick, that all its poses were taken. */
Test(traj_planner, resuming_from_its_own_poses_changes_no_bit)
{
    struct dpl_traj_config config = machine_config(0.1);
    struct dpl_traj_planner told = started(&config), alone = started(&config);
    struct dpl_random rng = dpl_random_seeded(1, 2);
    double last[2][DPL_SIX];
    dpl_traj_copy(last[0], machine_centre);
    dpl_traj_copy(last[1], machine_centre);
    for (int k = 0; k < N_TICKS; k++) {
        double expected[DPL_SIX];
        struct dpl_traj_reference r = calm(k);
        r.pose[k % DPL_SIX] += k % 1000 < 20 ? dpl_random_uniform(&rng, -0.3, 0.3) : 0.0;
        cr_assert_eq(dpl_traj_planner_resume(&told, last[0], last[1]), 0);
        dpl_traj_copy(last[1], last[0]);
        dpl_traj_planner_step(&told, &r, r.stamp, NULL, last[0]);
        dpl_traj_planner_step(&alone, &r, r.stamp, NULL, expected);
        cr_assert_arr_eq(last[0], expected, sizeof expected, "tick %d", k);
    }
}

Test(traj_planner, goes_on_from_poses_that_were_not_its_own)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_planner planner = started(&config);
    double y[2][DPL_SIX], before[DPL_SIX], last[DPL_SIX];
    dpl_traj_copy(before, machine_centre);
    dpl_traj_copy(last, machine_centre);
    before[0] += 0.010;
    last[0] += 0.0105;
    cr_assert_eq(dpl_traj_planner_resume(&planner, last, before), 0);
    cr_assert_not(dpl_traj_planner_at_rest(&planner));
    struct dpl_traj_reference r = calm(0);
    dpl_traj_planner_step(&planner, &r, 0, NULL, y[0]);
    double second = y[0][0] - last[0] - (last[0] - before[0]);
    cr_assert_leq(fabs(second), config.axes.step_max[0] * (1.0 + 1e-9));
}

Test(traj_planner, refuses_to_resume_from_what_is_no_pose_or_before_the_start)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_planner planner = started(&config), fresh;
    struct dpl_traj_motion motion = planner.motion;
    const double nowhere[DPL_SIX] = {(double)NAN};
    cr_assert_eq(dpl_traj_planner_resume(&planner, nowhere, machine_centre), -EINVAL);
    cr_assert_eq(dpl_traj_planner_resume(&planner, machine_centre, nowhere), -EINVAL);
    cr_assert_eq(memcmp(&motion, &planner.motion, sizeof motion), 0);
    cr_assert_eq(dpl_traj_planner_init(&fresh, &config), 0);
    cr_assert_eq(dpl_traj_planner_resume(&fresh, machine_centre, machine_centre), -EINVAL);
}
