/* SPDX-License-Identifier: Apache-2.0 */
/* A recording for emulators: whatever recording.h reads, as a log of a robot that drove so. */
#ifndef DOPPEL_RECORDED_RECORDING_LOG_H
#define DOPPEL_RECORDED_RECORDING_LOG_H

#include "log_player.h"
#include "recording.h"

/* Loads a robot's log, or what recording_read_every reads besides. 0, or -errno with reterr, whose
 * place borrows ret_file[size]. Allocates; blocks. */
int recording_log_load(const char *path, char *ret_file, size_t size, struct log_player *ret_player,
                       struct dpl_diag *reterr);

/* The log of a robot with the geometry log_geometry_default whose odometry was that of the scans,
 * and whose laser, at its middle, saw their ranges in its own directions (0 where they have none).
 * 0; -EINVAL: fewer than 2 scans, or more than LOG_ROWS_MAX; -ENOMEM. */
int recording_log_make(const struct recording *recording, struct log_player *ret_player);

#endif
