/* SPDX-License-Identifier: Apache-2.0 */
/* The whole Kobuki driver over a wire to the emulated base, on a clock that the test advances: what
 * the base hears when its application stops for cause, or when nobody commands it in time. */
#include <stdarg.h>
#include <stdlib.h>

#include <criterion/criterion.h>

#include <doppel/drv/wheel_controller.h>
#include <doppel/plugin.h>

#include "kobuki_base.h"

/* ---- the runtime, as far as the driver meets it ---- */

static struct {
    const struct dpl_stream_ops *ops;
    void *user;
} wire;
static struct kobuki_base base;
static struct kobuki_sensors sensors;
static dpl_ns now;
static bool is_commanded, is_halted;

int dpl_device_open_stream(struct dpl_device *device, const struct dpl_stream_config *config,
                           struct dpl_stream **ret_stream, struct dpl_diag *reterr)
{
    (void)device;
    (void)reterr;
    wire.ops = config->ops;
    wire.user = config->user;
    *ret_stream = (struct dpl_stream *)&wire;
    return 0;
}

void dpl_stream_close(struct dpl_stream *stream)
{
    (void)stream;
}

int dpl_stream_write(struct dpl_stream *stream, const void *bytes, size_t n)
{
    (void)stream;
    kobuki_base_receive(&base, bytes, n, now);
    return 0;
}

void dpl_stream_settled(struct dpl_stream *stream)
{
    (void)stream;
}

void dpl_stream_reopen(struct dpl_stream *stream, const char *why)
{
    (void)stream;
    cr_assert_fail("%s", why);
}

dpl_ns dpl_device_now(const struct dpl_device *device)
{
    (void)device;
    return now;
}

bool dpl_device_is_lost(const struct dpl_device *device)
{
    (void)device;
    return false;
}

bool dpl_device_is_halted(const struct dpl_device *device)
{
    (void)device;
    return is_halted;
}

bool dpl_device_is_commanded(const struct dpl_device *device)
{
    (void)device;
    return is_commanded;
}

void dpl_device_lost(struct dpl_device *device, const char *format, ...)
{
    (void)device;
    cr_assert_fail("%s", format);
}

void dpl_device_found(struct dpl_device *device)
{
    (void)device;
}

void dpl_device_log(struct dpl_device *device, enum dpl_log_level level, const char *format, ...)
{
    (void)device;
    (void)level;
    (void)format;
}

/* ---- the driver on its wire ---- */

static struct dpl_device device;

/* Frames of 20 ms; the executor runs in each unless it hangs. */
static void run(int frames, bool hangs)
{
    for (int i = 0; i < frames; i++) {
        now += 20 * DPL_MS;
        sensors.stamp = now;
        uint8_t frame[DPL_KOBUKI_MAX_FRAME];
        size_t n = kobuki_base_feedback(&base, &sensors, frame);
        wire.ops->data((struct dpl_stream *)&wire, wire.user, frame, n, now);
        wire.ops->timer((struct dpl_stream *)&wire, wire.user, now);
        if (!hangs) {
            dpl_wheel_execute(&device, &(struct dpl_tick){.now = now});
        }
    }
}

static void begin(void)
{
    const struct dpl_driver *driver = dpl_plugin.driver;
    void *properties = calloc(1, driver->properties_size);
    dpl_fields_set_defaults(driver->properties, driver->n_properties, properties);
    device = (struct dpl_device){.name = "Base",
                                 .driver = driver,
                                 .properties = properties,
                                 .state = calloc(1, driver->state_size)};
    struct kobuki_base_config config = kobuki_base_config_default();
    kobuki_base_init(&base, &config);
    is_commanded = true;
    is_halted = false;
    cr_assert_eq(driver->open(&device, NULL), 0);
    wire.ops->opened((struct dpl_stream *)&wire, wire.user, now);
    run(2, false);
    cr_assert_eq(dpl_wheel_enable(&device), 0);
    cr_assert_eq(dpl_wheel_drive(&device, 0.2, 0.0), 0);
    run(40, false);
    cr_assert_eq(base.aim.speed_mm_s, 200);
}

static void end(void)
{
    device.driver->close(&device);
    free((void *)(uintptr_t)device.properties);
    free(device.state);
}

TestSuite(wheel_kobuki_wire, .init = begin, .fini = end);

Test(wheel_kobuki_wire, a_halt_stops_the_base_with_the_next_frame_and_a_stop_by_its_ramp)
{
    cr_assert_eq(dpl_wheel_stop(&device), 0);
    run(1, false);
    cr_assert_eq(base.aim.speed_mm_s, 190);
    cr_assert_eq(dpl_wheel_halt(&device), 0);
    run(1, false);
    cr_assert_eq(base.aim.speed_mm_s, 0);
    cr_assert_eq(dpl_wheel_stop(&device), 0);
    cr_assert_eq(dpl_wheel_drive(&device, 0.2, 0.0), 0);
    run(1, false);
    cr_assert_eq(base.aim.speed_mm_s, 10, "the next command ramps as ever");
}

Test(wheel_kobuki_wire, a_stop_behind_a_halt_does_not_soften_it)
{
    cr_assert_eq(dpl_wheel_halt(&device), 0);
    cr_assert_eq(dpl_wheel_stop(&device), 0);
    run(1, false);
    cr_assert_eq(base.aim.speed_mm_s, 0);
}

Test(wheel_kobuki_wire, stands_while_its_executor_is_late)
{
    is_commanded = false;
    run(1, true);
    cr_assert_eq(base.aim.speed_mm_s, 0);
    run(100, true);
    cr_assert_eq(base.aim.speed_mm_s, 0);
}

Test(wheel_kobuki_wire, stands_as_soon_as_another_device_is_lost)
{
    is_halted = true;
    run(1, true);
    cr_assert_eq(base.aim.speed_mm_s, 0);
    is_halted = false;
    run(50, false);
    cr_assert_eq(base.aim.speed_mm_s, 0, "nobody has commanded it since");
}

Test(wheel_kobuki_wire, stands_where_feedback_has_gaps_too)
{
    is_commanded = false;
    now += 40 * DPL_MS;
    wire.ops->timer((struct dpl_stream *)&wire, wire.user, now);
    cr_assert_eq(base.aim.speed_mm_s, 0);
}

Test(wheel_kobuki_wire, goes_on_with_a_new_command_not_with_the_old_setpoint)
{
    is_commanded = false;
    run(5, true);
    is_commanded = true;
    run(50, false);
    cr_assert_eq(base.aim.speed_mm_s, 0, "the executor is back, but has commanded nothing");
    struct dpl_wheel_state reading;
    cr_assert_eq(dpl_wheel_read(&device, &reading), 0);
    cr_assert_not(reading.running);
    cr_assert_eq(dpl_wheel_drive(&device, 0.1, 0.0), 0);
    run(40, false);
    cr_assert_eq(base.aim.speed_mm_s, 100);
}

Test(wheel_kobuki_wire, a_move_does_not_go_on_by_itself)
{
    cr_assert_eq(dpl_wheel_move(&device, 5.0, 0.2), 0);
    run(10, false);
    is_commanded = false;
    run(5, true);
    is_commanded = true;
    run(50, false);
    cr_assert_eq(base.aim.speed_mm_s, 0);
}
