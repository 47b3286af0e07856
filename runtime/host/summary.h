/* SPDX-License-Identifier: Apache-2.0 */
/* What a run writes at its end: summary.json and timing.json. */
#ifndef DOPPEL_RUNTIME_SUMMARY_H
#define DOPPEL_RUNTIME_SUMMARY_H

#include <doppel/diag.h>

struct dpl_runtime;

/* After stop, with a recorder: closes the trace and writes summary.json with exports
 * (DPL_FIELD_SUMMARY), executors, ports, devices, duration_s, interrupted, cpu_s, first_cycle_ms,
 * world.contacts, contacts, faults, exit, and `error` with the reason `why` of a failure (NULL:
 * none); on the real clock also timing.json. */
int dpl__summary_write(struct dpl_runtime *runtime, int exit_code, const struct dpl_diag *why,
                       struct dpl_diag *reterr);

/* Real clock: writes timing.json, the histograms of each executor in nanoseconds: wake_up (after
 * the deadline) and execution, bins as [from, to, count]. */
int dpl__timing_write(struct dpl_runtime *runtime, struct dpl_diag *reterr);

/* What summary.json has, for the gateways of an observed run; the caller frees it. NULL: nobody
 * observes, or no memory. */
char *dpl__summary_text(struct dpl_runtime *runtime, int exit_code, const struct dpl_diag *why);

#endif
