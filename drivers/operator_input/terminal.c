/* SPDX-License-Identifier: Apache-2.0 */
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int fail(const char *path, int err, const char *what, struct dpl_diag *reterr)
{
    return dpl_fail(reterr, -err, (struct dpl_place){0}, "%s: %s (%s)", path, what, strerror(err));
}

/* Without SIGTTOU, which would stop a process in the background. */
static int set(int fd, int when, const struct termios *settings)
{
    sigset_t ttou, before;
    sigemptyset(&ttou);
    sigaddset(&ttou, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &ttou, &before);
    int err = tcsetattr(fd, when, settings) < 0 ? -errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return err;
}

/* Ctrl-C keeps its meaning. Ctrl-Z and Ctrl-\ do not stop or end the process, because the robot
 * would go on; Ctrl-S does not hold up the output. */
static struct termios for_keys(const struct termios *saved)
{
    struct termios keys = *saved;
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    keys.c_iflag &= ~(tcflag_t)IXON;
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    keys.c_cc[VSUSP] = _POSIX_VDISABLE;
    keys.c_cc[VQUIT] = _POSIX_VDISABLE;
    return keys;
}

/* The guard: a byte says that the settings are restored; the end of the pipe that the process has
 * ended. After fork only calls that are safe in signal handlers. */
static _Noreturn void guard(int pipe_fd, int tty_fd, const struct termios *saved)
{
    char byte;
    ssize_t n;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    setpgid(0, 0); /* signals of the terminal are for others */
    if (dup2(pipe_fd, 0) < 0 || dup2(tty_fd, 1) < 0) {
        _exit(1);
    }
    close_range(2, UINT_MAX, 0);
    do {
        n = read(0, &byte, 1);
    } while (n < 0 && errno == EINTR);
    if (n == 0) {
        tcsetattr(1, TCSAFLUSH, saved);
    }
    _exit(0);
}

static int start_guard(struct terminal *terminal)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) {
        return -errno;
    }
    /* above the numbers that the guard uses, whatever this process has closed */
    int low = fcntl(ends[0], F_DUPFD_CLOEXEC, 3), tty = fcntl(terminal->fd, F_DUPFD_CLOEXEC, 3);
    pid_t pid = low < 0 || tty < 0 ? -1 : fork();
    int err = pid < 0 ? -errno : 0;
    if (pid == 0) {
        guard(low, tty, &terminal->saved);
    }
    close(ends[0]);
    if (low >= 0) {
        close(low);
    }
    if (tty >= 0) {
        close(tty);
    }
    if (err < 0) {
        close(ends[1]);
        return err;
    }
    terminal->guard = pid;
    terminal->guard_fd = ends[1];
    return 0;
}

static int open_checked(struct terminal *terminal, const char *path, struct dpl_diag *reterr)
{
    terminal->fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (terminal->fd < 0) {
        return fail(path, errno, "no terminal for reading keys: start doppel in a terminal",
                    reterr);
    }
    int err = tcgetattr(terminal->fd, &terminal->saved) < 0 ? errno : 0;
    if (err) {
        fail(path, err, "this is not a terminal", reterr);
    } else if (tcgetpgrp(terminal->fd) != getpgrp()) {
        err = EPERM;
        fail(path, err, "start doppel in the foreground of its terminal", reterr);
    }
    if (err) {
        close(terminal->fd);
    }
    return -err;
}

int terminal_open(struct terminal *terminal, const char *path, struct dpl_diag *reterr)
{
    int err = open_checked(terminal, path, reterr);
    if (err < 0) {
        return err;
    }
    err = start_guard(terminal);
    if (err < 0) {
        close(terminal->fd);
        return fail(path, -err, "the process that restores the terminal does not start", reterr);
    }
    struct termios keys = for_keys(&terminal->saved);
    err = set(terminal->fd, TCSANOW, &keys);
    if (err < 0) {
        terminal_close(terminal);
        return fail(path, -err, "the terminal does not take new settings", reterr);
    }
    return 0;
}

void terminal_close(struct terminal *terminal)
{
    bool restored = set(terminal->fd, TCSAFLUSH, &terminal->saved) == 0;
    ssize_t n = restored ? write(terminal->guard_fd, "", 1) : 0;
    (void)n;
    close(terminal->guard_fd);
    while (waitpid(terminal->guard, NULL, 0) < 0 && errno == EINTR) {
    }
    close(terminal->fd);
}

ssize_t terminal_read(struct terminal *terminal, uint8_t *bytes, size_t size)
{
    pid_t foreground = tcgetpgrp(terminal->fd);
    if (foreground >= 0 && foreground != getpgrp()) {
        return 0;
    }
    ssize_t n = read(terminal->fd, bytes, size);
    if (n > 0) {
        return n;
    }
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return 0;
    }
    return n < 0 ? -errno : -EIO;
}
