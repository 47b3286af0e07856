/* SPDX-License-Identifier: Apache-2.0 */
/* Device class pins: the pins of a board, digital with exact edge times, PWM, analog. A pin is
 * known by its number, found by name. Every call is made by one thread at a time (the runtime
 * serialises) and returns at once. 0, -ENODEV while the device is lost, -EINVAL for a pin or value
 * that does not exist, -EPERM when the pin's mode does not allow the call, -ENOTSUP where the board
 * cannot do it. */
#ifndef DOPPEL_DRV_PINS_H
#define DOPPEL_DRV_PINS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <doppel/device.h>
#include <doppel/msg/pins_enums.h>
#include <doppel/time.h>

#define DPL_PINS_CLASS     "pins"
#define DPL_PINS_MAX       64
#define DPL_PINS_EDGES_MAX 64 /* kept a pin until they are read; more: the oldest are dropped */

extern const struct dpl_device_class dpl_pins_class;

struct dpl_pin_edge {
    dpl_ns at;  /* on the run's clock */
    bool level; /* after the edge */
};

enum dpl_pins_call {
    DPL_DRV_PINS_FIND, /* the number of a pin: by its name, or its number as text. -ENOENT. */
    DPL_DRV_PINS_SET_MODE,
    /* Drives an output at the instant `at` on the run's clock, in the order of the calls: now, or
     * later (-ENOTSUP for boards without timed outputs). An instant that has passed counts as now;
     * on the simulated clock the wire keeps it exactly as long as the other side has not read past
     * it. */
    DPL_DRV_PINS_WRITE,
    /* A voltage as a part of the reference, 0 to 1; quantised by the board's resolution. */
    DPL_DRV_PINS_WRITE_ANALOG,
    DPL_DRV_PINS_WRITE_PWM,
    DPL_DRV_PINS_READ,
    /* A wire that carries PWM reads as its mean voltage: the low-pass filter in front of an ADC. */
    DPL_DRV_PINS_READ_ANALOG,
    DPL_DRV_PINS_READ_PWM,
    /* Takes the edges that the other side of the wire made until now and that were not taken yet,
     * oldest first; the own edges are not among them. */
    DPL_DRV_PINS_READ_EDGES,
    /* When the other side of the wire was last told to drive it, were it to what it did already:
     * a controller that lives repeats itself. -EAGAIN: never; -ENOTSUP: the board cannot tell. */
    DPL_DRV_PINS_LAST_DRIVEN,
    /* Sends a high pulse of `trigger`, then listens, and has the board itself time the answering
     * pulse: its two edges come with read_edges, as far apart as the board measured. For boards
     * that cannot time the edges of `write`; -ENOTSUP: write the edges. */
    DPL_DRV_PINS_PING,
    DPL_DRV_PINS_EXECUTE, /* once a cycle of the owning component, before anything else */
    DPL_DRV_PINS_N_CALLS,
};

/* Arguments of the calls. Where there is a pin, it comes first. */
struct dpl_pins_find {
    char name[48];
};

struct dpl_pins_pin {
    int64_t pin;
};

struct dpl_pins_mode {
    int64_t pin, mode;
};

struct dpl_pins_write {
    int64_t pin;
    bool level;
    dpl_ns at;
};

struct dpl_pins_ratio {
    int64_t pin;
    double ratio;
};

struct dpl_pins_pwm {
    int64_t pin;
    double duty, frequency_hz;
};

struct dpl_pins_ping {
    int64_t pin;
    dpl_ns trigger, timeout;
};

struct dpl_pins_take {
    int64_t pin, n; /* at most n edges */
};

/* Results. */
struct dpl_pins_number {
    unsigned pin;
};

struct dpl_pins_level {
    bool level;
};

struct dpl_pins_voltage {
    double ratio;
};

struct dpl_pins_pulses {
    double duty, frequency_hz;
};

struct dpl_pins_edges {
    size_t n;
    unsigned lost; /* dropped before they were read */
    struct dpl_pin_edge edges[DPL_PINS_EDGES_MAX];
};

struct dpl_pins_driven {
    dpl_ns at;
};

static inline int dpl_pins_find(struct dpl_device *d, const char *name, unsigned *ret_pin)
{
    struct dpl_pins_find in;
    struct dpl_pins_number out;
    if (strlen(name) >= sizeof in.name) {
        return -ENOENT;
    }
    strcpy(in.name, name);
    int err = dpl_device_call(d, DPL_DRV_PINS_FIND, &in, &out);
    if (err == 0) {
        *ret_pin = out.pin;
    }
    return err;
}

static inline int dpl_pins_set_mode(struct dpl_device *d, unsigned pin, enum dpl_pin_mode mode)
{
    const struct dpl_pins_mode in = {pin, (int64_t)mode};
    return dpl_device_call(d, DPL_DRV_PINS_SET_MODE, &in, NULL);
}

static inline int dpl_pins_write(struct dpl_device *d, unsigned pin, bool level, dpl_ns at)
{
    const struct dpl_pins_write in = {pin, level, at};
    return dpl_device_call(d, DPL_DRV_PINS_WRITE, &in, NULL);
}

static inline int dpl_pins_write_analog(struct dpl_device *d, unsigned pin, double ratio)
{
    const struct dpl_pins_ratio in = {pin, ratio};
    return dpl_device_call(d, DPL_DRV_PINS_WRITE_ANALOG, &in, NULL);
}

static inline int dpl_pins_write_pwm(struct dpl_device *d, unsigned pin, double duty,
                                     double frequency_hz)
{
    const struct dpl_pins_pwm in = {pin, duty, frequency_hz};
    return dpl_device_call(d, DPL_DRV_PINS_WRITE_PWM, &in, NULL);
}

static inline int dpl_pins_read(struct dpl_device *d, unsigned pin, bool *ret_level)
{
    const struct dpl_pins_pin in = {pin};
    struct dpl_pins_level out;
    int err = dpl_device_call(d, DPL_DRV_PINS_READ, &in, &out);
    if (err == 0) {
        *ret_level = out.level;
    }
    return err;
}

static inline int dpl_pins_read_analog(struct dpl_device *d, unsigned pin, double *ret_ratio)
{
    const struct dpl_pins_pin in = {pin};
    struct dpl_pins_voltage out;
    int err = dpl_device_call(d, DPL_DRV_PINS_READ_ANALOG, &in, &out);
    if (err == 0) {
        *ret_ratio = out.ratio;
    }
    return err;
}

static inline int dpl_pins_read_pwm(struct dpl_device *d, unsigned pin, double *ret_duty,
                                    double *ret_frequency_hz)
{
    const struct dpl_pins_pin in = {pin};
    struct dpl_pins_pulses out;
    int err = dpl_device_call(d, DPL_DRV_PINS_READ_PWM, &in, &out);
    if (err == 0) {
        *ret_duty = out.duty;
        *ret_frequency_hz = out.frequency_hz;
    }
    return err;
}

/* At most `n` edges, and no more than DPL_PINS_EDGES_MAX. Adds what was dropped to *lost. */
static inline int dpl_pins_read_edges(struct dpl_device *d, unsigned pin,
                                      struct dpl_pin_edge *ret_edges, size_t n, size_t *ret_n,
                                      unsigned *lost)
{
    const struct dpl_pins_take in = {pin, n < DPL_PINS_EDGES_MAX ? (int64_t)n : DPL_PINS_EDGES_MAX};
    struct dpl_pins_edges out;
    int err = dpl_device_call(d, DPL_DRV_PINS_READ_EDGES, &in, &out);
    if (err == 0) {
        memcpy(ret_edges, out.edges, out.n * sizeof out.edges[0]);
        *ret_n = out.n;
        *lost += out.lost;
    }
    return err;
}

static inline int dpl_pins_last_driven(struct dpl_device *d, unsigned pin, dpl_ns *ret_at)
{
    const struct dpl_pins_pin in = {pin};
    struct dpl_pins_driven out;
    int err = dpl_device_call(d, DPL_DRV_PINS_LAST_DRIVEN, &in, &out);
    if (err == 0) {
        *ret_at = out.at;
    }
    return err;
}

static inline int dpl_pins_ping(struct dpl_device *d, unsigned pin, dpl_ns trigger, dpl_ns timeout)
{
    const struct dpl_pins_ping in = {pin, trigger, timeout};
    return dpl_device_call(d, DPL_DRV_PINS_PING, &in, NULL);
}

static inline int dpl_pins_execute(struct dpl_device *d, const struct dpl_tick *tick)
{
    return dpl_device_call(d, DPL_DRV_PINS_EXECUTE, tick, NULL);
}

#endif
