/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder: trace.csv (one row per cycle) and the status line. It samples the exports of
 * components and devices by their field tables at the end of a cycle (dpl__recorder_cycle in
 * host_calls.h). Files: recorder.c (rows, snapshots), recorder_columns.c (selection of exports),
 * recorder_text.c (rows as text). */
#ifndef DOPPEL_RUNTIME_RECORDER_H
#define DOPPEL_RUNTIME_RECORDER_H

#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/time.h>

#include "host_calls.h"

struct dpl_runtime;
struct dpl__executor;
struct dpl__recorder;

/* The trace's rows are the cycles of one executor: the fastest that has an export with
 * DPL_FIELD_TRACE (ties: start order). Columns: "t" (s, 6 decimals), then "<tag>.<name>" in
 * component order; strings quoted, numbers with the fewest digits that give the same number when
 * parsed; values of other executors are their last copies. With options.trace_every
 * there are rows of some cycles only; after options.trace_most bytes there are no more, which is
 * logged at once. */
int dpl__recorder_create(struct dpl_runtime *runtime, struct dpl_diag *reterr);
void dpl__recorder_destroy(struct dpl__recorder *recorder);

/* Control thread: writes rows to the file. */
void dpl__recorder_drain(struct dpl__recorder *recorder);
/* As dpl__recorder_drain, for a process that will not reach the end of the run: the file (still
 * named .part) then has all rows so far. NULL: does nothing. */
void dpl__recorder_save(struct dpl__recorder *recorder);
/* Writes the text of the status line into the recorder's buffer. */
const char *dpl__recorder_status(struct dpl__recorder *recorder);
/* Writes the last rows and closes the file; -EIO when it is incomplete. A second call does
 * nothing. */
int dpl__recorder_close_trace(struct dpl__recorder *recorder, struct dpl_diag *reterr);
uint64_t dpl__recorder_dropped_rows(const struct dpl__recorder *recorder);

#endif
