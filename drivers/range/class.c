/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/drv/range.h>

#define SAMPLE struct dpl_range_sample

static const struct dpl_field sample[] = {
    DPL_EXPORT_INT(SAMPLE, n_ranges, "n_ranges", NULL, 0, "range finders there are"),
    DPL_EXPORT_INT(SAMPLE, n_contacts, "n_contacts", NULL, 0, "bumpers there are"),
    DPL_EXPORT_NUMBER(SAMPLE, ranges_m, "ranges", "m", 0, "inf: it sees nothing up to its reach"),
    DPL_EXPORT_NUMBER(SAMPLE, contacts, "contacts", NULL, 0, "1: touched; 0: not"),
    DPL_EXPORT_INT(SAMPLE, range_stamps, "range_stamps", "ns", 0,
                   "of the measurement, on the run's clock; below 0: none yet"),
    DPL_EXPORT_INT(SAMPLE, contact_stamps, "contact_stamps", "ns", 0, "the same"),
};

static const struct dpl_call calls[DPL_DRV_RANGE_N_CALLS] = {
    [DPL_DRV_RANGE_EXECUTE] =
        DPL_CALL(CYCLE, "execute", "once a cycle, before read", DPL_CALL_TICK, DPL_CALL_OR_NOTHING),
    [DPL_DRV_RANGE_READ] = DPL_CALL(READING, "read", "the newest of each sensor",
                                    DPL_CALL_OUT(struct dpl_range_sample, sample)),
};

const struct dpl_device_class dpl_range_class = {
    .name = DPL_RANGE_CLASS,
    .summary = "range finders and bumpers",
    .calls = calls,
    .n_calls = DPL_COUNT(calls),
};
