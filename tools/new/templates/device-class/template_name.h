/* Device class template_name: a device with one level that is commanded, and one that is measured,
 * such as a dimmer, a valve or a heater. One thread at a time makes the calls (the runtime ensures
 * it); each returns at once and does not allocate or lock; 0, or -ENODEV while the device is
 * lost. */
#ifndef TEMPLATE_NAME_H
#define TEMPLATE_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/device.h>
#include <doppel/time.h>

#define TEMPLATE_NAME_CLASS "template_name"

extern const struct dpl_device_class template_name_class;

struct template_name_command {
    double level; /* 0 to 1 */
};

struct template_name_sample {
    bool valid;   /* false until the device has measured once */
    dpl_ns stamp; /* time of measurement, on the run's clock */
    double level; /* measured, 0 to 1 */
};

/* New calls are added at the end: components and drivers may be built at different times. */
enum template_name_call {
    TEMPLATE_NAME_SET,     /* the level from now on */
    TEMPLATE_NAME_STOP,    /* the level is 0 from now on */
    TEMPLATE_NAME_EXECUTE, /* once per cycle of the owning component, before read */
    TEMPLATE_NAME_READ,
    TEMPLATE_NAME_N_CALLS,
};

/* -EINVAL: a level that is not from 0 to 1. */
static inline int template_name_set(struct dpl_device *device, double level)
{
    const struct template_name_command in = {level};
    return dpl_device_call(device, TEMPLATE_NAME_SET, &in, NULL);
}

static inline int template_name_stop(struct dpl_device *device)
{
    return dpl_device_call(device, TEMPLATE_NAME_STOP, NULL, NULL);
}

static inline int template_name_execute(struct dpl_device *device, const struct dpl_tick *tick)
{
    return dpl_device_call(device, TEMPLATE_NAME_EXECUTE, tick, NULL);
}

static inline int template_name_read(struct dpl_device *device, struct template_name_sample *ret)
{
    return dpl_device_call(device, TEMPLATE_NAME_READ, NULL, ret);
}

#endif
