/* SPDX-License-Identifier: Apache-2.0 */
/* ForceSensor with a fake driver: what it makes of readings, silence and errors. */
#include <errno.h>
#include <math.h>

#include <criterion/criterion.h>

#include <doppel/drv/force_sensor.h>
#include <doppel/msg/force_sensor.h>

#include "fake_runtime.h"

enum { WRENCH, APPLIED };

static struct dpl_force_sample sample;
static int execute_error, read_error, n_tares, tare_error;

static int execute_device(struct dpl_device *device, const void *in, void *out)
{
    return execute_error;
}

static int read_sample(struct dpl_device *device, const void *in, void *out)
{
    *(struct dpl_force_sample *)out = sample;
    return read_error;
}

static int tare(struct dpl_device *device, const void *in, void *out)
{
    n_tares++;
    return tare_error;
}

static const dpl_device_call_fn api[DPL_DRV_FORCE_SENSOR_N_CALLS] = {
    [DPL_DRV_FORCE_SENSOR_EXECUTE] = execute_device,
    [DPL_DRV_FORCE_SENSOR_READ] = read_sample,
    [DPL_DRV_FORCE_SENSOR_TARE] = tare,
};
static const dpl_device_call_fn bare[DPL_DRV_FORCE_SENSOR_N_CALLS] = {
    [DPL_DRV_FORCE_SENSOR_READ] = read_sample,
};
static struct dpl_driver driver = {
    .name = "fake", .device_class = &dpl_force_sensor_class, .api = api};
static struct dpl_device device = {.driver = &driver};

static void begin(void)
{
    fake_begin();
    fake.device = &device;
}

TestSuite(force_sensor_glue, .init = begin, .fini = fake_end);

static dpl_ns now;

static void cycle(void)
{
    fake_cycle(now, DPL_MS);
    now += DPL_MS;
}

static void measure(double force)
{
    sample.valid = true;
    sample.sequence++;
    sample.stamp = now - 7;
    sample.wrench[0] = force;
    sample.applied[0] = force + 0.5;
    cycle();
}

static const Doppel__Wrench *wrench(void)
{
    return fake_sent(WRENCH);
}

static const Doppel__Wrench *applied(void)
{
    return fake_sent(APPLIED);
}

Test(force_sensor_glue, publishes_each_measurement_with_its_stamp_and_the_truth)
{
    cr_assert_eq(fake_start(DPL_MS, NULL), 0);
    sample.wrench[5] = -3.0;
    measure(2.0);
    cr_assert_eq(wrench()->force_x, 2.0);
    cr_assert_eq(wrench()->torque_z, -3.0);
    cr_assert(wrench()->valid);
    cr_assert_eq(fake.ports[WRENCH].stamp, -7);
    cr_assert_eq(applied()->force_x, 2.5);
    cr_assert(applied()->valid);
    cr_assert_eq(fake_export("samples"), 1.0);
    cr_assert_eq(fake_export("force_x"), 2.0);
    cr_assert_eq(fake_export("applied_x"), 2.5);
}

Test(force_sensor_glue, says_that_nothing_is_new_and_that_it_is_stale)
{
    cr_assert_eq(fake_start(DPL_MS, NULL), 0);
    measure(2.0);
    cycle();
    cr_assert_not(wrench()->valid);
    cr_assert_eq(wrench()->force_x, 2.0, "the newest one is repeated");
    cr_assert_eq(fake_export("stale"), 0.0);
    for (int i = 0; i < 20; i++) {
        cycle();
    }
    cr_assert_eq(fake_export("stale"), 2.0, "%g", fake_export("stale"));
    cr_assert_eq(fake.n_logged, 1, "%d", fake.n_logged);
    measure(3.0);
    cr_assert(wrench()->valid);
    cr_assert_eq(fake_export("samples"), 2.0);
}

Test(force_sensor_glue, keeps_the_newest_good_reading_when_one_is_no_number)
{
    cr_assert_eq(fake_start(DPL_MS, NULL), 0);
    measure(2.0);
    measure((double)NAN);
    cr_assert_not(wrench()->valid);
    cr_assert_eq(wrench()->force_x, 2.0);
    cr_assert_eq(fake_export("not_finite"), 1.0);
}

Test(force_sensor_glue, goes_on_when_the_device_gives_nothing)
{
    cr_assert_eq(fake_start(DPL_MS, NULL), 0);
    measure(2.0);
    execute_error = -ENODEV;
    measure(9.0);
    cr_assert_not(wrench()->valid);
    cr_assert_eq(wrench()->force_x, 2.0);
    execute_error = 0;
    read_error = -ENODEV;
    measure(9.0);
    cr_assert_not(wrench()->valid);
    cr_assert_not(applied()->valid);
    cr_assert_eq(fake_export("errors"), 2.0);
}

Test(force_sensor_glue, sets_the_first_measurement_to_zero_once_when_asked_to)
{
    fake_set("Tare", "true");
    cr_assert_eq(fake_start(DPL_MS, NULL), 0);
    cycle();
    cr_assert_eq(n_tares, 0, "before it measured");
    measure(2.0);
    measure(2.0);
    cr_assert_eq(n_tares, 1);
    cr_assert_eq(fake.n_logged, 0);
}

Test(force_sensor_glue, warns_where_the_device_has_no_zero)
{
    fake_set("Tare", "true");
    driver.api = bare;
    cr_assert_eq(fake_start(DPL_MS, NULL), 0);
    measure(2.0);
    cr_assert_eq(fake.n_logged, 1);
    cr_assert(wrench()->valid);
    driver.api = api;
}

Test(force_sensor_glue, counts_saturated_and_stuck_measurements)
{
    fake_set("StuckAfter", "5");
    cr_assert_eq(fake_start(DPL_MS, NULL), 0);
    sample.saturated = true;
    for (int i = 0; i < 8; i++) {
        measure(2.0);
    }
    cr_assert_eq(fake_export("saturated"), 8.0);
    cr_assert_eq(fake_export("stuck"), 3.0, "%g", fake_export("stuck"));
    cr_assert_not(wrench()->valid);
}

Test(force_sensor_glue, forgets_what_it_knew_at_a_start)
{
    cr_assert_eq(fake_start(DPL_MS, NULL), 0);
    measure(2.0);
    now += DPL_S;
    cr_assert_eq(fake.self.class_->ops->start(&fake.self, NULL), 0);
    cycle();
    cr_assert(wrench()->valid, "the number of the last run's reading says nothing");
    cr_assert_eq(fake_export("stale"), 0.0);
}
