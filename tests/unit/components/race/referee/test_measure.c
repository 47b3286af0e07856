/* SPDX-License-Identifier: Apache-2.0 */
/* What the referee measures of a race, against races whose numbers are known. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "measure.h"

#define TICK (10 * DPL_MS)

static struct measure measure;

/* `n` ticks along a path of the test's own; the first tick starts at i = 0. */
static void drive(struct dpl_pose2 (*pose_at)(double t_s), int n)
{
    struct dpl_pose2 start = pose_at(0.0);
    for (int i = 1; i <= n; i++) {
        struct measure_tick tick = {
            .at = i * TICK,
            .pose = pose_at(i * 0.01),
            .from_x = start.x,
            .from_y = start.y,
            .clearance_m = 0.5 - 0.001 * i,
            .left_m = (double)INFINITY,
            .right_m = (double)INFINITY,
        };
        measure_add(&measure, &tick);
    }
}

static struct dpl_pose2 circle(double t_s)
{
    return (struct dpl_pose2){2.0 * sin(t_s), 2.0 - 2.0 * cos(t_s), dpl_wrap_angle(t_s)};
}

/* The heading swings by 0.3 rad at 2 rad/s: its acceleration's effective value is 0.3 4 / sqrt 2 */
static struct dpl_pose2 swing(double t_s)
{
    return (struct dpl_pose2){t_s, 0.0, 0.3 * sin(2.0 * t_s)};
}

Test(measure, path_is_the_sum_of_the_ways_and_clearance_the_least)
{
    measure_begin(&measure, MEASURE_ANY_SIDE);
    cr_assert(isinf(measure.clearance_m));
    drive(circle, 300);
    cr_assert_float_eq(measure.path_m, 2.0 * 3.0, 1e-4, "%g", measure.path_m);
    cr_assert_float_eq(measure.clearance_m, 0.2, 1e-12);
    cr_assert_eq(measure.refused, -1);
}

Test(measure, roughness_is_none_on_a_circle_also_where_the_heading_wraps)
{
    measure_begin(&measure, MEASURE_ANY_SIDE);
    drive(circle, 700);
    cr_assert_float_eq(measure.roughness, 0.0, 1e-8, "%g", measure.roughness);
}

Test(measure, roughness_is_the_effective_yaw_acceleration)
{
    measure_begin(&measure, MEASURE_ANY_SIDE);
    drive(swing, 3142); /* ten periods */
    cr_assert_float_eq(measure.roughness, 0.3 * 4.0 / sqrt(2.0), 1e-3, "%g", measure.roughness);
}

Test(measure, roughness_leaves_out_the_tick_that_is_cut_short)
{
    measure_begin(&measure, MEASURE_ANY_SIDE);
    drive(circle, 100);
    struct measure_tick last = {.at = 101 * TICK, .pose = circle(1.001), .ends = true};
    measure_add(&measure, &last);
    cr_assert_float_eq(measure.roughness, 0.0, 1e-8, "%g", measure.roughness);
    cr_assert_float_eq(measure.path_m, 2.0 * 1.001, 1e-4);
}

static void pass(dpl_ns at, double left_m, double right_m)
{
    struct measure_tick tick = {.at = at, .clearance_m = 1.0, .left_m = left_m, .right_m = right_m};
    measure_add(&measure, &tick);
}

Test(measure, wrong_side_is_where_the_other_wall_is_nearer)
{
    for (enum measure_side side = MEASURE_ANY_SIDE; side <= MEASURE_RIGHT; side++) {
        measure_begin(&measure, side);
        pass(0, 0.2, 0.8);
        for (int i = 1; i <= 30; i++) {
            pass(i * TICK, 0.2, 0.8); /* to the left */
        }
        for (int i = 31; i <= 40; i++) {
            pass(i * TICK, 0.8, 0.2);
        }
        pass(41 * TICK, (double)INFINITY, 0.2); /* no lane there */
        pass(42 * TICK, 0.5, 0.5);
        static const double expected_s[] = {0.0, 0.1, 0.3};
        cr_assert_float_eq(measure.wrong_side_s, expected_s[side], 1e-12, "%d: %g", (int)side,
                           measure.wrong_side_s);
    }
}

static const struct measure_limits none = {.max_wrong_side_s = -1.0, .max_refused = -1};

static void expect(struct measure_limits limits, const char *text)
{
    char said[256] = "";
    bool holds = measure_holds(&measure, &limits, said, sizeof said);
    cr_assert_eq(holds, text[0] == '\0');
    cr_assert_str_eq(said, text);
}

Test(measure, limits_hold_up_to_themselves_and_say_what_broke_them)
{
    measure = (struct measure){.clearance_m = 0.05,
                               .path_m = 5.0,
                               .roughness = 2.0,
                               .wrong_side_s = 1.5,
                               .refused = 3,
                               .n_changes = 1,
                               .n_sides = 1,
                               .begun = true};
    expect(none, "");
    struct measure_limits just = {0.05, 5.0, 2.0, 1.5, 3};
    expect(just, "");
    struct measure_limits l = none;
    l.min_clearance_m = 0.06;
    expect(l, "; clearance 50 mm, at least 60 mm expected");
    l = none;
    l.max_path_m = 4.9;
    expect(l, "; path of 5.00 m, at most 4.90 m expected");
    l = none;
    l.max_roughness = 1.9;
    expect(l, "; roughness 2.00 rad/s^2, at most 1.90 rad/s^2 expected");
    l = none;
    l.max_wrong_side_s = 0.0;
    expect(l, "; on the wrong side for 1.50 s, at most 0.00 s expected");
    l = none;
    l.max_refused = 0;
    expect(l, "; 3 calls refused, at most 0 expected");
    l.min_clearance_m = 0.06;
    expect(l, "; clearance 50 mm, at least 60 mm expected; 3 calls refused, at most 0 expected");
    char small[8];
    cr_assert_not(measure_holds(&measure, &l, small, sizeof small));
    cr_assert_eq(strlen(small), sizeof small - 1);
}

Test(measure, small_limits_and_small_differences_are_told_with_enough_digits)
{
    measure = (struct measure){
        .clearance_m = 0.00004, .path_m = 5.0004, .roughness = 2.0, .n_changes = 1, .begun = true};
    struct measure_limits l = none;
    l.max_path_m = 0.001;
    expect(l, "; path of 5.000 m, at most 0.001 m expected");
    l.max_path_m = 5.0;
    expect(l, "; path of 5.0004 m, at most 5.0000 m expected");
    l.max_path_m = 4.123456;
    expect(l, "; path of 5.00 m, at most 4.12 m expected");
    l = none;
    l.min_clearance_m = 0.00015;
    expect(l, "; clearance 0.04 mm, at least 0.15 mm expected");
    l = none;
    l.max_roughness = 2.0 - 1e-15;
    expect(l, "; roughness 2.000000000 rad/s^2, at most 2.000000000 rad/s^2 expected");
}

Test(measure, a_limit_of_what_was_not_measured_is_broken)
{
    measure_begin(&measure, MEASURE_LEFT);
    struct measure_limits l = none;
    expect(l, "");
    l.min_clearance_m = 0.06;
    expect(l, "; clearance not measured, at least 60 mm expected");
    l = (struct measure_limits){
        .max_path_m = 4.9, .max_roughness = 1.9, .max_wrong_side_s = 0.0, .max_refused = 0};
    expect(l, "; path not measured, at most 4.90 m expected; roughness not measured, at most 1.90 "
              "rad/s^2 expected; wrong side not measured, at most 0.00 s expected; calls refused "
              "not counted, at most 0 expected");
}
