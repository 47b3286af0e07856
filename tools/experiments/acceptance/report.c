/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts and small statistics. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

const char *report_count(struct tally *tally, bool passed)
{
    *(passed ? &tally->passed : &tally->failed) += 1;
    return passed ? "ok" : "FAIL";
}

static void print_line(const char *verdict, const char *name, double measured, const char *text)
{
    printf("  %-4s  %-58s %10.3f   %s\n", verdict, name, measured, text);
}

void report_at_most(struct tally *tally, const char *name, double measured, double limit,
                    const char *unit)
{
    char text[64];
    snprintf(text, sizeof text, "<= %g %s", limit, unit);
    print_line(report_count(tally, measured <= limit), name, measured, text);
}

void report_at_least(struct tally *tally, const char *name, double measured, double limit,
                     const char *unit)
{
    char text[64];
    snprintf(text, sizeof text, ">= %g %s", limit, unit);
    print_line(report_count(tally, measured >= limit), name, measured, text);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double report_quantile(double *values, size_t n, double part)
{
    qsort(values, n, sizeof *values, compare);
    double position = part * (double)(n - 1);
    size_t below = (size_t)position, above = below + 1 < n ? below + 1 : below;
    return values[below] + (position - (double)below) * (values[above] - values[below]);
}

int report_seeds(const struct options *options, int wanted, int quick)
{
    if (options->n_seeds > 0) {
        return options->n_seeds;
    }
    return options->quick ? quick : wanted;
}

void report_run(const struct options *options, const struct run_spec *specs, size_t n_specs,
                struct run_result *results)
{
    if (run_all(specs, n_specs, options->n_threads, results) != 0) {
        fprintf(stderr, "sync_acceptance: out of memory\n");
        exit(3);
    }
}
