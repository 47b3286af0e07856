/* SPDX-License-Identifier: Apache-2.0 */
/* A run as a bench: a file (<bench>) with which `doppel bench` repeats it up to the present time
 * and compares its values. */
#ifndef DOPPEL_RUN_BENCH_H
#define DOPPEL_RUN_BENCH_H

#include <doppel/diag.h>

#include "by_hand.h"

struct dpl_runtime;

/* Of a simulated run that is paused: a new file. 0; -EEXIST: there is one; -errno with reterr: it
 * cannot be written, or the run cannot be repeated. Observer's thread; blocks. */
int dpl__run_bench_write(const struct dpl_runtime *runtime, const struct dpl__by_hand *by_hand,
                         const char *path, struct dpl_diag *reterr);

#endif
