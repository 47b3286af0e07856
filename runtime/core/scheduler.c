/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated clock: one thread, no waiting. Executors run in order of (due time, executor
 * order), each after the worlds were advanced to that time; aperiodic ones run at the same time as
 * the executor that woke them, directly after it. Real time is used only for pacing and polling and
 * changes no simulated value. */
#include <errno.h>
#include <time.h>

#include "executor.h"
#include "host_calls.h"
#include "runtime.h"

#define POLL_EVERY (5 * DPL_MS)  /* real time */
#define IDLE_STEP  (10 * DPL_MS) /* of simulated time, when nothing is periodic */
#define ROUNDS_MAX 1000          /* of aperiodic executors that wake each other at the same time */

struct schedule {
    struct dpl_runtime *runtime;
    dpl_ns begun;  /* real time at simulated time 0 */
    dpl_ns polled; /* real time */
};

static bool shall_stop(const struct dpl_runtime *runtime)
{
    return atomic_load_explicit(&runtime->stop_requested, memory_order_acquire) != 0;
}

static void poll_control(struct schedule *schedule)
{
    dpl_ns now = dpl_monotonic_now();
    if (schedule->runtime->control && now - schedule->polled >= POLL_EVERY) {
        schedule->polled = now;
        dpl__control_poll(schedule->runtime->control);
    }
}

/* ---- pacing ---- */

static void sleep_until(dpl_ns monotonic)
{
    struct timespec ts = {.tv_sec = (time_t)(monotonic / DPL_S),
                          .tv_nsec = (long)(monotonic % DPL_S)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

/* Waits until simulated time `to` may be reached at the chosen rate. */
static void pace(struct schedule *schedule, dpl_ns to)
{
    double rate = schedule->runtime->options.rate;
    if (rate <= 0.0) {
        return;
    }
    dpl_ns target = schedule->begun + (dpl_ns)((double)to / rate);
    while (!shall_stop(schedule->runtime)) {
        dpl_ns now = dpl_monotonic_now();
        if (now >= target) {
            return;
        }
        sleep_until(target - now > POLL_EVERY ? now + POLL_EVERY : target);
        poll_control(schedule);
    }
}

/* ---- time ---- */

static int advance(struct schedule *schedule, dpl_ns to, struct dpl_diag *reterr)
{
    struct dpl_runtime *runtime = schedule->runtime;
    if (to <= atomic_load_explicit(&runtime->sim_now, memory_order_relaxed)) {
        return 0;
    }
    pace(schedule, to);
    if (shall_stop(runtime)) {
        return 0;
    }
    const struct dpl_world_host *world = &runtime->options.world;
    int r = world->ops && world->ops->advance ? world->ops->advance(world->self, to, reterr) : 0;
    if (r >= 0) {
        atomic_store_explicit(&runtime->sim_now, to, memory_order_release);
    }
    return r;
}

/* The periodic executor that is due first; NULL: none. */
static struct dpl__executor *first_due(const struct dpl_runtime *runtime)
{
    struct dpl__executor *first = NULL;
    for (size_t i = 0; i < runtime->n_executors; i++) {
        struct dpl__executor *executor = runtime->executors[i];
        if (executor->execution.type != DPL_EXECUTION_APERIODIC &&
            (!first || executor->next_due < first->next_due)) {
            first = executor;
        }
    }
    return first;
}

/* ---- aperiodic executors ---- */

static struct dpl__executor *first_pending(const struct dpl_runtime *runtime)
{
    for (size_t i = 0; i < runtime->n_executors; i++) {
        if (atomic_load_explicit(&runtime->executors[i]->pending, memory_order_relaxed)) {
            return runtime->executors[i];
        }
    }
    return NULL;
}

static int settle(struct schedule *schedule, struct dpl_diag *reterr)
{
    static const struct dpl_place nowhere;
    struct dpl_runtime *runtime = schedule->runtime;
    dpl_ns now = atomic_load_explicit(&runtime->sim_now, memory_order_relaxed);
    for (int round = 0; round < ROUNDS_MAX; round++) {
        struct dpl__executor *executor = first_pending(runtime);
        if (!executor) {
            return 0;
        }
        atomic_store_explicit(&executor->pending, 0, memory_order_relaxed);
        dpl__executor_cycle(executor, now);
    }
    struct dpl__executor *restless = first_pending(runtime);
    if (!restless) {
        return 0;
    }
    return dpl_fail(reterr, -ELOOP, nowhere,
                    "%s does not end its cycle at %.6f s: components wake each other without end",
                    restless->name, dpl_ns_to_s(now));
}

/* ---- the run ---- */

/* Runs one executor at one time; `due` is never after the end of the duration. */
static int step(struct schedule *schedule, struct dpl__executor *executor, dpl_ns due,
                struct dpl_diag *reterr)
{
    int r = advance(schedule, due, reterr);
    if (r < 0 || shall_stop(schedule->runtime)) {
        return r;
    }
    if (executor) {
        dpl__executor_cycle(executor, due);
        executor->next_due = due + executor->execution.period;
    }
    r = settle(schedule, reterr);
    for (size_t i = 0; i < schedule->runtime->n_executors; i++) {
        dpl__mailbox_serve(&schedule->runtime->executors[i]->mailbox);
    }
    poll_control(schedule);
    return r;
}

int dpl__scheduler_run(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    struct schedule schedule = {.runtime = runtime, .begun = dpl_monotonic_now()};
    dpl_ns end = runtime->options.duration;
    int r = settle(&schedule, reterr);
    while (r >= 0 && !shall_stop(runtime)) {
        struct dpl__executor *executor = first_due(runtime);
        dpl_ns due =
            executor ? executor->next_due
                     : atomic_load_explicit(&runtime->sim_now, memory_order_relaxed) + IDLE_STEP;
        if (end > 0 && due >= end) {
            return advance(&schedule, end, reterr);
        }
        r = step(&schedule, executor, due, reterr);
    }
    return r;
}
