/* SPDX-License-Identifier: Apache-2.0 */
/* Device class pins: the pins of a board: digital with exact edge times, PWM, analog. A pin is
 * identified by its number, which is found by its name. One thread at a time makes the calls (the
 * runtime ensures it); each returns at once. 0, -ENODEV while the device is lost, -EINVAL for a pin
 * or value that does not exist, -EPERM when the pin's mode does not allow the call, -ENOTSUP when
 * the board does not support it. */
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

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_PINS_CLASS     "pins"
#define DPL_PINS_MAX       64
/* edges stored per pin until they are read; when there are more, the oldest are dropped */
#define DPL_PINS_EDGES_MAX 64

extern const struct dpl_device_class dpl_pins_class;

struct dpl_pin_edge {
    dpl_ns at;  /* on the run's clock */
    bool level; /* after the edge */
};

enum dpl_pins_call {
    /* the number of a pin with this name, or with its number as text. -ENOENT. */
    DPL_DRV_PINS_FIND,
    DPL_DRV_PINS_SET_MODE,
    /* Drives an output at the time `at` on the run's clock, in the order of the calls: now, or
     * later (-ENOTSUP for boards without timed outputs). A time in the past counts as now; on the
     * simulated clock it is kept exactly if the other side has not read past it. */
    DPL_DRV_PINS_WRITE,
    /* A voltage as a part of the reference, 0 to 1; quantised by the board's resolution. */
    DPL_DRV_PINS_WRITE_ANALOG,
    DPL_DRV_PINS_WRITE_PWM,
    DPL_DRV_PINS_READ,
    /* A wire with PWM reads as its mean voltage, like with a low-pass filter in front of an ADC. */
    DPL_DRV_PINS_READ_ANALOG,
    DPL_DRV_PINS_READ_PWM,
    /* Takes the edges that the other side of the wire has made until now and that were not taken
     * yet, oldest first. Edges of this side are not included. */
    DPL_DRV_PINS_READ_EDGES,
    /* The time of the last command to the other side of the wire to drive it, even with the same
     * value: a running controller repeats its commands. -EAGAIN: never; -ENOTSUP: not supported by
     * the board. */
    DPL_DRV_PINS_LAST_DRIVEN,
    /* Sends a high pulse of the length `trigger`, then listens; the board itself measures the
     * answering pulse. Its two edges come with read_edges, with the distance that the board
     * measured. For boards that cannot time the edges of `write`; -ENOTSUP: use write instead. */
    DPL_DRV_PINS_PING,
    DPL_DRV_PINS_EXECUTE, /* once per cycle of the owning component, before all other calls */
    DPL_DRV_PINS_N_CALLS,
};

/* Arguments of the calls. A pin comes first. */
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

/* At most `n` edges, and no more than DPL_PINS_EDGES_MAX. Adds the number of dropped ones to
 * *lost. */
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

#ifdef __cplusplus
}
#endif

#endif
