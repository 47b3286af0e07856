/* SPDX-License-Identifier: Apache-2.0 */
/* See test_unit.h. */
#include "test_unit.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_keeper.h"

#define PATIENCE_MS 2000
#define START_MS    10000 /* until the program is loaded */
#define KILL_MS     5000
#define TICK_MS     20

_Static_assert(TEST_UNIT_END_MS > TEST_KEEPER_END_MS, "a keeper has time to end its unit");

static const struct dpl_place nowhere;

/* The program beside doppel, or where a build folder has it; else as it is named. */
static const char *find_program(const char *name, char path[4096])
{
    static const char *const forms[] = {"%.*s/%s", "%.*s/tools/controllers/*/%s"};
    char self[2048];
    ssize_t n = strchr(name, '/') ? -1 : readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    const char *slash = strrchr(self, '/');
    const char *found = name;
    for (size_t i = 0; i < 2 && slash && found == name; i++) {
        glob_t list;
        snprintf(path, 4096, forms[i], (int)(slash - self), self, name);
        if (glob(path, 0, NULL, &list) == 0) {
            snprintf(path, 4096, "%s", list.gl_pathv[0]);
            found = access(path, X_OK) == 0 ? path : name;
            globfree(&list);
        }
    }
    return found;
}

/* ---- its keeper ---- */

static void take_report(struct test_unit *unit, const struct test_report *report)
{
    switch (report->kind) {
    case TEST_UNIT_STARTED: unit->pid = (pid_t)report->value; break;
    case TEST_UNIT_ENDED:
        unit->ended = true;
        unit->status = (int)report->value;
        break;
    case TEST_UNIT_LOG_FAILED: unit->log_error = -(int)report->value; break;
    case TEST_UNIT_SAID: unit->said = (uint64_t)report->value; break;
    default: break;
    }
}

/* The next thing that the keeper says within `limit_ms`: 1; 0: nothing; -EPIPE: it is gone. */
static int hear(const struct test_unit *unit, int limit_ms, struct test_report *ret_report)
{
    struct pollfd file = {.fd = unit->report, .events = POLLIN};
    while (poll(&file, 1, limit_ms) < 0) {
        if (errno != EINTR) {
            return -EPIPE;
        }
    }
    if (!file.revents) {
        return 0;
    }
    ssize_t n = read(unit->report, ret_report, sizeof *ret_report);
    return n == (ssize_t)sizeof *ret_report ? 1 : -EPIPE;
}

static void look(struct test_unit *unit)
{
    struct test_report report;
    int heard = 0;
    while (unit->keeper > 0 && !unit->lost && (heard = hear(unit, 0, &report)) > 0) {
        take_report(unit, &report);
    }
    unit->lost = unit->lost || heard < 0;
}

/* Nobody can block SIGSTOP, but its parent sees it. */
static void wake_keeper(struct test_unit *unit)
{
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)unit->keeper, &info, WSTOPPED | WNOHANG) == 0 && info.si_pid != 0) {
        unit->was_stopped = true;
        kill(unit->keeper, SIGCONT);
    }
}

/* As hear(), from a keeper that may have to be woken. */
static int hear_awake(struct test_unit *unit, int limit_ms, struct test_report *ret_report)
{
    int heard = 0;
    for (int ms = 0; ms < limit_ms && heard == 0; ms += TICK_MS) {
        wake_keeper(unit);
        heard = hear(unit, TICK_MS, ret_report);
    }
    return heard;
}

/* Waits until the program runs: 0, or -errno. */
static int await_program(struct test_unit *unit)
{
    struct test_report report = {0};
    int heard = hear_awake(unit, START_MS, &report);
    if (heard <= 0) {
        return heard < 0 ? -ECHILD : -ETIMEDOUT;
    }
    take_report(unit, &report);
    return report.kind == TEST_UNIT_NOT_THERE ? -(int)report.value : 0;
}

static int fork_keeper(struct test_unit *unit, struct test_keeper *keeper)
{
    int control[2], report[2];
    if (pipe2(control, O_CLOEXEC) < 0) {
        return -errno;
    }
    if (pipe2(report, O_CLOEXEC) < 0) {
        int err = -errno;
        close(control[0]);
        close(control[1]);
        return err;
    }
    sigset_t all, before;
    sigfillset(&all); /* our handlers are not for the keeper */
    fflush(NULL);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    if (pid == 0) {
        keeper->control = control[0];
        keeper->report = report[1];
        test_keeper_run(keeper);
    }
    int err = pid < 0 ? -errno : 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(control[0]);
    close(report[1]);
    if (pid < 0) {
        close(control[1]);
        close(report[0]);
        return err;
    }
    unit->keeper = pid;
    unit->control = control[1];
    unit->report = report[0];
    return 0;
}

int test_unit_start(struct test_unit *unit, const struct dpl_plan_command *command, const char *log,
                    struct dpl_diag *reterr)
{
    char path[4096];
    struct test_keeper keeper = {
        .program = find_program(command->argv[0], path),
        .argv = command->argv,
        .log = log ? open(log, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1,
        .said = unit->said,
    };
    if (log && keeper.log < 0) {
        return dpl_fail(reterr, -errno, nowhere, "%s: %s", log, strerror(errno));
    }
    *unit = (struct test_unit){.said = unit->said, .end_ms = TEST_UNIT_END_MS};
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* if somebody kills the keeper */
    test_children_list(&unit->others);
    int err = fork_keeper(unit, &keeper);
    err = err < 0 ? err : await_program(unit);
    if (keeper.log >= 0) {
        close(keeper.log);
    }
    if (err < 0) {
        test_unit_stop(unit, NULL, NULL);
        return dpl_fail(reterr, err, nowhere, "the unit '%s' cannot be started: %s",
                        command->argv[0], strerror(-err));
    }
    return 0;
}

/* ---- its end ---- */

bool test_unit_runs(struct test_unit *unit, char *ret_why, size_t size)
{
    look(unit);
    if (unit->keeper > 0 && !unit->ended && !unit->lost) {
        return true;
    }
    if (unit->keeper <= 0) {
        snprintf(ret_why, size, "the unit is not running");
    } else if (!unit->ended) {
        snprintf(ret_why, size, "the process that keeps the unit was killed");
    } else if (WIFSIGNALED(unit->status)) {
        snprintf(ret_why, size, "the unit has died: %s", strsignal(WTERMSIG(unit->status)));
    } else {
        snprintf(ret_why, size, "the unit has ended with exit code %d", WEXITSTATUS(unit->status));
    }
    return false;
}

bool test_unit_ended_well(const struct test_unit *unit)
{
    return unit->ended && WIFEXITED(unit->status) && WEXITSTATUS(unit->status) == 0;
}

static void ask_to_end(struct test_unit *unit, void (*turn)(void *user), void *user)
{
    if (write(unit->control, "", 1) != 1) {
        return; /* its keeper is gone, and it with it */
    }
    for (int i = 0; i < PATIENCE_MS / 5 && !unit->ended && !unit->lost; i++) {
        wake_keeper(unit);
        look(unit);
        if (!unit->ended && turn) {
            turn(user);
        }
        if (!unit->ended) {
            poll(NULL, 0, 5);
        }
    }
}

static void say_fault(struct test_unit *unit, const char *what)
{
    snprintf(unit->fault, sizeof unit->fault, "the process that keeps the unit %s", what);
}

/* `heard` is the last of it: 0: it has not ended. What it could not end is our child now, or will
 * be when the keeper is killed. */
static void end_keeper(struct test_unit *unit, int heard, bool was_lost)
{
    int status = 0;
    while (heard < 0 && waitpid(unit->keeper, &status, 0) < 0 && errno == EINTR) {
    }
    bool was_killed = heard < 0 && WIFSIGNALED(status);
    bool is_clean = (heard < 0 && !was_killed) || test_children_end(&unit->others, KILL_MS);
    if (!is_clean) {
        say_fault(unit, "did not end it, and not all that the unit has started could be killed");
    } else if (heard == 0) {
        char late[64];
        snprintf(late, sizeof late, "did not end within %g s and was killed", unit->end_ms / 1e3);
        say_fault(unit, late);
    } else if (was_killed && !was_lost) {
        say_fault(unit, "was killed");
    } else if (unit->was_stopped) {
        say_fault(unit, "was stopped; it was continued");
    }
}

void test_unit_stop(struct test_unit *unit, void (*turn)(void *user), void *user)
{
    struct test_report report;
    int heard;
    if (unit->keeper <= 0) {
        return;
    }
    bool was_lost = unit->lost;
    if (unit->pid > 0) {
        ask_to_end(unit, turn, user);
    }
    close(unit->control); /* now by force */
    while ((heard = hear_awake(unit, unit->end_ms, &report)) > 0) {
        take_report(unit, &report);
    }
    close(unit->report);
    end_keeper(unit, heard, was_lost);
    struct test_unit left = {.said = unit->said, .log_error = unit->log_error};
    memcpy(left.fault, unit->fault, sizeof left.fault);
    *unit = left;
}
