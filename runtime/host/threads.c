/* SPDX-License-Identifier: Apache-2.0 */
/* Threads other than executors: their place in the run and their latency. */
#include "threads.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <doppel/host/real_time.h>

#include "control.h"
#include "executor.h"
#include "log.h"
#include "runtime.h"
#include "thread_setup.h"

/* When an executor has a real-time policy, the run is in real time. */
static bool is_in_real_time(const struct dpl_runtime *runtime)
{
    for (size_t i = 0; i < runtime->n_executors; i++) {
        if (dpl__policy_wanted(runtime, &runtime->executors[i]->execution) != DPL_POLICY_OTHER) {
            return true;
        }
    }
    return false;
}

void dpl__threads_lock_memory(struct dpl_runtime *runtime)
{
    struct dpl_diag why = {0};
    if (is_in_real_time(runtime) && dpl_real_time_lock_memory(&why) < 0) {
        dpl__log_printf(runtime->log, DPL_LOG_WARN, "runtime", "%s", why.text);
    }
}

/* ---- entry ------- */

static struct dpl_run_thread *take_place(struct dpl_runtime *runtime, const char *name,
                                         dpl_ns period)
{
    struct dpl__threads *threads = runtime->threads;
    unsigned place = atomic_fetch_add(&threads->n, 1);
    if (place >= DPL__THREADS_MAX) {
        atomic_fetch_sub(&threads->n, 1);
        return NULL;
    }
    struct dpl_run_thread *thread = &threads->threads[place];
    snprintf(thread->name, sizeof thread->name, "%s", name);
    thread->runtime = runtime;
    thread->period = period;
    return thread;
}

static void set_real_time(struct dpl_run_thread *thread, int priority)
{
    struct dpl_runtime *runtime = thread->runtime ? thread->runtime->threads->services.run : NULL;
    if (!runtime || !is_in_real_time(runtime)) {
        return;
    }
    int r = dpl__thread_set_policy(pthread_self(), DPL_POLICY_FIFO, priority);
    if (r == 0) {
        thread->policy = DPL_POLICY_FIFO;
        thread->priority = priority;
        return;
    }
    dpl__log_printf(runtime->log, DPL_LOG_WARN, thread->name,
                    "SCHED_FIFO with priority %d refused: %s; runs as SCHED_OTHER", priority,
                    strerror(r));
}

static struct dpl_run_thread *enter(void *run, const char *name, dpl_ns period)
{
    struct dpl_run_thread *thread = take_place(run, name, period);
    dpl__thread_wake_on_time();
    if (thread) {
        set_real_time(thread, DPL__PRIORITY_WORLD);
    }
    return thread;
}

static void woke(struct dpl_run_thread *thread, dpl_ns late)
{
    if (!thread) {
        return;
    }
    dpl__histogram_add(&thread->late, late, dpl__runtime_now(thread->runtime));
    if (late > thread->period) {
        unsigned long long n = atomic_load_explicit(&thread->n_late, memory_order_relaxed);
        atomic_store_explicit(&thread->n_late, n + 1, memory_order_relaxed);
    }
}

static bool is_stopping(void *run)
{
    const struct dpl_runtime *runtime = run;
    return atomic_load_explicit(&runtime->stop_requested, memory_order_relaxed) > 0;
}

static void end(void *run)
{
    struct dpl_runtime *runtime = run;
    int none = 0;
    atomic_compare_exchange_strong(&runtime->stop_requested, &none, 1);
    dpl__control_wake(runtime->control);
}

void dpl__threads_create(struct dpl_runtime *runtime)
{
    runtime->threads = dpl_arena_alloc(&runtime->arena, sizeof *runtime->threads);
    runtime->threads->services = (struct dpl_run_services){
        .run = runtime, .enter = enter, .woke = woke, .is_stopping = is_stopping, .end = end};
}

void dpl__threads_offer(struct dpl_runtime *runtime)
{
    const struct dpl_world_host *world = &runtime->options.world;
    if (world->ops && world->ops->attend) {
        world->ops->attend(world->self, &runtime->threads->services);
    }
}

unsigned dpl__threads_count(const struct dpl_runtime *runtime)
{
    if (!runtime->threads) {
        return 0; /* it was not created completely */
    }
    unsigned n = atomic_load(&runtime->threads->n);
    return n < DPL__THREADS_MAX ? n : DPL__THREADS_MAX;
}

const struct dpl_run_thread *dpl__thread_at(const struct dpl_runtime *runtime, unsigned index)
{
    return &runtime->threads->threads[index];
}

uint64_t dpl__thread_times_late(const struct dpl_run_thread *thread)
{
    return atomic_load_explicit(&thread->n_late, memory_order_relaxed);
}

/* ---- the control thread ---- */

void dpl__threads_begin_control(struct dpl_runtime *runtime, dpl_ns period)
{
    struct dpl__threads *threads = runtime->threads;
    threads->control = take_place(runtime, "control", period);
    if (threads->control) {
        set_real_time(threads->control, DPL__PRIORITY_CONTROL);
    }
}

/* Its timer counts from the previous turn, even if that was late. */
void dpl__threads_control_turn(struct dpl_runtime *runtime)
{
    struct dpl__threads *threads = runtime->threads;
    if (!threads->control) {
        return;
    }
    dpl_ns now = dpl_monotonic_now();
    if (threads->control_due > 0) {
        woke(threads->control, now - threads->control_due);
    }
    threads->control_due = now + threads->control->period;
}

void dpl__threads_end_control(struct dpl_runtime *runtime)
{
    const struct dpl_run_thread *control = runtime->threads->control;
    if (control && control->policy != DPL_POLICY_OTHER) {
        dpl__thread_set_policy(pthread_self(), DPL_POLICY_OTHER, 0);
    }
}
