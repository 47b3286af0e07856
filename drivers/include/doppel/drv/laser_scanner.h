/* SPDX-License-Identifier: Apache-2.0 */
/* Device class laser_scanner: a planar range scanner. Same rules of calling as wheel_controller.h.
 */
#ifndef DOPPEL_DRV_LASER_SCANNER_H
#define DOPPEL_DRV_LASER_SCANNER_H

#include <errno.h>
#include <stdint.h>

#include <doppel/device.h>
#include <doppel/math/geometry.h>
#include <doppel/time.h>

#define DPL_LASER_SCANNER_CLASS "laser_scanner"
#define DPL_LASER_RANGES_MAX    2048

struct dpl_laser_scan {
    dpl_ns stamp; /* acquisition, on the run's clock */
    uint64_t sequence;
    double start_angle_rad, step_angle_rad; /* sensor frame, counter-clockwise */
    double min_range_m, max_range_m, period_s;
    uint32_t n;
    uint32_t n_intensities;               /* 0 or n */
    float ranges_m[DPL_LASER_RANGES_MAX]; /* 0: no return */
    float intensities[DPL_LASER_RANGES_MAX];
};

struct dpl_laser_scanner_api {
    int (*enable)(struct dpl_device *);  /* laser on, scanning */
    int (*disable)(struct dpl_device *); /* laser off */
    /* Once a cycle of the owning component, before read. NULL: nothing to do. */
    int (*execute)(struct dpl_device *, const struct dpl_tick *);
    /* The newest scan, borrowed until the next call on the device; -EAGAIN: none newer than `after`
     * (sequence; UINT64_MAX: none seen yet). */
    int (*read)(struct dpl_device *, uint64_t after, const struct dpl_laser_scan **ret_scan);
};

static inline const struct dpl_laser_scanner_api *dpl_laser_api(const struct dpl_device *d)
{
    return (const struct dpl_laser_scanner_api *)d->driver->api;
}

static inline int dpl_laser_enable(struct dpl_device *d)
{
    return dpl_laser_api(d)->enable(d);
}

static inline int dpl_laser_disable(struct dpl_device *d)
{
    return dpl_laser_api(d)->disable(d);
}

static inline int dpl_laser_execute(struct dpl_device *d, const struct dpl_tick *tick)
{
    return dpl_laser_api(d)->execute ? dpl_laser_api(d)->execute(d, tick) : 0;
}

static inline int dpl_laser_read(struct dpl_device *d, uint64_t after,
                                 const struct dpl_laser_scan **ret_scan)
{
    return dpl_laser_api(d)->read(d, after, ret_scan);
}

#endif
