/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/drv/imu.h>

#define SAMPLE struct dpl_imu_sample

static const struct dpl_field sample[] = {
    DPL_EXPORT_BOOL(SAMPLE, valid, "valid", 0, "false until the device has measured once"),
    DPL_EXPORT_INT(SAMPLE, stamp, "stamp", "ns", 0, "acquisition, on the run's clock"),
    DPL_EXPORT_INT(SAMPLE, sequence, "sequence", NULL, 0, "grows by one a measurement"),
    DPL_EXPORT_NUMBER(SAMPLE, rate_rad_s, "rate", "rad/s", 0, "angular velocity x y z"),
    DPL_EXPORT_NUMBER(SAMPLE, acceleration_m_s2, "acceleration", "m/s^2", 0,
                      "specific force x y z"),
    DPL_EXPORT_NUMBER(SAMPLE, roll_rad, "roll", "rad", 0, "of the sensor's frame in the world"),
    DPL_EXPORT_NUMBER(SAMPLE, pitch_rad, "pitch", "rad", 0, "of the sensor's frame in the world"),
    DPL_EXPORT_NUMBER(SAMPLE, yaw_rad, "yaw", "rad", 0, "of the sensor's frame in the world"),
};

static const struct dpl_call calls[DPL_DRV_IMU_N_CALLS] = {
    [DPL_DRV_IMU_EXECUTE] =
        DPL_CALL(CYCLE, "execute", "once a cycle, before read", DPL_CALL_TICK, DPL_CALL_OR_NOTHING),
    [DPL_DRV_IMU_READ] = DPL_CALL(READING, "read", "the newest measurement",
                                  DPL_CALL_OUT(struct dpl_imu_sample, sample)),
};

const struct dpl_device_class dpl_imu_class = {
    .name = DPL_IMU_CLASS,
    .summary = "an inertial measurement unit",
    .calls = calls,
    .n_calls = DPL_COUNT(calls),
};
