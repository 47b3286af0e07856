/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a bench's run: it contains the results of this run only, never of an earlier
 * one. */
#ifndef DOPPEL_CLI_BENCH_FILES_H
#define DOPPEL_CLI_BENCH_FILES_H

#include "bench_run.h"

#define BENCH_LAST_TICK UINT32_MAX /* above all possible ticks */

/* Makes folder/summary.json consistent with the result of the bench: a run that crashed, blocked or
 * did not start has written none, and one that failed may have written another. `application`: of
 * the run. 0, or -errno after printing the reason. */
int bench_complete_summary(const char *folder, const char *application,
                           const struct bench_result *result);

/* Draws folder/track.svg from folder/log.csv and folder/scene.json, if a bench has written both,
 * with the bench's name and the verdict. The rays are those of a given tick; if the run has no such
 * tick, those of the last one, with a message. 0 or -errno after printing the reason. */
int bench_draw(const char *folder, const char *bench, const struct bench_result *result, long tick);

#endif
