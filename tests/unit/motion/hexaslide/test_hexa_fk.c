/* SPDX-License-Identifier: Apache-2.0 */
/* Forward kinematics of the hexaslide: both solvers, their refusals, and the tracker. */
#include "hexa_fk.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/geometry.h>
#include <doppel/math/random.h>

#include "fk_descent.h"
#include "hexa_ik.h"

static const struct dpl_hexa_geometry *const g = &dpl_hexa_reference;
static dpl_hexa_fk_solver *const solvers[] = {dpl_hexa_fk_jfmd, dpl_hexa_fk_newton};

static double apart(const double *a, const double *b)
{
    double worst = 0.0;
    for (int j = 0; j < DPL_SIX; j++) {
        worst = fmax(worst, fabs(a[j] - b[j]));
    }
    return worst;
}

static void draw_pose(struct dpl_random *rng, double scale, double *ret_pose)
{
    for (int j = 0; j < DPL_SIX; j++) {
        double half = scale * g->half_range[j];
        ret_pose[j] = g->home[j] + dpl_random_uniform(rng, -half, half);
    }
}

static bool all_finite(const double *values)
{
    double sum = 0.0;
    for (int j = 0; j < DPL_SIX; j++) {
        sum += values[j];
    }
    return isfinite(sum);
}

Test(hexa_fk, finds_from_home_the_pose_that_the_inverse_came_from)
{
    struct dpl_random rng = dpl_random_seeded(3, 1);
    for (int k = 0; k < 2000; k++) {
        double truth[DPL_SIX], q_m[DPL_AXES_N];
        draw_pose(&rng, 0.7, truth);
        cr_assert_eq(dpl_hexa_ik(g, truth, q_m), 0);
        for (size_t s = 0; s < 2; s++) {
            double pose[DPL_SIX];
            struct dpl_hexa_fk_report report;
            memcpy(pose, g->home, sizeof pose);
            cr_assert_eq(solvers[s](g, &dpl_hexa_fk_defaults, q_m, pose, &report), 0);
            cr_assert_lt(apart(pose, truth), 1e-8);
            cr_assert_leq(report.iterations, 5);
            cr_assert_leq(report.residual_m, 1e-10);
        }
    }
}

Test(hexa_fk, counts_evaluations_seven_an_iteration_by_differences_and_one_in_closed_form)
{
    const double truth[] = {0.05, -0.03, 0.56, 0.02, -0.03, 0.01};
    double q_m[DPL_AXES_N], pose[DPL_SIX];
    struct dpl_hexa_fk_report report;
    cr_assert_eq(dpl_hexa_ik(g, truth, q_m), 0);
    memcpy(pose, g->home, sizeof pose);
    cr_assert_eq(dpl_hexa_fk_jfmd(g, &dpl_hexa_fk_defaults, q_m, pose, &report), 0);
    cr_assert_gt(report.iterations, 1);
    cr_assert_eq(report.evaluations, 1 + 7 * report.iterations);
    memcpy(pose, g->home, sizeof pose);
    cr_assert_eq(dpl_hexa_fk_newton(g, &dpl_hexa_fk_defaults, q_m, pose, &report), 0);
    cr_assert_eq(report.evaluations, 1 + report.iterations);
}

Test(hexa_fk, answers_at_once_when_the_start_is_the_pose)
{
    double q_m[DPL_AXES_N], pose[DPL_SIX];
    struct dpl_hexa_fk_report report;
    cr_assert_eq(dpl_hexa_ik(g, g->home, q_m), 0);
    memcpy(pose, g->home, sizeof pose);
    cr_assert_eq(dpl_hexa_fk_newton(g, &dpl_hexa_fk_defaults, q_m, pose, &report), 0);
    cr_assert_eq(report.iterations, 0);
    cr_assert_eq(report.evaluations, 1);
    cr_assert_eq(apart(pose, g->home), 0.0);
}

/* Solves from starts far off; counts the outcomes OTHER_MODE. Whatever is answered is true. */
static int count_other_modes(dpl_hexa_fk_solver *solver, double fence, int *ret_wrong)
{
    struct dpl_random rng = dpl_random_seeded(3, 2);
    struct dpl_hexa_fk_options options = dpl_hexa_fk_defaults;
    int others = 0;
    options.fence = fence;
    *ret_wrong = 0;
    for (int k = 0; k < 2000; k++) {
        double truth[DPL_SIX], q_m[DPL_AXES_N], pose[DPL_SIX];
        double start[DPL_SIX];
        struct dpl_hexa_fk_report report;
        draw_pose(&rng, 0.7, truth);
        cr_assert_eq(dpl_hexa_ik(g, truth, q_m), 0);
        for (int j = 0; j < DPL_SIX; j++) {
            double error = j < 3 ? 0.3 : 0.75;
            start[j] = truth[j] + dpl_random_uniform(&rng, -error, error);
        }
        memcpy(pose, start, sizeof pose);
        int r = solver(g, &options, q_m, pose, &report);
        cr_assert_eq(r, report.outcome == DPL_HEXA_FK_CONVERGED ? 0 : -EDOM);
        cr_assert(r == 0 || apart(pose, start) == 0.0, "written without success");
        *ret_wrong += r == 0 && apart(pose, truth) > 1e-6;
        others += report.outcome == DPL_HEXA_FK_OTHER_MODE;
    }
    return others;
}

Test(hexa_fk, refuses_other_assembly_modes)
{
    for (size_t s = 0; s < 2; s++) {
        int wrong;
        int others = count_other_modes(solvers[s], dpl_hexa_fk_defaults.fence, &wrong);
        cr_assert_gt(others, 200, "far starts do lead elsewhere");
        cr_assert_eq(wrong, 0);
    }
}

Test(hexa_fk, branches_alone_let_other_modes_pass)
{
    int wrong;
    count_other_modes(dpl_hexa_fk_newton, 0.0, &wrong);
    cr_assert_gt(wrong, 0, "were it none, the fence would be for nothing");
}

Test(hexa_fk, a_link_that_leans_the_other_way_is_another_mode)
{
    double q_home[DPL_AXES_N], reach_m[DPL_AXES_N];
    cr_assert_eq(dpl_hexa_ik(g, g->home, q_home), 0);
    cr_assert_eq(dpl_hexa_reach(g, g->home, reach_m), 0);
    for (int i = 0; i < DPL_AXES_N; i++) {
        double q_m[DPL_AXES_N], pose[DPL_SIX];
        struct dpl_hexa_fk_report report;
        memcpy(q_m, q_home, sizeof q_m);
        memcpy(pose, g->home, sizeof pose);
        q_m[i] += 2.0 * reach_m[i];
        cr_assert_eq(dpl_hexa_fk_newton(g, &dpl_hexa_fk_defaults, q_m, pose, &report), -EDOM);
        cr_assert_eq(report.outcome, DPL_HEXA_FK_OTHER_MODE, "leg %d", i + 1);
    }
}

Test(hexa_fk, a_machine_that_hangs_below_its_rails_is_another_mode)
{
    /* The reflection of home in the plane of the rails: the same sliders, the same branches. */
    const double below[] = {0.0, 0.0, -0.54 + 2.0 * 0.063, 0.0, 0.0, 0.0};
    double q_m[DPL_AXES_N], pose[DPL_SIX];
    struct dpl_hexa_fk_report report;
    cr_assert_eq(dpl_hexa_ik(g, g->home, q_m), 0);
    cr_assert(dpl_hexa_branch_ok(g, below, q_m));
    memcpy(pose, below, sizeof pose);
    cr_assert_eq(dpl_hexa_fk_newton(g, &dpl_hexa_fk_defaults, q_m, pose, &report), -EDOM);
    cr_assert_eq(report.outcome, DPL_HEXA_FK_OTHER_MODE);
    cr_assert_lt(report.residual_m, 1e-10);
}

Test(hexa_fk, sliders_that_no_pose_has_are_reported)
{
    double q_m[DPL_AXES_N];
    cr_assert_eq(dpl_hexa_ik(g, g->home, q_m), 0);
    q_m[0] += 1.5;
    q_m[3] -= 1.5;
    for (size_t s = 0; s < 2; s++) {
        double pose[DPL_SIX];
        struct dpl_hexa_fk_report report;
        memcpy(pose, g->home, sizeof pose);
        cr_assert_eq(solvers[s](g, &dpl_hexa_fk_defaults, q_m, pose, &report), -EDOM);
        cr_assert_neq(report.outcome, DPL_HEXA_FK_CONVERGED);
        cr_assert_neq(report.outcome, DPL_HEXA_FK_OTHER_MODE);
        cr_assert_gt(report.residual_m, 1e-3);
        cr_assert_leq(report.iterations, dpl_hexa_fk_defaults.max_iterations);
        cr_assert_eq(apart(pose, g->home), 0.0);
    }
}

Test(hexa_fk, a_singular_pose_is_reported)
{
    /* Pitched by a quarter turn, roll and yaw turn about one axis: no Jacobian by these angles. */
    double q_m[DPL_AXES_N], pose[] = {0.0, 0.0, 0.54, 0.0, DPL_PI / 2.0, 0.0};
    struct dpl_hexa_fk_report report;
    cr_assert_eq(dpl_hexa_ik(g, g->home, q_m), 0);
    cr_assert_eq(dpl_hexa_fk_newton(g, &dpl_hexa_fk_defaults, q_m, pose, &report), -EDOM);
    cr_assert_eq(report.outcome, DPL_HEXA_FK_SINGULAR);
}

Test(hexa_fk, stops_at_the_limit_of_iterations)
{
    const double truth[] = {0.15, -0.08, 0.60, 0.05, -0.08, 0.03};
    struct dpl_hexa_fk_options options = dpl_hexa_fk_defaults;
    double q_m[DPL_AXES_N], pose[DPL_SIX];
    struct dpl_hexa_fk_report report;
    options.max_iterations = 2;
    cr_assert_eq(dpl_hexa_ik(g, truth, q_m), 0);
    memcpy(pose, g->home, sizeof pose);
    cr_assert_eq(dpl_hexa_fk_newton(g, &options, q_m, pose, &report), -EDOM);
    cr_assert_eq(report.outcome, DPL_HEXA_FK_TOO_LONG);
    cr_assert_eq(report.iterations, 2);
}

Test(hexa_fk, what_is_not_finite_is_reported_and_never_answered)
{
    double q_home[DPL_AXES_N];
    cr_assert_eq(dpl_hexa_ik(g, g->home, q_home), 0);
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int k = 0; k < 3 * 2 * DPL_SIX; k++) {
        double q_m[DPL_AXES_N], pose[DPL_SIX];
        struct dpl_hexa_fk_report report;
        memcpy(q_m, q_home, sizeof q_m);
        memcpy(pose, g->home, sizeof pose);
        *(k % 2 ? &q_m[k / 6] : &pose[k / 6]) = bad[k / 2 % 3];
        for (size_t s = 0; s < 2; s++) {
            cr_assert_eq(solvers[s](g, &dpl_hexa_fk_defaults, q_m, pose, &report), -EDOM);
            cr_assert_eq(report.outcome, DPL_HEXA_FK_NOT_FINITE, "case %d", k);
            cr_assert(isnan(report.residual_m));
        }
    }
}

Test(hexa_fk, undamped_steps_also_arrive_when_the_start_is_near)
{
    const double truth[] = {0.05, -0.03, 0.56, 0.02, -0.03, 0.01};
    struct dpl_hexa_fk_options options = dpl_hexa_fk_defaults;
    double q_m[DPL_AXES_N], pose[DPL_SIX];
    struct dpl_hexa_fk_report report;
    options.undamped = true;
    cr_assert_eq(dpl_hexa_ik(g, truth, q_m), 0);
    memcpy(pose, g->home, sizeof pose);
    cr_assert_eq(dpl_hexa_fk_newton(g, &options, q_m, pose, &report), 0);
    cr_assert_lt(apart(pose, truth), 1e-9);
}

Test(hexa_fk, every_outcome_has_a_name)
{
    for (int k = 0; k <= DPL_HEXA_FK_OTHER_MODE; k++) {
        cr_assert_gt(strlen(dpl_hexa_fk_outcome_name((enum dpl_hexa_fk_outcome)k)), 3);
    }
}

/* ---- the six equations ---- */

Test(hexa_fk, equations_are_solved_whatever_row_has_the_pivot)
{
    struct dpl_random rng = dpl_random_seeded(3, 4);
    for (int k = 0; k < 500; k++) {
        double a[DPL_SIX][DPL_AXES_N], used[DPL_SIX][DPL_AXES_N];
        double truth[DPL_SIX], right[DPL_AXES_N] = {0.0}, x[DPL_SIX];
        for (int j = 0; j < DPL_SIX; j++) {
            truth[j] = dpl_random_uniform(&rng, -1.0, 1.0);
            for (int i = 0; i < DPL_AXES_N; i++) {
                bool diagonal = (i + k) % DPL_AXES_N == j; /* wanders off the main one */
                a[j][i] = dpl_random_uniform(&rng, -1.0, 1.0) + (diagonal ? 4.0 : 0.0);
                right[i] += a[j][i] * truth[j];
            }
        }
        memcpy(used, a, sizeof used);
        cr_assert(dpl__fk_solve(used, right, x));
        cr_assert_lt(apart(x, truth), 1e-12);
    }
}

Test(hexa_fk, equations_without_an_answer_are_refused)
{
    double zero[DPL_SIX][DPL_AXES_N] = {{0.0}}, right[DPL_AXES_N] = {1.0};
    double twice[DPL_SIX][DPL_AXES_N], x[DPL_SIX];
    cr_assert_not(dpl__fk_solve(zero, right, x));
    for (int j = 0; j < DPL_SIX; j++) {
        for (int i = 0; i < DPL_AXES_N; i++) {
            twice[j][i] = i == j || (j == 5 && i == 4); /* the last column is the fifth, ... */
        }
        twice[j][5] = twice[j][4]; /* ... and so is the last row */
    }
    cr_assert_not(dpl__fk_solve(twice, right, x));
    twice[0][0] = (double)NAN;
    cr_assert_not(dpl__fk_solve(twice, right, x));
}

/* ---- tracker ---- */

static void motion_at(int k, double *ret_pose)
{
    for (int j = 0; j < DPL_SIX; j++) {
        double angle = 2.0 * DPL_PI * (1.3 + 0.34 * j) * k / 1600.0 + 0.3 * j;
        ret_pose[j] = g->home[j] + 0.5 * g->half_range[j] * sin(angle);
    }
}

Test(hexa_fk, tracker_follows_a_motion_in_one_iteration_a_step)
{
    struct dpl_hexa_tracker tracker;
    dpl_hexa_tracker_init(&tracker, g);
    for (int k = 0; k < 3200; k++) {
        double truth[DPL_SIX], q_m[DPL_AXES_N], pose[DPL_SIX];
        motion_at(k, truth);
        cr_assert_eq(dpl_hexa_ik(g, truth, q_m), 0);
        cr_assert_eq(dpl_hexa_tracker_step(&tracker, q_m, pose), 0);
        cr_assert_lt(apart(pose, truth), 1e-9);
        cr_assert(k < 3 || tracker.report.iterations <= 1, "step %d", k);
    }
}

Test(hexa_fk, tracker_takes_two_iterations_without_extrapolation)
{
    struct dpl_hexa_tracker tracker;
    dpl_hexa_tracker_init(&tracker, g);
    tracker.extrapolate = false;
    tracker.solver = dpl_hexa_fk_jfmd;
    for (int k = 0; k < 400; k++) {
        double truth[DPL_SIX], q_m[DPL_AXES_N], pose[DPL_SIX];
        motion_at(k, truth);
        cr_assert_eq(dpl_hexa_ik(g, truth, q_m), 0);
        cr_assert_eq(dpl_hexa_tracker_step(&tracker, q_m, pose), 0);
        cr_assert(k < 1 || tracker.report.iterations == 2, "step %d", k);
    }
}

Test(hexa_fk, tracker_does_not_take_the_way_from_its_start_for_motion)
{
    struct dpl_hexa_tracker tracker;
    const double still[] = {0.1, -0.05, 0.58, 0.03, -0.05, 0.02};
    double q_m[DPL_AXES_N], pose[DPL_SIX];
    cr_assert_eq(dpl_hexa_ik(g, still, q_m), 0);
    dpl_hexa_tracker_init(&tracker, g);
    cr_assert_eq(dpl_hexa_tracker_step(&tracker, q_m, pose), 0);
    cr_assert_gt(tracker.report.iterations, 1);
    cr_assert_eq(dpl_hexa_tracker_step(&tracker, q_m, pose), 0);
    cr_assert_eq(tracker.report.iterations, 0, "nothing has moved");
}

Test(hexa_fk, tracker_keeps_its_pose_over_bad_sliders_and_goes_on)
{
    struct dpl_hexa_tracker tracker;
    double truth[DPL_SIX], q_m[DPL_AXES_N], pose[DPL_SIX], kept[DPL_SIX];
    dpl_hexa_tracker_init(&tracker, g);
    for (int k = 0; k < 100; k++) {
        motion_at(k, truth);
        cr_assert_eq(dpl_hexa_ik(g, truth, q_m), 0);
        if (k >= 50 && k < 60) {
            q_m[k % DPL_AXES_N] = (double)NAN;
            memcpy(kept, pose, sizeof kept);
            cr_assert_eq(dpl_hexa_tracker_step(&tracker, q_m, pose), -EDOM);
            cr_assert_eq(apart(pose, kept), 0.0);
            cr_assert(all_finite(tracker.last));
        } else {
            cr_assert_eq(dpl_hexa_tracker_step(&tracker, q_m, pose), 0);
            cr_assert_lt(apart(pose, truth), 1e-9);
        }
    }
}
