/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of a unit, and its process. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "test_unit.h"

static const struct test_place places[] = {{"port", "5020"}, {"seed", "7"}};
static struct test_command command; /* large */

static void expect_words(const char *text, const char *joined)
{
    struct dpl_diag error = {0};
    char got[512] = "";
    cr_assert_eq(test_command_parse(text, places, 2, &command, &error), 0, "%s: %s", text,
                 error.text);
    for (size_t i = 0; command.argv[i]; i++) {
        size_t n = strlen(got);
        snprintf(got + n, sizeof got - n, "%s|", command.argv[i]);
    }
    cr_assert_str_eq(got, joined);
}

static void expect_error(const char *text, const char *said)
{
    struct dpl_diag error = {0};
    cr_assert_eq(test_command_parse(text, places, 2, &command, &error), -EINVAL, "%s", text);
    cr_assert_not_null(strstr(error.text, said), "%s: %s", text, error.text);
}

Test(test_unit, command_is_split_at_blanks_and_filled_in)
{
    expect_words("  unit --port {port}\t-s{seed}{seed} ", "unit|--port|5020|-s77|");
    expect_words("unit 'a b' \"it's\" x'y z' ''", "unit|a b|it's|xy z||");
    expect_words("unit '{port}' {{port}}", "unit|5020|{port}|");
}

Test(test_unit, wrong_command_says_what_is_wrong)
{
    expect_error(" ", "is empty");
    expect_error("unit {prt}", "has {prt}; what can be filled in: {port} {seed}");
    expect_error("unit {port", "a single '{'");
    expect_error("unit port}", "a single '}'");
    expect_error("unit 'a", "a ' without its end");
}

Test(test_unit, name_in_braces_is_found)
{
    cr_assert(test_command_has("a {x} {port}", "port"));
    cr_assert_not(test_command_has("a {ports}", "port"));
    cr_assert_not(test_command_has("a port", "port"));
}

Test(test_unit, program_that_is_not_there_is_an_error)
{
    struct test_unit unit = {0};
    struct dpl_diag error = {0};
    expect_words("no_such_program_at_all", "no_such_program_at_all|");
    cr_assert_eq(test_unit_start(&unit, &command, NULL, &error), -ENOENT);
    cr_assert_not_null(strstr(error.text, "'no_such_program_at_all' cannot be started"));
    cr_assert_eq(unit.pid, 0);
}

/* Waits up to 5 s. */
static void await_end(struct test_unit *unit, char *why, size_t size)
{
    for (int i = 0; i < 5000 && test_unit_runs(unit, why, size); i++) {
        poll(NULL, 0, 1);
    }
}

Test(test_unit, end_of_the_program_is_told)
{
    struct test_unit unit = {0};
    struct dpl_diag error = {0};
    char why[200] = "";
    expect_words("sh -c 'exit 3'", "sh|-c|exit 3|");
    cr_assert_eq(test_unit_start(&unit, &command, NULL, &error), 0, "%s", error.text);
    await_end(&unit, why, sizeof why);
    cr_assert_str_eq(why, "the unit has ended with exit code 3");
    cr_assert_not(test_unit_ended_well(&unit));
    test_unit_stop(&unit, NULL, NULL);
    expect_words("sh -c 'kill -ABRT $$'", "sh|-c|kill -ABRT $$|");
    cr_assert_eq(test_unit_start(&unit, &command, NULL, &error), 0, "%s", error.text);
    await_end(&unit, why, sizeof why);
    cr_assert_eq(strncmp(why, "the unit has died: ", 19), 0, "%s", why);
    test_unit_stop(&unit, NULL, NULL);
}

Test(test_unit, stop_ends_what_the_program_has_started_too)
{
    struct test_unit unit = {0};
    struct dpl_diag error = {0};
    char why[200];
    expect_words("sh -c 'trap : TERM; sleep 100 & while :; do wait; done'",
                 "sh|-c|trap : TERM; sleep 100 & while :; do wait; done|");
    cr_assert_eq(test_unit_start(&unit, &command, NULL, &error), 0, "%s", error.text);
    cr_assert(test_unit_runs(&unit, why, sizeof why));
    pid_t group = unit.pid;
    test_unit_stop(&unit, NULL, NULL);
    cr_assert_eq(unit.pid, 0);
    for (int i = 0; i < 2000 && kill(-group, 0) == 0; i++) {
        poll(NULL, 0, 1); /* whoever adopts them has to reap them */
    }
    cr_assert(kill(group, 0) < 0 && errno == ESRCH, "the program is still there");
}
