/* SPDX-License-Identifier: Apache-2.0 */
/* Device class axes: the linear axes of one machine, driven together. The application leaves a
 * reference each cycle; where the loop is closed is the driver's business: a drive in cyclic
 * synchronous position mode closes it itself, below a driver of bare motors the driver does
 * (motion/servo). Every call is made by one thread at a time (the runtime serialises), returns at
 * once and neither allocates nor locks; 0, or -ENODEV while the device is lost. */
#ifndef DOPPEL_DRV_AXES_H
#define DOPPEL_DRV_AXES_H

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/device.h>
#include <doppel/msg/axes_enums.h>
#include <doppel/time.h>

#define DPL_AXES_CLASS "axes"
#define DPL_AXES_N     6

/* Where the axes shall be at the end of this cycle, and the exact derivatives there. */
struct dpl_axes_reference {
    double position_m[DPL_AXES_N], velocity_m_s[DPL_AXES_N], acceleration_m_s2[DPL_AXES_N];
};

struct dpl_axes_state {
    bool valid;   /* false until all axes have reported once */
    dpl_ns stamp; /* acquisition, on the run's clock */
    enum dpl_axes_mode mode;
    uint32_t fault; /* the drive's own code of the first faulty axis; 0: none */
    int fault_axis; /* 0 to 5; -1: none */
    double position_m[DPL_AXES_N], velocity_m_s[DPL_AXES_N];
    double effort_n[DPL_AXES_N]; /* what the motors give; 0 where unknown */
};

struct dpl_axes_api {
    int (*enable)(struct dpl_device *);  /* drives on, holding where they stand; see mode */
    int (*disable)(struct dpl_device *); /* stop, then drives off */
    int (*stop)(struct dpl_device *);    /* come to rest on the drives' own deceleration, hold */
    int (*reset)(struct dpl_device *);   /* clears faults; the mode is OFF afterwards */
    /* The reference of this cycle. -EPERM unless the mode is ON. */
    int (*follow)(struct dpl_device *, const struct dpl_axes_reference *reference);
    /* Once a cycle of the owning component, before read: takes what the drives sent. NULL: nothing
     * to do. */
    int (*execute)(struct dpl_device *, const struct dpl_tick *tick);
    /* Once a cycle, after follow: sends. NULL: nothing to do. */
    int (*finish)(struct dpl_device *, const struct dpl_tick *tick);
    int (*read)(struct dpl_device *, struct dpl_axes_state *ret);
    /* No cycle comes before the next execute (the component stops, or is in ERROR): an effort that
     * the driver renews each cycle ends now, the axes are OFF. After stop or disable. NULL: nothing
     * to do, the drives come to rest by themselves. */
    void (*idle)(struct dpl_device *);
    /* HIL only: what one side (0 hardware, 1 simulation) reports. */
    int (*read_side)(struct dpl_device *, size_t side, struct dpl_axes_state *ret);
};

static inline const struct dpl_axes_api *dpl_axes_api(const struct dpl_device *d)
{
    return (const struct dpl_axes_api *)d->driver->api;
}

static inline int dpl_axes_enable(struct dpl_device *d)
{
    return dpl_axes_api(d)->enable(d);
}

static inline int dpl_axes_disable(struct dpl_device *d)
{
    return dpl_axes_api(d)->disable(d);
}

static inline int dpl_axes_stop(struct dpl_device *d)
{
    return dpl_axes_api(d)->stop(d);
}

static inline int dpl_axes_reset(struct dpl_device *d)
{
    return dpl_axes_api(d)->reset(d);
}

static inline int dpl_axes_follow(struct dpl_device *d, const struct dpl_axes_reference *reference)
{
    bool finite = true;
    for (int i = 0; i < DPL_AXES_N; i++) {
        finite &= isfinite(reference->position_m[i]) && isfinite(reference->velocity_m_s[i]) &&
                  isfinite(reference->acceleration_m_s2[i]);
    }
    return finite ? dpl_axes_api(d)->follow(d, reference) : -EINVAL;
}

static inline int dpl_axes_execute(struct dpl_device *d, const struct dpl_tick *tick)
{
    return dpl_axes_api(d)->execute ? dpl_axes_api(d)->execute(d, tick) : 0;
}

static inline int dpl_axes_finish(struct dpl_device *d, const struct dpl_tick *tick)
{
    return dpl_axes_api(d)->finish ? dpl_axes_api(d)->finish(d, tick) : 0;
}

static inline int dpl_axes_read(struct dpl_device *d, struct dpl_axes_state *ret)
{
    return dpl_axes_api(d)->read(d, ret);
}

static inline void dpl_axes_idle(struct dpl_device *d)
{
    if (dpl_axes_api(d)->idle) {
        dpl_axes_api(d)->idle(d);
    }
}

static inline int dpl_axes_read_side(struct dpl_device *d, size_t side, struct dpl_axes_state *ret)
{
    return dpl_axes_api(d)->read_side ? dpl_axes_api(d)->read_side(d, side, ret) : -ENOTSUP;
}

#endif
