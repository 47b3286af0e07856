/* SPDX-License-Identifier: Apache-2.0 */
/* closed_form: mechanisms against their closed form, as a table. */
#include <stdio.h>
#include <string.h>

#include "frame.h"
#include "scenes.h"

static void run(const struct closed_form_test *test, double step_s, double limit)
{
    char name[80];
    if (limit > 0.0) {
        struct closed_form_result result = test->run(step_s, test->a, test->b);
        snprintf(name, sizeof name, "%s, steps of %g ms, %s", test->name, step_s * 1e3, test->unit);
        row_near(name, result.measured, result.expected, limit);
    }
}

static void run_all(void)
{
    for (int i = 0; i < closed_form_n_tests; i++) {
        const struct closed_form_test *test = &closed_form_tests[i];
        if (!asked->only || strstr(test->name, asked->only)) {
            run(test, 1e-3, test->at_1_ms);
            run(test, 1e-4, test->at_01_ms);
        }
    }
}

static const struct rows_group tests[] = {{"", run_all, NULL}};
static const struct option options[] = {ROWS_ONLY("only", "tests whose name has this")};

static const struct command command = {
    .name = "closed_form",
    .is_program = true,
    .summary = "compares simulated mechanisms with their closed form",
    .options = options,
    .n_options = 1,
};

int main(int argc, char **argv)
{
    struct rows values = {0};
    return rows_main(&command, argc, argv, &values, tests, 1);
}
