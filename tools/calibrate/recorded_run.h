/* SPDX-License-Identifier: Apache-2.0 */
/* What a calibration takes from a recording: the ways of the wheels with their commands, the scans,
 * and where the robot started. A folder of results (--out) has all of it: trace.csv and scans.csv.
 * A scans.csv alone, or a robot's log, has the pose of the odometry with each scan; the ways of the
 * wheels are computed from it. Then commands and the delay of the scans are not known. */
#ifndef DOPPEL_CALIBRATE_RECORDED_RUN_H
#define DOPPEL_CALIBRATE_RECORDED_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/math/geometry.h>

#include "drive_fit.h"
#include "recording.h"
#include "result.h"

struct recorded_run {
    struct drive_sample *samples; /* [n]; times of the rows increase */
    size_t n;
    bool has_trace; /* with commands, and the time at which the odometry was measured */
    struct recording scans;
    bool has_seed; /* of the run's worlds, by its summary */
    uint64_t seed;
    bool has_start; /* where the avatar stood at the first row, in the world */
    struct dpl_pose2 start;
};

/* Takes commands and ways of the component `wheels` from a trace. 0 with *ret_samples[*ret_n],
 * which the caller frees; -EINVAL: the trace has not the columns, or no row with all of them;
 * -ENOMEM. */
int recorded_run_read_trace(const struct result *result, const char *wheels,
                            struct drive_sample **ret_samples, size_t *ret_n,
                            struct dpl_diag *reterr);

/* Ways of the wheels `axle_m` apart along the poses of the scans' odometry, as such samples without
 * commands. 0; -ENOMEM. Allocates. */
int recorded_run_read_poses(const struct recording *scans, double axle_m,
                            struct drive_sample **ret_samples, size_t *ret_n);

/* Reads a folder of results or a file. `axle_m`: of the odometry that was recorded. 0, or -errno
 * with reterr; its place borrows ret_file[size], the file that was read. Allocates; blocks. */
int recorded_run_read(const char *path, const char *wheels, double axle_m, char *ret_file,
                      size_t size, struct recorded_run *ret_run, struct dpl_diag *reterr);

void recorded_run_finish(struct recorded_run *run);

#endif
