/* SPDX-License-Identifier: Apache-2.0 */
/* The joystick driver: the test is its stream. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/force_sensor.h>
#include <doppel/plugin.h>

#include "fake_device.h"

static struct fake_device fake;
static struct dpl_device *const device = &fake.device;

static void begin(void)
{
    fake_device_begin(&fake, dpl_plugin.driver);
    fake_device_set(&fake, "Axes", "0 x 10; 2 yaw -4");
    fake_device_set(&fake, "DeadZone", "0");
    fake_device_open(&fake);
    fake_stream_opened(&fake);
}

static void end(void)
{
    fake_device_end(&fake);
}

TestSuite(joystick, .init = begin, .fini = end);

static void turn(uint8_t axis, int16_t to)
{
    uint8_t record[8] = {[6] = 2, [7] = axis};
    memcpy(record + 4, &to, 2);
    fake_stream_data(&fake, record, sizeof record);
}

static struct dpl_force_sample measure(dpl_ns now)
{
    struct dpl_tick tick = {.now = now};
    struct dpl_force_sample sample = {.valid = false};
    cr_assert_eq(dpl_force_sensor_execute(device, &tick), 0);
    cr_assert_eq(dpl_force_sensor_read(device, &sample), 0);
    return sample;
}

Test(joystick, opens_its_port_as_it_is)
{
    cr_assert_str_eq(fake.stream.address, "/dev/input/js0");
    cr_assert_eq(fake.stream.baud, 0);
    fake_device_close(&fake);
    cr_assert_eq(fake.n_closed, 1);
}

Test(joystick, measures_each_cycle_what_its_stick_pushes)
{
    struct dpl_force_sample sample = measure(5);
    cr_assert(sample.valid);
    cr_assert_eq(sample.stamp, 5);
    cr_assert_eq(sample.wrench[0], 0.0);
    turn(0, 32767);
    turn(2, -32767);
    uint64_t before = sample.sequence;
    sample = measure(6);
    cr_assert_eq(sample.sequence, before + 1);
    cr_assert_eq(sample.wrench[0], 10.0);
    cr_assert_eq(sample.wrench[5], 4.0);
    cr_assert_eq(sample.applied[0], 10.0);
    cr_assert_eq(measure(7).wrench[0], 10.0, "a stick that is held sends nothing");
}

Test(joystick, is_lost_when_it_is_unplugged_and_at_rest_when_it_comes_back)
{
    turn(0, 32767);
    measure(1);
    fake_stream_lost(&fake, "no such device");
    cr_assert(fake.is_lost);
    struct dpl_force_sample sample;
    cr_assert_eq(dpl_force_sensor_execute(device, &(struct dpl_tick){.now = 2}), -ENODEV);
    cr_assert_eq(dpl_force_sensor_read(device, &sample), -ENODEV);
    cr_assert_eq(dpl_force_sensor_tare(device), -ENODEV);
    fake_stream_opened(&fake);
    cr_assert_not(fake.is_lost);
    cr_assert_eq(measure(3).wrench[0], 0.0);
    turn(0, -32767);
    cr_assert_eq(measure(4).wrench[0], -10.0);
}

Test(joystick, takes_the_present_force_for_zero)
{
    turn(0, 16384);
    double half = measure(1).wrench[0];
    cr_assert_eq(dpl_force_sensor_tare(device), 0);
    cr_assert_eq(measure(2).wrench[0], 0.0);
    turn(0, 32767);
    cr_assert_eq(measure(3).wrench[0], 10.0 - half);
    cr_assert_eq(measure(4).applied[0], 10.0);
}

Test(joystick, refuses_a_bad_map)
{
    struct dpl_diag error;
    const struct dpl_driver *driver = device->driver;
    const struct dpl_field *axes = dpl_field_find(driver->properties, driver->n_properties, "Axes");
    struct dpl_field_text value = {.text = "0 x 10; 1 w 1"};
    void *properties = (void *)(uintptr_t)device->properties;
    fake_device_close(&fake);
    cr_assert_lt(dpl_field_parse(axes, &value, properties, &error), 0);
    cr_assert_not_null(strstr(error.text, "Axes: character 11"), "%s", error.text);
}
