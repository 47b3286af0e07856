/* SPDX-License-Identifier: Apache-2.0 */
/* Device class joints: a group of joints of one device, such as a robot arm. A joint turns (rad,
 * rad/s, N m) or travels (m, m/s, N); the component and the device must agree on that. The order of
 * the joints is that of the driver's property Joints. One thread at a time makes the calls (the
 * runtime ensures it); each returns at once and does not allocate or lock; 0, or -ENODEV while the
 * device is lost. */
#ifndef DOPPEL_DRV_JOINTS_H
#define DOPPEL_DRV_JOINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/device.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_JOINTS_CLASS "joints"
#define DPL_JOINTS_MAX   32

extern const struct dpl_device_class dpl_joints_class;

enum dpl_joints_mode {
    DPL_JOINTS_POSITION, /* rad or m */
    DPL_JOINTS_VELOCITY, /* rad/s or m/s */
    DPL_JOINTS_EFFORT,   /* N m or N */
};

/* The setpoints of all joints: in force until the next command or stop. */
struct dpl_joints_command {
    int64_t mode; /* enum dpl_joints_mode */
    int64_t n;    /* of `value`: must be the number of joints of the device */
    double value[DPL_JOINTS_MAX];
};

struct dpl_joints_state {
    bool valid;     /* false until all joints have reported once */
    bool ready;     /* the joints follow commands now */
    dpl_ns stamp;   /* time of measurement, on the run's clock */
    uint32_t fault; /* the device's own code of its first faulty joint; 0: none */
    int64_t n;      /* number of joints: known from the beginning */
    double position[DPL_JOINTS_MAX], velocity[DPL_JOINTS_MAX]; /* turns are not wrapped */
    double effort[DPL_JOINTS_MAX];                             /* 0 if it is not known */
};

enum dpl_joints_call {
    DPL_DRV_JOINTS_ENABLE,  /* drives on, holding their positions; then `ready` in a while */
    DPL_DRV_JOINTS_DISABLE, /* stop, then drives off; without drives: the joints have no commands
                               any more */
    /* -EINVAL: another number of joints, or a mode that the device does not have; -EPERM: not
     * ready. */
    DPL_DRV_JOINTS_COMMAND,
    DPL_DRV_JOINTS_STOP,    /* come to rest and hold still, until the next command */
    DPL_DRV_JOINTS_EXECUTE, /* once a cycle of the owning component, before read */
    DPL_DRV_JOINTS_READ,
    DPL_DRV_JOINTS_READ_SIDE, /* HIL only: the readings of one side */
    DPL_DRV_JOINTS_N_CALLS,
};

struct dpl_joints_read_side {
    int64_t side; /* 0 hardware, 1 simulation */
};

static inline int dpl_joints_enable(struct dpl_device *d)
{
    return dpl_device_call(d, DPL_DRV_JOINTS_ENABLE, NULL, NULL);
}

static inline int dpl_joints_disable(struct dpl_device *d)
{
    return dpl_device_call(d, DPL_DRV_JOINTS_DISABLE, NULL, NULL);
}

static inline int dpl_joints_command(struct dpl_device *d, const struct dpl_joints_command *command)
{
    return dpl_device_call(d, DPL_DRV_JOINTS_COMMAND, command, NULL);
}

static inline int dpl_joints_stop(struct dpl_device *d)
{
    return dpl_device_call(d, DPL_DRV_JOINTS_STOP, NULL, NULL);
}

static inline int dpl_joints_execute(struct dpl_device *d, const struct dpl_tick *tick)
{
    return dpl_device_call(d, DPL_DRV_JOINTS_EXECUTE, tick, NULL);
}

static inline int dpl_joints_read(struct dpl_device *d, struct dpl_joints_state *ret)
{
    return dpl_device_call(d, DPL_DRV_JOINTS_READ, NULL, ret);
}

static inline int dpl_joints_read_side(struct dpl_device *d, size_t side,
                                       struct dpl_joints_state *ret)
{
    const struct dpl_joints_read_side in = {(int64_t)side};
    return dpl_device_call(d, DPL_DRV_JOINTS_READ_SIDE, &in, ret);
}

#ifdef __cplusplus
}
#endif

#endif
