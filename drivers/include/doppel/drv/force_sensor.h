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

extern const struct dpl_device_class dpl_force_sensor_class;

struct dpl_force_sample {
    bool valid;                            /* false until the device has measured once */
    bool saturated;                        /* a channel is at the end of its range */
    dpl_ns stamp;                          /* acquisition, on the run's clock */
    uint64_t sequence;                     /* grows by one a measurement; the same: nothing new */
    double wrench[DPL_FORCE_SENSOR_AXES];  /* force x y z in N, torque x y z in N m */
    double applied[DPL_FORCE_SENSOR_AXES]; /* the truth, where the device knows it; else wrench */
};

enum dpl_force_sensor_call {
    DPL_DRV_FORCE_SENSOR_EXECUTE, /* once a cycle of the owning component, before read */
    DPL_DRV_FORCE_SENSOR_READ,
    DPL_DRV_FORCE_SENSOR_TARE, /* the present reading becomes zero; -ENOTSUP: cannot */
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

#endif
