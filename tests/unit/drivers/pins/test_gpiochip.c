/* SPDX-License-Identifier: Apache-2.0 */
/* The driver of the kernel's GPIO chips: what it asks of the kernel, with a fake kernel (machines
 * that build and test seldom have a GPIO chip); its errors with the kernel of every machine; and
 * its calls where there is a chip (DOPPEL_TEST_GPIOCHIP names one whose line 0 is free, e.g. of the
 * kernel's gpio-sim). */
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <doppel/drv/pins.h>
#include <doppel/plugin.h>

#include "fake_device.h"

extern const struct dpl_plugin gpiochip_plugin;

static struct fake_device fake;
static struct dpl_device *const device = &fake.device;

/* ---- the kernel ---- */

static bool kernel_is_fake;
static char asked[512];          /* what lines were told, in order */
static void (*before_low)(void); /* a call that comes just before a line goes low */

static void ask(const char *what)
{
    size_t used = strlen(asked);
    snprintf(asked + used, sizeof asked - used, "%s ", what);
}

static void answer(unsigned long request, void *data)
{
    if (request == GPIO_V2_GET_LINE_IOCTL) {
        ((struct gpio_v2_line_request *)data)->fd = open("/dev/null", O_RDWR);
        ask("line");
    } else if (request == GPIO_V2_LINE_SET_CONFIG_IOCTL) {
        uint64_t flags = ((const struct gpio_v2_line_config *)data)->flags;
        ask(flags & GPIO_V2_LINE_FLAG_OUTPUT ? "output" : "input");
    } else if (request == GPIO_V2_LINE_SET_VALUES_IOCTL) {
        bool high = ((const struct gpio_v2_line_values *)data)->bits & 1;
        if (!high && before_low) {
            before_low();
        }
        ask(high ? "high" : "low");
    }
}

int ioctl(int fd, unsigned long request, ...)
{
    va_list args;
    va_start(args, request);
    void *data = va_arg(args, void *);
    va_end(args);
    if (!kernel_is_fake) {
        return (int)syscall(SYS_ioctl, fd, request, data);
    }
    answer(request, data);
    return 0;
}

static void begin(void)
{
    fake_device_begin(&fake, gpiochip_plugin.driver);
    fake.now = DPL_S;
}

static void end(void)
{
    fake_device_end(&fake);
    cr_assert_eq(fake.n_lost, 0, "%s", fake.why);
}

/* ---- a fake kernel ---- */

static void begin_lines(void)
{
    begin();
    kernel_is_fake = true;
    fake_device_set(&fake, "Chip", "/dev/null");
    fake_device_set(&fake, "Pins", "MOTOR=4 BUTTON=5");
    fake_device_open(&fake);
}

TestSuite(gpiochip_lines, .init = begin_lines, .fini = end);

/* The control thread's timer. */
static void run_timer(bool is_late, const char *expected)
{
    asked[0] = '\0';
    fake.is_late = is_late;
    fake_stream_timer(&fake);
    cr_assert_str_eq(asked, expected);
}

Test(gpiochip_lines, outputs_go_low_and_let_go_when_the_device_is_closed)
{
    cr_assert_str_eq(asked, "line line ");
    asked[0] = '\0';
    cr_assert_eq(dpl_pins_set_mode(device, 0, DPL_PIN_OUTPUT), 0);
    cr_assert_eq(dpl_pins_write(device, 0, true, 0), 0);
    cr_assert_str_eq(asked, "output high ");
    asked[0] = '\0';
    fake_device_close(&fake);
    cr_assert_str_eq(asked, "low input ", "%s", asked); /* of the output alone */
}

Test(gpiochip_lines, outputs_are_low_while_nobody_commands_in_time)
{
    cr_assert_str_eq(fake.stream.address, "timer:");
    cr_assert(fake.stream.timer_ms > 0 && fake.stream.timer_ms <= 50);
    cr_assert_eq(dpl_pins_set_mode(device, 0, DPL_PIN_OUTPUT), 0);
    cr_assert_eq(dpl_pins_write(device, 0, true, 0), 0);
    run_timer(false, "");
    run_timer(true, "low "); /* of the output alone, and once */
    run_timer(true, "");
    run_timer(false, ""); /* what was written before does not come back */
    asked[0] = '\0';
    cr_assert_eq(dpl_pins_write(device, 0, true, 0), 0);
    cr_assert_str_eq(asked, "high ");
    run_timer(true, "low ");
    fake_device_close(&fake);
}

/* The kernel is slow, and the executor comes back in the middle of it. */
static int writes_between;
static void write_between(void)
{
    if (writes_between > 0) {
        writes_between--;
        cr_assert_eq(dpl_pins_write(device, 0, true, 0), 0);
    }
}

Test(gpiochip_lines, a_write_that_comes_while_outputs_go_low_counts)
{
    cr_assert_eq(dpl_pins_set_mode(device, 0, DPL_PIN_OUTPUT), 0);
    writes_between = 1;
    before_low = write_between;
    run_timer(true, "high low high ");
    before_low = NULL;
    fake_device_close(&fake);
}

/* ---- the kernel of this machine ---- */

TestSuite(gpiochip, .init = begin, .fini = end);

static void set(const char *chip, const char *pins)
{
    fake.now = 1000;
    fake_device_set(&fake, "Chip", chip);
    fake_device_set(&fake, "Pins", pins);
}

Test(gpiochip, says_what_is_no_chip)
{
    set("/nowhere/gpiochip7", "A=0");
    fake_device_refuses(&fake, -ENOENT, "/nowhere/gpiochip7");
    fake_device_refuses(&fake, -ENOENT, "GPIO chip");
    set("/dev/null", "A=0");
    fake_device_refuses(&fake, -ENOTTY, "/dev/null is no GPIO chip");
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
    struct dpl_tick tick = {.now = fake.now};
    set(chip, "A=0");
    fake_device_open(&fake);
    cr_assert_eq(dpl_pins_find(device, "A", &pin), 0);
    cr_assert_eq(dpl_pins_set_mode(device, pin, DPL_PIN_PWM_OUT), -ENOTSUP);
    cr_assert_eq(dpl_pins_read_analog(device, pin, &value), -ENOTSUP);
    cr_assert_eq(dpl_pins_write(device, pin, true, 0), -EPERM);
    cr_assert_eq(dpl_pins_set_mode(device, pin, DPL_PIN_OUTPUT), 0);
    cr_assert_eq(dpl_pins_write(device, pin, true, 2000), -ENOTSUP);
    cr_assert_eq(dpl_pins_write(device, pin, true, 1000), 0);
    cr_assert_eq(dpl_pins_read(device, pin, &level), 0);
    cr_assert(level);
    cr_assert_eq(dpl_pins_set_mode(device, pin, DPL_PIN_INPUT), 0);
    cr_assert_eq(dpl_pins_execute(device, &tick), 0);
    cr_assert_eq(dpl_pins_read_edges(device, pin, edges, 4, &n, &lost), 0);
}
