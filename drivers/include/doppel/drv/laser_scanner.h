/* SPDX-License-Identifier: Apache-2.0 */
/* Device class laser_scanner: a planar range scanner. Rules for calls as in wheel_controller.h. */
#ifndef DOPPEL_DRV_LASER_SCANNER_H
#define DOPPEL_DRV_LASER_SCANNER_H

#include <stdint.h>

#include <doppel/device.h>
#include <doppel/math/geometry.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_LASER_SCANNER_CLASS "laser_scanner"
#define DPL_LASER_RANGES_MAX    2048

extern const struct dpl_device_class dpl_laser_scanner_class;

struct dpl_laser_scan {
    dpl_ns stamp; /* time of measurement, on the run's clock */
    uint64_t sequence;
    double start_angle_rad, step_angle_rad; /* sensor frame, counter-clockwise */
    double min_range_m, max_range_m, period_s;
    uint32_t n;
    uint32_t n_intensities;               /* 0 or n */
    float ranges_m[DPL_LASER_RANGES_MAX]; /* 0: no return */
    float intensities[DPL_LASER_RANGES_MAX];
};

enum dpl_laser_scanner_call {
    DPL_DRV_LASER_SCANNER_ENABLE,  /* laser on, scanning */
    DPL_DRV_LASER_SCANNER_DISABLE, /* laser off */
    DPL_DRV_LASER_SCANNER_EXECUTE, /* once per cycle of the owning component, before read */
    DPL_DRV_LASER_SCANNER_READ,
    DPL_DRV_LASER_SCANNER_N_CALLS,
};

/* The argument of read: the sequence of the newest known scan; UINT64_MAX: none. */
struct dpl_laser_read {
    uint64_t after;
};

static inline int dpl_laser_enable(struct dpl_device *d)
{
    return dpl_device_call(d, DPL_DRV_LASER_SCANNER_ENABLE, NULL, NULL);
}

static inline int dpl_laser_disable(struct dpl_device *d)
{
    return dpl_device_call(d, DPL_DRV_LASER_SCANNER_DISABLE, NULL, NULL);
}

static inline int dpl_laser_execute(struct dpl_device *d, const struct dpl_tick *tick)
{
    return dpl_device_call(d, DPL_DRV_LASER_SCANNER_EXECUTE, tick, NULL);
}

/* The newest scan, borrowed until the next call on the device; -EAGAIN: none newer than `after`. */
static inline int dpl_laser_read(struct dpl_device *d, uint64_t after,
                                 const struct dpl_laser_scan **ret_scan)
{
    const struct dpl_laser_read in = {after};
    return dpl_device_call(d, DPL_DRV_LASER_SCANNER_READ, &in, ret_scan);
}

#ifdef __cplusplus
}
#endif

#endif
