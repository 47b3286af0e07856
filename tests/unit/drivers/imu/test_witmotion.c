/* SPDX-License-Identifier: Apache-2.0 */
/* The driver `witmotion` with a fake of the runtime: what comes on the line, what is read, and when
 * the sensor is lost. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/imu.h>
#include <doppel/plugin.h>

#include "imu_motion.h"

extern const struct dpl_plugin dpl_plugin;

static struct dpl_stream_config stream;
static struct dpl_stream *const line = (struct dpl_stream *)&stream;
static _Alignas(max_align_t) char properties[1024], state[8192];
static struct dpl_device device;
static bool lost;
static int n_closed, n_settled;
static char why[200];

/* ---- the runtime, as far as the driver meets it ---- */

int dpl_device_open_stream(struct dpl_device *opened, const struct dpl_stream_config *config,
                           struct dpl_stream **ret_stream, struct dpl_diag *reterr)
{
    stream = *config;
    *ret_stream = line;
    return 0;
}

void dpl_stream_close(struct dpl_stream *closed)
{
    n_closed += closed == line;
}

void dpl_stream_settled(struct dpl_stream *settled)
{
    n_settled += settled == line;
}

void dpl_stream_reopen(struct dpl_stream *reopened, const char *reason)
{
    stream.ops->lost(reopened, stream.user, reason);
}

bool dpl_device_is_lost(const struct dpl_device *asked)
{
    return lost;
}

void dpl_device_lost(struct dpl_device *which, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    lost = true;
}

void dpl_device_found(struct dpl_device *which)
{
    lost = false;
}

/* ---- the line ---- */

static void begin(void)
{
    const struct dpl_driver *driver = dpl_plugin.driver;
    cr_assert(driver->properties_size <= sizeof properties && driver->state_size <= sizeof state);
    dpl_fields_set_defaults(driver->properties, driver->n_properties, properties);
    device = (struct dpl_device){
        .name = "Imu", .driver = driver, .properties = properties, .state = state};
    cr_assert_eq(driver->open(&device, NULL), 0);
    stream.ops->opened(line, stream.user, 0);
}

TestSuite(imu_witmotion, .init = begin);

static void measure(double turn_rad_s, dpl_ns now)
{
    uint8_t bytes[IMU_MOTION_BYTES];
    struct imu_motion motion = imu_motion_at_rest;
    motion.rate_rad_s[2] = turn_rad_s;
    motion.angles_rad[0] = 0.1;
    motion.angles_rad[1] = 0.2;
    motion.angles_rad[2] = 0.3;
    imu_motion_write(&motion, bytes);
    stream.ops->data(line, stream.user, bytes, sizeof bytes, now);
}

static struct dpl_imu_sample read_sample(void)
{
    struct dpl_imu_sample sample;
    const struct dpl_tick tick = {0};
    cr_assert_eq(dpl_imu_execute(&device, &tick), 0);
    cr_assert_eq(dpl_imu_read(&device, &sample), 0);
    return sample;
}

static double exported(const char *name)
{
    const struct dpl_driver *driver = dpl_plugin.driver;
    const struct dpl_field *field = dpl_field_find(driver->exports, driver->n_exports, name);
    cr_assert_not_null(field, "%s", name);
    return dpl_field_number(field, state);
}

Test(imu_witmotion, opens_a_serial_port_at_the_speed_of_a_new_sensor)
{
    cr_assert_str_eq(stream.address, "/dev/witmotion");
    cr_assert_eq(stream.baud, 9600);
    device.driver->close(&device);
    cr_assert_eq(n_closed, 1);
}

Test(imu_witmotion, reads_the_newest_measurement)
{
    cr_assert_not(read_sample().valid);
    measure(0.5, 10);
    measure(-0.5, 20);
    struct dpl_imu_sample sample = read_sample();
    cr_assert(sample.valid);
    cr_assert_eq(sample.stamp, 20);
    cr_assert_eq(sample.sequence, 2);
    cr_assert_float_eq(sample.rate_rad_s[2], -0.5, 1e-3);
    cr_assert_float_eq(sample.acceleration_m_s2[2], 9.80665, 1e-9);
    cr_assert_float_eq(sample.roll_rad, 0.1, 1e-4);
    cr_assert_float_eq(sample.pitch_rad, 0.2, 1e-4);
    cr_assert_float_eq(sample.yaw_rad, 0.3, 1e-4);
    cr_assert_eq(read_sample().sequence, 2, "nothing new");
    cr_assert_eq(exported("measurements"), 2.0);
    cr_assert_eq(exported("temperature_c"), 25.0);
    cr_assert_eq(n_settled, 2);
}

Test(imu_witmotion, is_lost_when_the_sensor_is_silent_and_found_when_it_speaks)
{
    measure(0.5, 10);
    stream.ops->timer(line, stream.user, 10 + 500 * DPL_MS);
    cr_assert_not(lost, "500 ms are allowed");
    stream.ops->timer(line, stream.user, 11 + 500 * DPL_MS);
    cr_assert(lost);
    cr_assert_not_null(strstr(why, "stopped sending"), "%s", why);
    struct dpl_imu_sample sample;
    const struct dpl_tick tick = {0};
    cr_assert_eq(dpl_imu_execute(&device, &tick), -ENODEV);
    cr_assert_eq(dpl_imu_read(&device, &sample), -ENODEV);
    stream.ops->opened(line, stream.user, DPL_S);
    measure(0.25, DPL_S + 1);
    cr_assert_not(lost);
    cr_assert_float_eq(read_sample().rate_rad_s[2], 0.25, 1e-3);
    cr_assert_eq(exported("reconnects"), 1.0);
}

Test(imu_witmotion, says_why_there_is_nothing)
{
    stream.ops->timer(line, stream.user, DPL_S);
    cr_assert_not_null(strstr(why, "/dev/witmotion: nothing on this port"), "%s", why);
}
