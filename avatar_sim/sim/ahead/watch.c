/* SPDX-License-Identifier: Apache-2.0 */
/* The watch over a worker: a thread that no cycle waits for. */
#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doppel/system_clock.h>

#include "ahead_parts.h"

#define LOOK_MS 100

/* With a worker that has a request and does not move. On the simulated clock a machine that is busy
 * must not change a run. */
static const dpl_ns patience = 500 * DPL_MS, simulated_patience = 20 * DPL_S;

struct attention {
    unsigned beat;
    dpl_ns since; /* it has not changed, or there was no request */
};

static void look(struct dpl_sim_ahead *ahead, struct attention *attention)
{
    struct ahead_shared *shared = ahead->shared;
    unsigned beat = atomic_load_explicit(&shared->beat, memory_order_relaxed);
    bool works = atomic_load_explicit(&shared->phase, memory_order_relaxed) == AHEAD_TAKEN;
    dpl_ns now = dpl_monotonic_now();
    if (!works || beat != attention->beat) {
        *attention = (struct attention){beat, now};
    }
    dpl_ns most = ahead->simulated ? simulated_patience : patience;
    int state = now - attention->since > most ? DPL_AHEAD_SILENT : DPL_AHEAD_WORKS;
    atomic_store_explicit(&ahead->state, state, memory_order_relaxed);
}

/* Collects the worker that has ended: nobody else waits for it before the end of the run. Its
 * number can then be that of another process. */
static void collect(struct dpl_sim_ahead *ahead)
{
    siginfo_t info;
    while (waitid(P_PIDFD, (id_t)ahead->pidfd, &info, WEXITED) < 0 && errno == EINTR) {
    }
    atomic_store_explicit(&ahead->worker, 0, memory_order_relaxed);
    atomic_store_explicit(&ahead->state, DPL_AHEAD_DEAD, memory_order_relaxed);
    sem_post(&ahead->shared->done); /* whoever waits looks again */
}

static void *watch(void *argument)
{
    struct dpl_sim_ahead *ahead = argument;
    struct attention attention = {0, dpl_monotonic_now()};
    struct pollfd files[] = {{.fd = ahead->pidfd, .events = POLLIN},
                             {.fd = ahead->stop_fd, .events = POLLIN}};
    for (;;) {
        poll(files, 2, LOOK_MS);
        if (files[1].revents) {
            return NULL;
        }
        if (files[0].revents) {
            collect(ahead);
            return NULL;
        }
        look(ahead, &attention);
    }
}

int ahead_watch_start(struct dpl_sim_ahead *ahead)
{
    ahead->pidfd = pidfd_open(ahead->worker, 0);
    ahead->stop_fd = eventfd(0, EFD_CLOEXEC);
    if (ahead->pidfd < 0 || ahead->stop_fd < 0) {
        return -errno;
    }
    int err = pthread_create(&ahead->watch, NULL, watch, ahead);
    ahead->watched = err == 0;
    return -err;
}

void ahead_watch_stop(struct dpl_sim_ahead *ahead)
{
    if (ahead->watched) {
        eventfd_write(ahead->stop_fd, 1);
        pthread_join(ahead->watch, NULL);
        ahead->watched = false;
    }
    if (ahead->pidfd >= 0) {
        close(ahead->pidfd);
    }
    if (ahead->stop_fd >= 0) {
        close(ahead->stop_fd);
    }
    ahead->pidfd = ahead->stop_fd = -1;
}
