/* SPDX-License-Identifier: Apache-2.0 */
/* Imu with a fake driver: what it makes of measurements, of their mount, of age and of errors. */
#include <errno.h>
#include <math.h>

#include <criterion/criterion.h>

#include <doppel/drv/imu.h>
#include <doppel/math/geometry.h>
#include <doppel/msg/imu.h>

#include "fake_runtime.h"

enum { IMU };

static struct dpl_imu_sample sample;
static int execute_error, read_error;
static dpl_ns now;

static int execute_device(struct dpl_device *device, const void *in, void *out)
{
    return execute_error;
}

static int read_sample(struct dpl_device *device, const void *in, void *out)
{
    *(struct dpl_imu_sample *)out = sample;
    return read_error;
}

static const dpl_device_call_fn api[DPL_DRV_IMU_N_CALLS] = {
    [DPL_DRV_IMU_EXECUTE] = execute_device,
    [DPL_DRV_IMU_READ] = read_sample,
};
static struct dpl_driver driver = {.name = "fake", .device_class = &dpl_imu_class, .api = api};
static struct dpl_device device = {.driver = &driver};

static void begin(void)
{
    fake_begin();
    fake.device = &device;
    now = 100 * DPL_MS;
}

TestSuite(imu_glue, .init = begin, .fini = fake_end);

static const Doppel__Imu *cycle(void)
{
    fake_cycle(now, 20 * DPL_MS);
    now += 20 * DPL_MS;
    return fake_sent(IMU);
}

static void measure(void)
{
    sample = (struct dpl_imu_sample){
        .valid = true,
        .stamp = now - DPL_MS,
        .sequence = sample.sequence + 1,
        .rate_rad_s = {1.0, 2.0, 3.0},
        .acceleration_m_s2 = {4.0, 5.0, 6.0},
        .roll_rad = 0.1,
        .pitch_rad = 0.2,
        .yaw_rad = 0.3,
    };
}

#define NEAR(a, b) cr_assert_float_eq(a, b, 1e-12, "%.15g, expected %.15g", a, b)

Test(imu_glue, publishes_each_measurement_with_its_stamp)
{
    cr_assert_eq(fake_start(20 * DPL_MS, NULL), 0);
    measure();
    const Doppel__Imu *imu = cycle();
    NEAR(imu->rate_x, 1.0);
    NEAR(imu->rate_y, 2.0);
    NEAR(imu->rate_z, 3.0);
    NEAR(imu->acceleration_x, 4.0);
    NEAR(imu->acceleration_y, 5.0);
    NEAR(imu->acceleration_z, 6.0);
    NEAR(imu->roll, 0.1);
    NEAR(imu->pitch, 0.2);
    NEAR(imu->yaw, 0.3);
    cr_assert(imu->valid);
    cr_assert_eq(fake.ports[IMU].stamp, 99 * DPL_MS);
    NEAR(fake_export("rate_z"), 3.0);
    NEAR(fake_export("age_s"), 1e-3);
    cr_assert_eq(fake_export("measurements"), 1.0);
}

/* The unit is turned to the left by a quarter: its x axis is the robot's y axis. */
Test(imu_glue, gives_the_robots_frame_whatever_the_mount)
{
    fake_set("Yaw", "1.5707963267948966");
    cr_assert_eq(fake_start(20 * DPL_MS, NULL), 0);
    measure();
    sample.roll_rad = 0.0;
    const Doppel__Imu *imu = cycle();
    NEAR(imu->rate_x, -2.0);
    NEAR(imu->rate_y, 1.0);
    NEAR(imu->rate_z, 3.0);
    NEAR(imu->acceleration_x, -5.0);
    NEAR(imu->acceleration_y, 4.0);
    NEAR(imu->yaw, 0.3 - DPL_PI / 2);
    NEAR(imu->roll, -0.2); /* the unit's pitch */
    NEAR(imu->pitch, 0.0);
}

/* Upside down: a unit at rest feels gravity downwards. */
Test(imu_glue, a_unit_that_hangs_stands_for_a_robot_that_stands)
{
    fake_set("Roll", "3.141592653589793");
    cr_assert_eq(fake_start(20 * DPL_MS, NULL), 0);
    sample = (struct dpl_imu_sample){.valid = true,
                                     .sequence = 1,
                                     .stamp = now,
                                     .acceleration_m_s2 = {0.0, 0.0, -9.80665},
                                     .rate_rad_s = {0.0, 0.0, -0.5},
                                     .roll_rad = DPL_PI,
                                     .yaw_rad = 0.7};
    const Doppel__Imu *imu = cycle();
    NEAR(imu->acceleration_z, 9.80665);
    NEAR(imu->rate_z, 0.5);
    NEAR(imu->roll, 0.0);
    NEAR(imu->yaw, 0.7);
}

Test(imu_glue, is_not_valid_before_the_first_measurement_and_when_it_is_too_old)
{
    fake_set("StaleAfter", "50");
    cr_assert_eq(fake_start(20 * DPL_MS, NULL), 0);
    sample = (struct dpl_imu_sample){.valid = false};
    cr_assert_not(cycle()->valid);
    cr_assert_eq(fake_export("stale"), 0.0);
    measure();
    cr_assert(cycle()->valid);
    cr_assert(cycle()->valid);
    cr_assert(cycle()->valid); /* 41 ms */
    cr_assert_not(cycle()->valid);
    cr_assert_eq(fake_export("stale"), 1.0);
    cr_assert_eq(fake_export("measurements"), 1.0, "the same one");
    NEAR(((const Doppel__Imu *)fake_sent(IMU))->rate_x, 1.0);
    measure();
    cr_assert(cycle()->valid);
    cr_assert_eq(fake_export("measurements"), 2.0);
}

Test(imu_glue, goes_on_when_the_device_gives_nothing)
{
    cr_assert_eq(fake_start(20 * DPL_MS, NULL), 0);
    measure();
    read_error = -ENODEV;
    cr_assert_not(cycle()->valid);
    execute_error = -ENODEV;
    read_error = 0;
    cr_assert_not(cycle()->valid);
    cr_assert_eq(fake_export("errors"), 2.0);
    execute_error = 0;
    cr_assert(cycle()->valid);
    cr_assert_eq(fake.ports[IMU].n_sent, 3);
}
