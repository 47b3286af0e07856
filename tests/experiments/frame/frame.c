/* SPDX-License-Identifier: Apache-2.0 */
#include "frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct rows *asked;
static unsigned n_met, n_missed;

const char *row_count(bool met)
{
    *(met ? &n_met : &n_missed) += 1;
    return met ? "met" : "NOT MET";
}

static bool print_row(const char *name, double value, const char *limit, bool met)
{
    printf("  %-64s %16.10g  %-26s %s\n", name, value, limit, row_count(met));
    fflush(stdout);
    return met;
}

bool row_at_most(const char *name, double value, double limit, const char *unit)
{
    char text[64];
    snprintf(text, sizeof text, "<= %g %s", limit, unit);
    return print_row(name, value, text, value <= limit);
}

bool row_at_least(const char *name, double value, double limit, const char *unit)
{
    char text[64];
    snprintf(text, sizeof text, ">= %g %s", limit, unit);
    return print_row(name, value, text, value >= limit);
}

bool row_near(const char *name, double value, double expected, double tolerance)
{
    char text[64];
    snprintf(text, sizeof text, "%.9g +- %g", expected, tolerance);
    return print_row(name, value, text, fabs(value - expected) <= tolerance);
}

bool row_holds(const char *name, bool holds)
{
    return print_row(name, holds, "holds", holds);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double rows_quantile(double *values, size_t n, double part)
{
    qsort(values, n, sizeof *values, compare);
    double position = part * (double)(n - 1);
    size_t below = (size_t)position, above = below + 1 < n ? below + 1 : below;
    return values[below] + (position - (double)below) * (values[above] - values[below]);
}

double rows_median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, compare);
    return n > 0 ? values[n / 2] : (double)INFINITY;
}

int rows_options(const struct command *command, int argc, char **argv, void *values)
{
    struct rows *given = values;
    asked = given;
    int n = options_parse(command, argc, argv, values);
    given->operand = n > 0 ? argv[1] : NULL;
    return n >= 0 ? -1 : n == -2 ? 0 : 2;
}

int rows_run(const struct command *command, const struct rows_group *groups, size_t n_groups)
{
    bool found = false;
    int r = 0;
    for (size_t i = 0; r == 0 && i < n_groups; i++) {
        if (asked->only && !strstr(asked->only, groups[i].name)) {
            continue;
        }
        found = true;
        if (groups[i].print) {
            groups[i].print();
        } else {
            r = groups[i].measure();
        }
        fflush(stdout);
        if (r < 0) {
            fprintf(stderr, "%s: %s could not measure: %s\n", command->name, groups[i].name,
                    strerror(-r));
        }
    }
    if (!found) {
        options_print_help(stderr, command);
        return 2;
    }
    printf("%u limits met, %u not met\n", n_met, n_missed);
    return r < 0 || n_missed > 0 || n_met == 0;
}

int rows_main(const struct command *command, int argc, char **argv, void *values,
              const struct rows_group *groups, size_t n_groups)
{
    int code = rows_options(command, argc, argv, values);
    return code >= 0 ? code : rows_run(command, groups, n_groups);
}
