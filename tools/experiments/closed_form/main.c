/* SPDX-License-Identifier: Apache-2.0 */
/* closed_form: mechanisms against their closed form, as a table. Exit code 1: a limit is missed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes.h"

static int run(const struct closed_form_test *test, double step_s, double limit)
{
    struct closed_form_result result = test->run(step_s, test->a, test->b);
    double error = result.measured - result.expected;
    int good = fabs(error) <= limit;
    printf("%-44s %4.1f ms  %16.9g %16.9g %11.3g %11.3g %-5s %s\n", test->name, step_s * 1e3,
           result.expected, result.measured, error, limit, test->unit, good ? "good" : "MISSED");
    return !good;
}

int main(int argc, char **argv)
{
    const char *only = argc == 3 && strcmp(argv[1], "--only") == 0 ? argv[2] : NULL;
    if (argc > 1 && !only) {
        fputs("usage: closed_form [--only TEXT]\n\n"
              "compares simulated mechanisms with their closed form; --only: tests whose name has "
              "TEXT\n",
              stderr);
        return 2;
    }
    int missed = 0, n = 0;
    printf("%-44s %7s  %16s %16s %11s %11s %-5s %s\n", "test", "step", "closed form", "measured",
           "error", "limit", "unit", "verdict");
    for (int i = 0; i < closed_form_n_tests; i++) {
        const struct closed_form_test *test = &closed_form_tests[i];
        if (only && !strstr(test->name, only)) {
            continue;
        }
        if (test->at_1_ms > 0.0) {
            missed += run(test, 1e-3, test->at_1_ms);
            n++;
        }
        if (test->at_01_ms > 0.0) {
            missed += run(test, 1e-4, test->at_01_ms);
            n++;
        }
    }
    printf("%d of %d within their limits\n", n - missed, n);
    return missed > 0 || n == 0;
}
