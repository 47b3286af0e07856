/* SPDX-License-Identifier: Apache-2.0 */
/* What a robot measured on its way: laser scans, each with the odometry of its instant. Read from
 * the results of a run (scans.csv of ScanRecorder) or from a robot's log
 * (log_player.h). */
#ifndef DOPPEL_MAP_RECORDING_H
#define DOPPEL_MAP_RECORDING_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/diag.h>
#include <doppel/math/geometry.h>

enum {
    RECORDING_SCANS_MAX = 50000,
    RECORDING_BEAMS_MAX = 8192,      /* of one scan */
    RECORDING_RANGES_MAX = 50000000, /* of all scans: 200 MB */
};

struct recorded_scan {
    double time_s;
    struct dpl_pose2 odometry;      /* of the base, as recorded */
    struct dpl_pose2 mount;         /* of the laser in the base's frame */
    double start_angle, step_angle; /* rad: of the first beam, and to the next one */
    size_t first, n;                /* ranges[first] to ranges[first + n - 1] of the recording */
};

struct recording {
    struct recorded_scan *scans;
    size_t n;
    float *ranges; /* m; 0: no return */
    size_t n_ranges;
    bool is_log;   /* read from a robot's log */
    double axle_m; /* of the odometry; 0: not known (a scans.csv) */
};

/* Reads a folder of results (its scans.csv, or the whole rows of scans.csv.part), a scans.csv, a
 * recording of a run (bag.h), a log of CARMEN, or a robot's log. 0, or -errno with file, line and
 * column in reterr, whose place borrows ret_file[size], the name of the file that was read.
 * Allocates; blocks. */
int recording_read(const char *path, char *ret_file, size_t size, struct recording *ret_recording,
                   struct dpl_diag *reterr);

/* The same, but of a recording of a run all scans, not those alone that its ScanRecorder keeps. */
int recording_read_every(const char *path, char *ret_file, size_t size,
                         struct recording *ret_recording, struct dpl_diag *reterr);

/* Parses a scans.csv of `size` bytes (no terminating 0 needed); `is_part`: the last row may be
 * incomplete and is then left out. At least one scan; times increase; poses are finite. Ranges that
 * are not finite or not positive become 0. -EINVAL with line and column; -ENOMEM. `file` names it
 * in reterr. Allocates. */
int recording_parse_csv(const char *file, const char *text, size_t size, bool is_part,
                        struct recording *ret_recording, struct dpl_diag *reterr);

/* Whether a text is a log of CARMEN: its first row that is no comment begins with a message of it.
 */
bool recording_is_carmen(const char *text, size_t size);

/* Parses a log of CARMEN as recording_parse_csv does a scans.csv. Ranges at the scanner's end are
 * 0. Scans whose time is not later than that of the scan before are left out. */
int recording_parse_carmen(const char *file, const char *text, size_t size,
                           struct recording *ret_recording, struct dpl_diag *reterr);

/* Adds a scan without ranges, or a range to the last scan. 0, -ENOMEM, or -ENOSPC: beyond the
 * limits. */
int recording_add_scan(struct recording *recording, const struct recorded_scan *scan);
int recording_add_range(struct recording *recording, double range_m);

void recording_finish(struct recording *recording);

#endif
