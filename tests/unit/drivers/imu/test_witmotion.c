/* SPDX-License-Identifier: Apache-2.0 */
/* The driver `witmotion`: what comes on the line, what is read, and when the sensor is lost. */
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/imu.h>
#include <doppel/plugin.h>

#include "fake_device.h"
#include "imu_motion.h"

static struct fake_device fake;
static struct dpl_device *const device = &fake.device;

static void begin(void)
{
    fake_device_begin(&fake, dpl_plugin.driver);
    fake_device_open(&fake);
    fake_stream_opened(&fake);
}

static void end(void)
{
    fake_device_end(&fake);
}

TestSuite(imu_witmotion, .init = begin, .fini = end);

static void measure(double turn_rad_s, dpl_ns now)
{
    uint8_t bytes[IMU_MOTION_BYTES];
    struct imu_motion motion = imu_motion_at_rest;
    motion.rate_rad_s[2] = turn_rad_s;
    motion.angles_rad[0] = 0.1;
    motion.angles_rad[1] = 0.2;
    motion.angles_rad[2] = 0.3;
    imu_motion_write(&motion, bytes);
    fake.now = now;
    fake_stream_data(&fake, bytes, sizeof bytes);
}

static void run_timer(dpl_ns now)
{
    fake.now = now;
    fake_stream_timer(&fake);
}

static struct dpl_imu_sample read_sample(void)
{
    struct dpl_imu_sample sample;
    const struct dpl_tick tick = {0};
    cr_assert_eq(dpl_imu_execute(device, &tick), 0);
    cr_assert_eq(dpl_imu_read(device, &sample), 0);
    return sample;
}

Test(imu_witmotion, opens_a_serial_port_at_the_speed_of_a_new_sensor)
{
    cr_assert_str_eq(fake.stream.address, "/dev/witmotion");
    cr_assert_eq(fake.stream.baud, 9600);
    fake_device_close(&fake);
    cr_assert_eq(fake.n_closed, 1);
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
    cr_assert_eq(fake_device_export(&fake, "measurements"), 2.0);
    cr_assert_eq(fake_device_export(&fake, "temperature_c"), 25.0);
    cr_assert_eq(fake.n_settled, 2);
}

Test(imu_witmotion, is_lost_when_the_sensor_is_silent_and_found_when_it_speaks)
{
    measure(0.5, 10);
    run_timer(10 + 500 * DPL_MS);
    cr_assert_not(fake.is_lost, "500 ms are allowed");
    run_timer(11 + 500 * DPL_MS);
    cr_assert(fake.is_lost);
    cr_assert_not_null(strstr(fake.why, "stopped sending"), "%s", fake.why);
    struct dpl_imu_sample sample;
    const struct dpl_tick tick = {0};
    cr_assert_eq(dpl_imu_execute(device, &tick), -ENODEV);
    cr_assert_eq(dpl_imu_read(device, &sample), -ENODEV);
    fake.now = DPL_S;
    fake_stream_opened(&fake);
    measure(0.25, DPL_S + 1);
    cr_assert_not(fake.is_lost);
    cr_assert_float_eq(read_sample().rate_rad_s[2], 0.25, 1e-3);
    cr_assert_eq(fake_device_export(&fake, "reconnects"), 1.0);
}

Test(imu_witmotion, says_why_there_is_nothing)
{
    run_timer(DPL_S);
    cr_assert_not_null(strstr(fake.why, "/dev/witmotion: nothing on this port"), "%s", fake.why);
}
