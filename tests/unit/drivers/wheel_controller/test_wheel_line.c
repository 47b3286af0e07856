/* SPDX-License-Identifier: Apache-2.0 */
/* A wheel base on a byte stream: the test calls the stream's callbacks and the device's calls in
 * turn. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drive/wheel_line.h>

#include "fake_device.h"

static struct fake_device fake;
static struct dpl_device *const device = &fake.device;

/* ---- a base whose bytes are not looked at ---- */

#define PERIOD (20 * DPL_MS)

static struct dpl_drive_wheels sent;
static struct dpl_drive_wheels turned;
static bool touched, is_silent;

static void base_opened(struct dpl_wheel_line *line, dpl_ns at)
{
    turned = (struct dpl_drive_wheels){0};
}

static void base_data(struct dpl_wheel_line *line, const uint8_t *bytes, size_t n, dpl_ns at)
{
    dpl_wheel_line_feed(line,
                        &(struct dpl_wheel_feedback){
                            .stamp = at, .angles = turned, .has_bumper = true, .pressed = touched});
}

static void base_command(struct dpl_wheel_line *line, struct dpl_drive_wheels speeds_rad_s,
                         bool enabled)
{
    sent = speeds_rad_s;
}

static const struct dpl_wheel_line_ops ops = {
    .opened = base_opened,
    .data = base_data,
    .command = base_command,
};
static struct dpl_wheel_line_properties properties;
static struct dpl_wheel_line line;

static int call(unsigned number, const void *in, void *out)
{
    return dpl_wheel_line_api[number](device, in, out);
}

static void open_line(void)
{
    struct dpl_wheel_line_config config = {.ops = &ops, .properties = &properties};
    fake_device_begin(&fake, NULL);
    fake.device.state = &line;
    fake.now = DPL_S;
    touched = is_silent = false;
    properties = (struct dpl_wheel_line_properties){
        .base = {.wheel_diameter_m = 0.1,
                 .axle_m = 0.2,
                 .max_velocity_m_s = 1.0,
                 .max_angular_deg_s = 90.0,
                 .acceleration_m_s2 = 2.0,
                 .move_tolerance_m = 0.05,
                 .rotate_tolerance_deg = 1.0,
                 .odometry_scale_left = 1.0,
                 .odometry_scale_right = 1.0,
                 .odometry_axle_scale = 1.0},
        .silence_ms = 300,
        .stop_on_bumper = true,
    };
    cr_assert_eq(dpl_wheel_line_open(&line, device, &config, NULL), 0);
    fake_stream_opened(&fake);
    cr_assert_eq(call(DPL_DRV_WHEEL_CONTROLLER_ENABLE, NULL, NULL), 0);
}

/* The base obeys, reports, and the component runs its cycle. */
static void pass(double seconds)
{
    for (dpl_ns end = fake.now + dpl_ns_from_s(seconds); fake.now < end;) {
        fake.now += PERIOD;
        turned.left += sent.left * dpl_ns_to_s(PERIOD);
        turned.right += sent.right * dpl_ns_to_s(PERIOD);
        if (!is_silent && line.ops->data) {
            fake_stream_data(&fake, "x", 1);
        }
        fake_stream_timer(&fake);
        call(DPL_DRV_WHEEL_CONTROLLER_EXECUTE, NULL, NULL);
    }
}

static void drive(double linear_m_s)
{
    cr_assert_eq(call(DPL_DRV_WHEEL_CONTROLLER_DRIVE, &(struct dpl_twist2){linear_m_s, 0.0}, NULL),
                 0);
}

static struct dpl_wheel_state read_state(void)
{
    struct dpl_wheel_state state;
    cr_assert_eq(call(DPL_DRV_WHEEL_CONTROLLER_READ, NULL, &state), 0);
    return state;
}

#define AT_REST(message_) cr_assert(fabs(sent.left) < 1e-9 && fabs(sent.right) < 1e-9, message_)

Test(wheel_line, drives_within_the_limit_of_acceleration_and_measures_its_way)
{
    open_line();
    pass(0.1);
    drive(0.5);
    pass(0.1);
    cr_assert(sent.left > 0.0 && sent.left * 0.05 < 0.21, "2 m/s^2 for 0.1 s are 0.2 m/s");
    pass(1.9);
    cr_assert_float_eq(sent.left * 0.05, 0.5, 1e-9);
    cr_assert_float_eq(read_state().pose.x, 0.5 * (2.0 - 0.125), 0.03);
    cr_assert_gt(fake.n_settled, 0);
}

Test(wheel_line, nothing_moves_before_the_first_measurement)
{
    open_line();
    is_silent = true;
    drive(0.5);
    pass(0.2);
    AT_REST("it does not know where its wheels are");
    cr_assert_not(read_state().valid);
}

Test(wheel_line, a_touch_stops_at_once_and_only_a_new_command_backs_off)
{
    open_line();
    drive(0.5);
    pass(1.0);
    touched = true;
    fake.now += PERIOD;
    fake_stream_data(&fake, "x", 1);
    AT_REST("in the same callback");
    pass(0.5);
    AT_REST("the old command has ended");
    drive(0.5);
    pass(0.2);
    AT_REST("not forward while it is pressed");
    drive(-0.5);
    pass(0.5);
    cr_assert_lt(sent.left, -1.0);
    cr_assert(read_state().pressed);
    cr_assert_eq(line.report.stops, 1);
}

Test(wheel_line, a_late_commander_stops_the_base_until_the_next_command)
{
    open_line();
    drive(0.5);
    pass(1.0);
    fake.is_late = true;
    fake.now += PERIOD;
    fake_stream_timer(&fake);
    AT_REST("StopDeceleration 0: at once");
    fake.is_late = false;
    pass(0.5);
    AT_REST("the command from before the stop is no longer valid");
    drive(0.5);
    pass(0.5);
    cr_assert_gt(sent.left, 1.0);
    cr_assert_eq(line.report.stops, 0, "no touch");
}

Test(wheel_line, a_silent_base_is_opened_again_and_its_pose_continues)
{
    open_line();
    drive(0.5);
    pass(1.0);
    double x = read_state().pose.x;
    is_silent = true;
    pass(0.4);
    cr_assert_eq(fake.n_reopened, 1);
    cr_assert_str_eq(fake.reopened_why, "the base is silent");
    AT_REST("before that");
    is_silent = false;
    fake_stream_opened(&fake);
    pass(0.5);
    AT_REST("the command was for another connection");
    cr_assert_float_eq(read_state().pose.x, x, 1e-9);
    cr_assert_eq(line.report.reconnects, 1);
}

Test(wheel_line, a_position_that_is_set_is_continued)
{
    open_line();
    pass(0.1);
    call(DPL_DRV_WHEEL_CONTROLLER_SET_POSITION, &(struct dpl_pose2){1.0, 2.0, M_PI / 2.0}, NULL);
    drive(0.5);
    pass(1.0);
    struct dpl_wheel_state state = read_state();
    cr_assert_float_eq(state.pose.x, 1.0, 1e-9);
    cr_assert_gt(state.pose.y, 2.3);
}

Test(wheel_line, closing_sends_a_stop)
{
    open_line();
    drive(0.5);
    pass(1.0);
    dpl_wheel_line_close(&line);
    AT_REST("at the end");
    cr_assert_eq(fake.n_closed, 1);
}

/* ---- a base without a byte stream ---- */

static const char *lacking;

static const char *base_lack(struct dpl_wheel_line *base)
{
    if (base->is_reached && !lacking && !is_silent) {
        dpl_wheel_line_feed(base,
                            &(struct dpl_wheel_feedback){.stamp = base->now, .angles = turned});
    }
    return lacking;
}

static void send_speeds(struct dpl_wheel_line *base, dpl_ns at)
{
    sent = dpl_drive_wheels_from_twist(&base->control.nominal,
                                       dpl_wheel_control_step(&base->control, at));
}

static void base_halt(struct dpl_wheel_line *base, dpl_ns at)
{
    dpl_wheel_control_halt(&base->control, at);
    sent = (struct dpl_drive_wheels){0};
}

Test(wheel_line, stops_a_base_without_a_stream_that_is_not_there_or_silent)
{
    static const struct dpl_wheel_line_ops messages = {
        .opened = base_opened, .timer = send_speeds, .halt = base_halt, .lack = base_lack};
    struct dpl_wheel_line_config config = {
        .ops = &messages, .properties = &properties, .silent = "it is silent"};
    open_line();
    dpl_wheel_line_close(&line);
    lacking = NULL;
    cr_assert_eq(dpl_wheel_line_open(&line, device, &config, NULL), 0);
    cr_assert_str_eq(fake.stream.address, "timer:");
    for (int i = 0; i < 3; i++) {
        call(DPL_DRV_WHEEL_CONTROLLER_ENABLE, NULL, NULL);
        pass(0.1);
        cr_assert_eq(fake.n_lost, i, "%s", fake.why);
        drive(0.5);
        pass(0.5);
        cr_assert_gt(sent.left, 1.0);
        lacking = i == 1 ? "nobody is there" : NULL;
        is_silent = i != 1;
        pass(i == 1 ? 0.04 : 0.34);
        AT_REST("after its loss");
        cr_assert_eq(fake.n_lost, i + 1);
        cr_assert_not_null(strstr(fake.why, i == 1 ? "nobody is there" : "it is silent"));
        lacking = NULL;
        is_silent = false;
        pass(0.5);
        AT_REST("before a new command");
    }
}
