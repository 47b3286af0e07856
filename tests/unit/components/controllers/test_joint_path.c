/* SPDX-License-Identifier: Apache-2.0 */
/* Waypoints, and the movements between them. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "joint_path.h"

static struct waypoints list;

static void refuses(const char *text, size_t offset, const char *why)
{
    struct waypoints_error bad = {0};
    cr_assert_eq(waypoints_parse(&list, text, &bad), -EINVAL, "%s", text);
    cr_assert_eq(bad.offset, offset, "%s: at %zu", text, bad.offset);
    cr_assert_not_null(strstr(bad.what, why), "%s: %s", text, bad.what);
}

Test(joint_path, reads_rows_of_a_time_and_positions)
{
    cr_assert_eq(waypoints_parse(&list, "", NULL), 0);
    cr_assert_eq(list.n, 0);
    cr_assert_eq(waypoints_parse(&list, "1 0.5 -2\n# back\n2.5 0 0;", NULL), 0);
    cr_assert_eq(list.n, 2);
    cr_assert_eq(list.n_joints, 2);
    cr_assert_eq(list.t_s[1], 2.5);
    cr_assert_eq(list.position[0][1], -2.0);
}

Test(joint_path, refuses_rows_that_do_not_fit_with_their_place)
{
    refuses("1", 1, "a number is expected");
    refuses("1 0; 2 x", 7, "a number is expected");
    refuses("0 1", 0, "times must be above 0");
    refuses("1 0; 1 1", 5, "increase");
    refuses("1 0; 2 -1.1e6", 5, "at most 1e6");
    refuses("2e6 0", 0, "at most 1e6");
    refuses("1 0 0; 2 0", 7, "as many joints as the first one");
    char text[400] = "1";
    for (int i = 0; i < JOINT_PATH_MAX + 1; i++) {
        strcat(text, " 0.25");
    }
    refuses(text, 2 + JOINT_PATH_MAX * 5, "at most 32");
}

Test(joint_path, takes_256_waypoints_and_no_more)
{
    char text[4096] = "";
    for (int i = 1; i <= WAYPOINTS_MAX; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d 0;", i);
    }
    cr_assert_eq(waypoints_parse(&list, text, NULL), 0);
    size_t end = strlen(text);
    strcat(text, "999 0");
    refuses(text, end, "at most 256");
}

/* Derivatives by differences: the movement begins with its velocity and acceleration 0, and ends at
 * rest. */
Test(joint_path, a_movement_has_the_ends_that_it_was_given)
{
    const struct joint_move move = {
        .n_joints = 1, .duration_s = 2.0, .from = {0.3}, .velocity = {-0.7}, .to = {1.1}};
    const double h = 1e-4;
    double v0, v1, v;
    cr_assert_float_eq(joint_move_at(&move, 0, 0.0, &v0), 0.3, 1e-15);
    cr_assert_float_eq(v0, -0.7, 1e-15);
    joint_move_at(&move, 0, h, &v1);
    cr_assert_float_eq((v1 - v0) / h, 0.0, 1e-3);
    cr_assert_eq(joint_move_at(&move, 0, 2.0, &v), 1.1);
    cr_assert_eq(v, 0.0);
    joint_move_at(&move, 0, 2.0 - h, &v1);
    cr_assert_float_eq(v1 / h, 0.0, 1e-3);
    for (double t = 0.1; t < 1.95; t += 0.1) {
        double before = joint_move_at(&move, 0, t - h, NULL);
        double after = joint_move_at(&move, 0, t + h, NULL);
        joint_move_at(&move, 0, t, &v);
        cr_assert_float_eq(v, (after - before) / (2.0 * h), 1e-6, "%g s", t);
    }
    cr_assert_eq(joint_move_at(&move, 0, 99.0, &v), 1.1);
    cr_assert_eq(joint_move_at(&move, 0, -1.0, &v), 0.3);
}

/* From rest it is 10 u^3 - 15 u^4 + 6 u^5. */
Test(joint_path, from_rest_it_is_the_quintic)
{
    const struct joint_move move = {.n_joints = 1, .duration_s = 4.0, .to = {2.0}};
    cr_assert_float_eq(joint_move_at(&move, 0, 1.0, NULL), 2.0 * 0.103515625, 1e-15);
    cr_assert_float_eq(joint_move_at(&move, 0, 2.0, NULL), 1.0, 1e-15);
    double v;
    joint_move_at(&move, 0, 2.0, &v);
    cr_assert_float_eq(v, 1.875 * 2.0 / 4.0, 1e-15);
}

Test(joint_path, a_follower_goes_from_waypoint_to_waypoint_and_stays_at_the_last)
{
    static const double from[] = {1.0};
    struct joint_follower follower;
    double q[JOINT_PATH_MAX], v[JOINT_PATH_MAX];
    cr_assert_eq(waypoints_parse(&list, "1 2; 1.5 3", NULL), 0);
    joint_follower_begin(&follower, &list, false, from, 10 * DPL_S);
    cr_assert(joint_follower_step(&follower, 10 * DPL_S, q, v));
    cr_assert_eq(q[0], 1.0);
    cr_assert(joint_follower_step(&follower, 10 * DPL_S + 500 * DPL_MS, q, v));
    cr_assert_float_eq(q[0], 1.5, 1e-15);
    cr_assert(joint_follower_step(&follower, 11 * DPL_S, q, v));
    cr_assert_eq(q[0], 2.0);
    cr_assert_eq(v[0], 0.0);
    cr_assert(joint_follower_step(&follower, 11 * DPL_S + 250 * DPL_MS, q, v));
    cr_assert_float_eq(q[0], 2.5, 1e-15);
    cr_assert_not(joint_follower_step(&follower, 99 * DPL_S, q, v));
    cr_assert_eq(q[0], 3.0);
    cr_assert_eq(v[0], 0.0);
}

/* Also when whole rounds were missed. */
Test(joint_path, a_follower_that_repeats_goes_on_to_the_first_waypoint)
{
    static const double from[] = {0.0};
    struct joint_follower follower;
    double q[JOINT_PATH_MAX], v[JOINT_PATH_MAX];
    cr_assert_eq(waypoints_parse(&list, "1 2; 3 -2", NULL), 0);
    joint_follower_begin(&follower, &list, true, from, 0);
    cr_assert(joint_follower_step(&follower, 3 * DPL_S + 500 * DPL_MS, q, v));
    cr_assert_float_eq(q[0], 0.0, 1e-15); /* between -2 and 2 */
    cr_assert_gt(v[0], 0.0);
    cr_assert(joint_follower_step(&follower, 32 * DPL_S, q, v));
    cr_assert_float_eq(q[0], 0.0, 1e-15); /* between 2 and -2 */
    cr_assert_lt(v[0], 0.0);
}

Test(joint_path, a_follower_of_one_movement_ends_with_it)
{
    const struct joint_move move = {.n_joints = 2, .duration_s = 1.0, .to = {1.0, -4.0}};
    struct joint_follower follower;
    double q[JOINT_PATH_MAX], v[JOINT_PATH_MAX];
    joint_follower_move(&follower, &move, DPL_S);
    cr_assert(joint_follower_step(&follower, DPL_S + 500 * DPL_MS, q, v));
    cr_assert_float_eq(q[1], -2.0, 1e-15);
    cr_assert_not(joint_follower_step(&follower, 2 * DPL_S, q, v));
    cr_assert_eq(q[0], 1.0);
    cr_assert_eq(q[1], -4.0);
}
