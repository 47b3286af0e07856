/* SPDX-License-Identifier: Apache-2.0 */
#include "commander.h"

#include <doppel/component.h>
#include <doppel/device.h>

#include "device.h"
#include "executor.h"
#include "log.h"
#include "runtime.h"

/* ---- commanders ------ */

static void add_commander(struct dpl__device *device, struct dpl__executor *executor)
{
    for (size_t i = 0; i < device->n_commanders; i++) {
        if (device->commanders[i] == executor) {
            return;
        }
    }
    device->commanders[device->n_commanders++] = executor;
}

/* A passive component runs on the threads of its callers, which may be passive too. When the device
 * keeps its last command, callers command it, whatever thread the component has. `depth` ends
 * cycles of calls. */
static void add_callers(struct dpl__device *device, const struct dpl__component *component,
                        size_t depth)
{
    const struct dpl_runtime *runtime = device->runtime;
    const struct dpl_app *app = runtime->app;
    if (component->executor) {
        add_commander(device, component->executor);
        if (!component->self.class_->callers_command) {
            return;
        }
    }
    for (size_t i = 0; depth > 0 && i < app->n_connections; i++) {
        const struct dpl_app_connection *c = &app->connections[i];
        if (c->kind == DPL_PORT_SERVICE && runtime->components[c->target] == component) {
            add_callers(device, runtime->components[c->source], depth - 1);
        }
    }
}

void dpl__device_find_commanders(struct dpl__device *device, const struct dpl__component *component)
{
    struct dpl_runtime *runtime = device->runtime;
    device->commanders =
        dpl_arena_alloc(&runtime->arena, (runtime->n_executors + 1) * sizeof *device->commanders);
    device->owner = component;
    device->late_limit = component->model->execution.late_limit;
    if (!component->self.class_->only_senses) {
        add_callers(device, component, runtime->app->n_components);
    }
}

/* Before and after the executors run, life-cycle callbacks command from the control thread.
 * Afterwards no executor repeats these commands. */
static const struct dpl__executor *find_caller(const struct dpl__component *component)
{
    const struct dpl_runtime *runtime = component->runtime;
    if (atomic_load_explicit(&runtime->executing, memory_order_relaxed)) {
        return component->on;
    }
    dpl__executor_promise(runtime->control_caller, dpl_monotonic_now());
    return runtime->control_caller;
}

void dpl_component_take_command(struct dpl_component *self)
{
    const struct dpl__component *component = self->runtime;
    if (!component->device) {
        return;
    }
    struct dpl__device *device = component->device->runtime;
    atomic_store_explicit(&device->caller, find_caller(component), memory_order_release);
}

/* ---- check of the time limit ---- */

static const struct dpl__device *top_of(const struct dpl__device *device)
{
    while (device->parent) {
        device = device->parent;
    }
    return device;
}

static bool is_late(const struct dpl__executor *executor, dpl_ns limit, dpl_ns now)
{
    /* Acquire pairs with dpl__executor_promise. */
    dpl_ns ends_by = atomic_load_explicit(&executor->ends_by, memory_order_acquire);
    return ends_by < DPL__NO_PROMISE - limit && now > ends_by + limit;
}

/* A late executor; NULL: none. */
static const struct dpl__executor *find_late(const struct dpl__device *top, dpl_ns now)
{
    for (size_t i = 0; i < top->n_commanders; i++) {
        if (is_late(top->commanders[i], top->late_limit, now)) {
            return top->commanders[i];
        }
    }
    const struct dpl__executor *caller = atomic_load_explicit(&top->caller, memory_order_acquire);
    return caller && is_late(caller, top->late_limit, now) ? caller : NULL;
}

bool dpl_device_is_commanded(const struct dpl_device *device)
{
    const struct dpl__device *top = top_of(device->runtime);
    const struct dpl_runtime *runtime = top->runtime;
    if (runtime->options.simulated) {
        return true;
    }
    return !atomic_load_explicit(&runtime->going_down, memory_order_acquire) &&
           !find_late(top, dpl_monotonic_now());
}

/* ---- logging ---- */

static void tell_stop(const struct dpl__device *top, const struct dpl__executor *late)
{
    struct dpl_runtime *runtime = top->runtime;
    double limit_ms = dpl_ns_to_s(top->late_limit) * 1e3;
    if (late == runtime->control_caller) {
        dpl__runtime_fault(runtime, top->self.name,
                           "stopped: its newest command came from a callback of the life cycle, "
                           "more than %.0f ms ago, and no executor runs",
                           limit_ms);
    } else if (atomic_load_explicit(&late->gone, memory_order_relaxed)) {
        dpl__runtime_fault(runtime, top->self.name,
                           "stopped: the thread of executor \"%s\" that commands it has ended",
                           late->name);
    } else if (atomic_load_explicit(&late->finished, memory_order_relaxed)) {
        dpl__runtime_fault(runtime, top->self.name,
                           "stopped: executor \"%s\" that commands it has ended, and the run has "
                           "not within %.0f ms",
                           late->name, limit_ms);
    } else {
        dpl__runtime_fault(runtime, top->self.name,
                           "stopped: executor \"%s\" that commands it is late by more than %.0f ms",
                           late->name, limit_ms);
    }
}

/* When the component has stopped, there is nothing to stop. In a rehearsal some devices have no
 * component. */
static bool has_stopped(const struct dpl__device *top)
{
    if (!top->owner) {
        return true;
    }
    enum dpl__state state = atomic_load_explicit(&top->owner->state, memory_order_acquire);
    return state == DPL__INACTIVE || state == DPL__DESTROYED;
}

static void watch(struct dpl__device *top, dpl_ns now)
{
    if (has_stopped(top)) {
        return;
    }
    const struct dpl__executor *late = find_late(top, now);
    if (late && !top->told_late) {
        atomic_fetch_add_explicit(&top->n_late_stops, 1, memory_order_relaxed);
        tell_stop(top, late);
    } else if (!late && top->told_late) {
        dpl__log_printf(top->runtime->log, DPL_LOG_INFO, top->self.name, "is commanded again");
    }
    top->told_late = late != NULL;
}

void dpl__commanders_watch(struct dpl_runtime *runtime)
{
    dpl_ns now = dpl_monotonic_now();
    for (struct dpl__device *device = runtime->devices; device; device = device->next) {
        if (!device->parent) {
            watch(device, now);
        }
    }
}

bool dpl__commanders_are_late(const struct dpl_runtime *runtime)
{
    const struct dpl__device *device = runtime->devices;
    while (device && dpl_device_is_commanded(&device->self)) {
        device = device->next;
    }
    return device != NULL;
}
