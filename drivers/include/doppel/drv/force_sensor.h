/* SPDX-License-Identifier: Apache-2.0 */
/* Device class force_sensor: a six-axis force/torque sensor. Every call is made by one thread at a
 * time (the runtime serialises), returns at once and neither allocates nor locks; 0, or -ENODEV
 * while the device is lost. */
#ifndef DOPPEL_DRV_FORCE_SENSOR_H
#define DOPPEL_DRV_FORCE_SENSOR_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include <doppel/device.h>
#include <doppel/time.h>

#define DPL_FORCE_SENSOR_CLASS "force_sensor"
#define DPL_FORCE_SENSOR_AXES  6

struct dpl_force_sample {
    bool valid;                            /* false until the device has measured once */
    bool saturated;                        /* a channel is at the end of its range */
    dpl_ns stamp;                          /* acquisition, on the run's clock */
    uint64_t sequence;                     /* grows by one a measurement; the same: nothing new */
    double wrench[DPL_FORCE_SENSOR_AXES];  /* force x y z in N, torque x y z in N m */
    double applied[DPL_FORCE_SENSOR_AXES]; /* the truth, where the device knows it; else wrench */
};

struct dpl_force_sensor_api {
    /* Once a cycle of the owning component, before read. NULL: nothing to do. */
    int (*execute)(struct dpl_device *, const struct dpl_tick *tick);
    int (*read)(struct dpl_device *, struct dpl_force_sample *ret);
    int (*tare)(struct dpl_device *); /* the present reading becomes zero; NULL: cannot */
};

static inline const struct dpl_force_sensor_api *dpl_force_sensor_api(const struct dpl_device *d)
{
    return (const struct dpl_force_sensor_api *)d->driver->api;
}

static inline int dpl_force_sensor_execute(struct dpl_device *d, const struct dpl_tick *tick)
{
    return dpl_force_sensor_api(d)->execute ? dpl_force_sensor_api(d)->execute(d, tick) : 0;
}

static inline int dpl_force_sensor_read(struct dpl_device *d, struct dpl_force_sample *ret)
{
    return dpl_force_sensor_api(d)->read(d, ret);
}

static inline int dpl_force_sensor_tare(struct dpl_device *d)
{
    return dpl_force_sensor_api(d)->tare ? dpl_force_sensor_api(d)->tare(d) : -ENOTSUP;
}

#endif
