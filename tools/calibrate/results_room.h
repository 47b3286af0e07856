/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a disk has room for what a calibration writes: asked before a robot drives for minutes.
 */
#ifndef DOPPEL_CALIBRATE_RESULTS_ROOM_H
#define DOPPEL_CALIBRATE_RESULTS_ROOM_H

#include <doppel/diag.h>

struct dpl_app;

/* Bytes that a binding takes at most, with what a file system adds. */
#define RESULTS_ROOM_BINDING 65536.0

/* About how many bytes the results of a run of the application take: nearly all is its trace. */
double results_room_of_run(const struct dpl_app *app, double duration_s);

/* 0; -ENOSPC with reterr: fewer than `bytes` are free where `path` is, a folder or a file that may
 * not be there yet. What cannot be asked is no error: 0. `what`: the option that names it, or the
 * folder. Blocks. */
int results_room_check(const char *what, const char *path, double bytes, struct dpl_diag *reterr);

#endif
