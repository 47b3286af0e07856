/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver gpiochip asks of the kernel, with a fake kernel: machines that build and test
 * seldom have a GPIO chip. */
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <criterion/criterion.h>

#include <doppel/drv/pins.h>
#include <doppel/plugin.h>

static char asked[512]; /* what lines were told, in order */
static dpl_ns now = DPL_S;
static void (*before_low)(void); /* a call that comes just before a line goes low */

static void ask(const char *what)
{
    size_t used = strlen(asked);
    snprintf(asked + used, sizeof asked - used, "%s ", what);
}

int ioctl(int fd, unsigned long request, ...)
{
    (void)fd;
    va_list args;
    va_start(args, request);
    void *data = va_arg(args, void *);
    va_end(args);
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
    return 0;
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

void dpl_device_lost(struct dpl_device *device, const char *format, ...)
{
    (void)device;
    cr_assert_fail("%s", format);
}

static bool is_commanded = true;
static struct dpl_stream_config watch;

bool dpl_device_is_commanded(const struct dpl_device *device)
{
    (void)device;
    return is_commanded;
}

int dpl_device_open_stream(struct dpl_device *device, const struct dpl_stream_config *config,
                           struct dpl_stream **ret_stream, struct dpl_diag *reterr)
{
    (void)device, (void)ret_stream, (void)reterr;
    watch = *config;
    return 0;
}

void dpl_stream_close(struct dpl_stream *stream)
{
    (void)stream;
}

/* The control thread's timer. */
static void look(bool commanded, const char *expected)
{
    asked[0] = '\0';
    is_commanded = commanded;
    watch.ops->timer(NULL, watch.user, now);
    cr_assert_str_eq(asked, expected);
}

static struct dpl_device device;

static void begin(void)
{
    const struct dpl_driver *driver = dpl_plugin.driver;
    void *properties = calloc(1, driver->properties_size);
    device = (struct dpl_device){.name = "pins",
                                 .driver = driver,
                                 .properties = properties,
                                 .state = calloc(1, driver->state_size + 1)};
    cr_assert(properties && device.state);
    struct dpl_diag error = {0};
    const char *const set[][2] = {{"Chip", "/dev/null"}, {"Pins", "MOTOR=4 BUTTON=5"}};
    for (size_t i = 0; i < DPL_COUNT(set); i++) {
        const struct dpl_field *field =
            dpl_field_find(driver->properties, driver->n_properties, set[i][0]);
        cr_assert_not_null(field, "%s", set[i][0]);
        struct dpl_field_text text = {.text = set[i][1]};
        cr_assert_eq(dpl_field_parse(field, &text, properties, &error), 0, "%s", error.text);
    }
    cr_assert_eq(driver->open(&device, &error), 0, "%s", error.text);
}

Test(gpiochip_lines, outputs_go_low_and_let_go_when_the_device_is_closed, .init = begin)
{
    cr_assert_str_eq(asked, "line line ");
    asked[0] = '\0';
    cr_assert_eq(dpl_pins_set_mode(&device, 0, DPL_PIN_OUTPUT), 0);
    cr_assert_eq(dpl_pins_write(&device, 0, true, 0), 0);
    cr_assert_str_eq(asked, "output high ");
    asked[0] = '\0';
    device.driver->close(&device);
    cr_assert_str_eq(asked, "low input ", "%s", asked); /* of the output alone */
}

Test(gpiochip_lines, outputs_are_low_while_nobody_commands_in_time, .init = begin)
{
    cr_assert_str_eq(watch.address, "timer:");
    cr_assert(watch.timer_ms > 0 && watch.timer_ms <= 50);
    cr_assert_eq(dpl_pins_set_mode(&device, 0, DPL_PIN_OUTPUT), 0);
    cr_assert_eq(dpl_pins_write(&device, 0, true, 0), 0);
    look(true, "");
    look(false, "low "); /* of the output alone, and once */
    look(false, "");
    look(true, ""); /* what was written before does not come back */
    asked[0] = '\0';
    cr_assert_eq(dpl_pins_write(&device, 0, true, 0), 0);
    cr_assert_str_eq(asked, "high ");
    look(false, "low ");
    device.driver->close(&device);
}

/* The kernel is slow, and the executor comes back in the middle of it. */
static int writes_between;
static void write_between(void)
{
    if (writes_between > 0) {
        writes_between--;
        cr_assert_eq(dpl_pins_write(&device, 0, true, 0), 0);
    }
}

Test(gpiochip_lines, a_write_that_comes_while_outputs_go_low_counts, .init = begin)
{
    cr_assert_eq(dpl_pins_set_mode(&device, 0, DPL_PIN_OUTPUT), 0);
    writes_between = 1;
    before_low = write_between;
    look(false, "high low high ");
    before_low = NULL;
    device.driver->close(&device);
}
