/* SPDX-License-Identifier: Apache-2.0 */
/* Differential drive: kinematics both ways, odometry against closed forms. */
#include <doppel/drive/diff_drive.h>

#include <criterion/criterion.h>
#include <errno.h>

static const struct dpl_drive_geometry paper = {0.065, 0.065, 0.30};
static const struct dpl_drive_geometry uneven = {0.050, 0.060, 0.25};

Test(diff_drive, gives_the_wheel_speeds_worked_by_hand)
{
    /* 0.13 m/s and 1 rad/s: left (0.13 - 0.15) / 0.065, right (0.13 + 0.15) / 0.065 */
    struct dpl_drive_wheels wheels =
        dpl_drive_wheels_from_twist(&paper, (struct dpl_twist2){0.13, 1.0});
    cr_assert_float_eq(wheels.left, -0.02 / 0.065, 1e-12);
    cr_assert_float_eq(wheels.right, 0.28 / 0.065, 1e-12);
}

Test(diff_drive, inverts_its_kinematics_also_with_unlike_wheels)
{
    for (int i = -5; i <= 5; i++) {
        for (int k = -5; k <= 5; k++) {
            struct dpl_twist2 want = {i * 0.1, k * 0.3};
            struct dpl_twist2 got =
                dpl_drive_twist_from_wheels(&uneven, dpl_drive_wheels_from_twist(&uneven, want));
            cr_assert_float_eq(got.linear, want.linear, 1e-12);
            cr_assert_float_eq(got.angular, want.angular, 1e-12);
        }
    }
}

Test(diff_drive, knows_which_geometries_make_sense)
{
    cr_assert(dpl_drive_geometry_is_valid(&paper));
    struct dpl_drive_geometry bad = paper;
    bad.axle_m = 0.0;
    cr_assert_not(dpl_drive_geometry_is_valid(&bad));
    bad = paper;
    bad.wheel_radius_left_m = -0.1;
    cr_assert_not(dpl_drive_geometry_is_valid(&bad));
    bad = paper;
    bad.wheel_radius_right_m = (double)NAN;
    cr_assert_not(dpl_drive_geometry_is_valid(&bad));
}

static struct dpl_odometry drive(const struct dpl_drive_geometry *geometry, struct dpl_twist2 twist,
                                 int steps, double dt_s)
{
    struct dpl_odometry_config config = dpl_odometry_default(*geometry);
    struct dpl_odometry odometry;
    dpl_odometry_init(&odometry);
    for (int i = 0; i < steps; i++) {
        struct dpl_drive_wheels speed = dpl_drive_wheels_from_twist(geometry, twist);
        struct dpl_drive_wheels turned = {speed.left * dt_s, speed.right * dt_s};
        cr_assert_eq(dpl_odometry_update(&odometry, &config, turned, dt_s), 0);
    }
    return odometry;
}

Test(diff_drive, integrates_a_straight_line_exactly)
{
    struct dpl_odometry odometry = drive(&paper, (struct dpl_twist2){0.2, 0.0}, 100, 0.1);
    cr_assert_float_eq(odometry.pose.x, 2.0, 1e-12);
    cr_assert_float_eq(odometry.pose.y, 0.0, 1e-12);
    cr_assert_float_eq(odometry.travelled_m, 2.0, 1e-12);
    cr_assert_float_eq(odometry.twist.linear, 0.2, 1e-12);
    cr_assert_eq(odometry.samples, 100);
}

Test(diff_drive, follows_an_arc_within_the_second_order_of_the_step)
{
    /* Radius 0.5 m, a quarter turn: ends at (r, r). The chord of a step is short by h^2 / 24. */
    double angle = DPL_PI / 2.0, dt = angle / 0.4 / 200.0, h = angle / 200.0;
    struct dpl_odometry odometry = drive(&uneven, (struct dpl_twist2){0.2, 0.4}, 200, dt);
    double error = 0.5 * h * h / 24.0;
    cr_assert_float_eq(odometry.pose.x, 0.5, 2.0 * error);
    cr_assert_float_eq(odometry.pose.y, 0.5, 2.0 * error);
    cr_assert_float_eq(odometry.pose.x, 0.5 * (1.0 + h * h / 24.0), 1e-9);
    cr_assert_float_eq(odometry.pose.theta, angle, 1e-12);
    cr_assert_float_eq(odometry.twist.angular, 0.4, 1e-9);
}

Test(diff_drive, closes_a_full_circle_and_counts_the_turns)
{
    double dt = 2.0 * DPL_PI / 0.5 / 1000.0;
    struct dpl_odometry odometry = drive(&paper, (struct dpl_twist2){-0.1, -0.5}, 3000, dt);
    cr_assert_float_eq(odometry.pose.x, 0.0, 1e-9);
    cr_assert_float_eq(odometry.pose.y, 0.0, 1e-9);
    cr_assert_float_eq(odometry.pose.theta, 0.0, 1e-9);
    cr_assert_float_eq(odometry.turned_rad, -6.0 * DPL_PI, 1e-9);
}

Test(diff_drive, starts_from_the_pose_the_caller_sets)
{
    struct dpl_odometry_config config = dpl_odometry_default(paper);
    struct dpl_odometry odometry;
    dpl_odometry_init(&odometry);
    odometry.pose = (struct dpl_pose2){1.0, 2.0, DPL_PI / 2.0};
    struct dpl_drive_wheels turned = {0.1 / 0.065, 0.1 / 0.065};
    cr_assert_eq(dpl_odometry_update(&odometry, &config, turned, 0.1), 0);
    cr_assert_float_eq(odometry.pose.x, 1.0, 1e-12);
    cr_assert_float_eq(odometry.pose.y, 2.1, 1e-12);
}

static void assert_rejected(struct dpl_drive_wheels turned, double dt_s, int expected)
{
    struct dpl_odometry_config config = dpl_odometry_default(paper);
    struct dpl_odometry odometry;
    dpl_odometry_init(&odometry);
    odometry.pose.x = 7.0;
    cr_assert_eq(dpl_odometry_update(&odometry, &config, turned, dt_s), expected);
    cr_assert_eq(odometry.rejected, expected == 0 ? 0 : 1);
    cr_assert_eq(odometry.pose.x == 7.0 && odometry.pose.theta == 0.0, expected != 0);
}

Test(diff_drive, rejects_steps_beyond_a_metre_or_a_quarter_turn)
{
    double metre = 1.0 / 0.065, quarter = DPL_PI / 2.0 * 0.15 / 0.065;
    assert_rejected((struct dpl_drive_wheels){metre * 1.001, metre * 1.001}, 0.1, -ERANGE);
    assert_rejected((struct dpl_drive_wheels){-metre * 1.001, -metre * 1.001}, 0.1, -ERANGE);
    assert_rejected((struct dpl_drive_wheels){metre * 0.999, metre * 0.999}, 0.1, 0);
    assert_rejected((struct dpl_drive_wheels){-quarter * 1.001, quarter * 1.001}, 0.1, -ERANGE);
    assert_rejected((struct dpl_drive_wheels){quarter * 0.999, -quarter * 0.999}, 0.1, 0);
}

Test(diff_drive, rejects_numbers_that_are_not_finite_and_steps_without_time)
{
    assert_rejected((struct dpl_drive_wheels){(double)NAN, 0.0}, 0.1, -EINVAL);
    assert_rejected((struct dpl_drive_wheels){0.0, (double)INFINITY}, 0.1, -EINVAL);
    assert_rejected((struct dpl_drive_wheels){0.1, 0.1}, 0.0, -EINVAL);
    assert_rejected((struct dpl_drive_wheels){0.1, 0.1}, (double)NAN, -EINVAL);
}

Test(diff_drive, smooths_the_twist_with_the_time_constant_asked_for)
{
    struct dpl_odometry_config config = dpl_odometry_default(paper);
    struct dpl_odometry odometry;
    config.twist_filter_s = 0.3;
    dpl_odometry_init(&odometry);
    struct dpl_drive_wheels turned = {0.02 / 0.065, 0.02 / 0.065};
    cr_assert_eq(dpl_odometry_update(&odometry, &config, turned, 0.1), 0);
    cr_assert_float_eq(odometry.twist.linear, 0.2 * 0.25, 1e-12);
}
