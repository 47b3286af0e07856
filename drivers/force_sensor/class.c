/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/drv/force_sensor.h>

#define SAMPLE struct dpl_force_sample

static const struct dpl_field sample[] = {
    DPL_EXPORT_BOOL(SAMPLE, valid, "valid", 0, "false until the device has measured once"),
    DPL_EXPORT_BOOL(SAMPLE, saturated, "saturated", 0, "a channel is at the end of its range"),
    DPL_EXPORT_INT(SAMPLE, stamp, "stamp", "ns", 0, "acquisition, on the run's clock"),
    DPL_EXPORT_INT(SAMPLE, sequence, "sequence", NULL, 0, "grows by one a measurement"),
    DPL_EXPORT_NUMBER(SAMPLE, wrench, "wrench", NULL, 0, "force x y z in N, torque x y z in N m"),
    DPL_EXPORT_NUMBER(SAMPLE, applied, "applied", NULL, 0, "the truth, where it is known"),
};

static const struct dpl_call calls[DPL_DRV_FORCE_SENSOR_N_CALLS] = {
    [DPL_DRV_FORCE_SENSOR_EXECUTE] =
        DPL_CALL(CYCLE, "execute", "once a cycle, before read", DPL_CALL_TICK, DPL_CALL_OR_NOTHING),
    [DPL_DRV_FORCE_SENSOR_READ] = DPL_CALL(READING, "read", "the newest measurement",
                                           DPL_CALL_OUT(struct dpl_force_sample, sample)),
    [DPL_DRV_FORCE_SENSOR_TARE] =
        DPL_CALL(SETTING, "tare", "the present reading becomes zero", DPL_CALL_OR_ENOTSUP),
};

const struct dpl_device_class dpl_force_sensor_class = {
    .name = DPL_FORCE_SENSOR_CLASS,
    .summary = "a six-axis force and torque sensor",
    .calls = calls,
    .n_calls = DPL_COUNT(calls),
};
