/* SPDX-License-Identifier: Apache-2.0 */
/* Converts the wrapping millisecond stamps of a device to the run's clock. A message reaches the
 * host with a delay that varies (scheduling, buffers, a cable) and is never negative. So the
 * smallest difference of arrival and stamp is the best estimate of the offset between the clocks.
 * The estimate is increased slowly, because both crystals drift. Pure: the caller owns the
 * struct. */
#ifndef DPL_COMMON_DEVICE_CLOCK_H
#define DPL_COMMON_DEVICE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Private. */
struct dpl_device_clock {
    uint32_t mask;
    bool started;
    uint32_t last_ms;
    dpl_ns device; /* unwrapped device time of the last stamp */
    dpl_ns offset; /* run's clock - device time */
    dpl_ns last_arrival;
    unsigned late; /* consecutive samples with a very large delay: the device's clock has jumped */
};

/* `bits` of the stamp: 1..32. */
void dpl_device_clock_init(struct dpl_device_clock *clock, unsigned bits);

/* The time at which the device set the stamp `stamp_ms`, on the run's clock; never after `arrival`,
 * the time when the stamp arrived. Two stamps must come within one wrap, otherwise call init
 * first. */
dpl_ns dpl_device_clock_map(struct dpl_device_clock *clock, uint32_t stamp_ms, dpl_ns arrival);

/* The same for a clock of nanoseconds that does not wrap. A stamp from before the last one begins
 * anew: that clock was set back. */
dpl_ns dpl_device_clock_map_ns(struct dpl_device_clock *clock, dpl_ns stamp, dpl_ns arrival);

#ifdef __cplusplus
}
#endif

#endif
