/* SPDX-License-Identifier: Apache-2.0 */
/* What the checks of the acceptance have in common. */
#ifndef DPL_ACCEPTANCE_REPORT_H
#define DPL_ACCEPTANCE_REPORT_H

#include "frame.h"
#include "run.h"

struct acceptance {
    struct rows rows;
    uint64_t threads;
    uint64_t first_seed; /* of the comparison of strategies; 0: its held-out draws */
    uint64_t noise;      /* of its draws, with the same robots and commands; 0: that of the seed */
    bool list;           /* its draws, one by one */
    bool bench;
};
extern struct acceptance acceptance;

/* Number of seeds of a check: its own, or fewer when quick. */
int report_seeds(int wanted, int quick);

/* Runs all specs; ends the program with a message when memory is exhausted. */
void report_run(const struct run_spec *specs, size_t n_specs, struct run_result *results);

/* The checks of section 4 of the specification. */
void check_random(void);
void check_tables(void);
void check_events(void);
void check_fig12(void);

/* Of the strategies with each other. */
void check_strategies(void);

/* Prints the time of a tick and of a simulated millisecond; gives no verdict. */
void bench_print(void);

#endif
