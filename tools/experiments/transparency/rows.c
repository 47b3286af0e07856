/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates and prints a row of the acceptance. */
#include "acceptance.h"

#include <math.h>
#include <stdio.h>

static void row(struct acceptance *acceptance, const char *name, double value, const char *limit,
                bool met)
{
    *(met ? &acceptance->n_met : &acceptance->n_not_met) += 1;
    printf("  %-62s %16.10g  %-24s %s\n", name, value, limit, met ? "met" : "NOT MET");
}

void acceptance_section(const char *title)
{
    printf("%s\n", title);
}

void acceptance_at_most(struct acceptance *acceptance, const char *name, double value, double limit)
{
    char text[64];
    snprintf(text, sizeof text, "<= %g", limit);
    row(acceptance, name, value, text, value <= limit);
}

void acceptance_at_least(struct acceptance *acceptance, const char *name, double value,
                         double limit)
{
    char text[64];
    snprintf(text, sizeof text, ">= %g", limit);
    row(acceptance, name, value, text, value >= limit);
}

void acceptance_near(struct acceptance *acceptance, const char *name, double value, double expected,
                     double tolerance)
{
    char text[64];
    snprintf(text, sizeof text, "%.8g +- %g", expected, tolerance);
    row(acceptance, name, value, text, fabs(value - expected) <= tolerance);
}

void acceptance_holds(struct acceptance *acceptance, const char *name, bool holds)
{
    row(acceptance, name, holds, "holds", holds);
}
