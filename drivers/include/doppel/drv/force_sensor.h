/* SPDX-License-Identifier: Apache-2.0 */
/* Device class force_sensor: a six-axis force/torque sensor. One thread at a time makes the calls
 * (the runtime ensures it); each returns at once and does not allocate or lock; 0, or -ENODEV while
 * the device is lost. */
#ifndef DOPPEL_DRV_FORCE_SENSOR_H
#define DOPPEL_DRV_FORCE_SENSOR_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include <doppel/device.h>
#include <doppel/math/six.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_FORCE_SENSOR_CLASS "force_sensor"

extern const struct dpl_device_class dpl_force_sensor_class;

struct dpl_force_sample {
    bool valid;     /* false until the device has measured once */
    bool saturated; /* a channel is at the end of its range */
    dpl_ns stamp;   /* time of measurement, on the run's clock */
    /* increases by one per measurement; unchanged: no new one */
    uint64_t sequence;
    double wrench[DPL_SIX]; /* force x y z in N, torque x y z in N m */
    /* the exact force, if the device knows it; otherwise equal to wrench */
    double applied[DPL_SIX];
};

enum dpl_force_sensor_call {
    DPL_DRV_FORCE_SENSOR_EXECUTE, /* once per cycle of the owning component, before read */
    DPL_DRV_FORCE_SENSOR_READ,
    DPL_DRV_FORCE_SENSOR_TARE, /* the current reading becomes zero; -ENOTSUP: not supported */
    DPL_DRV_FORCE_SENSOR_N_CALLS,
};

static inline int dpl_force_sensor_execute(struct dpl_device *d, const struct dpl_tick *tick)
{
    return dpl_device_call(d, DPL_DRV_FORCE_SENSOR_EXECUTE, tick, NULL);
}

static inline int dpl_force_sensor_read(struct dpl_device *d, struct dpl_force_sample *ret)
{
    return dpl_device_call(d, DPL_DRV_FORCE_SENSOR_READ, NULL, ret);
}

static inline int dpl_force_sensor_tare(struct dpl_device *d)
{
    return dpl_device_call(d, DPL_DRV_FORCE_SENSOR_TARE, NULL, NULL);
}

#ifdef __cplusplus
}
#endif

#endif
