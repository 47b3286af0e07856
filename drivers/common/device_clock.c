/* SPDX-License-Identifier: Apache-2.0 */
/* The minimum filter of a device's clock. */
#include <doppel/drive/device_clock.h>

#define DRIFT_DIVISOR 10000 /* 100 ppm: two crystals of 50 ppm each */
#define VERY_LATE     (500 * DPL_MS)
#define LATE_LIMIT    10

void dpl_device_clock_init(struct dpl_device_clock *clock, unsigned bits)
{
    *clock = (struct dpl_device_clock){.mask = bits < 32 ? (1u << bits) - 1u : UINT32_MAX};
}

static void start(struct dpl_device_clock *clock, dpl_ns arrival)
{
    clock->started = true;
    clock->late = 0;
    clock->offset = arrival - clock->device;
}

/* Its clock has gone on by `passed` since the last stamp. */
static dpl_ns map(struct dpl_device_clock *clock, dpl_ns passed, dpl_ns arrival)
{
    if (clock->started) {
        clock->device += passed;
        clock->offset += (arrival - clock->last_arrival) / DRIFT_DIVISOR;
    }
    clock->last_arrival = arrival;
    dpl_ns offset = arrival - clock->device;
    clock->late = offset > clock->offset + VERY_LATE ? clock->late + 1 : 0;
    if (!clock->started || offset < clock->offset || clock->late > LATE_LIMIT) {
        start(clock, arrival);
    }
    return clock->device + clock->offset;
}

dpl_ns dpl_device_clock_map(struct dpl_device_clock *clock, uint32_t stamp_ms, dpl_ns arrival)
{
    dpl_ns passed = ((stamp_ms - clock->last_ms) & clock->mask) * DPL_MS;
    clock->last_ms = stamp_ms;
    return map(clock, passed, arrival);
}

dpl_ns dpl_device_clock_map_ns(struct dpl_device_clock *clock, dpl_ns stamp, dpl_ns arrival)
{
    if (!clock->started || stamp < clock->device) {
        clock->started = false;
        clock->device = stamp;
    }
    return map(clock, stamp - clock->device, arrival);
}
