/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of drivers/wheel_controller/kobuki_io.h: the driver's wire side and the emulated base, byte
 * by byte, on a clock that the test advances. */
#include "kobuki_io.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>

#include "kobuki_base.h"

static struct dpl_wheel_control control;
static struct kobuki_io io;
static struct kobuki_base base;
static struct kobuki_sensors sensors;
static dpl_ns now;
static bool cut; /* the cable from host to base */

static int to_base(void *user, const void *bytes, size_t n)
{
    (void)user;
    if (!cut) {
        kobuki_base_receive(&base, bytes, n, now);
    }
    return 0;
}

static struct kobuki_io_config config_default(void)
{
    struct dpl_drive_geometry geometry = {0.035, 0.035, 0.23};
    control = (struct dpl_wheel_control){
        .odometry = dpl_odometry_default(geometry),
        .nominal = geometry,
        .limits = {.linear = {.velocity = 0.5, .acceleration = 0.5},
                   .angular = {.velocity = 2.0, .acceleration = 4.0}},
        .longest_ramp_s = 0.05,
    };
    struct kobuki_io_config config = {
        .tick_rad = DPL_KOBUKI_TICK_RAD,
        .stop_on_bumper = true,
        .send = to_base,
    };
    return config;
}

static void open_connection(void)
{
    dpl_wheel_control_opened(&control, now);
    kobuki_io_opened(&io, now);
}

static void begin_with(const struct kobuki_io_config *config)
{
    struct kobuki_base_config base_config = kobuki_base_config_default();
    kobuki_base_init(&base, &base_config);
    kobuki_io_init(&io, config, &control);
    sensors = (struct kobuki_sensors){0};
    now = 0;
    cut = false;
    open_connection();
}

static void begin(void)
{
    struct kobuki_io_config config = config_default();
    begin_with(&config);
}

/* One period of feedback; the frame arrives `late` after it was made. */
static void step(dpl_ns late)
{
    struct kobuki_wheels wheels = kobuki_base_wheels(&base, now);
    sensors.left_rad += wheels.left_rad_s * 0.02;
    sensors.right_rad += wheels.right_rad_s * 0.02;
    now += 20 * DPL_MS;
    sensors.stamp = now;
    uint8_t frame[DPL_KOBUKI_MAX_FRAME];
    size_t n = kobuki_base_feedback(&base, &sensors, frame);
    kobuki_io_data(&io, frame, n, now + late);
    kobuki_io_timer(&io, now + late);
}

static void aim(double linear, double angular)
{
    control.setpoint = (struct dpl_wheel_line_setpoint){
        .aim = {linear, angular},
        .enabled = true,
        .generation = control.sample.generation,
        .stops = control.sample.stops,
    };
}

static void run(int steps)
{
    for (int i = 0; i < steps; i++) {
        step(0);
    }
}

Test(kobuki_io, learns_the_firmware_and_turns_the_power_on)
{
    begin();
    run(1);
    cr_assert_eq(io.verdict, KOBUKI_FIRMWARE_GOOD);
    cr_assert_eq(base.output & DPL_KOBUKI_OUTPUT_POWER, DPL_KOBUKI_OUTPUT_POWER);
    cr_assert_eq(base.output & DPL_KOBUKI_OUTPUT_LED1, 0);
    aim(0.0, 0.0);
    run(1);
    cr_assert_neq(base.output & DPL_KOBUKI_OUTPUT_LED1, 0);
}

Test(kobuki_io, drives_with_a_ramp_and_integrates_what_the_wheels_did)
{
    begin();
    run(1);
    aim(0.2, 0.0);
    run(1);
    cr_assert_lt(base.aim.speed_mm_s, 30, "0.5 m/s^2 for 20 ms is 10 mm/s");
    run(99);
    cr_assert_eq(base.aim.speed_mm_s, 200);
    cr_assert_float_eq(control.sample.odometry.pose.x,
                       (sensors.left_rad + sensors.right_rad) / 2 * 0.035, 2e-4);
    cr_assert_float_eq(control.sample.odometry.twist.linear, 0.2, 0.01);
}

/* Decision 9: a wheel of 0.97 that is told 0.2 m/s drives 0.194 m/s, and its odometry says so. */
Test(kobuki_io, commands_by_the_data_sheet_and_measures_as_calibrated)
{
    struct kobuki_io_config config = config_default();
    control.odometry =
        dpl_odometry_default((struct dpl_drive_geometry){0.97 * 0.035, 0.97 * 0.035, 1.02 * 0.23});
    begin_with(&config);
    run(1);
    aim(0.2, 0.0);
    run(100);
    cr_assert_eq(base.aim.speed_mm_s, 200);
    cr_assert_float_eq(control.sample.odometry.twist.linear, 0.194, 0.002);
    aim(0.0, 0.5);
    run(100);
    double turned = base.aim.speed_mm_s * 1e-3 * (base.aim.radius_mm < 0 ? -1.0 : 1.0);
    cr_assert_float_eq(turned, 0.5 * 0.23 / 2.0, 0.001, "%g", turned);
}

Test(kobuki_io, follows_the_encoders_across_their_wrap)
{
    begin();
    sensors.left_rad = sensors.right_rad = 65500 * DPL_KOBUKI_TICK_RAD;
    run(1);
    aim(0.2, 0.0);
    run(100);
    cr_assert_gt(control.sample.odometry.pose.x, 0.3);
    cr_assert_eq(control.sample.odometry.rejected, 0);
    aim(-0.2, 0.0);
    run(300);
    cr_assert_lt(control.sample.odometry.pose.x, -0.3);
}

Test(kobuki_io, a_setpoint_of_an_earlier_connection_moves_nothing)
{
    begin();
    run(1);
    aim(0.2, 0.0);
    run(50);
    open_connection();
    run(10);
    cr_assert_eq(base.aim.speed_mm_s, 0);
    aim(0.2, 0.0);
    run(50);
    cr_assert_eq(base.aim.speed_mm_s, 200);
}

/* One period in which the base is alone: it goes on as it was told until its patience ends. */
static void step_alone(void)
{
    struct kobuki_wheels wheels = kobuki_base_wheels(&base, now);
    sensors.left_rad += wheels.left_rad_s * 0.02;
    sensors.right_rad += wheels.right_rad_s * 0.02;
    now += 20 * DPL_MS;
    sensors.stamp = now;
}

static double heading_of_the_wheels(void)
{
    return dpl_wrap_angle((sensors.right_rad - sensors.left_rad) * 0.035 / 0.23);
}

Test(kobuki_io, what_the_base_did_while_it_was_out_of_reach_is_counted)
{
    begin();
    run(1);
    aim(0.0, 1.5);
    run(50);
    double before = control.sample.odometry.pose.theta;
    for (int i = 0; i < 100; i++) {
        step_alone();
    }
    open_connection();
    now += 300 * DPL_MS;
    open_connection(); /* the first attempt brought nothing */
    run(5);
    double turned = dpl_wrap_angle(control.sample.odometry.pose.theta - before);
    cr_assert_gt(fabs(turned), 0.4, "it turned for 0.35 s: %g rad", turned);
    cr_assert_float_eq(control.sample.odometry.pose.theta, heading_of_the_wheels(), 0.005);
    cr_assert_float_eq(control.sample.odometry.twist.angular, 0.0, 1e-9, "it stands");
}

Test(kobuki_io, a_base_that_was_switched_off_meanwhile_counts_from_where_it_was)
{
    begin();
    run(1);
    aim(0.2, 0.3);
    run(200);
    struct dpl_pose2 before = control.sample.odometry.pose;
    now += 5 * DPL_S;
    dpl_ns off = now;
    sensors = (struct kobuki_sensors){0};
    open_connection();
    for (int i = 0; i < 10; i++) {
        uint8_t frame[DPL_KOBUKI_MAX_FRAME];
        now += 20 * DPL_MS;
        sensors.stamp = now - off;
        size_t n = kobuki_base_feedback(&base, &sensors, frame);
        kobuki_io_data(&io, frame, n, now);
    }
    cr_assert(control.sample.valid);
    cr_assert_float_eq(control.sample.odometry.pose.x, before.x, 1e-12);
    cr_assert_float_eq(control.sample.odometry.pose.theta, before.theta, 1e-12);
    cr_assert_eq(control.sample.odometry.rejected, 0);
}

Test(kobuki_io, wheels_that_could_not_have_turned_so_far_are_those_of_another_start)
{
    begin();
    run(1);
    aim(0.2, 0.0);
    run(100);
    struct dpl_pose2 before = control.sample.odometry.pose;
    now += DPL_S;
    sensors.left_rad += 40.0; /* 1.4 m in one second */
    sensors.right_rad += 40.0;
    open_connection();
    run(3);
    cr_assert_float_eq(control.sample.odometry.pose.x, before.x, 1e-3);
}

Test(kobuki_io, disabled_it_stands)
{
    begin();
    run(1);
    aim(0.2, 0.0);
    control.setpoint.enabled = false;
    run(50);
    cr_assert_eq(base.aim.speed_mm_s, 0);
}

Test(kobuki_io, a_touch_stops_it_at_once_and_lets_it_back_off)
{
    begin();
    run(1);
    aim(0.2, 0.0);
    run(50);
    sensors.bumper = DPL_KOBUKI_CENTRE;
    run(1);
    cr_assert_eq(base.aim.speed_mm_s, 0);
    cr_assert_eq(control.sample.stops, 1);
    run(20);
    cr_assert_eq(base.aim.speed_mm_s, 0, "it does not push");
    aim(-0.1, 0.0);
    run(30);
    cr_assert_eq(base.aim.speed_mm_s, -100);
    cr_assert_eq(control.sample.stops, 1, "one touch, one event");
    cr_assert_eq(io.stopped_by, KOBUKI_STOP_TOUCH);
    sensors.cliff = 1;
    run(1);
    cr_assert_eq(io.stopped_by, KOBUKI_STOP_EDGE, "the touch lasts, the edge is new");
}

Test(kobuki_io, a_stop_for_cause_brakes_as_hard_as_the_base_allows)
{
    begin();
    run(1);
    aim(0.2, 0.0);
    run(50);
    cr_assert_eq(base.aim.speed_mm_s, 200);
    control.setpoint.aim.linear = 0.0;
    run(1);
    cr_assert_eq(base.aim.speed_mm_s, 190, "a stop that nothing asks for keeps the limits");
    aim(0.0, 0.0);
    control.setpoint.brakes = true;
    run(1);
    cr_assert_eq(base.aim.speed_mm_s, 0);
    aim(0.2, 0.0);
    run(1);
    cr_assert_eq(base.aim.speed_mm_s, 10, "and it starts gently again");
}

Test(kobuki_io, a_base_that_must_brake_gently_has_a_limit_for_it)
{
    struct kobuki_io_config config = config_default();
    control.braking.linear.acceleration = 2.0;
    begin_with(&config);
    run(1);
    aim(0.2, 0.0);
    run(50);
    control.setpoint.brakes = true;
    control.setpoint.aim.linear = 0.0;
    run(1);
    cr_assert_eq(base.aim.speed_mm_s, 160);
    run(4);
    cr_assert_eq(base.aim.speed_mm_s, 0);
}

Test(kobuki_io, uncommanded_it_stands_and_goes_on_with_a_new_command_only)
{
    begin();
    run(1);
    aim(0.2, 0.3);
    run(50);
    cr_assert(dpl_wheel_control_set_commanded(&control, false));
    run(1);
    cr_assert_eq(base.aim.speed_mm_s, 0);
    cr_assert_eq(control.sample.late_stops, 1);
    cr_assert_not(dpl_wheel_control_set_commanded(&control, false), "one stop, one event");
    cr_assert_eq(control.sample.stops, 1);
    cr_assert_eq(control.sample.late_stops, 1);
    cr_assert_not(dpl_wheel_control_set_commanded(&control, true));
    run(20);
    cr_assert_eq(base.aim.speed_mm_s, 0, "the setpoint is that of before");
    aim(0.2, 0.0);
    run(50);
    cr_assert_eq(base.aim.speed_mm_s, 200);
    cr_assert(dpl_wheel_control_set_commanded(&control, false));
    now += 40 * DPL_MS;
    kobuki_io_timer(&io, now);
    cr_assert_eq(base.aim.speed_mm_s, 0, "also where feedback has gaps");
}

Test(kobuki_io, a_hanging_wheel_holds_it)
{
    begin();
    run(1);
    aim(-0.2, 0.0);
    run(50);
    sensors.wheel_drop = DPL_KOBUKI_DROP_LEFT;
    run(30);
    cr_assert_eq(base.aim.speed_mm_s, 0);
    cr_assert_eq(io.stopped_by, KOBUKI_STOP_WHEEL_DROP);
}

Test(kobuki_io, stamps_are_free_of_the_wires_jitter)
{
    static const int late_ms[] = {3, 0, 9, 1, 14, 2, 0, 7};
    begin();
    step(0);
    aim(0.3, 0.0);
    dpl_ns before = 0;
    for (int i = 0; i < 200; i++) {
        step(late_ms[i % 8] * DPL_MS);
        if (i > 20) {
            cr_assert_leq(llabs(control.sample.stamp - before - 20 * DPL_MS), DPL_MS);
        }
        before = control.sample.stamp;
    }
}

Test(kobuki_io, frames_that_are_garbled_are_counted_and_nothing_jumps)
{
    begin();
    run(1);
    aim(0.2, 0.0);
    for (int i = 0; i < 100; i++) {
        uint8_t frame[DPL_KOBUKI_MAX_FRAME];
        run(1);
        size_t n = kobuki_base_feedback(&base, &sensors, frame);
        frame[10 + i % 30] ^= 0x5a;
        kobuki_io_data(&io, frame, n, now);
    }
    cr_assert_eq(control.sample.details.checksum_errors, 100);
    cr_assert_eq(control.sample.odometry.rejected, 0);
    cr_assert_float_eq(control.sample.odometry.pose.x,
                       (sensors.left_rad + sensors.right_rad) / 2 * 0.035, 2e-4);
}

Test(kobuki_io, another_major_firmware_is_refused_and_does_not_move)
{
    begin();
    base.config.firmware = dpl_kobuki_version_pack(2, 0, 0);
    open_connection();
    run(3);
    cr_assert_eq(io.verdict, KOBUKI_FIRMWARE_REFUSED);
    aim(0.2, 0.0);
    run(50);
    cr_assert_eq(base.aim.speed_mm_s, 0);
}

/* Also while its answers are not trusted yet. */
Test(kobuki_io, nothing_moves_before_the_firmware_is_known)
{
    begin();
    base.config.firmware = dpl_kobuki_version_pack(2, 0, 0);
    open_connection();
    aim(0.2, 0.0);
    for (int i = 0; i < 10; i++) {
        run(1);
        aim(0.2, 0.0);
        cr_expect_eq(base.aim.speed_mm_s, 0, "step %d: %d mm/s", i, base.aim.speed_mm_s);
    }
    cr_assert_eq(io.verdict, KOBUKI_FIRMWARE_REFUSED);
}

Test(kobuki_io, a_base_that_tells_no_firmware_waits_and_is_driven)
{
    begin();
    open_connection();
    for (int i = 0; i < 200; i++) {
        base.answers = 0;
        aim(0.2, 0.0);
        run(1);
        if (i < 120) {
            cr_expect_eq(base.aim.speed_mm_s, 0, "step %d: %d mm/s", i, base.aim.speed_mm_s);
        }
    }
    cr_expect_eq(io.verdict, KOBUKI_FIRMWARE_UNTOLD);
    cr_expect_eq(base.aim.speed_mm_s, 200);
    run(60);
    cr_expect_eq(io.verdict, KOBUKI_FIRMWARE_GOOD);
}

/* The base is asked, and its next frame tells this version once. */
static void answer_once(uint8_t major, uint8_t minor, uint8_t patch)
{
    struct dpl_kobuki_version right = base.config.firmware;
    base.config.firmware = dpl_kobuki_version_pack(major, minor, patch);
    base.answers |= DPL_KOBUKI_REQUEST_FIRMWARE;
    run(1);
    base.config.firmware = right;
}

Test(kobuki_io, one_frame_of_another_firmware_loses_nothing)
{
    begin();
    run(10);
    aim(0.2, 0.0);
    run(50);
    answer_once(2, 0, 0);
    cr_assert_eq(io.verdict, KOBUKI_FIRMWARE_GOOD);
    run(3);
    answer_once(3, 1, 0);
    answer_once(2, 0, 0);
    answer_once(3, 1, 0);
    cr_assert_eq(io.verdict, KOBUKI_FIRMWARE_GOOD, "versions that do not agree are none");
    run(10);
    cr_assert_eq(dpl_kobuki_version_major(io.firmware), 1);
    cr_assert_eq(base.aim.speed_mm_s, 200);
}

Test(kobuki_io, the_first_frame_of_a_connection_may_tell_another_firmware)
{
    begin();
    answer_once(0, 0, 0);
    cr_assert_eq(io.verdict, KOBUKI_FIRMWARE_UNKNOWN);
    run(2);
    cr_assert_eq(io.verdict, KOBUKI_FIRMWARE_GOOD);
}

Test(kobuki_io, a_base_that_was_refused_is_asked_again)
{
    begin();
    base.config.firmware = dpl_kobuki_version_pack(2, 0, 0);
    open_connection();
    run(3);
    cr_assert_eq(io.verdict, KOBUKI_FIRMWARE_REFUSED);
    base.config.firmware = dpl_kobuki_version_pack(1, 2, 0);
    run(60);
    cr_assert_eq(io.verdict, KOBUKI_FIRMWARE_GOOD);
}

Test(kobuki_io, another_minor_firmware_is_told_but_works)
{
    begin();
    base.config.firmware = dpl_kobuki_version_pack(1, 1, 2);
    open_connection();
    run(1);
    cr_assert_eq(io.verdict, KOBUKI_FIRMWARE_UNTESTED);
    aim(0.2, 0.0);
    run(50);
    cr_assert_eq(base.aim.speed_mm_s, 200);
}

Test(kobuki_io, asks_again_for_a_firmware_that_was_not_told)
{
    begin();
    cut = true;
    open_connection();
    base.answers = 0;
    run(40);
    cut = false;
    cr_assert_eq(io.verdict, KOBUKI_FIRMWARE_UNKNOWN);
    run(60);
    cr_assert_eq(io.verdict, KOBUKI_FIRMWARE_GOOD);
}

Test(kobuki_io, the_base_is_commanded_on_where_feedback_has_gaps)
{
    begin();
    run(1);
    aim(0.2, 0.0);
    run(50);
    uint64_t before = base.commands;
    for (int i = 0; i < 10; i++) {
        now += 20 * DPL_MS;
        kobuki_io_timer(&io, now);
    }
    cr_assert_geq(base.commands, before + 5);
    cr_assert_gt(kobuki_base_wheels(&base, now).left_rad_s, 0.0);
}

Test(kobuki_io, heading_comes_from_the_gyro_when_asked_for)
{
    struct kobuki_io_config config = config_default();
    config.heading = KOBUKI_HEADING_GYRO;
    begin_with(&config);
    sensors.heading_rad = 3.0;
    run(1);
    for (int i = 0; i < 50; i++) {
        sensors.heading_rad += 0.01; /* across pi; the wheels stand */
        run(1);
    }
    cr_assert_float_eq(dpl_wrap_angle(control.sample.odometry.pose.theta - 0.5), 0.0, 2e-3);
    cr_assert_float_eq(control.sample.odometry.pose.x, 0.0, 1e-9);
}

Test(kobuki_io, tells_the_ways_of_the_wheels_and_the_turn_of_the_gyro_whatever_gives_the_heading)
{
    for (int heading = KOBUKI_HEADING_WHEELS; heading <= KOBUKI_HEADING_GYRO; heading++) {
        struct kobuki_io_config config = config_default();
        config.heading = (enum kobuki_heading)heading;
        control.odometry.geometry.wheel_radius_right_m = 0.036;
        begin_with(&config);
        sensors.heading_rad = 3.0;
        run(1);
        cr_assert_float_eq(control.sample.gyro_rad, 0.0, 1e-12,
                           "it counts from the first frame on");
        for (int i = 0; i < 1000; i++) {
            sensors.heading_rad += 0.01;
            sensors.left_rad += 0.1;
            sensors.right_rad += 0.2;
            run(1);
        }
        cr_assert(control.sample.has_gyro);
        cr_assert_float_eq(control.sample.gyro_rad, 10.0, 2e-3, "not wrapped: %g",
                           control.sample.gyro_rad);
        cr_assert_float_eq(control.sample.odometry.rolled_m.left, 100.0 * 0.035, 2e-4);
        cr_assert_float_eq(control.sample.odometry.rolled_m.right, 200.0 * 0.036, 2e-4);
    }
}

Test(kobuki_io, other_wheels_than_the_firmwares_get_the_speed_that_was_asked_for)
{
    struct kobuki_io_config config = config_default();
    control.nominal = control.odometry.geometry = (struct dpl_drive_geometry){0.07, 0.07, 0.46};
    begin_with(&config);
    run(1);
    aim(0.4, 0.0);
    run(100);
    cr_assert_eq(base.aim.speed_mm_s, 200, "the firmware believes in half the radius");
    cr_assert_float_eq(control.sample.odometry.twist.linear, 0.4, 0.02);
}
