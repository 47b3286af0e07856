/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `doppel bench`: lines, success rates, JUnit files. */
#ifndef DOPPEL_CLI_BENCH_OUTPUT_H
#define DOPPEL_CLI_BENCH_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include "bench_run.h"

/* The runs of one bench; the seed of run i is seed + i. */
struct bench_group {
    const char *name;
    uint64_t seed;
    const struct bench_result *results;
    size_t n;
};

void bench_print_result(const char *name, const uint64_t *seed, const struct bench_result *result);

size_t bench_count_expected(const struct bench_group *group);

/* The number of runs that ended by themselves; the others were interrupted. */
size_t bench_count_judged(const struct bench_group *group);

/* Prints the rate over runs with a verdict; without such runs nothing. */
void bench_print_rate(const struct bench_group *group);

/* Checks that the file can be written, before any run; -1 after printing the reason. */
int bench_try_junit(const char *file);

/* Interrupted runs are written as skipped tests; a group without a run is omitted. 0, or -1 after
 * printing the reason. */
int bench_write_junit(const char *file, const struct bench_group *groups, size_t n);

/* The exit code for `total` runs, in order of priority: a verdict that is not the expected one, or
 * missing because the user ended the runs; a fault; an error before the start. */
int bench_exit_code(const struct bench_group *groups, size_t n, size_t total);

#endif
