/* SPDX-License-Identifier: Apache-2.0 */
/* Device class channels: numbers that are read and written by name, for components that are written
 * for no device in particular, such as controllers. The driver decides what a name means: a channel
 * of a world, a register of a bus. One thread at a time makes the calls (the runtime ensures it).
 * Each call returns at once and does not allocate or lock, except find, which may allocate. 0, or
 * -ENODEV while the device is lost. */
#ifndef DOPPEL_DRV_CHANNELS_H
#define DOPPEL_DRV_CHANNELS_H

#include <errno.h>
#include <stdbool.h>

#include <doppel/device.h>
#include <doppel/diag.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_CHANNELS_CLASS    "channels"
#define DPL_CHANNELS_MAX      64
#define DPL_CHANNELS_NAME_MAX 128 /* with its end */

extern const struct dpl_device_class dpl_channels_class;

/* Assigns `number`, which the caller chooses, to the channel of this name. A name may end with the
 * number of an element: "planar[2]" is the third one of a vector. */
struct dpl_channels_find {
    int64_t number; /* below DPL_CHANNELS_MAX */
    int64_t put;    /* 1: to write it; 0: to read it */
    const char *name;
    const char *unit;        /* NULL: any */
    struct dpl_diag *reterr; /* the reason of a failure, if the driver has one; NULL: not needed */
};

struct dpl_channels_put {
    int64_t number;
    double value;
};

struct dpl_channels_get {
    int64_t number;
};

struct dpl_channels_value {
    dpl_ns stamp; /* time of the measurement, on the run's clock */
    double value; /* whole numbers and flags, too */
};

enum dpl_channels_call {
    DPL_DRV_CHANNELS_FIND,
    DPL_DRV_CHANNELS_PUT,
    DPL_DRV_CHANNELS_RELEASE, /* releases all values that were put: motors stop */
    DPL_DRV_CHANNELS_EXECUTE, /* once in each cycle of the owning component, before get */
    DPL_DRV_CHANNELS_GET,
    DPL_DRV_CHANNELS_N_CALLS,
};

/* Call it in initialize, so that a wrong name is an error of the profile. -EINVAL with reterr:
 * there is no such channel, or it has another direction; the driver also logs it. A device that
 * cannot check the name yet accepts it; get returns -EAGAIN until it can. */
static inline int dpl_channels_find(struct dpl_device *d, int64_t number, bool put,
                                    const char *name, struct dpl_diag *reterr)
{
    struct dpl_diag why = {.text = ""};
    const struct dpl_channels_find find = {
        .number = number, .put = put, .name = name, .reterr = &why};
    int err = dpl_device_call(d, DPL_DRV_CHANNELS_FIND, &find, NULL);
    return err < 0 ? dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                              "there is no channel '%.127s' that can be %s%s%.200s", name,
                              put ? "written" : "read", why.text[0] ? ": " : "", why.text)
                   : 0;
}

/* -EAGAIN: the channel was not found (yet). */
static inline int dpl_channels_put(struct dpl_device *d, int64_t number, double value)
{
    struct dpl_channels_put put = {number, value};
    return dpl_device_call(d, DPL_DRV_CHANNELS_PUT, &put, NULL);
}

static inline int dpl_channels_release(struct dpl_device *d)
{
    return dpl_device_call(d, DPL_DRV_CHANNELS_RELEASE, NULL, NULL);
}

static inline int dpl_channels_execute(struct dpl_device *d, const struct dpl_tick *tick)
{
    return dpl_device_call(d, DPL_DRV_CHANNELS_EXECUTE, tick, NULL);
}

/* -EAGAIN: the channel was not found (yet), or has no value yet. */
static inline int dpl_channels_get(struct dpl_device *d, int64_t number,
                                   struct dpl_channels_value *ret_value)
{
    struct dpl_channels_get get = {number};
    return dpl_device_call(d, DPL_DRV_CHANNELS_GET, &get, ret_value);
}

#ifdef __cplusplus
}
#endif

#endif
