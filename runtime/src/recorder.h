/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder: trace.csv (one row per cycle), summary.json, timing.json (real clock), the status
 * line. It samples the exports of components and devices by their field tables. Files: recorder.c
 * (rows, snapshots), recorder_columns.c (selection of exports), summary.c, timing.c. */
#ifndef DOPPEL_RUNTIME_RECORDER_H
#define DOPPEL_RUNTIME_RECORDER_H

#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/time.h>

struct dpl_runtime;
struct dpl__executor;
struct dpl__recorder;

/* The trace's rows are the cycles of one executor: the fastest that has an export with
 * DPL_FIELD_TRACE (ties: start order). Columns: "t" (s, 6 decimals), then "<tag>.<name>" in
 * component order; strings quoted, numbers with the fewest digits that give the same number when
 * parsed; values of other executors are their last copies. */
int dpl__recorder_create(struct dpl_runtime *runtime, struct dpl_diag *reterr);
void dpl__recorder_destroy(struct dpl__recorder *recorder);

/* End of a cycle, on the executor's thread: copies exports to a preallocated snapshot, and a row
 * into the ring when it is the tracing executor's. No allocation, lock or system call. When the
 * ring is full, the row is dropped and counted. */
void dpl__recorder_cycle(struct dpl__recorder *recorder, struct dpl__executor *executor,
                         dpl_ns now);

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
struct dpl_runtime *dpl__recorder_runtime(const struct dpl__recorder *recorder);

/* After stop: closes the trace and writes summary.json with exports (DPL_FIELD_SUMMARY), executors,
 * ports, devices, duration_s, cpu_s, first_cycle_ms, world.contacts, faults, exit, and `error` with
 * the reason `why` of a failure (NULL: none). */
int dpl__recorder_write_summary(struct dpl__recorder *recorder, int exit_code,
                                const struct dpl_diag *why, struct dpl_diag *reterr);

/* Real clock: writes timing.json, the histograms of each executor in nanoseconds: wake_up (after
 * the deadline) and execution, bins as [from, to, count]. */
int dpl__recorder_write_timing(struct dpl_runtime *runtime, struct dpl_diag *reterr);

#endif
