/* SPDX-License-Identifier: Apache-2.0 */
/* Device class pins: the pins of a board, digital with exact edge times, PWM, analog. A pin is
 * known by its number, found by name. Every call is made by one thread at a time (the runtime
 * serialises) and returns at once. 0, -ENODEV while the device is lost, -EINVAL for a pin or value
 * that does not exist, -EPERM when the pin's mode does not allow the call, -ENOTSUP where the board
 * cannot do it. */
#ifndef DOPPEL_DRV_PINS_H
#define DOPPEL_DRV_PINS_H

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/device.h>
#include <doppel/msg/pins_enums.h>
#include <doppel/time.h>

#define DPL_PINS_CLASS     "pins"
#define DPL_PINS_MAX       64
#define DPL_PINS_EDGES_MAX 64 /* kept a pin until they are read; more: the oldest are dropped */

struct dpl_pin_edge {
    dpl_ns at;  /* on the run's clock */
    bool level; /* after the edge */
};

struct dpl_pins_api {
    /* The number of a pin: by its name, or its number as text. -ENOENT. */
    int (*find)(struct dpl_device *, const char *name, unsigned *ret_pin);
    int (*set_mode)(struct dpl_device *, unsigned pin, enum dpl_pin_mode mode);
    /* Drives an output at the instant `at` on the run's clock, in the order of the calls: now, or
     * later (-ENOTSUP for boards without timed outputs). An instant that has passed counts as now;
     * on the simulated clock the wire keeps it exactly as long as the other side has not read past
     * it. */
    int (*write)(struct dpl_device *, unsigned pin, bool level, dpl_ns at);
    /* A voltage as a part of the reference, 0 to 1; quantised by the board's resolution. */
    int (*write_analog)(struct dpl_device *, unsigned pin, double ratio);
    int (*write_pwm)(struct dpl_device *, unsigned pin, double duty, double frequency_hz);
    int (*read)(struct dpl_device *, unsigned pin, bool *ret_level);
    /* A wire that carries PWM reads as its mean voltage: the low-pass filter in front of an ADC. */
    int (*read_analog)(struct dpl_device *, unsigned pin, double *ret_ratio);
    int (*read_pwm)(struct dpl_device *, unsigned pin, double *ret_duty, double *ret_frequency_hz);
    /* Takes the edges that the other side of the wire made until now and that were not taken yet,
     * oldest first, at most `n`; the own edges are not among them. Adds what was dropped to *lost.
     */
    int (*read_edges)(struct dpl_device *, unsigned pin, struct dpl_pin_edge *ret_edges, size_t n,
                      size_t *ret_n, unsigned *lost);
    /* When the other side of the wire was last told to drive it, were it to what it did already:
     * a controller that lives repeats itself. -EAGAIN: never. NULL: the board cannot tell. */
    int (*last_driven)(struct dpl_device *, unsigned pin, dpl_ns *ret_at);
    /* Sends a high pulse of `trigger`, then listens, and has the board itself time the answering
     * pulse: its two edges come with read_edges, as far apart as the board measured. For boards
     * that cannot time the edges of `write`; NULL: write the edges. */
    int (*ping)(struct dpl_device *, unsigned pin, dpl_ns trigger, dpl_ns timeout);
    /* Once a cycle of the owning component, before anything else. NULL: nothing to do. */
    int (*execute)(struct dpl_device *, const struct dpl_tick *);
};

static inline const struct dpl_pins_api *dpl_pins_api(const struct dpl_device *d)
{
    return (const struct dpl_pins_api *)d->driver->api;
}

static inline int dpl_pins_find(struct dpl_device *d, const char *name, unsigned *ret_pin)
{
    return dpl_pins_api(d)->find(d, name, ret_pin);
}

static inline int dpl_pins_set_mode(struct dpl_device *d, unsigned pin, enum dpl_pin_mode mode)
{
    return (unsigned)mode <= DPL_PIN_PWM_IN ? dpl_pins_api(d)->set_mode(d, pin, mode) : -EINVAL;
}

static inline int dpl_pins_write(struct dpl_device *d, unsigned pin, bool level, dpl_ns at)
{
    return dpl_pins_api(d)->write(d, pin, level, at);
}

static inline int dpl_pins_write_analog(struct dpl_device *d, unsigned pin, double ratio)
{
    return ratio >= 0.0 && ratio <= 1.0 ? dpl_pins_api(d)->write_analog(d, pin, ratio) : -EINVAL;
}

static inline int dpl_pins_write_pwm(struct dpl_device *d, unsigned pin, double duty,
                                     double frequency_hz)
{
    if (!(duty >= 0.0 && duty <= 1.0) || !isfinite(frequency_hz) || frequency_hz <= 0.0) {
        return -EINVAL;
    }
    return dpl_pins_api(d)->write_pwm(d, pin, duty, frequency_hz);
}

static inline int dpl_pins_read(struct dpl_device *d, unsigned pin, bool *ret_level)
{
    return dpl_pins_api(d)->read(d, pin, ret_level);
}

static inline int dpl_pins_read_analog(struct dpl_device *d, unsigned pin, double *ret_ratio)
{
    return dpl_pins_api(d)->read_analog(d, pin, ret_ratio);
}

static inline int dpl_pins_read_pwm(struct dpl_device *d, unsigned pin, double *ret_duty,
                                    double *ret_frequency_hz)
{
    return dpl_pins_api(d)->read_pwm(d, pin, ret_duty, ret_frequency_hz);
}

static inline int dpl_pins_read_edges(struct dpl_device *d, unsigned pin,
                                      struct dpl_pin_edge *ret_edges, size_t n, size_t *ret_n,
                                      unsigned *lost)
{
    return dpl_pins_api(d)->read_edges(d, pin, ret_edges, n, ret_n, lost);
}

static inline int dpl_pins_last_driven(struct dpl_device *d, unsigned pin, dpl_ns *ret_at)
{
    return dpl_pins_api(d)->last_driven ? dpl_pins_api(d)->last_driven(d, pin, ret_at) : -ENOTSUP;
}

static inline int dpl_pins_ping(struct dpl_device *d, unsigned pin, dpl_ns trigger, dpl_ns timeout)
{
    if (trigger <= 0 || timeout <= 0) {
        return -EINVAL;
    }
    return dpl_pins_api(d)->ping ? dpl_pins_api(d)->ping(d, pin, trigger, timeout) : -ENOTSUP;
}

static inline int dpl_pins_execute(struct dpl_device *d, const struct dpl_tick *tick)
{
    return dpl_pins_api(d)->execute ? dpl_pins_api(d)->execute(d, tick) : 0;
}

#endif
