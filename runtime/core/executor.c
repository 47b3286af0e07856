/* SPDX-License-Identifier: Apache-2.0 */
/* Executors: assignment of components, and one cycle. */
#include "executor.h"

#include <errno.h>
#include <string.h>

#include "host_calls.h"
#include "runtime.h"
#include "thread_setup.h"

/* ---- its promise ---- */

void dpl__executor_promise(struct dpl__executor *executor, dpl_ns monotonic)
{
    /* Release: a thread that sees the new limit also sees the commands of the cycle that set it. */
    atomic_store_explicit(&executor->ends_by, monotonic, memory_order_release);
}

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
        if (!runtime->executors[i]->execution.rate_group &&
            same_execution(&runtime->executors[i]->execution, execution)) {
            return runtime->executors[i];
        }
    }
    return NULL;
}

static bool is_in_group(const struct dpl_app_execution *execution, const char *group)
{
    return execution->rate_group && strcmp(execution->rate_group, group) == 0;
}

static struct dpl__executor *find_group(const struct dpl_runtime *runtime, const char *group)
{
    for (size_t i = 0; i < runtime->n_executors; i++) {
        if (is_in_group(&runtime->executors[i]->execution, group)) {
            return runtime->executors[i];
        }
    }
    return NULL;
}

static dpl_ns group_period(const struct dpl_app *app, const char *group)
{
    dpl_ns shortest = INT64_MAX;
    for (size_t i = 0; i < app->n_components; i++) {
        const struct dpl_app_execution *execution = &app->components[i].execution;
        if (is_in_group(execution, group) && execution->period < shortest) {
            shortest = execution->period;
        }
    }
    return shortest;
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
    /* 13 digits are enough for each nanosecond of the longest period, an hour. */
    double period_ms = (double)execution->period / (double)DPL_MS;
    if (execution->type == DPL_EXECUTION_APERIODIC) {
        return dpl_arena_printf(&runtime->arena, "aperiodic %s", model->name);
    }
    if (execution->rate_group) {
        period_ms = (double)group_period(runtime->app, execution->rate_group) / (double)DPL_MS;
        return dpl_arena_printf(&runtime->arena, "rate group %s %.13g ms", execution->rate_group,
                                period_ms);
    }
    if (execution->type != DPL_EXECUTION_PERIODIC_SHARED) {
        return dpl_arena_printf(&runtime->arena, "periodic %.13g ms %s", period_ms, model->name);
    }
    char *name = dpl_arena_printf(&runtime->arena, "periodic %.13g ms", period_ms);
    for (unsigned n = 2; name_is_taken(runtime, name); n++) {
        name = dpl_arena_printf(&runtime->arena, "periodic %.13g ms #%u", period_ms, n);
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
    if (model->execution.rate_group) {
        executor->execution.period = group_period(runtime->app, model->execution.rate_group);
    }
    if (model->execution.type == DPL_EXECUTION_APERIODIC) {
        executor->execution.period = 0;
    }
    executor->tick.period = executor->execution.period;
    executor->components = dpl_arena_alloc(&runtime->arena, runtime->app->n_components *
                                                                sizeof(struct dpl__component *));
    dpl__executor_promise(executor, DPL__NO_PROMISE);
    executor->signal_stack = dpl_arena_alloc(&runtime->arena, DPL__SIGNAL_STACK);
    sem_init(&executor->wake, 0, 0);
    runtime->executors[runtime->n_executors++] = executor;
    return executor;
}

static void create_control_caller(struct dpl_runtime *runtime)
{
    runtime->control_caller = dpl_arena_alloc(&runtime->arena, sizeof *runtime->control_caller);
    runtime->control_caller->name = "the life cycle";
    runtime->control_caller->runtime = runtime;
    dpl__executor_promise(runtime->control_caller, DPL__NO_PROMISE);
}

static int check_execution(const struct dpl_app_component *model, struct dpl_diag *reterr)
{
    enum dpl_execution_type type = model->execution.type;
    if (model->execution.rate_group && type != DPL_EXECUTION_PERIODIC_SHARED) {
        return dpl_fail(reterr, -EINVAL, model->place,
                        "%s: only a periodic-shared component runs in a rate group", model->name);
    }
    bool periodic = type != DPL_EXECUTION_APERIODIC && type != DPL_EXECUTION_PASSIVE;
    if (periodic && model->execution.period <= 0) {
        return dpl_fail(reterr, -EINVAL, model->place, "%s: a periodic component needs a period",
                        model->name);
    }
    return 0;
}

static int join(struct dpl__executor *executor, struct dpl__component *component,
                struct dpl_diag *reterr)
{
    const struct dpl_app_execution *own = &component->model->execution;
    const struct dpl_app_execution *all = &executor->execution;
    if (own->rate_group && (own->period % all->period != 0 || own->priority != all->priority ||
                            own->policy != all->policy || own->affinity != all->affinity)) {
        return dpl_fail(reterr, -EINVAL, component->model->place,
                        "%s does not fit into the rate group %s: its period must be a whole "
                        "multiple of the shortest, its priority, policy and affinity the same",
                        component->self.name, own->rate_group);
    }
    component->executor = executor;
    component->divisor = own->rate_group ? (uint64_t)(own->period / all->period) : 1;
    component->period = own->rate_group ? own->period : all->period;
    component->tick.period = component->period;
    executor->components[executor->n_components++] = component;
    return 0;
}

static int assign(struct dpl_runtime *runtime, size_t index, struct dpl_diag *reterr)
{
    const struct dpl_app_component *model = &runtime->app->components[index];
    int r = check_execution(model, reterr);
    if (r < 0 || model->execution.type == DPL_EXECUTION_PASSIVE) {
        return r;
    }
    struct dpl__executor *executor = NULL;
    if (model->execution.rate_group) {
        executor = find_group(runtime, model->execution.rate_group);
    } else if (model->execution.type == DPL_EXECUTION_PERIODIC_SHARED) {
        executor = find_shared(runtime, &model->execution);
    }
    if (!executor) {
        executor = create_executor(runtime, model);
    }
    return join(executor, runtime->components[index], reterr);
}

/* All components are sorted together and assigned in that order. So each executor's components are
 * sorted, and executors that are due at the same time run senders first. */
int dpl__executors_create(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    size_t n = runtime->app->n_components;
    create_control_caller(runtime);
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

/* The next component that is due, from `*inout_i` on; NULL: none. */
static struct dpl__component *next_due(const struct dpl__executor *executor, size_t *inout_i)
{
    while (*inout_i < executor->n_components) {
        struct dpl__component *component = executor->components[(*inout_i)++];
        if (component->due) {
            return component;
        }
    }
    return NULL;
}

static void run_components(struct dpl__executor *executor)
{
    struct dpl__component *c;
    for (size_t i = 0; i < executor->n_components; i++) {
        dpl__component_plan(executor->components[i], executor->index, &executor->tick);
    }
    for (size_t i = 0; (c = next_due(executor, &i));) {
        dpl__component_poll_device(c, &c->tick);
    }
    for (size_t i = 0; (c = next_due(executor, &i));) {
        dpl__component_take_inputs(c);
    }
    for (size_t i = 0; (c = next_due(executor, &i));) {
        dpl__component_deliver_events(c, &c->tick);
    }
    for (size_t i = 0; (c = next_due(executor, &i));) {
        dpl__component_execute(c, &c->tick);
    }
    for (size_t i = 0; (c = next_due(executor, &i));) {
        dpl__component_update(c, &c->tick);
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
    dpl_ns begun = dpl_monotonic_now();
    dpl__mailbox_serve(&executor->mailbox);
    executor->tick.now = now;
    /* Acquire pairs with dpl_device_lost: a thread that sees the halt also sees the reason. */
    bool lost = atomic_load_explicit(&runtime->lost_devices, memory_order_acquire) > 0;
    bool ending = atomic_load_explicit(&runtime->ending, memory_order_relaxed);
    executor->tick.halt = lost ? DPL_HALT_LOST : ending ? DPL_HALT_ENDING : DPL_HALT_NONE;
    run_components(executor);
    if (executor->watched) {
        dpl__observer_cycle(executor->watched, now);
    }
    if (runtime->recorder) {
        dpl__recorder_cycle(runtime->recorder, executor, now);
    }
    dpl_ns ended = dpl_monotonic_now();
    note_first_cycle(runtime, ended);
    dpl__histogram_add(&executor->execution_time, ended - begun, now);
    add(&executor->n_cycles, 1);
    executor->tick.cycle++;
    executor->index++;
}

/* ---- wake-up ---- */

void dpl__executor_notify(struct dpl__executor *executor)
{
    if (executor->execution.type != DPL_EXECUTION_APERIODIC) {
        return;
    }
    /* Release: the cycle that clears the flag sees all messages sent before. One post is enough for
     * any number of messages. */
    if (atomic_exchange_explicit(&executor->pending, 1, memory_order_acq_rel) == 0 &&
        !executor->runtime->options.simulated) {
        sem_post(&executor->wake);
    }
}

void dpl__executor_nudge(struct dpl__executor *executor)
{
    if (executor->execution.type == DPL_EXECUTION_APERIODIC &&
        !executor->runtime->options.simulated) {
        sem_post(&executor->wake);
    }
}
