/* SPDX-License-Identifier: Apache-2.0 */
/* The joystick driver with fakes for the runtime: the test is its stream. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/force_sensor.h>
#include <doppel/plugin.h>

static struct dpl_stream_config stream;
static struct dpl_device device;
static bool lost, closed;
static struct dpl_stream *const handle = (struct dpl_stream *)&stream;

int dpl_device_open_stream(struct dpl_device *d, const struct dpl_stream_config *config,
                           struct dpl_stream **ret_stream, struct dpl_diag *reterr)
{
    stream = *config;
    *ret_stream = handle;
    return 0;
}

void dpl_stream_close(struct dpl_stream *s)
{
    closed = s == handle;
}

void dpl_device_lost(struct dpl_device *d, const char *format, ...)
{
    lost = true;
}

void dpl_device_found(struct dpl_device *d)
{
    lost = false;
}

bool dpl_device_is_lost(const struct dpl_device *d)
{
    return lost;
}

static void create(void)
{
    const struct dpl_driver *driver = dpl_plugin.driver;
    void *properties = calloc(1, driver->properties_size);
    device = (struct dpl_device){.name = "stick",
                                 .driver = driver,
                                 .properties = properties,
                                 .state = calloc(1, driver->state_size)};
    cr_assert(properties && device.state);
    dpl_fields_set_defaults(driver->properties, driver->n_properties, properties);
}

static void set(const char *name, const char *text)
{
    const struct dpl_driver *driver = device.driver;
    const struct dpl_field *field = dpl_field_find(driver->properties, driver->n_properties, name);
    struct dpl_field_text value = {.text = text};
    cr_assert_eq(dpl_field_parse(field, &value, (void *)(uintptr_t)device.properties, NULL), 0);
}

static void destroy(void)
{
    free((void *)(uintptr_t)device.properties);
    free(device.state);
}

static void plug_in(void)
{
    stream.ops->opened(handle, stream.user, 0);
}

static void begin(void)
{
    struct dpl_diag error;
    create();
    set("Axes", "0 x 10; 2 yaw -4");
    set("DeadZone", "0");
    cr_assert_eq(device.driver->open(&device, &error), 0, "%s", error.text);
    plug_in();
}

TestSuite(joystick, .init = begin, .fini = destroy);

static void turn(uint8_t axis, int16_t to)
{
    uint8_t record[8] = {[6] = 2, [7] = axis};
    memcpy(record + 4, &to, 2);
    stream.ops->data(handle, stream.user, record, sizeof record, 0);
}

static struct dpl_force_sample measure(dpl_ns now)
{
    struct dpl_tick tick = {.now = now};
    struct dpl_force_sample sample = {.valid = false};
    cr_assert_eq(dpl_force_sensor_execute(&device, &tick), 0);
    cr_assert_eq(dpl_force_sensor_read(&device, &sample), 0);
    return sample;
}

Test(joystick, opens_its_port_as_it_is)
{
    cr_assert_str_eq(stream.address, "/dev/input/js0");
    cr_assert_eq(stream.baud, 0);
    device.driver->close(&device);
    cr_assert(closed);
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
    stream.ops->lost(handle, stream.user, "no such device");
    cr_assert(lost);
    struct dpl_force_sample sample;
    cr_assert_eq(dpl_force_sensor_execute(&device, &(struct dpl_tick){.now = 2}), -ENODEV);
    cr_assert_eq(dpl_force_sensor_read(&device, &sample), -ENODEV);
    cr_assert_eq(dpl_force_sensor_tare(&device), -ENODEV);
    plug_in();
    cr_assert_not(lost);
    cr_assert_eq(measure(3).wrench[0], 0.0);
    turn(0, -32767);
    cr_assert_eq(measure(4).wrench[0], -10.0);
}

Test(joystick, takes_the_present_force_for_zero)
{
    turn(0, 16384);
    double half = measure(1).wrench[0];
    cr_assert_eq(dpl_force_sensor_tare(&device), 0);
    cr_assert_eq(measure(2).wrench[0], 0.0);
    turn(0, 32767);
    cr_assert_eq(measure(3).wrench[0], 10.0 - half);
    cr_assert_eq(measure(4).applied[0], 10.0);
}

Test(joystick, refuses_a_bad_map)
{
    struct dpl_diag error;
    destroy();
    create();
    const struct dpl_driver *driver = device.driver;
    const struct dpl_field *axes = dpl_field_find(driver->properties, driver->n_properties, "Axes");
    struct dpl_field_text value = {.text = "0 x 10; 1 w 1"};
    cr_assert_lt(dpl_field_parse(axes, &value, (void *)(uintptr_t)device.properties, &error), 0);
    cr_assert_not_null(strstr(error.text, "Axes: character 11"), "%s", error.text);
}
