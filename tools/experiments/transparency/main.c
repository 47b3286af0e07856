/* SPDX-License-Identifier: Apache-2.0 */
/* transparency_acceptance: compares the pure logic of the six-axis motion planner with the numbers
 * of its specification. Exit 0 when all are met, 1 when one is not, 2 on wrong usage. */
#include "acceptance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(struct acceptance *);
} criteria[] = {
    {"filter_and_model", acceptance_filter_and_model},
    {"moves_and_delay", acceptance_moves_and_delay},
    {"one_axis", acceptance_one_axis},
    {"six_axes", acceptance_six_axes},
    {"application", acceptance_application},
    {"kinematics", acceptance_kinematics},
    {"planner", acceptance_planner},
    {"time_base", acceptance_time_base},
    {"underrun", acceptance_underrun},
};

static const char usage[] =
    "usage: transparency_acceptance [--quick] [--only NAME] [--runs START_S FOLDER]\n"
    "  --quick      shorter property tests, the same limits\n"
    "  --runs       judge the experiment's runs in FOLDER too; START_S is when their\n"
    "               first window begins\n"
    "  --only NAME  one of the criteria:";

static void print_usage(FILE *file)
{
    fputs(usage, file);
    for (size_t i = 0; i < sizeof criteria / sizeof criteria[0]; i++) {
        fprintf(file, " %s", criteria[i].name);
    }
    fputc('\n', file);
}

static bool is_criterion(const char *name)
{
    for (size_t i = 0; i < sizeof criteria / sizeof criteria[0]; i++) {
        if (strcmp(criteria[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static int run_all(struct acceptance *acceptance, const char *only)
{
    for (size_t i = 0; i < sizeof criteria / sizeof criteria[0]; i++) {
        if (only && strcmp(only, criteria[i].name) != 0) {
            continue;
        }
        int r = criteria[i].run(acceptance);
        fflush(stdout);
        if (r < 0) {
            fprintf(stderr, "transparency_acceptance: %s could not measure: %s\n", criteria[i].name,
                    strerror(-r));
            return r;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct acceptance acceptance = {0};
    const char *only = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            print_usage(stdout);
            return 0;
        }
        if (strcmp(argv[i], "--quick") == 0) {
            acceptance.quick = true;
        } else if (strcmp(argv[i], "--runs") == 0 && i + 2 < argc) {
            acceptance.start_s = strtod(argv[i + 1], NULL);
            acceptance.runs = argv[i + 2];
            i += 2;
        } else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc && is_criterion(argv[i + 1])) {
            only = argv[++i];
        } else {
            fprintf(stderr, "transparency_acceptance: bad argument '%s'\n", argv[i]);
            print_usage(stderr);
            return 2;
        }
    }
    int r = run_all(&acceptance, only);
    printf("%d met, %d not met\n", acceptance.n_met, acceptance.n_not_met);
    return r == 0 && acceptance.n_not_met == 0 ? 0 : 1;
}
