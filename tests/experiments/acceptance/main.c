/* SPDX-License-Identifier: Apache-2.0 */
/* sync_acceptance: runs the synchronization with mock plants and compares it with the limits of its
 * specification. */
#include <stdio.h>
#include <stdlib.h>

#include "report.h"

struct acceptance acceptance = {.rows.only = "ABCD", .threads = 2};

static const struct rows_group checks[] = {
    {"A", check_random, NULL}, {"B", check_tables, NULL},     {"C", check_events, NULL},
    {"D", check_fig12, NULL},  {"E", check_strategies, NULL},
};

#define V(member) offsetof(struct acceptance, member)

static const struct option options[] = {
    ROWS_QUICK,
    ROWS_ONLY("only", "ABCDE: A random mismatches, B tables, C events, D the control fig12, E the "
                      "strategies against each other (default ABCD)"),
    {"threads", "N", OPTION_COUNT, V(threads), 1, 64, "default 2", NULL},
    ROWS_SEEDS(1000),
    {"first-seed", "N", OPTION_COUNT, V(first_seed), 1, 1e6,
     "draws of E from this seed on, for tuning (default: held-out ones)", NULL},
    {"noise", "N", OPTION_COUNT, V(noise), 1, 1e6, "the same draws of E with other noise", NULL},
    {"list", NULL, OPTION_FLAG, V(list), 0, 0, "print every draw of E, not only the worst", NULL},
    {"bench", NULL, OPTION_FLAG, V(bench), 0, 0, "print what a tick costs, check nothing", NULL},
};

static const struct command command = {
    .name = "sync_acceptance",
    .is_program = true,
    .summary = "compares the synchronization with the limits of its specification",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
};

int report_seeds(int wanted, int quick)
{
    return asked->seeds > 0 ? (int)asked->seeds : asked->quick ? quick : wanted;
}

void report_run(const struct run_spec *specs, size_t n_specs, struct run_result *results)
{
    if (run_all(specs, n_specs, (int)acceptance.threads, results) != 0) {
        fprintf(stderr, "sync_acceptance: out of memory\n");
        exit(3);
    }
}

int main(int argc, char **argv)
{
    int code = rows_options(&command, argc, argv, &acceptance);
    if (code < 0 && acceptance.bench) {
        bench_print();
        return 0;
    }
    return code >= 0 ? code : rows_run(&command, checks, sizeof checks / sizeof checks[0]);
}
