/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of a unit. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/sim/plan.h>

static const struct dpl_plan_place given[] = {{"port", "5020"}, {"seed", "7"}};
static const struct dpl_plan_place values[] = {{"seed", "8"}, {"FLOORS", "12"}};
static const struct dpl_sim_plan plan = {.values = values, .n_values = 2};
static const struct dpl_plan_places places = {given, 2, &plan};
static struct dpl_plan_command command; /* large */

static void expect_words(const char *text, const char *joined)
{
    struct dpl_diag error = {0};
    char got[512] = "";
    cr_assert_eq(dpl_plan_command_parse(text, &places, &command, &error), 0, "%s: %s", text,
                 error.text);
    for (size_t i = 0; command.argv[i]; i++) {
        size_t n = strlen(got);
        snprintf(got + n, sizeof got - n, "%s|", command.argv[i]);
    }
    cr_assert_str_eq(got, joined);
}

static void expect_error(const char *text, size_t at, const char *said)
{
    struct dpl_diag error = {0};
    cr_assert_eq(dpl_plan_command_parse(text, &places, &command, &error), -EINVAL, "%s", text);
    cr_assert_not_null(strstr(error.text, said), "%s: %s", text, error.text);
    cr_assert_eq(command.bad_at, at, "%s: at %zu", text, command.bad_at);
}

Test(plan_command, command_is_split_at_blanks_and_filled_in)
{
    expect_words("  unit --port {port}\t-s{seed}{seed} ", "unit|--port|5020|-s77|");
    expect_words("unit 'a b' \"it's\" x'y z' ''", "unit|a b|it's|xy z||");
    expect_words("unit '{port}' {{port}}", "unit|5020|{port}|");
    expect_words("unit -f{FLOORS}", "unit|-f12|");
}

Test(plan_command, wrong_command_says_what_is_wrong)
{
    expect_error(" ", 1, "is empty");
    expect_error("unit {prt}", 5,
                 "has {prt}, did you mean {port}?; what can be filled in: {port} {seed} {FLOORS}");
    expect_error("unit {port", 5, "a single '{'");
    expect_error("unit port}", 9, "a single '}'");
    expect_error("unit x'a", 6, "a ' without its end");
}

Test(plan_command, name_in_braces_is_found)
{
    cr_assert(dpl_plan_command_has("a {x} {port}", "port"));
    cr_assert_not(dpl_plan_command_has("a {ports}", "port"));
    cr_assert_not(dpl_plan_command_has("a {{port}}", "port"), "that is no name");
    cr_assert_not(dpl_plan_command_has("a port", "port"));
}
