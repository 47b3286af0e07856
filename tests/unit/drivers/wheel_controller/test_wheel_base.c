/* SPDX-License-Identifier: Apache-2.0 */
/* The host-side state that wheel drivers share. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drive/wheel_base.h>

#define NEAR(value, expected) cr_assert_float_eq(value, expected, 1e-9, "%.12g", value)

static const struct dpl_wheel_base_properties usual = {
    .wheel_diameter_m = 0.1,
    .axle_m = 0.2,
    .max_velocity_m_s = 0.5,
    .max_angular_deg_s = 90.0,
    .acceleration_m_s2 = 1.0,
    .dead_band_m_s = 0.01,
    .dead_band_deg_s = 0.5,
    .move_tolerance_m = 0.01,
    .rotate_tolerance_deg = 1.0,
    .odometry_scale_left = 1.0,
    .odometry_scale_right = 1.0,
    .odometry_axle_scale = 1.0,
};

static struct dpl_wheel_base base;

static void make(const struct dpl_wheel_base_properties *properties)
{
    cr_assert_eq(dpl_wheel_base_init(&base, properties, 0.0, NULL), 0);
}

static void feed(double left_rad, double right_rad, dpl_ns stamp)
{
    dpl_wheel_base_feed(&base, (struct dpl_drive_wheels){left_rad, right_rad}, stamp);
}

Test(wheel_base, refuses_a_geometry_that_makes_no_sense)
{
    struct dpl_wheel_base_properties properties = usual;
    struct dpl_diag diag = {0};
    properties.axle_m = 0.0;
    cr_assert_eq(dpl_wheel_base_init(&base, &properties, 0.0, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "AxleDistance"));
    properties = usual;
    properties.wheel_diameter_m = (double)NAN;
    cr_assert_eq(dpl_wheel_base_init(&base, &properties, 0.0, NULL), -EINVAL);
}

Test(wheel_base, refuses_commands_while_disabled_and_takes_them_when_enabled)
{
    make(&usual);
    cr_assert_eq(dpl_wheel_base_drive(&base, 0.1, 0.0), -EPERM);
    cr_assert_eq(dpl_wheel_base_move(&base, 0.1, 0.1), -EPERM);
    cr_assert_eq(dpl_wheel_base_rotate(&base, 0.1, 0.1), -EPERM);
    dpl_wheel_base_enable(&base, true);
    cr_assert_eq(dpl_wheel_base_drive(&base, 0.1, 0.0), 0);
    NEAR(dpl_wheel_base_aim(&base).linear, 0.1);
    cr_assert_eq(dpl_wheel_base_drive(&base, (double)NAN, 0.0), -EINVAL);
    NEAR(dpl_wheel_base_aim(&base).linear, 0.1);
}

Test(wheel_base, forgets_its_command_when_it_is_disabled)
{
    make(&usual);
    dpl_wheel_base_enable(&base, true);
    dpl_wheel_base_drive(&base, 0.1, 0.0);
    dpl_wheel_base_enable(&base, false);
    NEAR(dpl_wheel_base_aim(&base).linear, 0.0);
    dpl_wheel_base_enable(&base, true);
    NEAR(dpl_wheel_base_aim(&base).linear, 0.0);
}

Test(wheel_base, clamps_and_drops_what_is_in_the_dead_band)
{
    make(&usual);
    dpl_wheel_base_enable(&base, true);
    dpl_wheel_base_drive(&base, -2.0, 9.0);
    NEAR(dpl_wheel_base_aim(&base).linear, -0.5);
    NEAR(dpl_wheel_base_aim(&base).angular, dpl_deg_to_rad(90.0));
    dpl_wheel_base_drive(&base, 0.009, dpl_deg_to_rad(0.4));
    NEAR(dpl_wheel_base_aim(&base).linear, 0.0);
    NEAR(dpl_wheel_base_aim(&base).angular, 0.0);
}

Test(wheel_base, is_valid_from_its_first_measurement_and_counts_from_there)
{
    struct dpl_wheel_state state;
    make(&usual);
    dpl_wheel_base_read(&base, &state);
    cr_assert_not(state.valid);
    feed(100.0, 50.0, DPL_S); /* encoders start anywhere */
    dpl_wheel_base_read(&base, &state);
    cr_assert(state.valid);
    NEAR(state.pose.x, 0.0);
    feed(101.0, 51.0, 2 * DPL_S);
    dpl_wheel_base_read(&base, &state);
    NEAR(state.pose.x, 0.05);
    NEAR(state.twist.linear, 0.05);
    NEAR(state.left_rad, 101.0);
    cr_assert_eq(state.stamp, 2 * DPL_S);
}

Test(wheel_base, tells_the_ways_of_the_calibrated_wheels_whatever_position_is_set)
{
    struct dpl_wheel_base_properties properties = usual;
    struct dpl_wheel_state state;
    properties.odometry_scale_left = 0.97;
    properties.odometry_axle_scale = 1.02;
    make(&properties);
    feed(100.0, 50.0, DPL_S);
    feed(101.0, 52.0, 2 * DPL_S);
    dpl_wheel_base_set_position(&base, &(struct dpl_pose2){3.0, 4.0, 1.0});
    dpl_wheel_base_forget(&base);
    feed(-7.0, 9.0, 3 * DPL_S); /* a jump of the encoders is no way */
    feed(-6.0, 8.0, 4 * DPL_S);
    dpl_wheel_base_read(&base, &state);
    NEAR(state.left_m, 0.97 * 2.0 * properties.wheel_diameter_m / 2.0);
    NEAR(state.right_m, 1.0 * properties.wheel_diameter_m / 2.0);
    NEAR(state.axle_m, 1.02 * properties.axle_m);
    cr_assert_not(state.has_gyro);
}

Test(wheel_base, ignores_measurements_that_are_not_newer)
{
    struct dpl_wheel_state state;
    make(&usual);
    feed(0.0, 0.0, DPL_S);
    feed(1.0, 1.0, DPL_S);
    feed(2.0, 2.0, DPL_S - 1);
    dpl_wheel_base_read(&base, &state);
    NEAR(state.pose.x, 0.0);
    NEAR(state.left_rad, 0.0);
    feed(1.0, 1.0, DPL_S + 1);
    dpl_wheel_base_read(&base, &state);
    NEAR(state.pose.x, 0.05);
}

Test(wheel_base, goes_on_from_its_pose_when_angles_jump_after_a_loss)
{
    struct dpl_wheel_state state;
    make(&usual);
    feed(0.0, 0.0, DPL_S);
    feed(1.0, 1.0, 2 * DPL_S);
    dpl_wheel_base_forget(&base);
    dpl_wheel_base_read(&base, &state);
    cr_assert_not(state.valid);
    feed(-30.0, 70.0, 1); /* the device's clock began anew, too */
    dpl_wheel_base_read(&base, &state);
    cr_assert(state.valid);
    NEAR(state.pose.x, 0.05);
    NEAR(state.pose.theta, 0.0);
}

Test(wheel_base, keeps_headings_in_half_a_turn)
{
    struct dpl_wheel_base_properties properties = usual;
    struct dpl_wheel_state state;
    properties.start_theta_rad = 6.3;
    make(&properties);
    dpl_wheel_base_read(&base, &state);
    NEAR(state.pose.theta, 6.3 - 2.0 * DPL_PI);
    dpl_wheel_base_set_position(&base, &(struct dpl_pose2){1.0, 2.0, -9.0});
    dpl_wheel_base_read(&base, &state);
    NEAR(state.pose.theta, -9.0 + 2.0 * DPL_PI);
}

Test(wheel_base, ends_a_move_at_its_distance_whatever_the_odometry_is_set_to)
{
    struct dpl_wheel_state state;
    make(&usual);
    dpl_wheel_base_enable(&base, true);
    feed(0.0, 0.0, DPL_S);
    cr_assert_eq(dpl_wheel_base_move(&base, 0.1, 0.1), 0);
    feed(1.0, 1.0, 2 * DPL_S);
    dpl_wheel_base_set_position(&base, &(struct dpl_pose2){-7.0, 0.0, 2.0});
    cr_assert_gt(dpl_wheel_base_aim(&base).linear, 0.0);
    dpl_wheel_base_read(&base, &state);
    cr_assert(state.running);
    feed(2.0, 2.0, 3 * DPL_S);
    NEAR(dpl_wheel_base_aim(&base).linear, 0.0);
    dpl_wheel_base_read(&base, &state);
    cr_assert_not(state.running);
}

Test(wheel_base, measures_with_the_calibrated_and_commands_with_the_nominal_geometry)
{
    struct dpl_wheel_base_properties properties = usual;
    struct dpl_wheel_state state;
    properties.odometry_scale_left = 0.9;
    properties.odometry_scale_right = 0.9;
    make(&properties);
    feed(0.0, 0.0, DPL_S);
    feed(1.0, 1.0, 2 * DPL_S);
    dpl_wheel_base_read(&base, &state);
    NEAR(state.pose.x, 0.045);
    NEAR(base.nominal.wheel_radius_left_m, 0.05);
}
