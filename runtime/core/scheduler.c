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

struct dpl__schedule {
    struct dpl_runtime *runtime;
    dpl_ns polled;      /* real time */
    dpl_ns next_sample; /* of the run */
};

static bool shall_stop(const struct dpl_runtime *runtime)
{
    return atomic_load_explicit(&runtime->stop_requested, memory_order_acquire) != 0;
}

static void poll_control(struct dpl__schedule *schedule)
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

/* What others want done between two cycles. */
static void serve(struct dpl_runtime *runtime)
{
    dpl__mailbox_serve(&runtime->mailbox);
    for (size_t i = 0; i < runtime->n_executors; i++) {
        dpl__mailbox_serve(&runtime->executors[i]->mailbox);
    }
}

static void nap(struct dpl__schedule *schedule, dpl_ns until)
{
    sleep_until(until);
    poll_control(schedule);
    serve(schedule->runtime);
}

/* Waits until simulated time `to` may be reached at the chosen rate. False: the run stops, or
 * somebody has changed its pacing. */
static bool wait_for(struct dpl__schedule *schedule, dpl_ns to)
{
    const struct dpl__pacing *pacing = &schedule->runtime->pacing;
    dpl_ns target = dpl__pacing_target(pacing, to), now;
    while (target > 0 && (now = dpl_monotonic_now()) < target) {
        if (shall_stop(schedule->runtime)) {
            return false;
        }
        nap(schedule, target - now > POLL_EVERY ? now + POLL_EVERY : target);
        if (pacing->changed) {
            return false;
        }
    }
    return !shall_stop(schedule->runtime);
}

/* Until somebody lets it go on. */
static void pause_run(struct dpl__schedule *schedule)
{
    struct dpl__pacing *pacing = &schedule->runtime->pacing;
    const struct dpl_world_host *world = &schedule->runtime->options.world;
    atomic_store_explicit(&pacing->paused, true, memory_order_release);
    while (!pacing->changed && !shall_stop(schedule->runtime)) {
        nap(schedule, dpl_monotonic_now() + POLL_EVERY);
        if (world->ops && world->ops->look && !pacing->changed) {
            world->ops->look(world->self);
        }
    }
}

/* ---- time ---- */

static int advance(struct dpl__schedule *schedule, dpl_ns to, struct dpl_diag *reterr)
{
    struct dpl_runtime *runtime = schedule->runtime;
    if (to <= atomic_load_explicit(&runtime->sim_now, memory_order_relaxed)) {
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

static int settle(struct dpl__schedule *schedule, struct dpl_diag *reterr)
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
static int step(struct dpl__schedule *schedule, struct dpl__executor *executor, dpl_ns due,
                struct dpl_diag *reterr)
{
    int r = advance(schedule, due, reterr);
    if (r < 0) {
        return r;
    }
    if (executor) {
        dpl__executor_cycle(executor, due);
        executor->next_due = due + executor->execution.period;
    }
    r = settle(schedule, reterr);
    serve(schedule->runtime);
    poll_control(schedule);
    return r;
}

/* Nothing more is due before the pause or the end. 1: it is the end. */
static int come_to_limit(struct dpl__schedule *schedule, dpl_ns limit, struct dpl_diag *reterr)
{
    dpl_ns end = schedule->runtime->pacing.end;
    int r = advance(schedule, limit, reterr);
    if (r < 0 || (end > 0 && limit == end)) {
        return r < 0 ? r : 1;
    }
    pause_run(schedule);
    return 0;
}

/* True: whoever samples the run wants its end. */
static bool is_sampled_enough(struct dpl__schedule *schedule)
{
    const struct dpl_runtime *runtime = schedule->runtime;
    const struct dpl_runtime_options *options = &runtime->options;
    dpl_ns now = atomic_load_explicit(&runtime->sim_now, memory_order_relaxed);
    if (!options->sample || now < schedule->next_sample) {
        return false;
    }
    schedule->next_sample = now + options->sample_every;
    return options->sample(options->sample_user, runtime, now);
}

/* The next executor, or a pause; 1: the run is over. */
static int go_on(struct dpl__schedule *schedule, struct dpl_diag *reterr)
{
    struct dpl_runtime *runtime = schedule->runtime;
    struct dpl__pacing *pacing = &runtime->pacing;
    struct dpl__executor *executor = first_due(runtime);
    if (is_sampled_enough(schedule)) {
        return 1;
    }
    dpl_ns due = executor
                     ? executor->next_due
                     : atomic_load_explicit(&runtime->sim_now, memory_order_relaxed) + IDLE_STEP;
    bool waits = due >= pacing->until;
    dpl_ns to = waits ? dpl__pacing_limit(pacing) : due;
    pacing->changed = false;
    if (!wait_for(schedule, to)) {
        return 0;
    }
    return waits ? come_to_limit(schedule, to, reterr) : step(schedule, executor, due, reterr);
}

bool dpl_runtime_go(struct dpl_runtime *runtime, dpl_ns to)
{
    struct dpl__schedule *schedule = runtime->schedule;
    struct dpl__pacing *pacing = &runtime->pacing;
    bool may_go = false;
    serve(runtime);
    poll_control(schedule);
    while (!may_go && !shall_stop(runtime)) {
        pacing->changed = false;
        if (to > dpl__pacing_limit(pacing)) {
            pause_run(schedule);
        } else {
            may_go = wait_for(schedule, to);
        }
    }
    if (may_go) {
        atomic_store_explicit(&runtime->sim_now, to, memory_order_release);
    }
    return may_go;
}

int dpl__scheduler_run(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    struct dpl__schedule schedule = {.runtime = runtime};
    dpl__pacing_begin(&runtime->pacing, runtime->options.rate, runtime->options.duration);
    const struct dpl_runtime_options *options = &runtime->options;
    if (options->hold > 0) {
        dpl__pacing_hold(&runtime->pacing, options->hold);
    }
    if (options->drive) {
        runtime->schedule = &schedule;
        return options->drive(options->drive_user, runtime, reterr);
    }
    int r = settle(&schedule, reterr);
    while (r == 0 && !shall_stop(runtime)) {
        r = go_on(&schedule, reterr);
    }
    return r < 0 ? r : 0;
}
