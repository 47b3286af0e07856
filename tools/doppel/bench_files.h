/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a bench's run: it holds that run's results, never those of the one before. */
#ifndef DOPPEL_CLI_BENCH_FILES_H
#define DOPPEL_CLI_BENCH_FILES_H

#include "bench_run.h"

#define BENCH_LAST_TICK UINT32_MAX /* beyond all that can be asked for */

/* Sees to it that folder/summary.json tells the result that the bench tells: a run that crashed,
 * hung or never began wrote none, one that failed may have said otherwise. `application`: the
 * run's. 0, or -errno after printing why. */
int bench_complete_summary(const char *folder, const char *application,
                           const struct bench_result *result);

/* Draws folder/track.svg from folder/log.csv and folder/scene.json, where a bench wrote both, with
 * the bench's name and the verdict. The rays are those of a tick, the last one's where the run has
 * no such tick, which is told. 0 or -errno after printing why. */
int bench_draw(const char *folder, const char *bench, const struct bench_result *result, long tick);

#endif
