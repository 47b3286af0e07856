/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of loc_heading.h. */
#include "loc_heading.h"

#include <criterion/criterion.h>

#define MEMORY_M 2.0
#define STEP_M   0.03
#define OFF_RAD  0.05
#define NEAR_M   0.002

static struct loc_filter sure_filter(void)
{
    struct loc_filter filter = {0};
    filter.x[LOC_STATE_X] = 2.0;
    filter.x[LOC_STATE_THETA] = 0.7;
    filter.x[LOC_STATE_MOUNT_YAW] = 0.01;
    filter.p[LOC_STATE_MOUNT_YAW][LOC_STATE_MOUNT_YAW] = 1e-6;
    return filter;
}

static struct loc_course drive(double way_m, double left, double turn_rad)
{
    struct loc_course course = {0};
    double step_m = way_m < 0.0 ? -STEP_M : STEP_M;
    for (int i = 0; i < (int)(way_m / step_m + 0.5); i++) {
        loc_course_add(&course, MEMORY_M, step_m, (double[]){0.0, left * step_m}, turn_rad);
    }
    return course;
}

static bool is_off(const struct loc_course *course, const struct loc_filter *filter)
{
    double rad = 0.0;
    bool off = loc_course_is_off(course, MEMORY_M, filter, NEAR_M, &rad);
    cr_assert(!off || fabs(rad - OFF_RAD) < 1e-3, "%g", rad);
    return off;
}

Test(course, is_the_angle_beside_the_heading_ahead_and_back)
{
    struct loc_filter filter = sure_filter();
    struct loc_course ahead = drive(2.5, OFF_RAD, 0.0), back = drive(-2.5, OFF_RAD, 0.0);
    cr_assert(is_off(&ahead, &filter));
    cr_assert(is_off(&back, &filter));
}

/* The heading is off by 150 deg: scans have the robot go back and to one side. */
Test(course, is_any_angle)
{
    struct loc_filter filter = sure_filter();
    struct loc_course course = {0};
    double rad = 0.0, off = 2.6;
    for (int i = 0; i < 100; i++) {
        double beyond[] = {STEP_M * (cos(off) - 1.0), STEP_M * sin(off)};
        loc_course_add(&course, MEMORY_M, STEP_M, beyond, 0.0);
    }
    cr_assert(loc_course_is_known(&course, MEMORY_M));
    cr_assert(loc_course_is_off(&course, MEMORY_M, &filter, NEAR_M, &rad));
    cr_assert_float_eq(rad, off, 1e-3, "%g", rad);
}

Test(course, says_nothing_after_a_short_way_or_in_turns_or_when_it_is_small)
{
    struct loc_filter filter = sure_filter();
    struct loc_course brief = drive(1.0, OFF_RAD, 0.0), turning = drive(5.0, OFF_RAD, 0.03);
    struct loc_course small = drive(5.0, 0.01, 0.0);
    cr_assert_not(is_off(&brief, &filter));
    cr_assert_not(is_off(&turning, &filter));
    cr_assert_not(is_off(&small, &filter));
}

/* After a long time without scans the first one moves the pose: that is no course. */
Test(course, says_nothing_of_one_long_step)
{
    struct loc_filter filter = sure_filter();
    struct loc_course course = {0};
    double rad;
    loc_course_add(&course, MEMORY_M, 2.5, (double[]){0.0, 0.6}, 0.0);
    cr_assert_not(loc_course_is_off(&course, MEMORY_M, &filter, NEAR_M, &rad));
}

Test(course, says_nothing_where_the_mount_is_not_known_yet_or_given_as_exact)
{
    struct loc_filter filter = sure_filter();
    struct loc_course course = drive(5.0, OFF_RAD, 0.0);
    filter.p[LOC_STATE_MOUNT_YAW][LOC_STATE_MOUNT_YAW] = 4e-4;
    cr_assert_not(is_off(&course, &filter));
    filter.p[LOC_STATE_MOUNT_YAW][LOC_STATE_MOUNT_YAW] = 0.0;
    cr_assert_not(is_off(&course, &filter));
}

Test(course, turns_the_base_and_leaves_the_laser_where_it_is)
{
    struct loc_filter filter = sure_filter();
    struct dpl_pose2 nominal = {0.1, 0.03, 0.0};
    struct loc_laser before = loc_filter_laser(&filter, loc_filter_pose(&filter), nominal);
    loc_course_take(&filter, loc_filter_mount(&filter, nominal), OFF_RAD);
    struct loc_laser after = loc_filter_laser(&filter, loc_filter_pose(&filter), nominal);
    cr_assert_float_eq(filter.x[LOC_STATE_THETA], 0.75, 1e-9);
    cr_assert_float_eq(after.pose.theta, before.pose.theta, 1e-9);
    cr_assert_lt(dpl_pose2_distance(after.pose, before.pose), 2e-4);
    double yaw2 = filter.p[LOC_STATE_MOUNT_YAW][LOC_STATE_MOUNT_YAW];
    cr_assert_float_eq(filter.p[LOC_STATE_THETA][LOC_STATE_MOUNT_YAW], 1e-6 - yaw2, 1e-12);
}
