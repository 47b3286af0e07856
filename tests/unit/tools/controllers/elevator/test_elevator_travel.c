/* SPDX-License-Identifier: Apache-2.0 */
/* Travels against closed forms, and turning to another target on the way. */
#include "elevator_travel.h"

#include <math.h>

#include <criterion/criterion.h>

static const struct dpl_line_limits limits = {1.6, 1.0, 1.2};

Test(elevator_travel, times_are_those_of_closed_form)
{
    static const struct {
        double from_m, to_m, total_s;
    } rows[] = {
        {0.0, 3.2, 4.50681},   {3.2, 9.6, 6.43333},      {9.6, 0.0, 8.43333},
        {0.0, 35.2, 24.43333}, {-0.004, 0.016, 0.81096},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct elevator_travel travel;
        elevator_travel_begin(&travel, &limits, rows[i].from_m, rows[i].to_m);
        cr_expect_float_eq(travel.plan.total_s, rows[i].total_s, 1e-5, "row %zu", i);
        cr_expect_float_eq(elevator_travel_speed(&travel, rows[i].total_s + 1.0, rows[i].to_m), 0.0,
                           1e-12);
    }
}

Test(elevator_travel, a_car_that_lags_is_told_to_be_faster)
{
    struct elevator_travel travel;
    elevator_travel_begin(&travel, &limits, 3.2, 0.0);
    struct dpl_line_point at = dpl_rest_to_rest_at(&travel.plan, 2.0);
    cr_assert_lt(at.velocity, -1.0);
    cr_assert_float_eq(elevator_travel_speed(&travel, 2.0, 3.2 + at.position), at.velocity, 1e-12);
    cr_assert_float_eq(elevator_travel_speed(&travel, 2.0, 3.2 + at.position + 0.01),
                       at.velocity - 0.03, 1e-12);
    cr_assert_float_eq(elevator_travel_speed(&travel, 9.0, 0.004), -0.012, 1e-12);
}

Test(elevator_travel, is_where_it_should_be_if_it_begins_where_it_ends)
{
    struct elevator_travel travel;
    elevator_travel_begin(&travel, &limits, 6.4, 6.4);
    cr_assert_eq(travel.plan.total_s, 0.0);
    cr_assert_float_eq(elevator_travel_speed(&travel, 0.0, 6.402), -0.006, 1e-12);
    cr_assert(!elevator_travel_can_turn_to(&travel, 0.0, 9.6));
}

/* As long as a turn is allowed, both profiles have been the same until then, in every value. */
Test(elevator_travel, turns_without_any_step_of_the_reference)
{
    static const double targets_m[] = {-9.6, -3.2, 0.2, 1.0, 3.2, 3.893, 6.4, 9.6, 35.2};
    enum { N = sizeof targets_m / sizeof targets_m[0] };
    int n_allowed = 0, n_late = 0;
    for (int i = 0; i < N; i++) {
        struct elevator_travel travel;
        elevator_travel_begin(&travel, &limits, 0.0, targets_m[i]);
        for (int k = 0; k < N; k++) {
            for (double t = 0.0; t < 30.0; t += 0.01) {
                if (!elevator_travel_can_turn_to(&travel, t, targets_m[k])) {
                    n_late++;
                    continue;
                }
                struct elevator_travel other;
                elevator_travel_begin(&other, &limits, 0.0, targets_m[k]);
                struct dpl_line_point a = dpl_rest_to_rest_at(&travel.plan, t),
                                      b = dpl_rest_to_rest_at(&other.plan, t);
                cr_assert_float_eq(a.position, b.position, 1e-9, "%g, %g m at %g s", targets_m[i],
                                   targets_m[k], t);
                cr_assert_float_eq(a.velocity, b.velocity, 1e-9);
                cr_assert_float_eq(a.acceleration, b.acceleration, 1e-9);
                n_allowed++;
            }
        }
    }
    cr_assert(n_allowed > 3000 && n_late > 100000 - n_allowed, "%d %d", n_allowed, n_late);
}
