/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/drv/laser_scanner.h>

#define SCAN struct dpl_laser_scan

static const struct dpl_field known[] = {
    DPL_INT(struct dpl_laser_read, after, "after", NULL, 0, 0, "newest scan known; -1: none"),
};

static const struct dpl_field scan[] = {
    DPL_EXPORT_INT(SCAN, stamp, "stamp", "ns", 0, "acquisition, on the run's clock"),
    DPL_EXPORT_INT(SCAN, sequence, "sequence", NULL, 0, "grows with each scan"),
    DPL_EXPORT_NUMBER(SCAN, start_angle_rad, "start_angle", "rad", 0, "of the first range"),
    DPL_EXPORT_NUMBER(SCAN, step_angle_rad, "step_angle", "rad", 0, "counter-clockwise"),
    DPL_EXPORT_NUMBER(SCAN, min_range_m, "min_range", "m", 0, "smaller distances give no return"),
    DPL_EXPORT_NUMBER(SCAN, max_range_m, "max_range", "m", 0, "larger distances give no return"),
    DPL_EXPORT_NUMBER(SCAN, period_s, "period", "s", 0, "between two scans"),
    DPL_EXPORT_INT(SCAN, n, "n", NULL, 0, "how many ranges there are"),
    DPL_EXPORT_INT(SCAN, n_intensities, "n_intensities", NULL, 0, "0 or n"),
};

static const struct dpl_call calls[DPL_DRV_LASER_SCANNER_N_CALLS] = {
    [DPL_DRV_LASER_SCANNER_ENABLE] = DPL_CALL(COMMAND, "enable", "laser on, scanning"),
    [DPL_DRV_LASER_SCANNER_DISABLE] = DPL_CALL(STOP, "disable", "laser off"),
    [DPL_DRV_LASER_SCANNER_EXECUTE] =
        DPL_CALL(CYCLE, "execute", "once a cycle, before read", DPL_CALL_TICK, DPL_CALL_OR_NOTHING),
    [DPL_DRV_LASER_SCANNER_READ] = DPL_CALL(
        READING, "read", "the newest scan", DPL_CALL_IN(struct dpl_laser_read, known),
        DPL_CALL_OUT(struct dpl_laser_scan, scan), .borrowed = true,
        .beyond = "ranges_m and intensities: blocks of float, n and n_intensities of them"),
};

const struct dpl_device_class dpl_laser_scanner_class = {
    .name = DPL_LASER_SCANNER_CLASS,
    .summary = "a planar range scanner",
    .calls = calls,
    .n_calls = DPL_COUNT(calls),
};
