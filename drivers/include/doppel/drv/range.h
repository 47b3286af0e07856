/* SPDX-License-Identifier: Apache-2.0 */
/* Device class range: range finders (ultrasonic, infrared: one distance each) and bumpers of a
 * robot, as one board has them. One thread at a time makes the calls (the runtime ensures it); each
 * returns at once and does not allocate or lock; 0, or -ENODEV while the device is lost. */
#ifndef DOPPEL_DRV_RANGE_H
#define DOPPEL_DRV_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/device.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_RANGE_CLASS "range"
#define DPL_RANGE_MAX   8 /* range finders; bumpers */

extern const struct dpl_device_class dpl_range_class;

/* The newest of each sensor, in the order in which the driver's properties name them. */
struct dpl_range_sample {
    size_t n_ranges, n_contacts;
    double ranges_m[DPL_RANGE_MAX];     /* INFINITY: it sees nothing up to its reach */
    double contacts[DPL_RANGE_MAX];     /* 1: touched; 0: not */
    dpl_ns range_stamps[DPL_RANGE_MAX]; /* when it was measured; below 0: not yet */
    dpl_ns contact_stamps[DPL_RANGE_MAX];
};

enum dpl_range_call {
    DPL_DRV_RANGE_EXECUTE, /* once per cycle of the owning component, before read */
    DPL_DRV_RANGE_READ,
    DPL_DRV_RANGE_N_CALLS,
};

static inline int dpl_range_execute(struct dpl_device *d, const struct dpl_tick *tick)
{
    return dpl_device_call(d, DPL_DRV_RANGE_EXECUTE, tick, NULL);
}

static inline int dpl_range_read(struct dpl_device *d, struct dpl_range_sample *ret)
{
    return dpl_device_call(d, DPL_DRV_RANGE_READ, NULL, ret);
}

#ifdef __cplusplus
}
#endif

#endif
