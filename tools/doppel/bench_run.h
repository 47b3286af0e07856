/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of test benches, each in a process of its own: what crashes or hangs there ends that run
 * and no other. */
#ifndef DOPPEL_CLI_BENCH_RUN_H
#define DOPPEL_CLI_BENCH_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <doppel/component.h>
#include <doppel/host/app.h>
#include <doppel/host/runtime.h>

#define BENCH_RUNS_MAX 64 /* at a time */

/* What a run found out, as its process sends it. */
struct bench_result {
    struct dpl_verdict verdict;
    double duration_s; /* of the run's time */
    bool interrupted;  /* bench_stop_runs ended it before a verdict: it says nothing of the bench */
    enum dpl_exit failure; /* of a `fault`: what `doppel run` would have ended with; else 0 */
};

struct bench_run {
    const struct dpl_app *app;
    struct dpl_catalog *catalog;
    struct dpl_runtime_options options; /* seed, clock, folder */
    double limit_s;                     /* of real time, then it is given up; 0: never */
    int64_t started_ms;
    pid_t pid;
    int pipe; /* the result comes here */
};

/* Starts the run's process. -errno. */
int bench_start(struct bench_run *run);

/* Waits for the end of the run. Without a verdict the result says what happened instead: `fault`,
 * `none` (the run ended without one), `hung` (it was given up) or `crash`; these are never
 * expected. After bench_stop_runs it is `interrupted`. */
void bench_wait(struct bench_run *run, struct bench_result *ret_result);

/* Asks all runs that go on to stop: the second time at once, the third time by force. For signal
 * handlers. */
void bench_stop_runs(void);

/* There is no verdict: `failure` is what `doppel run` would have ended with, `text` says why. */
void bench_result_fail(struct bench_result *result, enum dpl_exit failure, const char *text);

/* The run's files are not what they should be: a fault, whatever the verdict was. */
void bench_result_spoil(struct bench_result *result);

#endif
