/* SPDX-License-Identifier: Apache-2.0 */
/* Movements from rest to rest with limits of velocity, acceleration and jerk. */
#include "rest_to_rest.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include <criterion/criterion.h>
#include <doppel/math/random.h>

static const struct dpl_line_limits lift = {.velocity = 1.6, .acceleration = 1.0, .jerk = 1.2};

Test(rest_to_rest, travel_times_of_an_elevator_are_the_golden_ones)
{
    static const struct {
        double distance, total_s, peak;
    } golden[] = {
        {3.2, 4.50681, 1.42007}, {6.4, 6.43333, 1.6},   {9.6, 8.43333, 1.6},
        {35.2, 24.43333, 1.6},   {32.0, 22.43333, 1.6}, {0.020, 0.81096, 0.04932},
    };
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        struct dpl_rest_to_rest plan;
        cr_assert_eq(dpl_rest_to_rest_plan(&lift, golden[i].distance, &plan), 0);
        cr_assert_float_eq(plan.total_s, golden[i].total_s, 1e-5, "%g m: %.7f s",
                           golden[i].distance, plan.total_s);
        cr_assert_float_eq(plan.peak_velocity, golden[i].peak, 1e-5, "%g m: %.7f m/s",
                           golden[i].distance, plan.peak_velocity);
    }
}

static double draw_log(struct dpl_random *rng, double low, double high)
{
    return exp(dpl_random_uniform(rng, log(low), log(high)));
}

/* Walks over the plan: limits are kept, the points are integrals of each other, the end is exact.
 * Returns the largest velocity, acceleration and jerk as parts of their limits. */
static struct dpl_line_limits walk(const struct dpl_line_limits *limits,
                                   const struct dpl_rest_to_rest *plan)
{
    enum { N = 2000 };
    struct dpl_line_limits most = {0};
    struct dpl_line_point before = {0};
    double h = plan->total_s / N, s = fabs(plan->distance);
    for (int i = 1; i <= N; i++) {
        struct dpl_line_point at = dpl_rest_to_rest_at(plan, i < N ? h * i : plan->total_s);
        most.velocity = fmax(most.velocity, fabs(at.velocity) / limits->velocity);
        most.acceleration = fmax(most.acceleration, fabs(at.acceleration) / limits->acceleration);
        most.jerk = fmax(most.jerk, fabs(at.acceleration - before.acceleration) / h / limits->jerk);
        cr_assert_geq(copysign(1.0, plan->distance) * (at.position - before.position), -1e-12 * s);
        /* A step within a phase is exact to second order in these rules; over a border of two
         * phases the jerk is wrong for a part of the step. */
        double step = 0.5 * h * (at.velocity + before.velocity);
        cr_assert_float_eq(at.position - before.position, step,
                           limits->jerk * h * h * h / 6.0 + 1e-12 * s);
        cr_assert_float_eq(at.velocity - before.velocity,
                           0.5 * h * (at.acceleration + before.acceleration),
                           limits->jerk * h * h / 2.0 + 1e-12 * limits->velocity);
        before = at;
    }
    cr_assert_eq(before.position, plan->distance);
    cr_assert_eq(before.velocity, 0.0);
    return most;
}

Test(rest_to_rest, keeps_every_limit_and_uses_one_of_them_fully)
{
    struct dpl_random rng = dpl_random_seeded(12, 20);
    int n_cruise = 0, n_steady = 0, n_ramps = 0, n_no_steady = 0;
    for (int k = 0; k < 2000; k++) {
        struct dpl_line_limits limits = {draw_log(&rng, 0.01, 10.0), draw_log(&rng, 0.01, 100.0),
                                         draw_log(&rng, 0.01, 1000.0)};
        double distance = draw_log(&rng, 1e-4, 100.0) * (k % 2 ? 1.0 : -1.0);
        struct dpl_rest_to_rest plan;
        cr_assert_eq(dpl_rest_to_rest_plan(&limits, distance, &plan), 0);
        cr_assert(plan.jerk_s > 0.0 && plan.steady_s >= 0.0 && plan.cruise_s >= 0.0);
        struct dpl_line_limits most = walk(&limits, &plan);
        cr_assert_leq(most.velocity, 1.0 + 1e-9);
        cr_assert_leq(most.acceleration, 1.0 + 1e-9);
        cr_assert_leq(most.jerk, 1.0 + 1e-6);
        /* The fastest: it cruises at the limit, or accelerates at the limit all the time that the
         * ramps of jerk leave, or is ramps alone. */
        if (plan.cruise_s > 0.0) {
            cr_assert_float_eq(plan.peak_velocity, limits.velocity, 1e-9 * limits.velocity);
            n_cruise++;
            n_no_steady += plan.steady_s < 1e-9 * plan.total_s;
        } else if (plan.steady_s > 0.0) {
            cr_assert_float_eq(limits.jerk * plan.jerk_s, limits.acceleration,
                               1e-9 * limits.acceleration);
            n_steady++;
        } else {
            n_ramps++;
        }
    }
    cr_assert(n_cruise > 100 && n_steady > 100 && n_ramps > 100 && n_no_steady > 100,
              "all forms: %d %d %d %d", n_cruise, n_steady, n_ramps, n_no_steady);
}

Test(rest_to_rest, its_forms_join_without_a_step_of_time)
{
    /* v^2/a + v a/j and 2 a^3/j^2 */
    const double joints[] = {1.6 * 1.6 + 1.6 / 1.2, 2.0 / 1.44};
    for (size_t i = 0; i < 2; i++) {
        struct dpl_rest_to_rest below, above;
        cr_assert_eq(dpl_rest_to_rest_plan(&lift, joints[i] * (1.0 - 1e-9), &below), 0);
        cr_assert_eq(dpl_rest_to_rest_plan(&lift, joints[i] * (1.0 + 1e-9), &above), 0);
        cr_assert_float_eq(below.total_s, above.total_s, 1e-7);
        cr_assert_lt(below.total_s, above.total_s);
    }
}

Test(rest_to_rest, before_and_after_the_movement_is_rest)
{
    struct dpl_rest_to_rest plan;
    cr_assert_eq(dpl_rest_to_rest_plan(&lift, -3.2, &plan), 0);
    struct dpl_line_point at = dpl_rest_to_rest_at(&plan, -1.0);
    cr_assert(at.position == 0.0 && at.velocity == 0.0 && at.acceleration == 0.0);
    at = dpl_rest_to_rest_at(&plan, (double)NAN);
    cr_assert_eq(at.position, 0.0);
    at = dpl_rest_to_rest_at(&plan, 1e9);
    cr_assert(at.position == -3.2 && at.velocity == 0.0 && at.acceleration == 0.0);
    at = dpl_rest_to_rest_at(&plan, 0.5 * plan.total_s);
    cr_assert_float_eq(at.position, -1.6, 1e-12);
    cr_assert_float_eq(at.velocity, -plan.peak_velocity, 1e-12);
    cr_assert_eq(dpl_rest_to_rest_plan(&lift, 0.0, &plan), 0);
    cr_assert_eq(plan.total_s, 0.0);
    cr_assert_eq(dpl_rest_to_rest_at(&plan, 0.0).position, 0.0);
}

Test(rest_to_rest, what_cannot_be_planned_is_refused)
{
    struct dpl_rest_to_rest plan = {.total_s = 7.0};
    const struct dpl_line_limits bad[] = {{0.0, 1.0, 1.0},
                                          {1.0, -1.0, 1.0},
                                          {1.0, 1.0, 0.0},
                                          {(double)NAN, 1.0, 1.0},
                                          {1.0, (double)INFINITY, 1.0}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_assert_eq(dpl_rest_to_rest_plan(&bad[i], 1.0, &plan), -EINVAL);
    }
    cr_assert_eq(dpl_rest_to_rest_plan(&lift, (double)NAN, &plan), -EINVAL);
    cr_assert_eq(dpl_rest_to_rest_plan(&lift, (double)INFINITY, &plan), -EINVAL);
    const struct dpl_line_limits tiny = {1e-300, 1e-300, 1e-300};
    cr_assert_eq(dpl_rest_to_rest_plan(&tiny, 1e200, &plan), -EINVAL);
    cr_assert_eq(plan.total_s, 7.0);
}
