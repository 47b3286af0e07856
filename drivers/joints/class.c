/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/drv/joints.h>

#define COMMAND struct dpl_joints_command
#define STATE   struct dpl_joints_state

static const struct dpl_field command[] = {
    DPL_INT(COMMAND, mode, "mode", NULL, DPL_JOINTS_POSITION, DPL_JOINTS_EFFORT,
            "0 position, 1 velocity, 2 effort"),
    DPL_INT(COMMAND, n, "n", NULL, 1, DPL_JOINTS_MAX, "number of joints"),
    DPL_NUMBER(COMMAND, value, "value", NULL, NULL, 0, 0, "of each joint"),
};

static const struct dpl_field side[] = {
    DPL_INT(struct dpl_joints_read_side, side, "side", NULL, 0, 1, "0 hardware, 1 simulation"),
};

static const struct dpl_field state[] = {
    DPL_EXPORT_BOOL(STATE, valid, "valid", 0, "false until all joints have reported once"),
    DPL_EXPORT_BOOL(STATE, ready, "ready", 0, "the joints follow commands now"),
    DPL_EXPORT_INT(STATE, stamp, "stamp", "ns", 0, "acquisition, on the run's clock"),
    DPL_EXPORT_INT(STATE, fault, "fault", NULL, 0, "the device's own code; 0: none"),
    DPL_EXPORT_INT(STATE, n, "n", NULL, 0, "number of joints"),
    DPL_EXPORT_NUMBER(STATE, position, "position", NULL, 0, "of each joint: rad or m"),
    DPL_EXPORT_NUMBER(STATE, velocity, "velocity", NULL, 0, "of each joint: rad/s or m/s"),
    DPL_EXPORT_NUMBER(STATE, effort, "effort", NULL, 0, "of each motor: N m or N"),
};

static const struct dpl_call calls[DPL_DRV_JOINTS_N_CALLS] = {
    [DPL_DRV_JOINTS_ENABLE] =
        DPL_CALL(COMMAND, "enable", "drives on, holding where they stand", DPL_CALL_OR_NOTHING),
    [DPL_DRV_JOINTS_DISABLE] =
        DPL_CALL(STOP, "disable", "stop, then drives off", DPL_CALL_OR_NOTHING),
    [DPL_DRV_JOINTS_COMMAND] =
        DPL_CALL(COMMAND, "command", "setpoints of all joints", DPL_CALL_IN(COMMAND, command),
                 .beyond = "n is the number of the device's joints"),
    [DPL_DRV_JOINTS_STOP] = DPL_CALL(STOP, "stop", "come to rest, hold still"),
    [DPL_DRV_JOINTS_EXECUTE] =
        DPL_CALL(CYCLE, "execute", "once a cycle, before read", DPL_CALL_TICK, DPL_CALL_OR_NOTHING),
    [DPL_DRV_JOINTS_READ] = DPL_CALL(READING, "read", "where the joints are and what they do",
                                     DPL_CALL_OUT(STATE, state)),
    [DPL_DRV_JOINTS_READ_SIDE] = DPL_CALL(READING, "read_side", "HIL only: report of one side",
                                          DPL_CALL_IN(struct dpl_joints_read_side, side),
                                          DPL_CALL_OUT(STATE, state), DPL_CALL_OR_ENOTSUP),
};

const struct dpl_device_class dpl_joints_class = {
    .name = DPL_JOINTS_CLASS,
    .summary = "a group of joints of one device, such as a robot arm",
    .calls = calls,
    .n_calls = DPL_COUNT(calls),
};
