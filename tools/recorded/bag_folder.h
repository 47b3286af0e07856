/* SPDX-License-Identifier: Apache-2.0 */
/* A recording from the files of a run without one. */
#ifndef DOPPEL_RECORDED_BAG_FOLDER_H
#define DOPPEL_RECORDED_BAG_FOLDER_H

#include <doppel/diag.h>

/* Makes a recording `file` from a folder of results (--out), so that what reads recordings reads
 * it: values of trace.csv (that of a run that goes on or was killed: its complete rows) as their
 * topics, scans.csv, where robot and avatar were; run.json, summary.json and timing.json are
 * attached. Values of slower executors come when they change. 0; -errno with reterr: -ENOENT: it
 * has neither trace nor scans; -EINVAL: one of them cannot be read. Allocates; blocks. */
int bag_from_folder(const char *folder, const char *file, struct dpl_diag *reterr);

/* bag_open of the run that a path means: of a recording, of the one in a folder, or of one that is
 * made from the folder's files and is gone when it is closed. *ret_file: its name, in the last case
 * the folder's. 0; 1: it was made; -errno with reterr. */
struct bag;
int bag_open_run(const char *path, char *ret_file, size_t size, struct bag *ret_bag,
                 struct dpl_diag *reterr);

#endif
