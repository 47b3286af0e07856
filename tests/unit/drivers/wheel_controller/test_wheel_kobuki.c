/* SPDX-License-Identifier: Apache-2.0 */
/* The whole Kobuki driver, without a wire and over a wire to the emulated base, on a clock that the
 * test advances: what the base hears when its application stops for cause, or when nobody commands
 * it in time. */
#include <criterion/criterion.h>

#include <doppel/drv/wheel_controller.h>
#include <doppel/plugin.h>

#include "fake_device.h"
#include "kobuki_base.h"

static struct fake_device fake;
static struct dpl_device *const device = &fake.device;

static void begin(void)
{
    fake_device_begin(&fake, dpl_plugin.driver);
    fake_device_open(&fake);
}

static void end(void)
{
    fake_device_end(&fake);
}

/* ---- the port never opens ---- */

TestSuite(wheel_kobuki, .init = begin, .fini = end);

Test(wheel_kobuki, tells_a_wrapped_heading_at_once_after_a_position_is_set)
{
    struct dpl_pose2 pose = {1.0, -2.0, DPL_PI + 0.5};
    struct dpl_wheel_state reading;
    cr_assert_eq(dpl_wheel_set_position(device, &pose), 0);
    cr_assert_eq(dpl_wheel_read(device, &reading), 0);
    cr_assert_float_eq(reading.pose.x, 1.0, 1e-12);
    cr_assert_float_eq(reading.pose.y, -2.0, 1e-12);
    cr_assert_float_eq(reading.pose.theta, 0.5 - DPL_PI, 1e-12, "%g", reading.pose.theta);
}

Test(wheel_kobuki, knows_no_reading_before_the_first_frame)
{
    struct dpl_wheel_state reading;
    cr_assert_eq(dpl_wheel_read(device, &reading), 0);
    cr_assert_not(reading.valid);
}

/* ---- the driver on its wire ---- */

static struct kobuki_base base;
static struct kobuki_sensors sensors;

static void to_base(const void *bytes, size_t n)
{
    kobuki_base_receive(&base, bytes, n, fake.now);
}

/* Frames of 20 ms; the executor runs in each unless it hangs. */
static void run(int frames, bool hangs)
{
    for (int i = 0; i < frames; i++) {
        fake.now += 20 * DPL_MS;
        sensors.stamp = fake.now;
        uint8_t frame[DPL_KOBUKI_MAX_FRAME];
        size_t n = kobuki_base_feedback(&base, &sensors, frame);
        fake_stream_data(&fake, frame, n);
        fake_stream_timer(&fake);
        if (!hangs) {
            dpl_wheel_execute(device, &(struct dpl_tick){.now = fake.now});
        }
    }
}

static void begin_on_wire(void)
{
    struct kobuki_base_config config = kobuki_base_config_default();
    kobuki_base_init(&base, &config);
    begin();
    fake.written = to_base;
    fake_stream_opened(&fake);
    run(2, false);
    cr_assert_eq(dpl_wheel_enable(device), 0);
    cr_assert_eq(dpl_wheel_drive(device, 0.2, 0.0), 0);
    run(40, false);
    cr_assert_eq(base.aim.speed_mm_s, 200);
}

static void end_on_wire(void)
{
    cr_assert_eq(fake.n_reopened, 0, "%s", fake.reopened_why);
    cr_assert_eq(fake.n_lost, 0, "%s", fake.why);
    end();
}

TestSuite(wheel_kobuki_wire, .init = begin_on_wire, .fini = end_on_wire);

Test(wheel_kobuki_wire, a_halt_stops_the_base_with_the_next_frame_and_a_stop_by_its_ramp)
{
    cr_assert_eq(dpl_wheel_stop(device), 0);
    run(1, false);
    cr_assert_eq(base.aim.speed_mm_s, 190);
    cr_assert_eq(dpl_wheel_halt(device), 0);
    run(1, false);
    cr_assert_eq(base.aim.speed_mm_s, 0);
    cr_assert_eq(dpl_wheel_stop(device), 0);
    cr_assert_eq(dpl_wheel_drive(device, 0.2, 0.0), 0);
    run(1, false);
    cr_assert_eq(base.aim.speed_mm_s, 10, "the next command ramps as ever");
}

Test(wheel_kobuki_wire, a_stop_behind_a_halt_does_not_soften_it)
{
    cr_assert_eq(dpl_wheel_halt(device), 0);
    cr_assert_eq(dpl_wheel_stop(device), 0);
    run(1, false);
    cr_assert_eq(base.aim.speed_mm_s, 0);
}

Test(wheel_kobuki_wire, stands_while_its_executor_is_late)
{
    fake.is_late = true;
    run(1, true);
    cr_assert_eq(base.aim.speed_mm_s, 0);
    run(100, true);
    cr_assert_eq(base.aim.speed_mm_s, 0);
}

Test(wheel_kobuki_wire, stands_as_soon_as_another_device_is_lost)
{
    fake.is_halted = true;
    run(1, true);
    cr_assert_eq(base.aim.speed_mm_s, 0);
    fake.is_halted = false;
    run(50, false);
    cr_assert_eq(base.aim.speed_mm_s, 0, "nobody has commanded it since");
}

Test(wheel_kobuki_wire, stands_where_feedback_has_gaps_too)
{
    fake.is_late = true;
    fake.now += 40 * DPL_MS;
    fake_stream_timer(&fake);
    cr_assert_eq(base.aim.speed_mm_s, 0);
}

Test(wheel_kobuki_wire, goes_on_with_a_new_command_not_with_the_old_setpoint)
{
    fake.is_late = true;
    run(5, true);
    fake.is_late = false;
    run(50, false);
    cr_assert_eq(base.aim.speed_mm_s, 0, "the executor is back, but has commanded nothing");
    struct dpl_wheel_state reading;
    cr_assert_eq(dpl_wheel_read(device, &reading), 0);
    cr_assert_not(reading.running);
    cr_assert_eq(dpl_wheel_drive(device, 0.1, 0.0), 0);
    run(40, false);
    cr_assert_eq(base.aim.speed_mm_s, 100);
}

Test(wheel_kobuki_wire, a_move_does_not_go_on_by_itself)
{
    cr_assert_eq(dpl_wheel_move(device, 5.0, 0.2), 0);
    run(10, false);
    fake.is_late = true;
    run(5, true);
    fake.is_late = false;
    run(50, false);
    cr_assert_eq(base.aim.speed_mm_s, 0);
}
