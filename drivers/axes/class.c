/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/drv/axes.h>

#define REFERENCE struct dpl_axes_reference
#define STATE     struct dpl_axes_state

static const struct dpl_field reference[] = {
    DPL_NUMBER(REFERENCE, position_m, "position", "m", NULL, 0, 0, "at the end of this cycle"),
    DPL_NUMBER(REFERENCE, velocity_m_s, "velocity", "m/s", NULL, 0, 0, "there"),
    DPL_NUMBER(REFERENCE, acceleration_m_s2, "acceleration", "m/s^2", NULL, 0, 0, "there"),
};

static const struct dpl_field side[] = {
    DPL_INT(struct dpl_axes_read_side, side, "side", NULL, 0, 1, "0 hardware, 1 simulation"),
};

static const struct dpl_field state[] = {
    DPL_EXPORT_BOOL(STATE, valid, "valid", 0, "false until all axes have reported once"),
    DPL_EXPORT_INT(STATE, stamp, "stamp", "ns", 0, "acquisition, on the run's clock"),
    DPL_EXPORT_INT(STATE, mode, "mode", NULL, 0, "enum dpl_axes_mode"),
    DPL_EXPORT_INT(STATE, fault, "fault", NULL, 0, "the drive's own code; 0: none"),
    DPL_EXPORT_INT(STATE, fault_axis, "fault_axis", NULL, 0, "0 to 5; -1: none"),
    DPL_EXPORT_NUMBER(STATE, position_m, "position", "m", 0, "of each axis"),
    DPL_EXPORT_NUMBER(STATE, velocity_m_s, "velocity", "m/s", 0, "of each axis"),
    DPL_EXPORT_NUMBER(STATE, effort_n, "effort", "N", 0, "what the motors give"),
};

static const struct dpl_call calls[DPL_DRV_AXES_N_CALLS] = {
    [DPL_DRV_AXES_ENABLE] = DPL_CALL(COMMAND, "enable", "drives on, holding where they stand"),
    [DPL_DRV_AXES_DISABLE] = DPL_CALL(STOP, "disable", "stop, then drives off"),
    [DPL_DRV_AXES_STOP] =
        DPL_CALL(STOP, "stop", "come to rest on the drives' own deceleration, hold"),
    [DPL_DRV_AXES_RESET] = DPL_CALL(STOP, "reset", "clears faults, drives off"),
    [DPL_DRV_AXES_FOLLOW] = DPL_CALL(COMMAND, "follow", "the reference of this cycle",
                                     DPL_CALL_IN(REFERENCE, reference)),
    [DPL_DRV_AXES_EXECUTE] =
        DPL_CALL(CYCLE, "execute", "once a cycle, before read: takes the messages of the drives",
                 DPL_CALL_TICK, DPL_CALL_OR_NOTHING),
    [DPL_DRV_AXES_FINISH] = DPL_CALL(CYCLE, "finish", "once a cycle, after follow: sends",
                                     DPL_CALL_TICK, DPL_CALL_OR_NOTHING),
    [DPL_DRV_AXES_READ] =
        DPL_CALL(READING, "read", "positions and states of the axes", DPL_CALL_OUT(STATE, state)),
    [DPL_DRV_AXES_IDLE] =
        DPL_CALL(CYCLE, "idle", "ends the cycles until the next execute", DPL_CALL_OR_NOTHING),
    [DPL_DRV_AXES_READ_SIDE] = DPL_CALL(READING, "read_side", "HIL only: report of one side",
                                        DPL_CALL_IN(struct dpl_axes_read_side, side),
                                        DPL_CALL_OUT(STATE, state), DPL_CALL_OR_ENOTSUP),
};

const struct dpl_device_class dpl_axes_class = {
    .name = DPL_AXES_CLASS,
    .summary = "the linear axes of one machine, driven together",
    .calls = calls,
    .n_calls = DPL_COUNT(calls),
};
