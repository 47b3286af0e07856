/* SPDX-License-Identifier: Apache-2.0 */
/* The worker: a process that has the world's memory by a fork. It uses what it got then, and the
 * memory that it shares, and nothing else: no allocation, no lock of another thread, no file. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <doppel/system_clock.h>

#include "ahead_parts.h"

enum { NICER = 5 };

/* Handlers belong to the process that set them: one would stop devices. The user's request to end
 * goes to the whole group of processes; the parent obeys it and ends the worker. */
static void set_signals(void)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    for (int number = 1; number < SIGRTMIN; number++) {
        signal(number, SIG_DFL); /* SIGKILL and SIGSTOP refuse */
    }
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        signal(ignored[i], SIG_IGN);
    }
}

/* Never before what moves something. */
static void step_back(void)
{
    const struct sched_param plain = {0};
    sched_setscheduler(0, SCHED_OTHER, &plain);
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + NICER);
}

static void settle(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "doppel-ahead");
    set_signals();
    step_back();
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    close_range(STDERR_FILENO + 1, ~0U, 0);
    if (getppid() != parent) {
        _exit(EXIT_SUCCESS);
    }
}

/* False after a second without a request, or a signal. */
static bool wait_for_request(sem_t *wake)
{
    dpl_ns until = dpl_monotonic_now() + DPL_S;
    struct timespec at = {until / DPL_S, until % DPL_S};
    return sem_clockwait(wake, CLOCK_MONOTONIC, &at) == 0;
}

_Noreturn void ahead_work(struct dpl_sim_ahead *ahead, pid_t parent)
{
    struct ahead_shared *shared = ahead->shared;
    settle(parent);
    while (getppid() == parent) {
        /* acquire: the request and the copy are complete */
        if (wait_for_request(&shared->wake) &&
            atomic_load_explicit(&shared->phase, memory_order_acquire) == AHEAD_TAKEN) {
            ahead_run_rollouts(ahead);
            atomic_store_explicit(&shared->phase, AHEAD_DONE, memory_order_release);
            sem_post(&shared->done);
        }
    }
    _exit(EXIT_SUCCESS);
}
