/* SPDX-License-Identifier: Apache-2.0 */
/* What the mock and HIL drivers of axes are made of: the plan of faults, references without jumps.
 */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "mock_faults.h"
#include "shadow.h"

static struct mock_faults plan;

static void expect_error(const char *text, size_t offset, const char *what)
{
    struct mock_faults_error bad = {0};
    cr_assert_lt(mock_faults_parse(&plan, text, &bad), 0, "'%s' is accepted", text);
    cr_assert_eq(bad.offset, offset, "'%s': offset %zu", text, bad.offset);
    cr_assert_not_null(strstr(bad.what, what), "'%s': %s", text, bad.what);
}

Test(mock_faults, says_where_a_row_is_wrong)
{
    expect_error("-1 lost 0 0", 0, "time");
    expect_error("1 burn 0 0", 2, "lost, silent");
    expect_error("1 lost", 6, "axis");
    expect_error("1 lost 7 0", 7, "axis");
    expect_error("1 lost 1.5 0", 11, "axis");
    expect_error("1 lost 1", 8, "duration");
    expect_error("1 lost 1 -1", 9, "duration");
    expect_error("1 offset 1 1", 12, "offset");
    expect_error("1 offset 1 1 2", 13, "offset");
    expect_error("1 stuck 1 1 0.1", 12, "';'");
}

Test(mock_faults, limits_the_number_of_rows)
{
    static char text[(MOCK_FAULTS_MAX + 1) * 12 + 1];
    for (int i = 0; i <= MOCK_FAULTS_MAX; i++) {
        memcpy(text + 12 * i, "0 stuck 1 1;", 12);
    }
    expect_error(text, (size_t)MOCK_FAULTS_MAX * 12, "too many");
}

Test(mock_faults, are_in_force_from_begin_to_end)
{
    struct mock_faults_error bad;
    struct mock_faults_now now;
    const char *text = "1 stuck 2 1; 1 offset 0 0 -0.001; 1.5 offset 3 1 0.002; 2 drive_fault 4 9";
    cr_assert_eq(mock_faults_parse(&plan, text, &bad), 0);
    mock_faults_at(&plan, 0.5, 0.999, &now);
    cr_assert(!now.stuck[1] && now.offset_m[0] == 0.0 && now.drive == -1);
    mock_faults_at(&plan, 0.999, 1.6, &now);
    cr_assert(now.stuck[1] && !now.stuck[0]);
    cr_assert_float_eq(now.offset_m[0], -0.001, 1e-15);
    cr_assert_float_eq(now.offset_m[2], 0.001, 1e-15);
    mock_faults_at(&plan, 1.99, 2.0, &now);
    cr_assert(!now.stuck[1] && now.drive == 3);
    mock_faults_at(&plan, 2.0, 2.1, &now);
    cr_assert_eq(now.drive, -1, "a drive's fault begins once");
    mock_faults_at(&plan, 1e5, 1e6, &now);
    cr_assert_float_eq(now.offset_m[0], -0.001, 1e-15);
}

#define PERIOD 0.000625
#define SPEED  0.1

static struct shadow shadow;
static struct dpl_axes_reference target, given, last;

static void step(double target_step_m)
{
    static const double position[DPL_AXES_N] = {0.01, 0.0, -0.01};
    target.position_m[0] += target_step_m;
    last = given;
    shadow_step(&shadow, &target, position, SPEED, PERIOD, &given);
}

static void expect_smooth(void)
{
    double moved = given.position_m[0] - last.position_m[0];
    cr_assert_leq(fabs(moved), (fabs(target.velocity_m_s[0]) + SPEED) * PERIOD * (1 + 1e-9),
                  "a step of %g m", moved);
}

Test(shadow, comes_from_where_it_is_to_its_target)
{
    memset(&shadow, 0, sizeof shadow);
    memset(&target, 0, sizeof target);
    step(0.0);
    cr_assert_float_eq(given.position_m[0], 0.01 - SPEED * PERIOD, 1e-15);
    cr_assert_eq(given.position_m[1], 0.0);
    for (int i = 0; i < 200; i++) {
        step(0.0);
        expect_smooth();
    }
    cr_assert_eq(given.position_m[0], 0.0);
    cr_assert_eq(given.position_m[2], 0.0);
}

Test(shadow, gives_a_steady_target_on_bit_by_bit)
{
    memset(&shadow, 0, sizeof shadow);
    memset(&target, 0, sizeof target);
    target.position_m[0] = 0.01;
    step(0.0);
    for (int i = 1; i < 2000; i++) {
        double t = i * PERIOD;
        target.velocity_m_s[0] = 0.3 * cos(3.0 * t);
        target.acceleration_m_s2[0] = -0.9 * sin(3.0 * t);
        target.position_m[0] = 0.01 + 0.1 * sin(3.0 * t);
        step(0.0);
    }
    cr_assert_eq(given.position_m[0], target.position_m[0]);
    cr_assert_eq(given.acceleration_m_s2[0], target.acceleration_m_s2[0]);
}

Test(shadow, makes_up_for_a_jump_at_a_limited_speed)
{
    memset(&shadow, 0, sizeof shadow);
    memset(&target, 0, sizeof target);
    target.position_m[0] = 0.01;
    step(0.0);
    target.velocity_m_s[0] = 0.2;
    step(0.2 * PERIOD / 2);
    step(0.2 * PERIOD + 0.05);
    expect_smooth();
    for (int i = 0; i < 900; i++) {
        step(0.2 * PERIOD);
        expect_smooth();
    }
    cr_assert_eq(given.position_m[0], target.position_m[0]);
}

Test(shadow, begins_anew_after_it_left)
{
    memset(&shadow, 0, sizeof shadow);
    memset(&target, 0, sizeof target);
    target.position_m[0] = 0.01;
    step(0.0);
    shadow_leave(&shadow);
    target.position_m[0] = 0.5;
    step(0.0);
    cr_assert_float_eq(given.position_m[0], 0.01 + SPEED * PERIOD, 1e-15);
}

Test(shadow, extrapolates_what_was_measured)
{
    struct dpl_axes_state state = {.position_m = {1.0}, .velocity_m_s = {0.5}};
    static const double acceleration[DPL_AXES_N] = {2.0};
    struct dpl_axes_reference to;
    shadow_target_of(&state, acceleration, 0.001, &to);
    cr_assert_float_eq(to.position_m[0], 1.000501, 1e-12);
    cr_assert_float_eq(to.velocity_m_s[0], 0.502, 1e-12);
    cr_assert_eq(to.acceleration_m_s2[0], 2.0);
    shadow_target_of(&state, NULL, 0.001, &to);
    cr_assert_float_eq(to.position_m[0], 1.0005, 1e-12);
    cr_assert_eq(to.acceleration_m_s2[0], 0.0);
}
