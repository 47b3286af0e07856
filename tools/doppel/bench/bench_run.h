/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of test benches, each in its own process: a crash or a blocking callback ends only that
 * run. */
#ifndef DOPPEL_CLI_BENCH_RUN_H
#define DOPPEL_CLI_BENCH_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <doppel/component.h>
#include <doppel/host/app.h>
#include <doppel/host/runtime.h>

#include "bench_repeat.h"
#include "observe.h"

#define BENCH_RUNS_MAX 64 /* at the same time */

/* Result of a run, sent by its process. */
struct bench_result {
    struct dpl_verdict verdict;
    double duration_s; /* of the run's time */
    bool interrupted;  /* bench_stop_runs ended it before a verdict: it has no information about the
                          bench */
    enum dpl_exit failure; /* of a `fault`: the exit code of `doppel run`; otherwise 0 */
};

struct bench_run {
    const struct dpl_app *app;
    struct dpl_catalog *catalog;
    struct dpl_runtime_options options; /* seed, clock, folder */
    struct observe_wanted observed;
    const struct dpl_bench *repeat; /* NULL: the application gives the verdict */
    double limit_s;                 /* limit of real time, then the run is ended; 0: none */
    int64_t started_ms;
    pid_t pid;
    int pipe; /* the result is read from it */
};

/* Starts the run's process. -errno. */
int bench_start(struct bench_run *run);

/* Waits for the end of the run. Without a verdict the result is `fault`, `none` (the run ended
 * without one), `hung` (it was ended after the limit) or `crash`; these are never expected. After
 * bench_stop_runs it is `interrupted`. */
void bench_wait(struct bench_run *run, struct bench_result *ret_result);

/* Requests all active runs to stop: the second call at once, the third call by force. For signal
 * handlers. */
void bench_stop_runs(void);

/* Sets a result without a verdict: `failure` is the exit code that `doppel run` would have, `text`
 * the reason. */
void bench_result_fail(struct bench_result *result, enum dpl_exit failure, const char *text);

/* Sets a fault because the run's files are not correct, independent of the verdict. */
void bench_result_spoil(struct bench_result *result);

#endif
