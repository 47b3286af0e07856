/* SPDX-License-Identifier: Apache-2.0 */
/* Executors: which component runs on which, and one cycle. */
#include "executor.h"

#include <errno.h>
#include <string.h>

#include "recorder.h"
#include "runtime.h"

/* ---- grouping ---- */

static bool same_execution(const struct dpl_app_execution *a, const struct dpl_app_execution *b)
{
    return a->type == b->type && a->period == b->period && a->priority == b->priority &&
           a->policy == b->policy && a->affinity == b->affinity;
}

static struct dpl__executor *find_shared(const struct dpl_runtime *runtime,
                                         const struct dpl_app_execution *execution)
{
    for (size_t i = 0; i < runtime->n_executors; i++) {
        if (same_execution(&runtime->executors[i]->execution, execution)) {
            return runtime->executors[i];
        }
    }
    return NULL;
}

static bool name_is_taken(const struct dpl_runtime *runtime, const char *name)
{
    for (size_t i = 0; i < runtime->n_executors; i++) {
        if (strcmp(runtime->executors[i]->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static const char *choose_name(struct dpl_runtime *runtime, const struct dpl_app_component *model)
{
    const struct dpl_app_execution *execution = &model->execution;
    double period_ms = (double)execution->period / (double)DPL_MS;
    if (execution->type == DPL_EXECUTION_APERIODIC) {
        return dpl_arena_printf(&runtime->arena, "aperiodic %s", model->name);
    }
    if (execution->type != DPL_EXECUTION_PERIODIC_SHARED) {
        return dpl_arena_printf(&runtime->arena, "periodic %g ms %s", period_ms, model->name);
    }
    char *name = dpl_arena_printf(&runtime->arena, "periodic %g ms", period_ms);
    for (unsigned n = 2; name_is_taken(runtime, name); n++) {
        name = dpl_arena_printf(&runtime->arena, "periodic %g ms #%u", period_ms, n);
    }
    return name;
}

static struct dpl__executor *create_executor(struct dpl_runtime *runtime,
                                             const struct dpl_app_component *model)
{
    struct dpl__executor *executor = dpl_arena_alloc(&runtime->arena, sizeof *executor);
    executor->name = choose_name(runtime, model);
    executor->runtime = runtime;
    executor->execution = model->execution;
    if (model->execution.type == DPL_EXECUTION_APERIODIC) {
        executor->execution.period = 0;
    }
    executor->tick.period = executor->execution.period;
    executor->components = dpl_arena_alloc(&runtime->arena, runtime->app->n_components *
                                                                sizeof(struct dpl__component *));
    sem_init(&executor->wake, 0, 0);
    runtime->executors[runtime->n_executors++] = executor;
    return executor;
}

static int assign(struct dpl_runtime *runtime, size_t index, struct dpl_diag *reterr)
{
    const struct dpl_app_component *model = &runtime->app->components[index];
    enum dpl_execution_type type = model->execution.type;
    if (type == DPL_EXECUTION_PASSIVE) {
        return 0;
    }
    if (type != DPL_EXECUTION_APERIODIC && model->execution.period <= 0) {
        return dpl_fail(reterr, -EINVAL, model->place, "%s: a periodic component needs a period",
                        model->name);
    }
    struct dpl__executor *executor = NULL;
    if (type == DPL_EXECUTION_PERIODIC_SHARED) {
        executor = find_shared(runtime, &model->execution);
    }
    if (!executor) {
        executor = create_executor(runtime, model);
    }
    executor->components[executor->n_components++] = runtime->components[index];
    runtime->components[index]->executor = executor;
    return 0;
}

/* All components are sorted at once and given out in that order: then each executor's components
 * are sorted, and executors that are due at the same instant run senders first. */
int dpl__executors_create(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    size_t n = runtime->app->n_components;
    size_t *members = dpl_arena_alloc(&runtime->arena, (n + 1) * sizeof *members);
    size_t *order = dpl_arena_alloc(&runtime->arena, (n + 1) * sizeof *order);
    for (size_t i = 0; i < n; i++) {
        members[i] = i;
    }
    int r = dpl__wiring_sort(runtime->app, members, n, order, reterr);
    if (r < 0) {
        return r;
    }
    runtime->executors = dpl_arena_alloc(&runtime->arena, (n + 1) * sizeof *runtime->executors);
    for (size_t i = 0; i < n; i++) {
        r = assign(runtime, order[i], reterr);
        if (r < 0) {
            return r;
        }
    }
    return 0;
}

/* ---- one cycle ---- */

static void add(atomic_ullong *counter, unsigned long long n)
{
    unsigned long long old = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, old + n, memory_order_relaxed);
}

static void run_components(struct dpl__executor *executor)
{
    const struct dpl_tick *tick = &executor->tick;
    for (size_t i = 0; i < executor->n_components; i++) {
        dpl__component_poll_device(executor->components[i], tick);
    }
    for (size_t i = 0; i < executor->n_components; i++) {
        dpl__component_take_inputs(executor->components[i]);
    }
    for (size_t i = 0; i < executor->n_components; i++) {
        dpl__component_deliver_events(executor->components[i], tick);
    }
    for (size_t i = 0; i < executor->n_components; i++) {
        dpl__component_execute(executor->components[i], tick);
    }
    for (size_t i = 0; i < executor->n_components; i++) {
        dpl__component_update(executor->components[i], tick);
    }
}

static void note_first_cycle(struct dpl_runtime *runtime, dpl_ns when)
{
    long long none = 0;
    if (atomic_load_explicit(&runtime->first_cycle, memory_order_relaxed) == 0) {
        atomic_compare_exchange_strong(&runtime->first_cycle, &none, when);
    }
}

void dpl__executor_cycle(struct dpl__executor *executor, dpl_ns now)
{
    struct dpl_runtime *runtime = executor->runtime;
    dpl_ns begun = dpl__monotonic_now();
    executor->tick.now = now;
    /* Acquire pairs with dpl_device_lost: who is told to halt sees why. */
    executor->tick.halt = atomic_load_explicit(&runtime->lost_devices, memory_order_acquire) > 0;
    run_components(executor);
    if (runtime->recorder) {
        dpl__recorder_cycle(runtime->recorder, executor, now);
    }
    dpl_ns ended = dpl__monotonic_now();
    note_first_cycle(runtime, ended);
    dpl__histogram_add(&executor->execution_time, ended - begun);
    add(&executor->n_cycles, 1);
    executor->tick.cycle++;
}

/* ---- waking ---- */

void dpl__executor_notify(struct dpl__executor *executor)
{
    if (executor->execution.type != DPL_EXECUTION_APERIODIC) {
        return;
    }
    /* Release: the cycle that clears the flag sees what was sent before. One post is enough for
     * any number of messages. */
    if (atomic_exchange_explicit(&executor->pending, 1, memory_order_acq_rel) == 0 &&
        !executor->runtime->options.simulated) {
        sem_post(&executor->wake);
    }
}
