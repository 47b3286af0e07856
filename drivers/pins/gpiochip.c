/* SPDX-License-Identifier: Apache-2.0 */
/* The driver of a computer's own pins, by the kernel's GPIO character device (uAPI v2, Linux 5.10).
 * Digital only: PWM and analog are -ENOTSUP, and so are writes for a later instant.
 *
 * The kernel's interrupt handler stamps edges with CLOCK_MONOTONIC. The run's clock differs from it
 * by a constant, which is measured at the first cycle with an accuracy of two clock calls. Each
 * cycle empties the kernel's queues with one non-blocking read per pin: it never waits, but it is a
 * system call. The kernel keeps GPIO_KEPT edges per pin between two cycles.
 *
 * The thread of the calls writes the outputs. A timer on the control thread sets them low while no
 * command arrives in time. No other thread uses them. A write of the calls at the same time has
 * priority. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/gpio.h>

#include <doppel/plugin.h>

#include "gpiochip.h"

#define LINES_MAX 65536
#define WATCH_MS  20

struct properties {
    char chip[128];
    char pins[1024];
};

/* ---- opening ---- */

/* The line with this name in the kernel (from its device tree). */
static int find_line(int chip_fd, const char *name, unsigned *ret_offset)
{
    struct gpiochip_info chip = {0};
    if (ioctl(chip_fd, GPIO_GET_CHIPINFO_IOCTL, &chip) < 0) {
        return -errno;
    }
    for (unsigned i = 0; i < chip.lines; i++) {
        struct gpio_v2_line_info line = {.offset = i};
        if (ioctl(chip_fd, GPIO_V2_GET_LINEINFO_IOCTL, &line) < 0) {
            return -errno;
        }
        if (strncmp(line.name, name, sizeof line.name) == 0) {
            *ret_offset = i;
            return 0;
        }
    }
    return -ENOENT;
}

static uint64_t flags_of(enum dpl_pin_mode mode)
{
    uint64_t edges = GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING;
    switch (mode) {
    case DPL_PIN_INPUT: return GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_BIAS_DISABLED | edges;
    case DPL_PIN_PULL_UP: return GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_BIAS_PULL_UP | edges;
    case DPL_PIN_OUTPUT: return GPIO_V2_LINE_FLAG_OUTPUT;
    default: return 0;
    }
}

static int request_line(int chip_fd, struct pin *pin)
{
    struct gpio_v2_line_request request = {
        .offsets = {pin->offset},
        .num_lines = 1,
        .consumer = "doppel",
        .event_buffer_size = GPIO_KEPT,
        .config = {.flags = flags_of(DPL_PIN_INPUT)},
    };
    if (ioctl(chip_fd, GPIO_V2_GET_LINE_IOCTL, &request) < 0) {
        return -errno;
    }
    if (fcntl(request.fd, F_SETFL, O_NONBLOCK) < 0) {
        int err = -errno;
        close(request.fd);
        return err;
    }
    pin->fd = request.fd;
    return 0;
}

/* The line for a word of the property Pins: NAME=LINE with the line's number, or the kernel's name
 * of the line. */
static int line_of(const struct state *state, size_t index, unsigned *ret_offset)
{
    const char *number = state->names.pin[index];
    return number[0] != '\0' ? pin_names_number(number, LINES_MAX, ret_offset)
                             : find_line(state->chip_fd, state->names.name[index], ret_offset);
}

static int add_pins(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    int err = pin_names_read(p->pins, &state->names, reterr);
    for (size_t i = 0; err == 0 && i < state->names.n; i++) {
        struct pin *pin = &state->pins[i];
        err = line_of(state, i, &pin->offset);
        err = err < 0 ? err : request_line(state->chip_fd, pin);
        if (err < 0) {
            return dpl_fail(reterr, err, (struct dpl_place){0}, "%s: line of pin '%s': %s", p->chip,
                            state->names.name[i], strerror(-err));
        }
        state->n = i + 1;
    }
    return err;
}

/* Sets the line low, then to input: many chips continue to drive a line that is only freed. */
static void let_go(const struct pin *pin)
{
    if (pin->mode == DPL_PIN_OUTPUT) {
        struct gpio_v2_line_values low = {.bits = 0, .mask = 1};
        struct gpio_v2_line_config input = {.flags = flags_of(DPL_PIN_INPUT)};
        (void)ioctl(pin->fd, GPIO_V2_LINE_SET_VALUES_IOCTL, &low);
        (void)ioctl(pin->fd, GPIO_V2_LINE_SET_CONFIG_IOCTL, &input);
    }
    close(pin->fd); /* the kernel frees the line */
}

static void gpiochip_close(struct dpl_device *device)
{
    struct state *state = device->state;
    dpl_stream_close(state->watch);
    state->watch = NULL;
    for (size_t i = 0; i < state->n; i++) {
        let_go(&state->pins[i]);
    }
    state->n = 0;
}

/* ---- control thread ---- */

static int set_level(const struct pin *pin, bool level)
{
    struct gpio_v2_line_values values = {.bits = level, .mask = 1};
    return ioctl(pin->fd, GPIO_V2_LINE_SET_VALUES_IOCTL, &values);
}

/* A write of the calls at the same time has priority: it increments its counter before it
 * writes. */
static void rest(struct pin *pin)
{
    if (!atomic_load_explicit(&pin->is_output, memory_order_acquire)) {
        return;
    }
    unsigned before = atomic_load(&pin->n_writes);
    (void)set_level(pin, false);
    if (atomic_load(&pin->n_writes) != before) {
        (void)set_level(pin, atomic_load(&pin->level));
    }
}

static void on_watch(struct dpl_stream *stream, void *user, dpl_ns now)
{
    (void)stream, (void)now;
    struct dpl_device *device = user;
    struct state *state = device->state;
    bool rests = !dpl_device_is_commanded(device);
    for (size_t i = 0; i < state->n && rests && !state->rests; i++) {
        rest(&state->pins[i]);
    }
    state->rests = rests;
}

static int start_watch(struct dpl_device *device, struct dpl_diag *reterr)
{
    static const struct dpl_stream_ops ops = {.timer = on_watch};
    struct state *state = device->state;
    struct dpl_stream_config config = {
        .address = "timer:", .timer_ms = WATCH_MS, .ops = &ops, .user = device};
    return dpl_device_open_stream(device, &config, &state->watch, reterr);
}

static int gpiochip_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    struct gpiochip_info chip;
    state->chip_fd = open(p->chip, O_RDWR | O_CLOEXEC);
    if (state->chip_fd < 0) {
        int err = -errno;
        return dpl_fail(reterr, err, (struct dpl_place){0},
                        "%s: %s: is there a GPIO chip in this machine, and may you use it?",
                        p->chip, strerror(-err));
    }
    int err = ioctl(state->chip_fd, GPIO_GET_CHIPINFO_IOCTL, &chip) < 0
                  ? dpl_fail(reterr, -ENOTTY, (struct dpl_place){0}, "%s is no GPIO chip", p->chip)
                  : add_pins(device, reterr);
    err = err < 0 ? err : start_watch(device, reterr);
    if (err < 0) {
        gpiochip_close(device);
    }
    close(state->chip_fd);
    return err;
}

/* ---- calls ---- */

static int pin_of(struct dpl_device *device, unsigned number, struct pin **ret_pin)
{
    struct state *state = device->state;
    if (number >= state->n) {
        return -EINVAL;
    }
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    *ret_pin = &state->pins[number];
    return 0;
}

static int call_line(struct dpl_device *device, struct pin *pin, unsigned long request, void *data)
{
    if (ioctl(pin->fd, request, data) == 0) {
        return 0;
    }
    int err = -errno;
    if (err == -ENODEV) {
        dpl_device_lost(device, "line %u has gone", pin->offset);
    }
    return err;
}

static int gpiochip_set_mode(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_mode *asked = in;
    unsigned number = (unsigned)asked->pin;
    enum dpl_pin_mode mode = (enum dpl_pin_mode)asked->mode;
    struct pin *pin;
    int err = pin_of(device, number, &pin);
    if (err < 0) {
        return err;
    }
    struct gpio_v2_line_config config = {.flags = flags_of(mode)};
    if (config.flags == 0) {
        return -ENOTSUP;
    }
    err = call_line(device, pin, GPIO_V2_LINE_SET_CONFIG_IOCTL, &config);
    if (err == 0) {
        pin->mode = mode;
        atomic_store_explicit(&pin->is_output, mode == DPL_PIN_OUTPUT, memory_order_release);
    }
    return err;
}

static int gpiochip_write(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_write *asked = in;
    unsigned number = (unsigned)asked->pin;
    struct pin *pin;
    int err = pin_of(device, number, &pin);
    if (err < 0) {
        return err;
    }
    if (pin->mode != DPL_PIN_OUTPUT) {
        return -EPERM;
    }
    if (asked->at > dpl_device_now(device)) {
        return -ENOTSUP;
    }
    atomic_store(&pin->level, asked->level);
    atomic_fetch_add(&pin->n_writes, 1);
    struct gpio_v2_line_values values = {.bits = asked->level, .mask = 1};
    return call_line(device, pin, GPIO_V2_LINE_SET_VALUES_IOCTL, &values);
}

static int gpiochip_read(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_pin *asked = in;
    unsigned number = (unsigned)asked->pin;
    struct dpl_pins_level *ret = out;
    struct pin *pin;
    int err = pin_of(device, number, &pin);
    if (err < 0) {
        return err;
    }
    struct gpio_v2_line_values values = {.mask = 1};
    err = call_line(device, pin, GPIO_V2_LINE_GET_VALUES_IOCTL, &values);
    if (err == 0) {
        ret->level = (values.bits & 1) != 0;
    }
    return err;
}

static int gpiochip_read_edges(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_take *asked = in;
    unsigned number = (unsigned)asked->pin;
    struct dpl_pins_edges *ret = out;
    size_t n = (size_t)asked->n;
    struct pin *pin;
    int err = pin_of(device, number, &pin);
    if (err < 0) {
        return err;
    }
    size_t taken = pin->n < n ? pin->n : n;
    for (size_t i = 0; i < taken; i++) {
        ret->edges[i] = pin->edges[(pin->first + i) % DPL_PINS_EDGES_MAX];
    }
    pin->first = (pin->first + taken) % DPL_PINS_EDGES_MAX;
    pin->n -= taken;
    ret->lost = pin->lost;
    pin->lost = 0;
    ret->n = taken;
    return 0;
}

static int gpiochip_find(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_find *asked = in;
    unsigned *ret_pin = &((struct dpl_pins_number *)out)->pin;
    const struct state *state = device->state;
    int index = pin_names_find(&state->names, asked->name);
    if (index < 0) {
        return pin_names_number(asked->name, (unsigned)state->n, ret_pin);
    }
    *ret_pin = (unsigned)index;
    return 0;
}

/* ---- tables ---- */

static const dpl_device_call_fn api[DPL_DRV_PINS_N_CALLS] = {
    [DPL_DRV_PINS_FIND] = gpiochip_find,
    [DPL_DRV_PINS_SET_MODE] = gpiochip_set_mode,
    [DPL_DRV_PINS_WRITE] = gpiochip_write,
    [DPL_DRV_PINS_READ] = gpiochip_read,
    [DPL_DRV_PINS_READ_EDGES] = gpiochip_read_edges,
    [DPL_DRV_PINS_EXECUTE] = gpiochip_execute,
};

static const struct dpl_field properties[] = {
    DPL_TEXT(struct properties, chip, "Chip", "/dev/gpiochip0",
             "the character device of the GPIO chip"),
    DPL_TEXT(struct properties, pins, "Pins", NULL,
             "NAME=LINE or the kernel's name of a line, separated by blanks"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, n_edges, "pin_edges", NULL, DPL_FIELD_SUMMARY,
                   "edges taken from the kernel"),
    DPL_EXPORT_INT(struct state, n_lost, "pin_edges_lost", NULL, DPL_FIELD_SUMMARY,
                   "edges dropped before they were read"),
};

static const struct dpl_driver driver = {
    .name = "gpiochip",
    .summary = "this computer's own digital pins (Linux GPIO character device)",
    .device_class = &dpl_pins_class,
    .backend = DPL_BACKEND_HARDWARE,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = gpiochip_open,
    .close = gpiochip_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
