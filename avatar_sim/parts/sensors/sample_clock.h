/* SPDX-License-Identifier: Apache-2.0 */
/* When a sensor with a rate of its own measures: at whole multiples of its period from the start of
 * the world, in the first step that ends then or later. */
#ifndef DOPPEL_SIM_SAMPLE_CLOCK_H
#define DOPPEL_SIM_SAMPLE_CLOCK_H

#include <stdint.h>

#include <doppel/time.h>

struct dpl__sample_clock {
    uint64_t number; /* of the period that ends at `due` */
    dpl_ns due;
};

/* After a measurement at `now`. */
static inline void dpl__sample_clock_next(struct dpl__sample_clock *clock, double rate_hz,
                                          dpl_ns now)
{
    do {
        clock->number++;
        clock->due = dpl_ns_from_s((double)clock->number / rate_hz);
    } while (clock->due <= now);
}

/* The first measurement is that after `now`. */
static inline void dpl__sample_clock_start(struct dpl__sample_clock *clock, double rate_hz,
                                           dpl_ns now)
{
    clock->number = (uint64_t)(dpl_ns_to_s(now) * rate_hz);
    dpl__sample_clock_next(clock, rate_hz, now);
}

#endif
