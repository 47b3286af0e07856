/* SPDX-License-Identifier: Apache-2.0 */
/* What a run writes before its first cycle: run.json, its record (docs/design/profiles.md). */
#ifndef DOPPEL_RUNTIME_RUN_RECORD_H
#define DOPPEL_RUNTIME_RUN_RECORD_H

#include <doppel/diag.h>

struct dpl_runtime;

/* With a folder of results, and not in a rehearsal: writes run.json. It has the date, host, version
 * and command line, the world, each component with its class, ports, properties and devices, the
 * connections, and unit and description of each column of
 * trace.csv and each value of summary.json. It is the only file of a
 * simulated run that depends on the wall clock. After dpl__recorder_create. -errno with reterr.
 * Blocks, allocates. */
int dpl__run_record_write(struct dpl_runtime *runtime, struct dpl_diag *reterr);

/* What run.json has; the caller frees it. NULL: no memory. */
char *dpl__run_record_text(const struct dpl_runtime *runtime);

#endif
