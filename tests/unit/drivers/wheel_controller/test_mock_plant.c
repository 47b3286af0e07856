/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the mock plant: closed forms of motion, each fault on its own, determinism. */
#include "mock_plant.h"

#include <criterion/criterion.h>
#include <string.h>

static struct dpl_mock_plant plant, twin;

/* Without slew, so that motion is exactly the command's. */
static struct dpl_mock_plant_config instant(void)
{
    struct dpl_mock_plant_config config = dpl_mock_plant_config_default();
    config.acceleration = 1e6;
    return config;
}

static void start(const struct dpl_mock_plant_config *config)
{
    cr_assert_eq(dpl_mock_plant_init(&plant, config), 0);
}

static struct dpl_pose2 drive(double v, double w, double seconds)
{
    dpl_mock_plant_command(&plant, 0.0, v, w);
    dpl_mock_plant_advance(&plant, seconds);
    return dpl_mock_plant_true_pose(&plant);
}

static void assert_near(double actual, double expected, double tolerance, const char *what)
{
    cr_assert(fabs(actual - expected) <= tolerance, "%s: %.9g, expected %.9g", what, actual,
              expected);
}

Test(mock_plant, drives_a_straight_line_exactly)
{
    struct dpl_mock_plant_config config = instant();
    config.start = (struct dpl_pose2){1.0, 2.0, 0.5};
    start(&config);
    struct dpl_pose2 p = drive(0.2, 0.0, 10.0);
    assert_near(p.x, 1.0 + 2.0 * cos(0.5), 1e-9, "x");
    assert_near(p.y, 2.0 + 2.0 * sin(0.5), 1e-9, "y");
    assert_near(p.theta, 0.5, 1e-9, "theta");
}

Test(mock_plant, drives_an_arc_as_its_closed_form)
{
    struct dpl_mock_plant_config config = instant();
    start(&config);
    struct dpl_pose2 p = drive(0.15, 0.3, 8.0);
    assert_near(p.x, 0.5 * sin(2.4), 1e-6, "x");
    assert_near(p.y, 0.5 * (1.0 - cos(2.4)), 1e-6, "y");
    assert_near(p.theta, 2.4, 1e-9, "theta");
}

Test(mock_plant, wheel_and_axle_scales_act_as_geometry_says)
{
    struct dpl_mock_plant_config config = instant();
    config.wheel_scale_left = 0.97;
    config.wheel_scale_right = 1.03;
    config.axle_scale = 1.03;
    start(&config);
    dpl_mock_plant_command(&plant, 0.0, 0.2, 0.0);
    dpl_mock_plant_advance(&plant, 1.0);
    struct dpl_twist2 t = dpl_mock_plant_true_twist(&plant);
    assert_near(t.linear, 0.2, 1e-12, "v");
    assert_near(t.angular, 0.2 * 0.06 / 0.309, 1e-12, "w");
}

Test(mock_plant, slews_each_wheel_at_the_acceleration)
{
    struct dpl_mock_plant_config config = dpl_mock_plant_config_default();
    start(&config);
    /* 0.2 m/s at 0.5 m/s^2 takes 0.4 s and costs half of it. */
    assert_near(drive(0.2, 0.0, 2.0).x, 0.2 * (2.0 - 0.2), 2e-4, "x");
}

Test(mock_plant, lags_by_its_time_constant_and_latency)
{
    struct dpl_mock_plant_config config = instant();
    config.lag_s = 0.1;
    config.latency_s = 0.05;
    start(&config);
    dpl_mock_plant_command(&plant, 0.0, 0.2, 0.0);
    dpl_mock_plant_advance(&plant, 0.05);
    assert_near(dpl_mock_plant_true_twist(&plant).linear, 0.0, 0.0, "before the latency");
    dpl_mock_plant_advance(&plant, 0.15);
    assert_near(dpl_mock_plant_true_twist(&plant).linear, 0.2 * (1.0 - exp(-1.0)), 1e-9,
                "one time constant");
}

Test(mock_plant, keeps_commands_in_order_under_latency_jitter)
{
    struct dpl_mock_plant_config config = instant();
    config.latency_jitter_s = 0.5;
    start(&config);
    for (int i = 1; i <= 20; i++) {
        dpl_mock_plant_command(&plant, 0.01 * i, 0.01 * i, 0.0);
    }
    double last = 0.0;
    for (int i = 0; i < 1000; i++) {
        dpl_mock_plant_advance(&plant, 0.2 + 0.001 * i);
        double v = dpl_mock_plant_true_twist(&plant).linear;
        cr_assert_geq(v, last);
        last = v;
    }
    assert_near(last, 0.2, 1e-12, "the last command wins");
}

Test(mock_plant, clamps_commands_to_its_limits_and_ignores_what_is_no_number)
{
    struct dpl_mock_plant_config config = instant();
    start(&config);
    dpl_mock_plant_command(&plant, 0.0, 5.0, 0.0);
    dpl_mock_plant_command(&plant, 0.1, (double)NAN, 0.0);
    dpl_mock_plant_command(&plant, 0.1, 0.0, (double)INFINITY);
    dpl_mock_plant_advance(&plant, 1.0);
    assert_near(dpl_mock_plant_true_twist(&plant).linear, 0.2, 1e-12, "v");
}

Test(mock_plant, does_not_move_within_the_dead_band)
{
    struct dpl_mock_plant_config config = instant();
    config.dead_band = 0.008;
    start(&config);
    assert_near(drive(0.0079, 0.0, 5.0).x, 0.0, 0.0, "below");
    dpl_mock_plant_command(&plant, 5.0, 0.0081, 0.0);
    dpl_mock_plant_advance(&plant, 6.0);
    cr_assert_gt(dpl_mock_plant_true_pose(&plant).x, 0.007);
}

Test(mock_plant, slips_by_its_ratio_and_more_on_a_patch)
{
    struct dpl_mock_plant_config config = instant();
    config.slip_ratio = 0.05;
    config.slip_from_s = 4.0;
    config.slip_to_s = 7.0;
    config.slip_patch = 0.30;
    start(&config);
    assert_near(drive(0.2, 0.0, 10.0).x, 0.2 * (0.95 * 7.0 + 0.65 * 3.0), 1e-6, "x");
    struct dpl_mock_wheels angles = dpl_mock_plant_encoders(&plant);
    assert_near(angles.left, 2.0 / 0.065, 1e-6, "encoders do not see slip");
}

Test(mock_plant, slip_noise_has_its_deviation_and_no_bias)
{
    struct dpl_mock_plant_config config = instant();
    config.slip_noise = 0.04;
    config.seed = 11;
    start(&config);
    double sum = 0.0, square = 0.0;
    dpl_mock_plant_command(&plant, 0.0, 0.2, 0.0);
    for (int i = 1; i <= 20000; i++) {
        dpl_mock_plant_advance(&plant, 0.1 * i);
        sum += plant.slip.left;
        square += plant.slip.left * plant.slip.left;
    }
    assert_near(sum / 20000.0, 0.0, 0.004, "mean");
    assert_near(sqrt(square / 20000.0), 0.04, 0.003, "deviation");
}

Test(mock_plant, skids_to_the_outside_of_a_turn)
{
    struct dpl_mock_plant_config config = instant();
    config.skid = 0.03;
    start(&config);
    dpl_mock_plant_command(&plant, 0.0, 0.2, 0.5);
    dpl_mock_plant_advance(&plant, 0.001);
    /* vy = -0.03 * 0.2 * 0.5 for one millisecond; the heading hardly turned. */
    assert_near(dpl_mock_plant_true_pose(&plant).y, -0.003e-3, 1e-7, "y");
}

Test(mock_plant, stands_still_while_blocked_though_its_wheels_turn)
{
    struct dpl_mock_plant_config config = instant();
    config.block_from_s = 3.0;
    config.block_to_s = 5.0;
    start(&config);
    assert_near(drive(0.1, 0.2, 5.0).theta, 0.6, 1e-9, "theta");
    assert_near(dpl_mock_plant_encoders(&plant).left, 5.0 * (0.1 - 0.03) / 0.065, 1e-6, "encoder");
    dpl_mock_plant_advance(&plant, 6.0);
    assert_near(dpl_mock_plant_true_pose(&plant).theta, 0.8, 1e-9, "free again");
}

Test(mock_plant, jumps_once)
{
    struct dpl_mock_plant_config config = instant();
    config.jump_at_s = 1.0;
    config.jump_x = 0.6;
    config.jump_y = 0.4;
    config.jump_theta = 1.0;
    start(&config);
    dpl_mock_plant_advance(&plant, 0.999);
    assert_near(dpl_mock_plant_true_pose(&plant).x, 0.0, 0.0, "before");
    dpl_mock_plant_advance(&plant, 5.0);
    assert_near(dpl_mock_plant_true_pose(&plant).x, 0.6, 1e-12, "x");
    assert_near(dpl_mock_plant_true_pose(&plant).theta, 1.0, 1e-12, "theta");
}

Test(mock_plant, measures_the_past_with_its_own_stamp)
{
    struct dpl_mock_plant_config config = instant();
    struct dpl_pose2 pose;
    double stamp = 0.0;
    config.pose_delay_s = 0.05;
    config.stamp_bias_s = 0.02;
    start(&config);
    drive(0.2, 0.0, 1.0);
    cr_assert(dpl_mock_plant_read(&plant, 1.0, &pose, &stamp));
    assert_near(pose.x, 0.2 * 0.95, 1e-9, "pose of 50 ms ago");
    assert_near(stamp, 0.95 + 0.02, 1e-12, "biased stamp");
}

Test(mock_plant, measured_noise_has_its_deviation)
{
    struct dpl_mock_plant_config config = instant();
    config.pose_noise_m = 0.002;
    config.pose_noise_rad = 0.01;
    start(&config);
    double xx = 0.0, tt = 0.0;
    for (int i = 1; i <= 10000; i++) {
        struct dpl_pose2 pose;
        double stamp;
        cr_assert(dpl_mock_plant_read(&plant, 0.001 * i, &pose, &stamp));
        xx += pose.x * pose.x;
        tt += pose.theta * pose.theta;
    }
    assert_near(sqrt(xx / 1e4), 0.002, 5e-5, "position");
    assert_near(sqrt(tt / 1e4), 0.01, 3e-4, "heading");
}

Test(mock_plant, repeats_the_last_reading_in_an_outage)
{
    struct dpl_mock_plant_config config = instant();
    struct dpl_pose2 pose = {9.0, 9.0, 9.0};
    double stamp = 9.0;
    config.outage_to_s = 1.0;
    start(&config);
    cr_assert_not(dpl_mock_plant_read(&plant, 0.5, &pose, &stamp));
    assert_near(pose.x, 9.0, 0.0, "untouched");
    cr_assert(dpl_mock_plant_read(&plant, 1.0, &pose, &stamp));
    assert_near(stamp, 1.0, 1e-12, "stamp");
}

Test(mock_plant, drops_readings_at_its_rate)
{
    struct dpl_mock_plant_config config = instant();
    config.pose_drop_rate = 0.25;
    start(&config);
    int fresh = 0;
    double last = -1.0;
    for (int i = 1; i <= 4000; i++) {
        struct dpl_pose2 pose;
        double stamp = last;
        dpl_mock_plant_read(&plant, 0.001 * i, &pose, &stamp);
        fresh += stamp > last;
        last = stamp;
    }
    assert_near(fresh / 4000.0, 0.75, 0.03, "fresh");
}

Test(mock_plant, remembers_its_true_pose_for_two_seconds)
{
    struct dpl_mock_plant_config config = instant();
    start(&config);
    drive(0.2, 0.0, 10.0);
    assert_near(dpl_mock_plant_pose_at(&plant, 8.5005).x, 1.7001, 1e-9, "interpolated");
    assert_near(dpl_mock_plant_pose_at(&plant, 1.0).x, 0.2 * (10.0 - 2.046), 1e-3, "the oldest");
    assert_near(dpl_mock_plant_pose_at(&plant, 10.5).x, 2.1, 1e-9, "ahead: simulated");
    cr_assert(dpl_pose2_is_finite(dpl_mock_plant_pose_at(&plant, (double)NAN)));
}

Test(mock_plant, set_pose_moves_the_body_and_not_the_past)
{
    struct dpl_mock_plant_config config = instant();
    start(&config);
    drive(0.2, 0.0, 1.0);
    dpl_mock_plant_set_pose(&plant, 1.0, (struct dpl_pose2){5.0, 5.0, DPL_PI / 2.0});
    assert_near(dpl_mock_plant_pose_at(&plant, 0.9).x, 0.18, 1e-9, "past");
    dpl_mock_plant_advance(&plant, 2.0);
    assert_near(dpl_mock_plant_true_pose(&plant).y, 5.2, 1e-9, "drives on from there");
}

Test(mock_plant, does_not_depend_on_how_often_it_is_advanced)
{
    struct dpl_mock_plant_config config = dpl_mock_plant_config_default();
    config.slip_noise = 0.05;
    config.lag_s = 0.07;
    config.latency_s = 0.033;
    config.seed = 5;
    start(&config);
    cr_assert_eq(dpl_mock_plant_init(&twin, &config), 0);
    dpl_mock_plant_command(&plant, 0.0, 0.2, 0.4);
    dpl_mock_plant_command(&twin, 0.0, 0.2, 0.4);
    dpl_mock_plant_advance(&plant, 3.0);
    for (int i = 1; i <= 3000; i++) {
        dpl_mock_plant_advance(&twin, 0.001 * i);
    }
    cr_assert_eq(memcmp(&plant.pose, &twin.pose, sizeof plant.pose), 0);
}

Test(mock_plant, same_seed_gives_the_same_bits_and_another_seed_does_not)
{
    struct dpl_mock_plant_config config = dpl_mock_plant_config_default();
    config.slip_noise = 0.05;
    config.pose_noise_m = 0.002;
    config.latency_jitter_s = 0.02;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct dpl_pose2 a, b;
        double stamp_a, stamp_b;
        config.seed = 1;
        start(&config);
        config.seed = seed;
        cr_assert_eq(dpl_mock_plant_init(&twin, &config), 0);
        dpl_mock_plant_command(&plant, 0.0, 0.2, 0.4);
        dpl_mock_plant_command(&twin, 0.0, 0.2, 0.4);
        cr_assert(dpl_mock_plant_read(&plant, 4.0, &a, &stamp_a));
        cr_assert(dpl_mock_plant_read(&twin, 4.0, &b, &stamp_b));
        cr_assert_eq(memcmp(&a, &b, sizeof a) == 0, seed == 1);
    }
}

Test(mock_plant, rejects_a_configuration_that_is_not_physical)
{
    struct dpl_mock_plant_config config = dpl_mock_plant_config_default();
    config.axle_distance = 0.0;
    cr_assert_lt(dpl_mock_plant_init(&plant, &config), 0);
    config = dpl_mock_plant_config_default();
    config.pose_noise_m = (double)NAN;
    cr_assert_lt(dpl_mock_plant_init(&plant, &config), 0);
    config = dpl_mock_plant_config_default();
    config.latency_s = -0.01;
    cr_assert_lt(dpl_mock_plant_init(&plant, &config), 0);
}

Test(mock_plant, overflowing_the_commands_under_way_lets_the_oldest_act)
{
    struct dpl_mock_plant_config config = instant();
    config.latency_s = 10.0;
    start(&config);
    for (int i = 0; i <= DPL_MOCK_COMMANDS; i++) {
        dpl_mock_plant_command(&plant, 0.0, i == 0 ? 0.15 : 0.05, 0.0);
    }
    dpl_mock_plant_advance(&plant, 0.1);
    assert_near(dpl_mock_plant_true_twist(&plant).linear, 0.15, 1e-12, "v");
    cr_assert_eq(plant.n_pending, (unsigned)DPL_MOCK_COMMANDS);
}
