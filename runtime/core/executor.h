/* SPDX-License-Identifier: Apache-2.0 */
/* Executors: one thread (real clock) or one entry of the scheduler (simulated clock) that runs
 * components on one period. Files: executor.c (grouping, one cycle, period), executor_thread.c
 * (real clock: absolute deadlines, policy, affinity), scheduler.c (simulated clock, single thread),
 * histogram.c, watchdog.c (logs a callback that blocks for a second). */
#ifndef DOPPEL_RUNTIME_EXECUTOR_H
#define DOPPEL_RUNTIME_EXECUTOR_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include <doppel/host/app.h>
#include <doppel/time.h>

#include "component.h"
#include "histogram.h"
#include "mailbox.h"

/* No cycle is due: an aperiodic executor that waits, or an executor that was requested to stop. */
#define DPL__NO_PROMISE INT64_MAX

struct dpl__executor {
    /* "periodic 100 ms", "rate group motion 0.625 ms", "aperiodic Camera" ... unique */
    const char *name;
    struct dpl_runtime *runtime;
    struct dpl_app_execution execution; /* of a rate group: with the shortest period */
    struct dpl__component **components; /* in the order of execution */
    size_t n_components;

    dpl_ns next_due; /* simulated clock */
    uint64_t index;  /* of the next cycle on the grid; cycles that the clock skips count too */
    struct dpl_tick tick;
    sem_t wake;         /* aperiodic: posted by publishers, and at stop */
    atomic_int pending; /* aperiodic: a message has arrived since the last cycle */
    atomic_int stop;    /* the thread must end after its cycle */
    pthread_t thread;
    bool thread_started;
    void *signal_stack;   /* DPL__SIGNAL_STACK bytes, see thread_setup.h */
    atomic_int finished;  /* the thread has ended */
    atomic_int gone;      /* a callback has ended the thread */
    atomic_llong entered; /* CLOCK_MONOTONIC at which the running callback began; 0: none */
    _Atomic(struct dpl__component *) running; /* the component of this callback */
    long long reported;             /* `entered` of the last blocking callback that was logged */
    unsigned long long seen_cycles; /* of n_cycles, by dpl__executors_go_on, and since when */
    dpl_ns seen_at;
    atomic_llong ends_by;        /* see dpl__executor_promise */
    struct dpl__mailbox mailbox; /* what others want done by this thread, between two cycles */
    struct dpl__watched
        *watched; /* exports that can be observed (dpl__observer_cycle); NULL: none */

    enum dpl_policy policy; /* policy of its thread as set */
    int priority;           /* real-time priority as set */
    uint64_t affinity;      /* as set; 0: any CPU */
    /* overruns: cycles that ended after the next deadline */
    atomic_ullong n_cycles, n_overruns, n_skipped;
    struct dpl__histogram execution_time, jitter;
};

/* Groups the app's components into executors (see enum dpl_execution_type), sorts each by
 * dpl__wiring_sort, sets component->executor. */
int dpl__executors_create(struct dpl_runtime *runtime, struct dpl_diag *reterr);

/* One complete cycle: takes inputs of the components that are due (in a rate group not all are),
 * delivers events, executes in order (according to depends), updates all, and gives the exports to
 * the recorder. Sets components with a lost device to ERROR (dpl__device_poll) and recovers them.
 * No allocation, lock or system call of its own (CLOCK_MONOTONIC is read through the vDSO). */
void dpl__executor_cycle(struct dpl__executor *executor, dpl_ns now);

/* Called on the executor's own thread, or on the control thread before it starts: sets the time
 * `monotonic` (CLOCK_MONOTONIC) by which its next cycle will have ended. */
void dpl__executor_promise(struct dpl__executor *executor, dpl_ns monotonic);

/* Called by publishers: a message or event for a component of this executor arrived. Any thread. */
void dpl__executor_notify(struct dpl__executor *executor);

/* Called by who has posted a task to its mailbox: an executor that waits for messages does it now,
 * without a cycle. Any thread; on the simulated clock the scheduler looks by itself. */
void dpl__executor_nudge(struct dpl__executor *executor);

/* Real clock: threads. start logs a refused policy or affinity and continues. stop requests all to
 * finish their cycle, and joins. An executor with a blocking callback is logged after 1 s and not
 * waited for (stop returns the number of these), so that it does not block the stop of the
 * others. */
int dpl__executors_start(struct dpl_runtime *runtime, struct dpl_diag *reterr);
size_t dpl__executors_stop(struct dpl_runtime *runtime);
/* Called a few times per second on the control thread: logs a callback that has run for more than
 * 0.8 s (once), so that it is logged within a second. */
void dpl__executors_watch(struct dpl_runtime *runtime);

/* Whether each executor goes on: no callback has run for more than 0.8 s, and those with a period
 * have made a cycle in the last two seconds, or four periods. Called several times per second on
 * the control thread; real clock. */
bool dpl__executors_go_on(struct dpl_runtime *runtime);

/* Simulated clock: runs executors in order of (due time, executor order) on the calling thread,
 * each after the worlds were advanced to that time, until options.duration or a stop request.
 * `rate` paces with absolute sleeps. */
int dpl__scheduler_run(struct dpl_runtime *runtime, struct dpl_diag *reterr);

#endif
