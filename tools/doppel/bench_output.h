/* SPDX-License-Identifier: Apache-2.0 */
/* What `doppel bench` tells: lines, success rates, JUnit files. */
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

/* The runs that came to an end of their own; the others were interrupted. */
size_t bench_count_judged(const struct bench_group *group);

/* The 95 % confidence interval of a rate, `good` of `n`: Wilson, J. Am. Stat. Assoc. 22 (1927). */
void bench_confidence(size_t good, size_t n, double *ret_low, double *ret_high);

/* Of the runs that were judged; none: nothing. */
void bench_print_rate(const struct bench_group *group);

/* Whether the file can be written, before any run is spent; -1 after printing why not. */
int bench_try_junit(const char *file);

/* Interrupted runs are skipped tests; a group without a run is left out. 0, or -1 after printing
 * why. */
int bench_write_junit(const char *file, const struct bench_group *groups, size_t n);

/* The exit code for `total` runs: a verdict that is not as expected, or is lacking because somebody
 * ended the runs, counts most; then a fault; then what was refused before it began. */
int bench_exit_code(const struct bench_group *groups, size_t n, size_t total);

#endif
