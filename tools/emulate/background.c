/* SPDX-License-Identifier: Apache-2.0 */
#include "background.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doppel/host/runtime.h>

static void point_to_null(int fd, int flags)
{
    int null = open("/dev/null", flags | O_CLOEXEC);
    if (null >= 0) {
        dup2(null, fd);
        close(null);
    }
}

/* A parent that has ended before the request was made would not be noticed. */
static void live_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) {
        raise(SIGTERM);
    }
}

static int await(const char *device, pid_t pid, int fd)
{
    char byte;
    ssize_t n;
    do {
        n = read(fd, &byte, 1);
    } while (n < 0 && errno == EINTR);
    close(fd);
    if (n == 1) {
        printf("doppel emulate %s: goes on as process %ld; `kill %ld` ends it\n", device, (long)pid,
               (long)pid);
        return DPL_EXIT_DONE;
    }
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : DPL_EXIT_FAULT;
}

int background_start(const char *device, int *ret_ready_fd)
{
    int ends[2];
    pid_t parent = getpid(), pid = -1;
    fflush(NULL);
    if (pipe2(ends, O_CLOEXEC) == 0) {
        pid = fork();
    }
    if (pid < 0) {
        fprintf(stderr, "doppel emulate %s: --background: %s\n", device, strerror(errno));
        return DPL_EXIT_FAULT;
    }
    if (pid > 0) {
        close(ends[1]);
        return await(device, pid, ends[0]);
    }
    close(ends[0]);
    setsid();
    live_with(parent);
    point_to_null(STDIN_FILENO, O_RDONLY);
    *ret_ready_fd = ends[1];
    return -1;
}

void background_go_on(int ready_fd)
{
    prctl(PR_SET_PDEATHSIG, 0);
    fflush(NULL);
    point_to_null(STDOUT_FILENO, O_WRONLY);
    point_to_null(STDERR_FILENO, O_WRONLY);
    ssize_t n = write(ready_fd, "", 1);
    (void)n; /* the parent has ended: nobody wants to know */
    close(ready_fd);
}
