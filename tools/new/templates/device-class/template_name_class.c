/* The calls of the class as data. Doppel checks arguments by it, and that each driver has all calls
 * that are not optional. */
#include "template_name.h"

#define COMMAND struct template_name_command
#define SAMPLE  struct template_name_sample

static const struct dpl_field command[] = {
    DPL_NUMBER(COMMAND, level, "level", NULL, NULL, 0, 1, "from now on"),
};

static const struct dpl_field sample[] = {
    DPL_EXPORT_BOOL(SAMPLE, valid, "valid", 0, "false until the device has measured once"),
    DPL_EXPORT_INT(SAMPLE, stamp, "stamp", "ns", 0, "time of measurement, on the run's clock"),
    DPL_EXPORT_NUMBER(SAMPLE, level, "level", NULL, 0, "measured, 0 to 1"),
};

static const struct dpl_call calls[TEMPLATE_NAME_N_CALLS] = {
    [TEMPLATE_NAME_SET] =
        DPL_CALL(COMMAND, "set", "the level from now on", DPL_CALL_IN(COMMAND, command)),
    [TEMPLATE_NAME_STOP] = DPL_CALL(STOP, "stop", "the level is 0 from now on"),
    [TEMPLATE_NAME_EXECUTE] =
        DPL_CALL(CYCLE, "execute", "once a cycle, before read", DPL_CALL_TICK, DPL_CALL_OR_NOTHING),
    [TEMPLATE_NAME_READ] =
        DPL_CALL(READING, "read", "the newest measurement", DPL_CALL_OUT(SAMPLE, sample)),
};

const struct dpl_device_class template_name_class = {
    .name = TEMPLATE_NAME_CLASS,
    .summary = "a device with one level",
    .calls = calls,
    .n_calls = DPL_COUNT(calls),
};
