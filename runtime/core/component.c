/* SPDX-License-Identifier: Apache-2.0 */
/* Components: creation, accessors, and the code around each callback. */
#include "component.h"

#include <errno.h>
#include <string.h>

#include "executor.h"
#include "port.h"
#include "runtime.h"

/* ---- creation ---- */

static size_t default_depth(enum dpl_queue policy, size_t depth)
{
    switch (policy) {
    case DPL_QUEUE_LAST: return 1;
    case DPL_QUEUE_UFIFO: return depth > DPL__UFIFO_DEPTH ? depth : DPL__UFIFO_DEPTH;
    default: return depth > 0 ? depth : DPL__FIFO_DEPTH;
    }
}

static void create_port(struct dpl__component *component, size_t index)
{
    struct dpl_arena *arena = &component->runtime->arena;
    struct dpl__port *port = &component->ports[index];
    port->desc = &component->self.class_->ports[index];
    port->component = component;
    port->name = dpl_arena_printf(arena, "%s.%s", component->self.name, port->desc->name);
    if (port->desc->kind == DPL_PORT_SERVICE) {
        return;
    }
    port->role = port->desc->dir == DPL_PORT_OUT ? DPL__SENDS : DPL__TAKES;
    if (port->role == DPL__SENDS) {
        return;
    }
    struct dpl_app_port queue = {port->desc->policy, port->desc->depth};
    if (component->model->ports) {
        queue = component->model->ports[index];
    }
    bool event = port->desc->kind == DPL_PORT_EVENT;
    port->policy = event ? DPL_QUEUE_FIFO : queue.policy;
    port->depth = default_depth(port->policy, queue.depth);
    port->queue.capacity = port->depth;
    port->queue.entries = dpl_arena_alloc(arena, port->depth * sizeof *port->queue.entries);
}

/* Priority inheritance prevents that a slow caller delays a fast provider; error checking returns
 * -EDEADLK for a call back into a lock of the same thread. */
static int create_lock(pthread_mutex_t *lock)
{
    pthread_mutexattr_t attributes;
    int r = pthread_mutexattr_init(&attributes);
    if (r != 0) {
        return -r;
    }
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    r = pthread_mutex_init(lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    return -r;
}

static int create_component(struct dpl_runtime *runtime, size_t index, struct dpl_diag *reterr)
{
    const struct dpl_app_component *model = &runtime->app->components[index];
    struct dpl__component *component = dpl_arena_alloc(&runtime->arena, sizeof *component);
    component->self = (struct dpl_component){
        .name = model->name,
        .class_ = model->class_,
        .properties = model->properties,
        .state = dpl_arena_alloc(&runtime->arena, model->class_->state_size + 1),
        .runtime = component,
    };
    component->runtime = runtime;
    component->model = model;
    int r = create_lock(&component->lock);
    if (r < 0) {
        return dpl_fail(reterr, r, model->place, "%s: cannot create its lock: %s", model->name,
                        strerror(-r));
    }
    size_t n = model->class_->n_ports;
    component->ports = dpl_arena_alloc(&runtime->arena, (n + 1) * sizeof *component->ports);
    for (size_t i = 0; i < n; i++) {
        create_port(component, i);
    }
    runtime->components[index] = component;
    return 0;
}

int dpl__components_create(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    size_t n = runtime->app->n_components;
    runtime->components = dpl_arena_alloc(&runtime->arena, (n + 1) * sizeof *runtime->components);
    for (size_t i = 0; i < n; i++) {
        int r = create_component(runtime, i, reterr);
        if (r < 0) {
            return r;
        }
    }
    return 0;
}

void dpl__components_finish(struct dpl_runtime *runtime)
{
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        if (runtime->components[i]) {
            pthread_mutex_destroy(&runtime->components[i]->lock);
        }
    }
}

struct dpl__executor *dpl__component_owner(const struct dpl__component *component)
{
    const struct dpl_runtime *runtime = component->runtime;
    return component->executor        ? component->executor
           : component->home          ? component->home
           : runtime->n_executors > 0 ? runtime->executors[0]
                                      : NULL;
}

/* ---- accessors for components ---- */

struct dpl_device *dpl_component_device(struct dpl_component *component)
{
    const struct dpl__component *self = component->runtime;
    return self->device;
}

uint64_t dpl_component_seed(const struct dpl_component *component)
{
    const struct dpl__component *self = component->runtime;
    return self->runtime->options.seed;
}

/* ---- activation around callbacks ----- */

int dpl__component_enter(struct dpl__component *component, struct dpl__executor *on,
                         const char *callback, struct dpl__activation *ret_activation)
{
    if (component->shared) {
        int r = pthread_mutex_lock(&component->lock);
        if (r != 0) {
            return -r;
        }
    }
    if (component->in_call) {
        if (component->shared) {
            pthread_mutex_unlock(&component->lock);
        }
        return -EDEADLK;
    }
    component->in_call = true;
    component->on = on;
    atomic_store_explicit(&component->callback, callback, memory_order_relaxed);
    if (on) {
        ret_activation->outer = atomic_load_explicit(&on->running, memory_order_relaxed);
        ret_activation->entered = atomic_load_explicit(&on->entered, memory_order_relaxed);
        atomic_store_explicit(&on->running, component, memory_order_relaxed);
        /* Release: the watchdog that reads the time also sees component and callback. */
        atomic_store_explicit(&on->entered, dpl_monotonic_now(), memory_order_release);
    }
    return 0;
}

void dpl__component_leave(struct dpl__component *component,
                          const struct dpl__activation *activation)
{
    while (component->touched) {
        struct dpl__port *port = component->touched;
        component->touched = port->next_touched;
        port->touched = false;
        dpl__port_release(port);
    }
    struct dpl__executor *on = component->on;
    if (on) {
        atomic_store_explicit(&on->running, activation->outer, memory_order_relaxed);
        atomic_store_explicit(&on->entered, activation->entered, memory_order_release);
    }
    atomic_store_explicit(&component->callback, NULL, memory_order_relaxed);
    component->on = NULL;
    component->in_call = false;
    if (component->shared) {
        pthread_mutex_unlock(&component->lock);
    }
}
