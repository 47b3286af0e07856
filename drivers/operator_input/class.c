/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/drv/operator_input.h>

#define SAMPLE struct dpl_operator_sample

static const struct dpl_field sample[] = {
    DPL_EXPORT_BOOL(SAMPLE, held, "held", 0, "the dead-man's switch"),
    DPL_EXPORT_NUMBER(SAMPLE, forward, "forward", NULL, 0, "share of the largest speed, -1 to 1"),
    DPL_EXPORT_NUMBER(SAMPLE, turn, "turn", NULL, 0, "share of the largest turn rate, -1 to 1"),
    DPL_EXPORT_NUMBER(SAMPLE, share, "share", NULL, 0, "of the largest speeds, above 0 to 1"),
    DPL_EXPORT_INT(SAMPLE, stamp, "stamp", "ns", 0, "of the newest event, on the run's clock"),
};

static const struct dpl_call calls[DPL_DRV_OPERATOR_INPUT_N_CALLS] = {
    [DPL_DRV_OPERATOR_INPUT_EXECUTE] =
        DPL_CALL(CYCLE, "execute", "once a cycle, before read", DPL_CALL_TICK),
    [DPL_DRV_OPERATOR_INPUT_READ] = DPL_CALL(READING, "read", "command of the operator",
                                             DPL_CALL_OUT(struct dpl_operator_sample, sample)),
};

const struct dpl_device_class dpl_operator_input_class = {
    .name = DPL_OPERATOR_INPUT_CLASS,
    .summary = "a person's keyboard or gamepad, with a dead-man's switch",
    .calls = calls,
    .n_calls = DPL_COUNT(calls),
};
