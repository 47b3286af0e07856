/* SPDX-License-Identifier: Apache-2.0 */
/* See test_keeper.h. It is forked from a process with threads and calls no exec: so it allocates
 * nothing and takes no lock. It is the only process that waits for the unit, and it does so at the
 * end: until then no other process or group can get the number of the unit's. */
#include "test_keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_children.h"
#include "test_log.h"

#define OUTPUT_TURNS 16 /* reads that empty any pipe; a unit may print without end */

struct state {
    const struct test_keeper *keeper;
    pid_t unit;
    bool has_ended, asked;
    bool has_said; /* it has reported that the log cannot be written */
    int output;    /* pipe with the output of the unit; -1: at its end */
    int children;  /* signalfd of SIGCHLD: a child has ended */
    struct test_log log;
};

static void report(const struct test_keeper *keeper, enum test_report_kind kind, int64_t value)
{
    const struct test_report said = {kind, value};
    ssize_t n;
    do {
        n = write(keeper->report, &said, sizeof said);
    } while (n < 0 && errno == EINTR);
}

/* ---- its start ---- */

/* Files that doppel has open, such as its ports, would stay open after doppel has ended. */
static void close_others(const struct test_keeper *keeper)
{
    unsigned from = STDERR_FILENO + 1;
    while (true) {
        int next = -1;
        const int kept[] = {keeper->control, keeper->report, keeper->log};
        for (size_t i = 0; i < 3; i++) {
            bool is_next = kept[i] >= (int)from && (next < 0 || kept[i] < next);
            next = is_next ? kept[i] : next;
        }
        if (next != (int)from) {
            (void)close_range(from, next < 0 ? ~0u : (unsigned)next - 1, 0);
        }
        if (next < 0) {
            return;
        }
        from = (unsigned)next + 1;
    }
}

/* Runs in the process of the unit. Returns only if the program cannot be started. */
static void exec_unit(const struct test_keeper *keeper, int output, pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(127);
    }
    const int usual[] = {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        signal(usual[i], SIG_DFL);
    }
    sigprocmask(SIG_SETMASK, &none, NULL);
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
    }
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execvp(keeper->program, keeper->argv);
}

/* 0, or the errno of starting the program. */
static int await_program(int from)
{
    int err = 0;
    ssize_t n;
    do {
        n = read(from, &err, sizeof err);
    } while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof err ? err : 0;
}

static int launch(struct state *state, int output)
{
    pid_t parent = getpid();
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) {
        return errno;
    }
    pid_t pid = fork();
    if (pid == 0) {
        exec_unit(state->keeper, output, parent);
        int err = errno;
        ssize_t n = write(ends[1], &err, sizeof err);
        _exit(n == (ssize_t)sizeof err ? 127 : 126);
    }
    int err = pid < 0 ? errno : 0;
    close(ends[1]);
    if (pid > 0) {
        setpgid(pid, pid); /* parent and child both set it: either may run first */
        state->unit = pid;
        err = await_program(ends[0]);
    }
    close(ends[0]);
    return err;
}

static int start(struct state *state)
{
    const struct test_keeper *keeper = state->keeper;
    sigset_t children;
    int ends[2] = {-1, STDERR_FILENO};
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    state->output = -1;
    state->children = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    if (state->children < 0 || (keeper->log >= 0 && pipe2(ends, O_CLOEXEC) < 0)) {
        return errno;
    }
    int err = launch(state, ends[1]);
    if (keeper->log >= 0) {
        close(ends[1]);
        state->output = ends[0];
        fcntl(state->output, F_SETFL, O_NONBLOCK);
        test_log_begin(&state->log, keeper->log, TEST_LOG_PART, keeper->said);
    }
    return err;
}

/* ---- while it runs ---- */

static void check_log(struct state *state)
{
    if (state->log.err < 0 && !state->has_said) {
        state->has_said = true;
        report(state->keeper, TEST_UNIT_LOG_FAILED, -state->log.err);
    }
}

/* Reads all output that is there now. It is read even if the log cannot be written: with a full
 * pipe the unit would block. */
static void take_output(struct state *state)
{
    static char bytes[1 << 16];
    ssize_t n = 1;
    for (int i = 0; i < OUTPUT_TURNS && state->output >= 0 && n > 0; i++) {
        n = read(state->output, bytes, sizeof bytes);
        if (n > 0) {
            test_log_add(&state->log, bytes, (size_t)n);
        } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
            close(state->output);
            state->output = -1;
        }
    }
    check_log(state);
}

/* Children other than the unit are orphans, which the subreaper gets: it waits for them at once,
 * for the unit only at the end. */
static void look_at_children(struct state *state)
{
    siginfo_t info = {0};
    struct signalfd_siginfo drained;
    while (read(state->children, &drained, sizeof drained) > 0) {
    }
    while (!state->has_ended && waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid != 0) {
        if (info.si_pid == state->unit) {
            int status = info.si_code == CLD_EXITED ? info.si_status << 8 : info.si_status;
            state->has_ended = true;
            take_output(state);
            report(state->keeper, TEST_UNIT_ENDED, status);
        } else {
            waitpid(info.si_pid, NULL, 0);
        }
        info.si_pid = 0;
    }
}

/* Sends SIGTERM to the unit when doppel asks for it. False: doppel has closed the pipe, or has
 * ended. */
static bool listen_to(struct state *state)
{
    char byte;
    ssize_t n = read(state->keeper->control, &byte, 1);
    if (n == 1 && !state->asked) {
        state->asked = true;
        kill(-state->unit, SIGTERM);
    }
    return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

static void keep(struct state *state)
{
    bool stays = true;
    while (stays) {
        struct pollfd files[] = {
            {.fd = state->keeper->control, .events = POLLIN},
            {.fd = state->children, .events = POLLIN},
            {.fd = state->output, .events = POLLIN},
        };
        if (poll(files, 3, -1) < 0) {
            continue;
        }
        if (files[2].revents) {
            take_output(state);
        }
        if (files[1].revents) {
            look_at_children(state);
        }
        stays = !files[0].revents || listen_to(state);
    }
}

/* ---- its end ---- */

static void kill_children(void)
{
    struct test_children children;
    test_children_list(&children);
    for (size_t i = 0; i < children.n; i++) {
        kill(children.pids[i], SIGKILL);
    }
}

/* Kills the unit's group, then all children until there are none. When a process is killed, its
 * children become children of this one, the subreaper. */
static void end_all(const struct state *state)
{
    kill(-state->unit, SIGKILL);
    for (int ms = 0; ms < TEST_KEEPER_END_MS; ms++) {
        pid_t pid;
        do {
            pid = waitpid(-1, NULL, WNOHANG);
        } while (pid > 0 || (pid < 0 && errno == EINTR));
        if (pid < 0) {
            return;
        }
        kill_children();
        poll(NULL, 0, 1);
    }
}

_Noreturn void test_keeper_run(const struct test_keeper *keeper)
{
    struct state state = {.keeper = keeper};
    sigset_t all;
    sigfillset(&all); /* doppel handles signals of the terminal, and asks by `control` */
    sigprocmask(SIG_SETMASK, &all, NULL);
    signal(SIGPIPE, SIG_IGN);
    setpgid(0, 0);
    prctl(PR_SET_NAME, "doppel-keeper");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    close_others(keeper);
    int err = start(&state);
    if (err != 0) {
        report(keeper, TEST_UNIT_NOT_THERE, err);
        _exit(0);
    }
    report(keeper, TEST_UNIT_STARTED, state.unit);
    check_log(&state);
    keep(&state);
    end_all(&state);
    if (keeper->log >= 0) {
        take_output(&state);
        test_log_end(&state.log);
        check_log(&state);
        report(keeper, TEST_UNIT_SAID, (int64_t)state.log.said);
    }
    _exit(0);
}
