/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of a run on the real clock other than its executors: control, worlds, links. When
 * executors have a real-time policy, these threads have it too, with lower priority: threads that
 * give data to an executor must not wait for ordinary programs either. */
#ifndef DOPPEL_RUNTIME_THREADS_H
#define DOPPEL_RUNTIME_THREADS_H

#include <stdatomic.h>

#include <doppel/host/runtime.h>

#include "histogram.h"

#define DPL__THREADS_MAX 16
#define DPL__THREAD_NAME 48

struct dpl_run_thread {
    char name[DPL__THREAD_NAME];
    const struct dpl_runtime *runtime;
    enum dpl_policy policy; /* as set */
    int priority;
    dpl_ns period;
    struct dpl__histogram late;
    atomic_ullong n_late; /* wake-ups later than a period */
};

struct dpl__threads {
    struct dpl_run_services services;
    atomic_uint n;
    struct dpl_run_thread threads[DPL__THREADS_MAX];
    struct dpl_run_thread *control; /* NULL: not in real time, or too many threads */
    dpl_ns control_due;             /* CLOCK_MONOTONIC of its next turn; 0: none yet */
};

/* Allocates from the runtime's arena. */
void dpl__threads_create(struct dpl_runtime *runtime);

/* Passes the services to the world host, if it uses them. */
void dpl__threads_offer(struct dpl_runtime *runtime);

/* When executors have a real-time policy: nothing that the process has now waits for a page. A
 * refusal is logged. */
void dpl__threads_lock_memory(struct dpl_runtime *runtime);

/* Number of threads that have entered so far, and one of them. */
unsigned dpl__threads_count(const struct dpl_runtime *runtime);
const struct dpl_run_thread *dpl__thread_at(const struct dpl_runtime *runtime, unsigned index);

/* Number of wake-ups that were more than a period late. Any thread. */
uint64_t dpl__thread_times_late(const struct dpl_run_thread *thread);

/* The calling thread is the control thread; it has its priority from begin to end. */
void dpl__threads_begin_control(struct dpl_runtime *runtime, dpl_ns period);
void dpl__threads_control_turn(struct dpl_runtime *runtime);
void dpl__threads_end_control(struct dpl_runtime *runtime);

#endif
