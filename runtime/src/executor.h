/* SPDX-License-Identifier: Apache-2.0 */
/* Executors: one thread (real clock) or one entry of the scheduler (simulated clock) that runs
 * components on one period. Files: executor.c (grouping, one cycle, period), executor_thread.c
 * (real clock: absolute deadlines, policy, affinity), scheduler.c (simulated clock, single thread),
 * histogram.c, watchdog.c (names a callback that is stuck for a second). */
#ifndef DOPPEL_RUNTIME_EXECUTOR_H
#define DOPPEL_RUNTIME_EXECUTOR_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include <doppel/host/app.h>
#include <doppel/time.h>

#include "component.h"
#include "histogram.h"

struct dpl__executor {
    /* "periodic 100 ms", "rate group motion 0.625 ms", "aperiodic Camera" ... unique */
    const char *name;
    struct dpl_runtime *runtime;
    struct dpl_app_execution execution; /* of a rate group: with the shortest period */
    struct dpl__component **components; /* in the order they run */
    size_t n_components;

    dpl_ns next_due; /* simulated clock */
    uint64_t index;  /* of the next cycle on the grid: those that the clock skips count too */
    struct dpl_tick tick;
    sem_t wake;         /* aperiodic: posted by publishers, and at stop */
    atomic_int pending; /* aperiodic: something arrived since the last cycle */
    atomic_int stop;    /* the thread shall leave after its cycle */
    pthread_t thread;
    bool thread_started;
    void *signal_stack;   /* DPL__SIGNAL_STACK bytes, see going_down.h */
    atomic_int finished;  /* thread has left */
    atomic_int gone;      /* a callback has ended the thread */
    atomic_llong entered; /* CLOCK_MONOTONIC at which the running callback began; 0: none */
    _Atomic(struct dpl__component *) running; /* the component of that callback */
    long long reported;   /* `entered` of the stuck callback that was named last */
    atomic_llong ends_by; /* see dpl__executor_promise */

    enum dpl_policy policy;                        /* what its thread got */
    int priority;                                  /* in real time */
    uint64_t affinity;                             /* what it got; 0: any CPU */
    atomic_ullong n_cycles, n_overruns, n_skipped; /* overruns: finished after the next deadline */
    struct dpl__histogram execution_time, jitter;
};

/* Groups the app's components into executors (see enum dpl_execution_type), sorts each by
 * dpl__wiring_sort, sets component->executor. */
int dpl__executors_create(struct dpl_runtime *runtime, struct dpl_diag *reterr);

/* One whole cycle: of the components that are due (in a rate group not all are) take inputs,
 * deliver events, execute in order (honouring depends), update all; hand the exports to the
 * recorder. Brings components whose device is lost to ERROR (dpl__device_poll) and back. No
 * allocation, lock or system call of its own (reading CLOCK_MONOTONIC goes through the vDSO). */
void dpl__executor_cycle(struct dpl__executor *executor, dpl_ns now);

/* Called by publishers: a message or event for a component of this executor arrived. Any thread. */
void dpl__executor_notify(struct dpl__executor *executor);

/* Real clock: threads. start reports a refused policy or affinity through the log and goes on. stop
 * asks all to finish their cycle, joins; an executor whose callback is stuck is named after 1 s and
 * left behind (returns its count): it cannot block the stop of the rest. */
int dpl__executors_start(struct dpl_runtime *runtime, struct dpl_diag *reterr);
size_t dpl__executors_stop(struct dpl_runtime *runtime);
/* Called a few times a second on the control thread: names a callback that has run for more than
 * 0.8 s (once), so that it is named within a second. */
void dpl__executors_watch(struct dpl_runtime *runtime);

/* Simulated clock: runs executors in order of (due time, executor order) on the calling thread,
 * each after the world was advanced to that time, until options.duration or a stop request. `rate`
 * paces with absolute sleeps. */
int dpl__scheduler_run(struct dpl_runtime *runtime, struct dpl_diag *reterr);

#endif
