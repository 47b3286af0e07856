/* SPDX-License-Identifier: Apache-2.0 */
/* The results of test plans: junit.xml and summary.json, and what is printed at the end. */
#ifndef DOPPEL_CLI_TEST_OUTPUT_H
#define DOPPEL_CLI_TEST_OUTPUT_H

#include "test_run.h"

struct test_counts {
    size_t passed, by_hand, failed, errors, skipped; /* errors: also runs without a plan */
};
struct test_counts test_count(const struct test_results *runs, size_t n);

/* One line for all runs. */
void test_print_counts(const struct test_results *runs, size_t n);

/* Writes junit.xml: a suite a run, a case a step. 0, or -1 after printing the reason. */
int test_write_junit(const char *folder, const struct test_results *runs, size_t n);

/* Writes summary.json. 0, or -1 after printing the reason. */
int test_write_summary(const char *folder, const struct test_results *runs, size_t n,
                       enum dpl_exit code);

#endif
