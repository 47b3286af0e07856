/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts and small statistics of the acceptance. */
#ifndef DPL_ACCEPTANCE_REPORT_H
#define DPL_ACCEPTANCE_REPORT_H

#include "run.h"

struct options {
    bool quick;
    int n_threads;
    int n_seeds;    /* 0: the default of each check */
    int first_seed; /* of the comparison of strategies; 0: its held-out draws */
    int noise;      /* of its draws, with the same robots and commands; 0: that of the seed */
    bool list;      /* its draws, one by one */
};

struct tally {
    int passed, failed;
};

/* Prints one line "PASS|FAIL name measured limit unit" and counts it. */
void report_at_most(struct tally *tally, const char *name, double measured, double limit,
                    const char *unit);
void report_at_least(struct tally *tally, const char *name, double measured, double limit,
                     const char *unit);

/* Counts a verdict whose line the caller prints. Returns "ok" or "FAIL". */
const char *report_count(struct tally *tally, bool passed);

/* Sorts; `part` in [0, 1]; n > 0. */
double report_quantile(double *values, size_t n, double part);

/* Number of seeds of a check: its own, or fewer when quick. */
int report_seeds(const struct options *options, int wanted, int quick);

/* Runs all specs; ends the program with a message when memory is exhausted. */
void report_run(const struct options *options, const struct run_spec *specs, size_t n_specs,
                struct run_result *results);

/* The checks of section 4 of the specification. */
void check_random(const struct options *options, struct tally *tally);
void check_tables(const struct options *options, struct tally *tally);
void check_events(const struct options *options, struct tally *tally);
void check_fig12(const struct options *options, struct tally *tally);

/* Of the strategies with each other. */
void check_strategies(const struct options *options, struct tally *tally);

/* Prints the time of a tick and of a simulated millisecond; gives no verdict. */
void bench_print(void);

#endif
