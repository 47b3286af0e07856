/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of the Kobuki driver, without a wire: the port never opens. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include <criterion/criterion.h>

#include <doppel/drv/wheel_controller.h>
#include <doppel/plugin.h>

/* ---- the runtime, as far as the driver meets it ---- */

int dpl_device_open_stream(struct dpl_device *device, const struct dpl_stream_config *config,
                           struct dpl_stream **ret_stream, struct dpl_diag *reterr)
{
    *ret_stream = NULL;
    return 0;
}

void dpl_stream_close(struct dpl_stream *stream)
{
}

int dpl_stream_write(struct dpl_stream *stream, const void *bytes, size_t n)
{
    return -ENOTCONN;
}

void dpl_stream_settled(struct dpl_stream *stream)
{
}

void dpl_stream_reopen(struct dpl_stream *stream, const char *why)
{
}

dpl_ns dpl_device_now(const struct dpl_device *device)
{
    return 0;
}

bool dpl_device_is_lost(const struct dpl_device *device)
{
    return false;
}

bool dpl_device_is_halted(const struct dpl_device *device)
{
    return false;
}

bool dpl_device_is_commanded(const struct dpl_device *device)
{
    return true;
}

void dpl_device_lost(struct dpl_device *device, const char *format, ...)
{
}

void dpl_device_found(struct dpl_device *device)
{
}

void dpl_device_log(struct dpl_device *device, enum dpl_log_level level, const char *format, ...)
{
}

/* ---- the driver ---- */

static struct dpl_device device;

static void begin(void)
{
    const struct dpl_driver *driver = dpl_plugin.driver;
    void *properties = calloc(1, driver->properties_size);
    dpl_fields_set_defaults(driver->properties, driver->n_properties, properties);
    device = (struct dpl_device){.name = "Base",
                                 .driver = driver,
                                 .properties = properties,
                                 .state = calloc(1, driver->state_size)};
    cr_assert_eq(driver->open(&device, NULL), 0);
}

static void end(void)
{
    device.driver->close(&device);
    free((void *)(uintptr_t)device.properties);
    free(device.state);
}

TestSuite(wheel_kobuki, .init = begin, .fini = end);

Test(wheel_kobuki, tells_a_wrapped_heading_at_once_after_a_position_is_set)
{
    struct dpl_pose2 pose = {1.0, -2.0, DPL_PI + 0.5};
    struct dpl_wheel_state reading;
    cr_assert_eq(dpl_wheel_set_position(&device, &pose), 0);
    cr_assert_eq(dpl_wheel_read(&device, &reading), 0);
    cr_assert_float_eq(reading.pose.x, 1.0, 1e-12);
    cr_assert_float_eq(reading.pose.y, -2.0, 1e-12);
    cr_assert_float_eq(reading.pose.theta, 0.5 - DPL_PI, 1e-12, "%g", reading.pose.theta);
}

Test(wheel_kobuki, knows_no_reading_before_the_first_frame)
{
    struct dpl_wheel_state reading;
    cr_assert_eq(dpl_wheel_read(&device, &reading), 0);
    cr_assert_not(reading.valid);
}
