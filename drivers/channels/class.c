/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/drv/channels.h>

#define NUMBER(struct_)                                                                            \
    DPL_INT(struct_, number, "number", NULL, 0, DPL_CHANNELS_MAX - 1, "of the channel")

static const struct dpl_field find[] = {
    NUMBER(struct dpl_channels_find),
    DPL_INT(struct dpl_channels_find, put, "put", NULL, 0, 1, "1: to write it"),
};

static const struct dpl_field put[] = {
    NUMBER(struct dpl_channels_put),
    DPL_NUMBER(struct dpl_channels_put, value, "value", NULL, NULL, 0, 0, "to write"),
};

static const struct dpl_field get[] = {
    NUMBER(struct dpl_channels_get),
};

static const struct dpl_field value[] = {
    DPL_EXPORT_INT(struct dpl_channels_value, stamp, "stamp", "ns", 0, "when it was measured"),
    DPL_EXPORT_NUMBER(struct dpl_channels_value, value, "value", NULL, 0, "that was read"),
};

static const struct dpl_call calls[DPL_DRV_CHANNELS_N_CALLS] = {
    [DPL_DRV_CHANNELS_FIND] = DPL_CALL(SETTING, "find", "which channel a number is",
                                       DPL_CALL_IN(struct dpl_channels_find, find),
                                       .beyond = "name and unit: texts; reterr"),
    [DPL_DRV_CHANNELS_PUT] =
        DPL_CALL(COMMAND, "put", "writes a channel", DPL_CALL_IN(struct dpl_channels_put, put)),
    [DPL_DRV_CHANNELS_RELEASE] = DPL_CALL(STOP, "release", "takes back what was written"),
    [DPL_DRV_CHANNELS_EXECUTE] =
        DPL_CALL(CYCLE, "execute", "once a cycle, before get", DPL_CALL_TICK, DPL_CALL_OR_NOTHING),
    [DPL_DRV_CHANNELS_GET] =
        DPL_CALL(READING, "get", "reads a channel", DPL_CALL_IN(struct dpl_channels_get, get),
                 DPL_CALL_OUT(struct dpl_channels_value, value)),
};

const struct dpl_device_class dpl_channels_class = {
    .name = DPL_CHANNELS_CLASS,
    .summary = "numbers that are read and written by name",
    .calls = calls,
    .n_calls = DPL_COUNT(calls),
};
