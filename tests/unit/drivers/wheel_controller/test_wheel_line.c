/* SPDX-License-Identifier: Apache-2.0 */
/* A wheel base on a byte stream, with fakes for the runtime: the test calls the stream's callbacks
 * and the device's calls in turn. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <doppel/drive/wheel_line.h>

/* ---- the runtime, as far as a line meets it ---- */

struct dpl_stream {
    struct dpl_stream_config config;
    bool reopened, closed, settled;
    char why[128];
};

static struct dpl_stream the_stream;
static dpl_ns now;
static bool commanded, lost;

int dpl_device_open_stream(struct dpl_device *device, const struct dpl_stream_config *config,
                           struct dpl_stream **ret_stream, struct dpl_diag *reterr)
{
    the_stream = (struct dpl_stream){.config = *config};
    *ret_stream = &the_stream;
    return 0;
}

void dpl_stream_close(struct dpl_stream *stream)
{
    stream->closed = true;
}

int dpl_stream_write(struct dpl_stream *stream, const void *bytes, size_t n)
{
    return 0;
}

void dpl_stream_settled(struct dpl_stream *stream)
{
    stream->settled = true;
}

void dpl_stream_reopen(struct dpl_stream *stream, const char *why)
{
    stream->reopened = true;
    snprintf(stream->why, sizeof stream->why, "%s", why);
}

dpl_ns dpl_device_now(const struct dpl_device *device)
{
    return now;
}

bool dpl_device_is_lost(const struct dpl_device *device)
{
    return lost;
}

bool dpl_device_is_halted(const struct dpl_device *device)
{
    return false;
}

bool dpl_device_is_commanded(const struct dpl_device *device)
{
    return commanded;
}

void dpl_device_lost(struct dpl_device *device, const char *format, ...)
{
    lost = true;
}

void dpl_device_found(struct dpl_device *device)
{
    lost = false;
}

void dpl_device_log(struct dpl_device *device, enum dpl_log_level level, const char *format, ...)
{
}

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
static struct dpl_device device = {.name = "Base", .state = &line};

static int call(unsigned number, const void *in, void *out)
{
    return dpl_wheel_line_api[number](&device, in, out);
}

static void open_line(void)
{
    struct dpl_wheel_line_config config = {.ops = &ops, .properties = &properties};
    now = DPL_S;
    commanded = true;
    lost = touched = is_silent = false;
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
    cr_assert_eq(dpl_wheel_line_open(&line, &device, &config, NULL), 0);
    the_stream.config.ops->opened(&the_stream, &line, now);
    cr_assert_eq(call(DPL_DRV_WHEEL_CONTROLLER_ENABLE, NULL, NULL), 0);
}

/* The base obeys, reports, and the component runs its cycle. */
static void pass(double seconds)
{
    for (dpl_ns end = now + dpl_ns_from_s(seconds); now < end;) {
        now += PERIOD;
        turned.left += sent.left * dpl_ns_to_s(PERIOD);
        turned.right += sent.right * dpl_ns_to_s(PERIOD);
        if (!is_silent) {
            the_stream.config.ops->data(&the_stream, &line, (const uint8_t *)"x", 1, now);
        }
        the_stream.config.ops->timer(&the_stream, &line, now);
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
    cr_assert(the_stream.settled);
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
    now += PERIOD;
    the_stream.config.ops->data(&the_stream, &line, (const uint8_t *)"x", 1, now);
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
    commanded = false;
    now += PERIOD;
    the_stream.config.ops->timer(&the_stream, &line, now);
    AT_REST("StopDeceleration 0: at once");
    commanded = true;
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
    cr_assert(the_stream.reopened);
    cr_assert_str_eq(the_stream.why, "the base is silent");
    AT_REST("before that");
    is_silent = false;
    the_stream.config.ops->opened(&the_stream, &line, now);
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
    cr_assert(the_stream.closed);
}
