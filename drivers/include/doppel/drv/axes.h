/* SPDX-License-Identifier: Apache-2.0 */
/* Device class axes: the linear axes of one machine, driven together. The application sends a
 * reference each cycle. The driver determines where the control loop is closed: a drive in cyclic
 * synchronous position mode closes it itself; for motors without it the driver does (motion/servo).
 * One thread at a time makes the calls (the runtime ensures it); each returns at once and does not
 * allocate or lock; 0, or -ENODEV while the device is lost. */
#ifndef DOPPEL_DRV_AXES_H
#define DOPPEL_DRV_AXES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/device.h>
#include <doppel/math/six.h>
#include <doppel/msg/axes_enums.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_AXES_CLASS "axes"

extern const struct dpl_device_class dpl_axes_class;

struct dpl_axes_state {
    bool valid;   /* false until all axes have reported once */
    dpl_ns stamp; /* time of measurement, on the run's clock */
    enum dpl_axes_mode mode;
    uint32_t fault; /* the drive's own code of the first faulty axis; 0: none */
    int fault_axis; /* 0 to 5; -1: none */
    double position_m[DPL_AXES_N], velocity_m_s[DPL_AXES_N];
    double effort_n[DPL_AXES_N]; /* effort of the motors; 0 if unknown */
};

enum dpl_axes_call {
    DPL_DRV_AXES_ENABLE,  /* drives on, holding their position; see mode */
    DPL_DRV_AXES_DISABLE, /* stop, then drives off */
    DPL_DRV_AXES_STOP,    /* come to rest with the drives' own deceleration, then hold */
    DPL_DRV_AXES_RESET,   /* clears faults; the mode is OFF afterwards */
    DPL_DRV_AXES_FOLLOW,  /* the reference of this cycle; -EPERM unless the mode is ON */
    /* Once per cycle of the owning component, before read: takes the data that the drives have
     * sent. */
    DPL_DRV_AXES_EXECUTE,
    DPL_DRV_AXES_FINISH, /* once per cycle, after follow: sends */
    DPL_DRV_AXES_READ,
    /* There is no cycle until the next execute (the component stops, or is in ERROR): an effort
     * that the driver renews each cycle ends now, and the axes are OFF. After stop or disable. */
    DPL_DRV_AXES_IDLE,
    DPL_DRV_AXES_READ_SIDE, /* HIL only: the readings of one side */
    DPL_DRV_AXES_N_CALLS,
};

struct dpl_axes_read_side {
    int64_t side; /* 0 hardware, 1 simulation */
};

static inline int dpl_axes_enable(struct dpl_device *d)
{
    return dpl_device_call(d, DPL_DRV_AXES_ENABLE, NULL, NULL);
}

static inline int dpl_axes_disable(struct dpl_device *d)
{
    return dpl_device_call(d, DPL_DRV_AXES_DISABLE, NULL, NULL);
}

static inline int dpl_axes_stop(struct dpl_device *d)
{
    return dpl_device_call(d, DPL_DRV_AXES_STOP, NULL, NULL);
}

static inline int dpl_axes_reset(struct dpl_device *d)
{
    return dpl_device_call(d, DPL_DRV_AXES_RESET, NULL, NULL);
}

static inline int dpl_axes_follow(struct dpl_device *d, const struct dpl_axes_reference *reference)
{
    return dpl_device_call(d, DPL_DRV_AXES_FOLLOW, reference, NULL);
}

static inline int dpl_axes_execute(struct dpl_device *d, const struct dpl_tick *tick)
{
    return dpl_device_call(d, DPL_DRV_AXES_EXECUTE, tick, NULL);
}

static inline int dpl_axes_finish(struct dpl_device *d, const struct dpl_tick *tick)
{
    return dpl_device_call(d, DPL_DRV_AXES_FINISH, tick, NULL);
}

static inline int dpl_axes_read(struct dpl_device *d, struct dpl_axes_state *ret)
{
    return dpl_device_call(d, DPL_DRV_AXES_READ, NULL, ret);
}

static inline void dpl_axes_idle(struct dpl_device *d)
{
    (void)dpl_device_call(d, DPL_DRV_AXES_IDLE, NULL, NULL);
}

static inline int dpl_axes_read_side(struct dpl_device *d, size_t side, struct dpl_axes_state *ret)
{
    const struct dpl_axes_read_side in = {(int64_t)side};
    return dpl_device_call(d, DPL_DRV_AXES_READ_SIDE, &in, ret);
}

#ifdef __cplusplus
}
#endif

#endif
