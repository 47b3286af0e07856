/* SPDX-License-Identifier: Apache-2.0 */
/* See test_children.h. Nobody else waits for our children, so each number in the list is still that
 * of a child. */
#include "test_children.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

void test_children_list(struct test_children *ret_children)
{
    char text[4096];
    int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) {
        close(fd);
    }
    text[n > 0 ? n : 0] = '\0';
    ret_children->n = 0;
    ret_children->is_cut = n == (ssize_t)sizeof text - 1;
    char *at = text, *end;
    for (long pid = strtol(at, &end, 10); end != at && *end == ' '; pid = strtol(at, &end, 10)) {
        if (ret_children->n == TEST_CHILDREN_MAX) {
            ret_children->is_cut = true;
            return;
        }
        ret_children->pids[ret_children->n++] = (pid_t)pid; /* one that was cut has no blank */
        at = end;
    }
}

static bool is_among(const struct test_children *children, pid_t pid)
{
    for (size_t i = 0; i < children->n; i++) {
        if (children->pids[i] == pid) {
            return true;
        }
    }
    return false;
}

/* Whether there was none. What a child has started is ours before the child can be reaped. */
static bool kill_once(const struct test_children *others)
{
    struct test_children now;
    bool is_empty = true;
    test_children_list(&now);
    for (size_t i = 0; i < now.n; i++) {
        if (!is_among(others, now.pids[i])) {
            is_empty = false;
            kill(now.pids[i], SIGKILL);
            waitpid(now.pids[i], NULL, WNOHANG);
        }
    }
    return is_empty && !now.is_cut;
}

bool test_children_end(const struct test_children *others, int limit_ms)
{
    if (others->is_cut) {
        return false; /* who is ours cannot be told */
    }
    for (int ms = 0; ms < limit_ms; ms++) {
        if (kill_once(others)) {
            return true;
        }
        poll(NULL, 0, 1);
    }
    return false;
}
