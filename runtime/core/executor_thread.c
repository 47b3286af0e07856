/* SPDX-License-Identifier: Apache-2.0 */
/* Executors on the real clock: one thread each, absolute deadlines, policy and affinity if
 * requested. A missed deadline is counted; the grid of deadlines never moves. */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <doppel/host/real_time.h>

#include "executor.h"
#include "host_calls.h"
#include "runtime.h"
#include "thread_setup.h"

#define STACK_BYTES    (512u * 1024u)
#define PREFAULT_BYTES (64u * 1024u)
#define NAP            (50 * DPL_MS) /* longest sleep between checks for a stop request */
#define STOP_PATIENCE  DPL_S
/* At this time all threads exist and have their policy and affinity, so that no first cycle is
 * late. */
#define START_AHEAD    (2 * DPL_MS)

static struct timespec to_timespec(dpl_ns ns)
{
    return (struct timespec){.tv_sec = (time_t)(ns / DPL_S), .tv_nsec = (long)(ns % DPL_S)};
}

static void sleep_until(dpl_ns monotonic)
{
    struct timespec ts = to_timespec(monotonic);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR) {
    }
}

static bool shall_stop(const struct dpl__executor *executor)
{
    return atomic_load_explicit(&executor->stop, memory_order_acquire) != 0;
}

/* ---- the thread ---- */

/* Uses the stack once, so that the first deep call causes no page fault. */
static __attribute__((noinline)) void prefault_stack(void)
{
    volatile char stack[PREFAULT_BYTES];
    for (size_t i = 0; i < sizeof stack; i += 1024) {
        stack[i] = 0;
    }
}

static void add(atomic_ullong *counter, unsigned long long n)
{
    unsigned long long old = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, old + n, memory_order_relaxed);
}

/* The deadline after `deadline`, on its grid; complete periods that have already passed are
 * skipped. */
static dpl_ns next_deadline(struct dpl__executor *executor, dpl_ns deadline, dpl_ns now)
{
    dpl_ns period = executor->execution.period;
    dpl_ns next = deadline + period;
    if (now <= next) {
        return next;
    }
    add(&executor->n_overruns, 1);
    dpl_ns missed = (now - next) / period;
    add(&executor->n_skipped, (unsigned long long)missed);
    executor->index += (uint64_t)missed;
    return next + missed * period;
}

/* False when a stop was requested before the deadline. */
static bool wait_for(struct dpl__executor *executor, dpl_ns monotonic)
{
    for (;;) {
        if (shall_stop(executor)) {
            return false;
        }
        dpl_ns now = dpl_monotonic_now();
        if (now >= monotonic) {
            return true;
        }
        sleep_until(monotonic - now > NAP ? now + NAP : monotonic);
    }
}

static void run_periodic(struct dpl__executor *executor)
{
    dpl_ns epoch = executor->runtime->real_epoch;
    dpl_ns deadline = executor->next_due;
    while (wait_for(executor, epoch + deadline)) {
        dpl__histogram_add(&executor->jitter, dpl_monotonic_now() - epoch - deadline, deadline);
        dpl__executor_cycle(executor, deadline);
        deadline = next_deadline(executor, deadline, dpl_monotonic_now() - epoch);
        dpl__executor_promise(executor, epoch + deadline + executor->execution.period);
    }
}

static void run_aperiodic(struct dpl__executor *executor)
{
    for (;;) {
        while (sem_wait(&executor->wake) != 0) {
        }
        if (shall_stop(executor)) {
            return;
        }
        /* Cleared before the inputs are taken: later messages post again. */
        if (atomic_exchange_explicit(&executor->pending, 0, memory_order_acq_rel) == 0) {
            dpl__mailbox_serve(&executor->mailbox);
            continue;
        }
        dpl__executor_promise(executor, dpl_monotonic_now());
        dpl__executor_cycle(executor, dpl__runtime_now(executor->runtime));
        dpl__executor_promise(executor, DPL__NO_PROMISE);
    }
}

/* A callback has ended the thread (pthread_exit, or the thread was cancelled): it gives no more
 * commands. */
static void on_thread_ended(void *argument)
{
    struct dpl__executor *executor = argument;
    const struct dpl__component *component =
        atomic_load_explicit(&executor->running, memory_order_relaxed);
    const char *callback = component ? atomic_load(&component->callback) : NULL;
    atomic_store_explicit(&executor->gone, 1, memory_order_relaxed); /* before the promise */
    dpl__executor_promise(executor, 0);
    dpl__runtime_fault(executor->runtime, component ? component->self.name : executor->name,
                       "%s has ended the thread of executor \"%s\"",
                       callback ? callback : "somebody", executor->name);
}

static void *thread_main(void *argument)
{
    struct dpl__executor *executor = argument;
    prefault_stack();
    dpl__thread_wake_on_time();
    dpl__thread_set_signal_stack(executor->signal_stack, DPL__SIGNAL_STACK);
    pthread_cleanup_push(on_thread_ended, executor);
    if (executor->execution.type == DPL_EXECUTION_APERIODIC) {
        run_aperiodic(executor);
    } else {
        run_periodic(executor);
    }
    pthread_cleanup_pop(0);
    /* in case the stop of a component blocks */
    dpl__executor_promise(executor, dpl_monotonic_now());
    atomic_store_explicit(&executor->finished, 1, memory_order_release);
    return NULL;
}

/* ---- settings from the profile ---- */

static void set_policy(struct dpl__executor *executor)
{
    enum dpl_policy policy = dpl__policy_wanted(executor->runtime, &executor->execution);
    if (policy == DPL_POLICY_OTHER) {
        return;
    }
    int priority = executor->execution.priority;
    priority = priority < DPL__PRIORITY_EXECUTOR ? DPL__PRIORITY_EXECUTOR : priority;
    int r = dpl__thread_set_policy(executor->thread, policy, priority);
    if (r != 0) {
        dpl__log_printf(
            executor->runtime->log, DPL_LOG_WARN, executor->name,
            "%s with priority %d refused: %s; runs as SCHED_OTHER: " DPL_REAL_TIME_ALLOW,
            dpl__policy_name(policy), priority, strerror(r));
        return;
    }
    executor->policy = policy;
    executor->priority = priority;
}

static void set_affinity(struct dpl__executor *executor)
{
    uint64_t mask = executor->execution.affinity;
    if (mask == 0) {
        return;
    }
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    for (unsigned i = 0; i < 64; i++) {
        if (mask >> i & 1u) {
            CPU_SET(i, &cpus);
        }
    }
    int r = pthread_setaffinity_np(executor->thread, sizeof cpus, &cpus);
    if (r != 0) {
        dpl__log_printf(executor->runtime->log, DPL_LOG_WARN, executor->name,
                        "affinity 0x%" PRIx64 " refused: %s; runs on any CPU", mask, strerror(r));
        return;
    }
    executor->affinity = mask;
}

static void set_thread_name(struct dpl__executor *executor)
{
    char name[16];
    snprintf(name, sizeof name, "%.15s", executor->components[0]->self.name);
    pthread_setname_np(executor->thread, name);
}

/* ---- starting and stopping ---- */

static int start_thread(struct dpl__executor *executor, struct dpl_diag *reterr)
{
    static const struct dpl_place nowhere;
    pthread_attr_t attributes;
    int r = pthread_attr_init(&attributes);
    if (r == 0) {
        pthread_attr_setstacksize(&attributes, STACK_BYTES);
        r = pthread_create(&executor->thread, &attributes, thread_main, executor);
        pthread_attr_destroy(&attributes);
    }
    if (r != 0) {
        return dpl_fail(reterr, -r, nowhere, "%s: cannot start its thread: %s", executor->name,
                        strerror(r));
    }
    executor->thread_started = true;
    set_thread_name(executor);
    set_policy(executor);
    set_affinity(executor);
    return 0;
}

int dpl__executors_start(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    dpl_ns first = dpl__runtime_now(runtime) + START_AHEAD;
    /* from now on the executors command */
    dpl__executor_promise(runtime->control_caller, DPL__NO_PROMISE);
    for (size_t i = 0; i < runtime->n_executors; i++) {
        struct dpl__executor *executor = runtime->executors[i];
        executor->next_due = first;
        if (executor->execution.type != DPL_EXECUTION_APERIODIC) {
            dpl__executor_promise(executor,
                                  runtime->real_epoch + first + executor->execution.period);
        }
        int r = start_thread(executor, reterr);
        if (r < 0) {
            return r;
        }
    }
    return 0;
}

static void ask_to_stop(struct dpl_runtime *runtime)
{
    for (size_t i = 0; i < runtime->n_executors; i++) {
        atomic_store_explicit(&runtime->executors[i]->stop, 1, memory_order_release);
        sem_post(&runtime->executors[i]->wake);
    }
}

static bool wait_finished(const struct dpl__executor *executor, dpl_ns until)
{
    while (atomic_load_explicit(&executor->finished, memory_order_acquire) == 0) {
        dpl_ns now = dpl_monotonic_now();
        if (now >= until) {
            return false;
        }
        sleep_until(now + DPL_MS);
    }
    return true;
}

static void leave_behind(struct dpl__executor *executor)
{
    const struct dpl__component *component = atomic_load(&executor->running);
    const char *callback = component ? atomic_load(&component->callback) : NULL;
    dpl__runtime_fault(executor->runtime, component ? component->self.name : executor->name,
                       "%s does not return; the run ends without executor \"%s\"",
                       callback ? callback : "its cycle", executor->name);
    pthread_detach(executor->thread);
}

size_t dpl__executors_stop(struct dpl_runtime *runtime)
{
    ask_to_stop(runtime);
    dpl_ns until = dpl_monotonic_now() + STOP_PATIENCE;
    size_t n_left = 0;
    for (size_t i = 0; i < runtime->n_executors; i++) {
        struct dpl__executor *executor = runtime->executors[i];
        if (!executor->thread_started) {
            continue;
        }
        if (wait_finished(executor, until)) {
            pthread_join(executor->thread, NULL);
            executor->thread_started = false;
        } else {
            leave_behind(executor);
            n_left++;
        }
    }
    return n_left;
}
