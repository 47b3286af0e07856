/* SPDX-License-Identifier: Apache-2.0 */
/* The driver of the kernel's GPIO chips: its errors on every machine, and its calls where there is
 * a chip (DOPPEL_TEST_GPIOCHIP names one whose line 0 is free, e.g. of the kernel's gpio-sim). */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/drv/pins.h>
#include <doppel/plugin.h>

static struct dpl_device device;
static struct dpl_diag error;

dpl_ns dpl_device_now(const struct dpl_device *d)
{
    (void)d;
    return 1000;
}

bool dpl_device_is_lost(const struct dpl_device *d)
{
    (void)d;
    return false;
}

void dpl_device_lost(struct dpl_device *d, const char *format, ...)
{
    (void)d;
    cr_assert_fail("lost: %s", format);
}

bool dpl_device_is_commanded(const struct dpl_device *d)
{
    (void)d;
    return true;
}

int dpl_device_open_stream(struct dpl_device *d, const struct dpl_stream_config *config,
                           struct dpl_stream **ret_stream, struct dpl_diag *reterr)
{
    (void)d, (void)config, (void)ret_stream, (void)reterr;
    return 0;
}

void dpl_stream_close(struct dpl_stream *stream)
{
    (void)stream;
}

static int open_with(const char *chip, const char *pins)
{
    const struct dpl_driver *driver = dpl_plugin.driver;
    char *properties = calloc(1, driver->properties_size);
    device = (struct dpl_device){.name = "Pins",
                                 .driver = driver,
                                 .properties = properties,
                                 .state = calloc(1, driver->state_size)};
    cr_assert(properties && device.state);
    memset(&error, 0, sizeof error);
    strcpy(properties + driver->properties[0].offset, chip);
    strcpy(properties + driver->properties[1].offset, pins);
    return driver->open(&device, &error);
}

Test(gpiochip, says_that_there_is_no_chip)
{
    cr_assert_eq(open_with("/nowhere/gpiochip7", "A=0"), -ENOENT);
    cr_assert(strstr(error.text, "/nowhere/gpiochip7") && strstr(error.text, "GPIO chip"), "%s",
              error.text);
}

Test(gpiochip, says_that_a_file_is_no_chip)
{
    cr_assert_eq(open_with("/dev/null", "A=0"), -ENODEV);
    cr_assert(strstr(error.text, "/dev/null is no GPIO chip") != NULL, "%s", error.text);
}

Test(gpiochip, drives_and_reads_a_line_where_there_is_a_chip)
{
    const char *chip = getenv("DOPPEL_TEST_GPIOCHIP");
    if (!chip) {
        cr_skip_test("no GPIO chip to test with: set DOPPEL_TEST_GPIOCHIP to one");
    }
    struct dpl_pin_edge edges[4];
    size_t n;
    unsigned pin, lost = 0;
    bool level;
    double value;
    struct dpl_tick tick = {.now = 1000};
    cr_assert_eq(open_with(chip, "A=0"), 0, "%s", error.text);
    cr_assert_eq(dpl_pins_find(&device, "A", &pin), 0);
    cr_assert_eq(dpl_pins_set_mode(&device, pin, DPL_PIN_PWM_OUT), -ENOTSUP);
    cr_assert_eq(dpl_pins_read_analog(&device, pin, &value), -ENOTSUP);
    cr_assert_eq(dpl_pins_write(&device, pin, true, 0), -EPERM);
    cr_assert_eq(dpl_pins_set_mode(&device, pin, DPL_PIN_OUTPUT), 0);
    cr_assert_eq(dpl_pins_write(&device, pin, true, 2000), -ENOTSUP);
    cr_assert_eq(dpl_pins_write(&device, pin, true, 1000), 0);
    cr_assert_eq(dpl_pins_read(&device, pin, &level), 0);
    cr_assert(level);
    cr_assert_eq(dpl_pins_set_mode(&device, pin, DPL_PIN_INPUT), 0);
    cr_assert_eq(dpl_pins_execute(&device, &tick), 0);
    cr_assert_eq(dpl_pins_read_edges(&device, pin, edges, 4, &n, &lost), 0);
    device.driver->close(&device);
}
