/* SPDX-License-Identifier: Apache-2.0 */
/* Device class imu: an inertial measurement unit, with gyroscope, accelerometer and orientation.
 * One thread at a time makes the calls (the runtime ensures it); each returns at once and does not
 * allocate or lock; 0, or -ENODEV while the device is lost. */
#ifndef DOPPEL_DRV_IMU_H
#define DOPPEL_DRV_IMU_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/device.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_IMU_CLASS "imu"

extern const struct dpl_device_class dpl_imu_class;

/* In the sensor's frame, which is right-handed; its orientation is that frame's in the world. */
struct dpl_imu_sample {
    bool valid;   /* false until the device has measured once */
    dpl_ns stamp; /* time of measurement, on the run's clock */
    /* increases by one per measurement; unchanged: no new one */
    uint64_t sequence;
    double rate_rad_s[3];                /* angular velocity */
    double acceleration_m_s2[3];         /* specific force: acceleration minus gravity */
    double roll_rad, pitch_rad, yaw_rad; /* R = Rz(yaw) Ry(pitch) Rx(roll), each in [-pi, pi] */
};

enum dpl_imu_call {
    DPL_DRV_IMU_EXECUTE, /* once per cycle of the owning component, before read */
    DPL_DRV_IMU_READ,
    DPL_DRV_IMU_N_CALLS,
};

static inline int dpl_imu_execute(struct dpl_device *d, const struct dpl_tick *tick)
{
    return dpl_device_call(d, DPL_DRV_IMU_EXECUTE, tick, NULL);
}

static inline int dpl_imu_read(struct dpl_device *d, struct dpl_imu_sample *ret)
{
    return dpl_device_call(d, DPL_DRV_IMU_READ, NULL, ret);
}

#ifdef __cplusplus
}
#endif

#endif
