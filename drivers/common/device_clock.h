/* SPDX-License-Identifier: Apache-2.0 */
/* Maps the wrapping millisecond stamps of a device to the run's clock. What reaches the host is
 * late by a delay that varies (scheduling, buffers, a cable) and is never negative: so the smallest
 * difference of arrival and stamp seen so far is the best guess of the clocks' offset, and it is
 * let up slowly, because the two crystals drift. Pure: the caller owns the struct. */
#ifndef DPL_COMMON_DEVICE_CLOCK_H
#define DPL_COMMON_DEVICE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/time.h>

/* Private. */
struct dpl_device_clock {
    uint32_t mask;
    bool started;
    uint32_t last_ms;
    dpl_ns device; /* unwrapped device time of the last stamp */
    dpl_ns offset; /* run's clock - device time */
    dpl_ns last_arrival;
    unsigned late; /* samples in a row that were very late: the device's clock has jumped */
};

/* `bits` of the stamp: 1..32. */
void dpl_device_clock_init(struct dpl_device_clock *clock, unsigned bits);

/* When the device took what it stamped `stamp_ms`, given when that arrived; never after `arrival`.
 * Two stamps must come within one wrap of each other, else init first. */
dpl_ns dpl_device_clock_map(struct dpl_device_clock *clock, uint32_t stamp_ms, dpl_ns arrival);

#endif
