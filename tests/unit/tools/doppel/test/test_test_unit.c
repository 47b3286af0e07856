/* SPDX-License-Identifier: Apache-2.0 */
/* The process of a unit, what it leaves behind, and what it prints. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "test_log.h"
#include "test_unit.h"

static struct dpl_plan_command command; /* large */

static void start(struct test_unit *unit, const char *text, const char *log)
{
    struct dpl_diag error = {0};
    cr_assert_eq(dpl_plan_command_parse(text, &(struct dpl_plan_places){0}, &command, &error), 0,
                 "%s", error.text);
    cr_assert_eq(test_unit_start(unit, &command, log, &error), 0, "%s", error.text);
}

static bool exists(pid_t pid)
{
    return kill(pid, 0) == 0 || errno != ESRCH;
}

Test(test_unit, program_that_is_not_there_is_an_error)
{
    struct test_unit unit = {0};
    struct dpl_diag error = {0};
    char name[] = "no_such_program_at_all";
    command.argv[0] = name;
    command.argv[1] = NULL;
    cr_assert_eq(test_unit_start(&unit, &command, NULL, &error), -ENOENT);
    cr_assert_not_null(strstr(error.text, "'no_such_program_at_all' cannot be started"));
    cr_assert_eq(unit.pid, 0);
    cr_assert_eq(unit.keeper, 0);
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
    char why[200] = "";
    start(&unit, "sh -c 'exit 3'", NULL);
    await_end(&unit, why, sizeof why);
    cr_assert_str_eq(why, "the unit has ended with exit code 3");
    cr_assert_not(test_unit_ended_well(&unit));
    test_unit_stop(&unit, NULL, NULL);
    start(&unit, "sh -c 'kill -ABRT $$'", NULL);
    await_end(&unit, why, sizeof why);
    cr_assert_eq(strncmp(why, "the unit has died: ", 19), 0, "%s", why);
    test_unit_stop(&unit, NULL, NULL);
}

Test(test_unit, number_of_a_program_that_has_ended_is_not_given_away)
{
    struct test_unit unit = {0};
    char why[200] = "";
    start(&unit, "true", NULL);
    pid_t pid = unit.pid;
    await_end(&unit, why, sizeof why);
    cr_assert(test_unit_ended_well(&unit));
    cr_assert(exists(pid), "its group may be another's by now");
    test_unit_stop(&unit, NULL, NULL);
    cr_assert_not(exists(pid), "it was not waited for");
}

Test(test_unit, keeper_that_is_killed_takes_the_program_with_it)
{
    struct test_unit unit = {0};
    char why[200] = "";
    signal(SIGPIPE, SIG_IGN);
    start(&unit, "sleep 100", NULL);
    pid_t pid = unit.pid;
    kill(unit.keeper, SIGKILL);
    await_end(&unit, why, sizeof why);
    cr_assert_str_eq(why, "the process that keeps the unit was killed");
    test_unit_stop(&unit, NULL, NULL);
    for (int i = 0; i < 2000 && exists(pid); i++) {
        poll(NULL, 0, 1); /* whoever adopts it has to reap it */
    }
    cr_assert_not(exists(pid));
}

/* The number that a program has written into a file. */
static pid_t read_pid(const char *path)
{
    int pid = 0;
    for (int i = 0; i < 5000 && pid == 0; i++) {
        FILE *file = fopen(path, "r");
        if (!file || fscanf(file, "%d\n", &pid) != 1) {
            pid = 0;
            poll(NULL, 0, 1);
        }
        if (file) {
            fclose(file);
        }
    }
    return pid;
}

/* What it starts in its group, and in a session of its own, whose parent has left. */
static void expect_end_of(const char *text, const char *path)
{
    struct test_unit unit = {0};
    char why[200];
    unlink(path);
    start(&unit, text, NULL);
    pid_t child = read_pid(path);
    cr_assert_gt(child, 0, "%s", text);
    cr_assert(test_unit_runs(&unit, why, sizeof why));
    pid_t pid = unit.pid;
    test_unit_stop(&unit, NULL, NULL);
    cr_assert_eq(unit.pid, 0);
    cr_assert_not(exists(pid), "the program is still there");
    cr_assert_not(exists(child), "what it has started is still there: %s", text);
    unlink(path);
}

Test(test_unit, stop_ends_what_the_program_has_started_too)
{
    expect_end_of("sh -c 'trap : TERM; sleep 100 & echo $! >unit_child; while :; do wait; done'",
                  "unit_child");
    expect_end_of("sh -c 'setsid sh -c \"echo \\$\\$ >unit_child2; exec sleep 100\" & sleep 100'",
                  "unit_child2");
    expect_end_of(
        "sh -c '(setsid sh -c \"echo \\$\\$ >unit_child3; exec sleep 100\" &); sleep 100'",
        "unit_child3");
}

/* What has left the group and the session, whose parent is gone, and which ignores SIGTERM. */
Test(test_unit, keeper_that_is_killed_leaves_nothing)
{
    struct test_unit unit = {0};
    char why[200];
    signal(SIGPIPE, SIG_IGN);
    pid_t earlier = fork(); /* not the unit's: stays */
    if (earlier == 0) {
        pause();
        _exit(0);
    }
    unlink("unit_child4");
    start(&unit,
          "sh -c '(setsid sh -c \"trap : TERM; sh -c \\\"trap : TERM; sleep 100\\\" & "
          "echo \\$\\$ \\$! >unit_child4; while :; do wait; done\" &); sleep 100'",
          NULL);
    pid_t child = read_pid("unit_child4"), grandchild = 0;
    FILE *file = fopen("unit_child4", "r");
    cr_assert_eq(fscanf(file, "%*d %d", &grandchild), 1);
    fclose(file);
    pid_t pid = unit.pid;
    cr_assert(exists(pid) && exists(child) && exists(grandchild));
    kill(unit.keeper, SIGKILL);
    await_end(&unit, why, sizeof why);
    cr_assert_str_eq(why, "the process that keeps the unit was killed");
    test_unit_stop(&unit, NULL, NULL);
    cr_assert_not(exists(pid));
    cr_assert_not(exists(child), "it has made a session of its own");
    cr_assert_not(exists(grandchild));
    cr_assert_eq(waitpid(earlier, NULL, WNOHANG), 0, "it was not the unit's");
    kill(earlier, SIGKILL);
    waitpid(earlier, NULL, 0);
    unlink("unit_child4");
}

Test(test_unit, keeper_that_is_stopped_is_woken, .timeout = 20)
{
    struct test_unit unit = {0};
    start(&unit, "sh -c 'echo said; kill -STOP $PPID; echo 1 >unit_stops; sleep 100'",
          "unit_stop.log");
    cr_assert_eq(read_pid("unit_stops"), 1);
    pid_t pid = unit.pid, keeper = unit.keeper;
    test_unit_stop(&unit, NULL, NULL);
    cr_assert_str_eq(unit.fault, "the process that keeps the unit was stopped; it was continued");
    cr_assert_not(exists(pid));
    cr_assert_not(exists(keeper));
    cr_assert_eq(unit.said, 5, "its log is whole");
    unlink("unit_stops");
    unlink("unit_stop.log");
}

/* A process that holds another one as a debugger does, which SIGCONT does not end, once it reads
 * the number from `numbers`. Says into `said` whether it could. */
static pid_t start_holder(const int numbers[2], const int said[2])
{
    pid_t pid = fork();
    if (pid == 0) {
        int held = 0, status;
        ssize_t n = read(numbers[0], &held, sizeof held);
        bool holds = n == (ssize_t)sizeof held && ptrace(PTRACE_SEIZE, held, NULL, NULL) == 0 &&
                     ptrace(PTRACE_INTERRUPT, held, NULL, NULL) == 0 &&
                     waitpid(held, &status, 0) == held;
        n = write(said[1], &holds, sizeof holds);
        while (holds && waitpid(held, &status, 0) == held && !WIFSIGNALED(status)) {
        }
        _exit(n == (ssize_t)sizeof holds ? 0 : 1);
    }
    return pid;
}

Test(test_unit, keeper_that_hangs_is_killed, .timeout = 30)
{
    struct test_unit unit = {0};
    int numbers[2], said[2];
    bool holds = false;
    cr_assert_eq(pipe(numbers) + pipe(said), 0);
    pid_t holder = start_holder(numbers, said);
    start(&unit,
          "sh -c 'trap : TERM; setsid sleep 100 & echo $! >unit_child5; while :; do wait; done'",
          NULL);
    pid_t child = read_pid("unit_child5"), pid = unit.pid, keeper = unit.keeper;
    cr_assert_eq(write(numbers[1], &keeper, sizeof keeper), (ssize_t)sizeof keeper);
    cr_assert_eq(read(said[0], &holds, sizeof holds), (ssize_t)sizeof holds);
    cr_assert_eq(unit.end_ms, 7000);
    unit.end_ms = 500;
    test_unit_stop(&unit, NULL, NULL);
    cr_assert_not(exists(pid));
    cr_assert_not(exists(child));
    cr_assert_not(exists(keeper));
    unlink("unit_child5");
    waitpid(holder, NULL, 0);
    if (!holds) {
        cr_skip("this machine does not allow ptrace");
    }
    cr_assert_str_eq(unit.fault,
                     "the process that keeps the unit did not end within 0.5 s and was killed");
}

/* ---- the log ---- */

static size_t read_log(const char *path, char *ret_text, size_t size)
{
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    size_t n = fread(ret_text, 1, size - 1, file);
    ret_text[n] = '\0';
    fclose(file);
    return n;
}

/* Three units that say so much each, with parts of 8 bytes. */
static const char *log_of(const char *first, const char *second, const char *third)
{
    static char text[200];
    const char *all[] = {first, second, third};
    uint64_t said = 0;
    int fd = open("unit_parts.log", O_RDWR | O_CREAT | O_TRUNC, 0666);
    for (size_t i = 0; i < 3; i++) {
        struct test_log log;
        test_log_begin(&log, fd, 8, said);
        for (const char *at = all[i]; *at != '\0'; at += strnlen(at, 3)) {
            test_log_add(&log, at, strnlen(at, 3));
        }
        test_log_end(&log);
        cr_assert_eq(log.err, 0);
        said = log.said;
    }
    close(fd);
    read_log("unit_parts.log", text, sizeof text);
    unlink("unit_parts.log");
    return text;
}

Test(test_unit, log_keeps_the_first_and_the_last_bytes)
{
    cr_assert_str_eq(log_of("", "", ""), "");
    cr_assert_str_eq(log_of("abc", "", "defgh"), "abcdefgh");
    cr_assert_str_eq(log_of("abcdefg", "hij", ""), "abcdefghij");
    cr_assert_str_eq(log_of("abcdefghijklmnop", "", ""), "abcdefghijklmnop");
    cr_assert_str_eq(log_of("abcdefghijklm", "no", "p"), "abcdefghijklmnop");
    const char *less = "abcdefgh\n[doppel test: 1 bytes were left out here]\njklmnopq";
    cr_assert_str_eq(log_of("abcdefghijklmnopq", "", ""), less);
    cr_assert_str_eq(log_of("abcdefghijklmnop", "q", ""), less);
    cr_assert_str_eq(log_of("abcdefghijklmnopqrstuvwx", "", "yz"),
                     "abcdefgh\n[doppel test: 10 bytes were left out here]\nstuvwxyz");
    cr_assert_str_eq(log_of("abcdefghijklmnopqrstuvwx", "yz0123456789", "A"),
                     "abcdefgh\n[doppel test: 21 bytes were left out here]\n3456789A");
}

Test(test_unit, program_that_prints_without_end_has_a_log_of_bounded_size)
{
    static char text[3 * TEST_LOG_PART];
    struct test_unit unit = {0};
    char why[200];
    unlink("unit_yes.log");
    start(&unit,
          "sh -c 'echo first; yes | head -c 40000000; echo last; echo 1 >unit_all; exec sleep 100'",
          "unit_yes.log");
    cr_assert_eq(read_pid("unit_all"), 1, "it has not said all");
    unlink("unit_all");
    test_unit_stop(&unit, NULL, NULL);
    cr_assert_eq(unit.log_error, 0);
    cr_assert_eq(unit.said, 40000011);
    size_t n = read_log("unit_yes.log", text, sizeof text);
    cr_assert_lt(n, 2 * TEST_LOG_PART + 100, "%zu bytes", n);
    cr_assert_eq(strncmp(text, "first\ny\ny\n", 10), 0);
    cr_assert_not_null(strstr(text, "bytes were left out here]\n"));
    cr_assert_str_eq(text + n - 7, "y\nlast\n");
    start(&unit, "echo again", "unit_yes.log");
    await_end(&unit, why, sizeof why);
    test_unit_stop(&unit, NULL, NULL);
    n = read_log("unit_yes.log", text, sizeof text);
    cr_assert_lt(n, 2 * TEST_LOG_PART + 100, "%zu bytes", n);
    cr_assert_str_eq(text + n - 6, "again\n");
    unlink("unit_yes.log");
}

Test(test_unit, log_that_cannot_be_written_is_told)
{
    struct test_unit unit = {0};
    char why[200];
    start(&unit, "yes", "/dev/full");
    for (int i = 0; i < 5000 && unit.log_error == 0; i++) {
        cr_assert(test_unit_runs(&unit, why, sizeof why), "%s", why);
        poll(NULL, 0, 1);
    }
    cr_assert_eq(unit.log_error, -ENOSPC);
    test_unit_stop(&unit, NULL, NULL);
    cr_assert_eq(unit.log_error, -ENOSPC);
}
