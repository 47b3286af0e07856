/* SPDX-License-Identifier: Apache-2.0 */
/* A run of a test bench. */
#ifndef DOPPEL_CLI_BENCH_RUN_H
#define DOPPEL_CLI_BENCH_RUN_H

#include <stdbool.h>

#include <doppel/component.h>
#include <doppel/host/app.h>
#include <doppel/host/runtime.h>

#include "bench_repeat.h"
#include "observe.h"

/* Result of a run, sent by its process. */
struct bench_result {
    struct dpl_verdict verdict;
    double duration_s; /* of the run's time */
    bool interrupted;  /* it was stopped before a verdict: it has no information about the bench */
    bool is_there, has_folder; /* it has ended; there is a folder to complete */
    enum dpl_exit failure;     /* of a `fault`: the exit code of `doppel run`; otherwise 0 */
};

struct bench_run {
    const struct dpl_app *app;
    struct dpl_catalog *catalog;
    struct dpl_runtime_options options; /* seed, clock, folder */
    struct observe_wanted observed;
    const struct dpl_bench *repeat; /* NULL: the application gives the verdict */
};

/* Carries out a run in this process, which is of no use afterwards; SIGTERM stops it, and is
 * blocked until the run can take it. Without a verdict the result is `fault` or `none` (the run
 * ended without one); these are never expected. `ret_result` is zeroed. */
void bench_run_here(struct bench_run *run, struct bench_result *ret_result);

/* Sets a result that nobody expected. */
void bench_result_say(struct bench_result *result, const char *name, const char *text);

/* Sets a result without a verdict: `failure` is the exit code that `doppel run` would have, `text`
 * the reason. */
void bench_result_fail(struct bench_result *result, enum dpl_exit failure, const char *text);

/* Sets a fault because the run's files are not correct, independent of the verdict. */
void bench_result_spoil(struct bench_result *result);

#endif
