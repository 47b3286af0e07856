/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of loc_heading.h. */
#include "loc_heading.h"

#include <criterion/criterion.h>

#define STEP_M 0.03
#define NEAR_M 0.002

static struct loc_heading heading;
static struct loc_filter filter;

static void begin(void)
{
    heading = (struct loc_heading){0};
    filter = (struct loc_filter){0};
    filter.p[LOC_STATE_MOUNT_YAW][LOC_STATE_MOUNT_YAW] = 1e-6;
}

static struct loc_heading_step step_of(double ahead_m, bool has_gyro)
{
    return (struct loc_heading_step){
        .gap_s = 0.1, .ahead_m = ahead_m, .has_gyro = has_gyro, .knew_heading = true};
}

static void go(int n, const struct loc_heading_step *step)
{
    for (int i = 0; i < n; i++) {
        loc_heading_step(&heading, step, &filter, (struct dpl_pose2){0}, NEAR_M);
    }
}

/* Until something is found, at most n steps. */
static void go_until(int n, const struct loc_heading_step *step)
{
    for (int i = 0; i < n && filter.x[LOC_STATE_MOUNT_YAW] == 0.0; i++) {
        go(1, step);
    }
}

static double mount(void)
{
    return filter.x[LOC_STATE_MOUNT_YAW];
}

TestSuite(heading, .init = begin);

/* 0.1 deg from scan to scan, which the filter takes for the base's. */
Test(heading, a_laser_that_turns_slowly_on_a_robot_that_stands_is_the_lasers)
{
    struct loc_heading_step still = step_of(0.0, true), turning = still;
    turning.base_rad = turning.beyond_gyro_rad = turning.beyond_wheels_rad = 0.00175;
    go(20, &still);
    go(100, &turning);
    cr_assert_gt(mount(), 0.10, "%g", mount());
}

Test(heading, a_gyro_that_drifts_and_wheels_that_slip_say_nothing_of_the_laser)
{
    struct loc_heading_step drifts = step_of(0.0, true), slips = drifts;
    drifts.beyond_gyro_rad = 0.00175;
    slips.beyond_wheels_rad = 0.00175;
    go(200, &drifts);
    go(200, &slips);
    cr_assert_eq(mount(), 0.0);
}

/* It goes by 11 deg beside its heading. */
static struct loc_heading_step sideways(bool has_gyro)
{
    struct loc_heading_step step = step_of(STEP_M, has_gyro);
    step.beyond_m[0] = STEP_M * (cos(0.2) - 1.0);
    step.beyond_m[1] = STEP_M * sin(0.2);
    return step;
}

Test(heading, a_robot_that_is_carried_sideways_has_not_turned_if_the_gyro_says_so)
{
    struct loc_heading_step sound = step_of(STEP_M, true), carried = sideways(true);
    go(100, &sound);
    go(230, &carried); /* 7 m */
    cr_assert_eq(mount(), 0.0);
    go_until(200, &carried);
    cr_assert_float_eq(mount(), -0.2, 0.02, "after 8 m the course is believed: %g", mount());
}

Test(heading, without_a_gyro_the_course_is_believed)
{
    struct loc_heading_step carried = sideways(false);
    go_until(100, &carried); /* 3 m */
    cr_assert_float_eq(mount(), -0.2, 0.01, "%g", mount());
}

/* The laser has turned by -0.2 rad in a time when wheels lied, and the base with it. */
Test(heading, a_turn_that_the_gyro_does_not_know_is_confirmed_by_the_course)
{
    struct loc_heading_step sound = step_of(STEP_M, true), twist = sideways(true);
    go(100, &sound);
    twist.base_rad = twist.beyond_gyro_rad = -0.2;
    go(1, &twist);
    struct loc_heading_step after = sideways(true);
    go_until(100, &after);
    cr_assert(mount() < -0.12 && mount() > -0.21, "%g", mount());
    cr_assert_float_eq(heading.since_rad, -0.2 - mount(), 0.03, "what is left of it");
}

/* Wheels turn, and the robot stands against something: what scans say of its way is noise. */
Test(heading, a_robot_that_is_stuck_has_no_course)
{
    for (int i = 0; i < 1000; i++) {
        struct loc_heading_step stuck = step_of(STEP_M, false);
        stuck.beyond_m[0] = -STEP_M + 0.001 * ((i * 7) % 5 - 2);
        stuck.beyond_m[1] = 0.001 * ((i * 3) % 5 - 2) + 0.0002;
        go(1, &stuck);
    }
    cr_assert_eq(mount(), 0.0);
}
