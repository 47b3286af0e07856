/* SPDX-License-Identifier: Apache-2.0 */
/* See order.h. */
#include "order.h"

#include "component.h"
#include "device.h"
#include "executor.h"
#include "log.h"
#include "stand_in.h"

/* Whether `first` must start before `second`: it provides a service to it, or `second` depends on
 * it. */
static bool must_precede(const struct dpl_app *app, size_t first, size_t second)
{
    for (size_t i = 0; i < app->n_connections; i++) {
        const struct dpl_app_connection *c = &app->connections[i];
        if (c->kind == DPL_PORT_SERVICE && c->target == first && c->source == second) {
            return true;
        }
    }
    for (size_t i = 0; i < app->n_depends; i++) {
        if (app->depends[i].source == first && app->depends[i].target == second) {
            return true;
        }
    }
    return false;
}

static bool waits(const struct dpl_app *app, const bool *placed, size_t index)
{
    for (size_t i = 0; i < app->n_components; i++) {
        if (!placed[i] && i != index && must_precede(app, i, index)) {
            return true;
        }
    }
    return false;
}

/* The first in profile order that does not wait for another; if all wait for each other, the first
 * one. */
static size_t next_to_start(const struct dpl_app *app, const bool *placed)
{
    size_t fallback = app->n_components;
    for (size_t i = 0; i < app->n_components; i++) {
        if (placed[i]) {
            continue;
        }
        if (!waits(app, placed, i)) {
            return i;
        }
        if (fallback == app->n_components) {
            fallback = i;
        }
    }
    return fallback;
}

void dpl__order_components(struct dpl_runtime *runtime)
{
    size_t n = runtime->app->n_components;
    bool *placed = dpl_arena_alloc(&runtime->arena, (n + 1) * sizeof *placed);
    runtime->start_order = dpl_arena_alloc(&runtime->arena, (n + 1) * sizeof *runtime->start_order);
    for (size_t i = 0; i < n; i++) {
        size_t next = next_to_start(runtime->app, placed);
        placed[next] = true;
        runtime->start_order[i] = runtime->components[next];
    }
}

/* ---- starting and stopping ---- */

int dpl__order_start(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        struct dpl__component *component = runtime->start_order[i];
        struct dpl_diag diag = {0};
        int r = dpl__stand_in_operate(component, DPL__START, &diag);
        if (r < 0) {
            dpl__runtime_fault(runtime, component->self.name, "cannot be started: %s", diag.text);
            return dpl_fail(reterr, r, diag.place, "%s", diag.text);
        }
    }
    return 0;
}

static bool was_left_behind(const struct dpl__executor *executor)
{
    return executor->thread_started && !atomic_load(&executor->finished);
}

bool dpl__order_is_any_left_behind(const struct dpl_runtime *runtime)
{
    for (size_t i = 0; i < runtime->n_executors; i++) {
        if (was_left_behind(runtime->executors[i])) {
            return true;
        }
    }
    return false;
}

/* A component cannot be stopped while the thread that runs it is blocked, or is blocked in one of
 * its services: waiting for it would never end. */
static bool is_stuck(struct dpl__component *component)
{
    if (component->executor && was_left_behind(component->executor)) {
        return true;
    }
    if (!component->shared || !dpl__order_is_any_left_behind(component->runtime)) {
        return false;
    }
    if (pthread_mutex_trylock(&component->lock) != 0) {
        return true;
    }
    pthread_mutex_unlock(&component->lock);
    return false;
}

static int stop_component(struct dpl__component *component, struct dpl_diag *reterr)
{
    enum dpl__state next;
    if (is_stuck(component) ||
        !dpl__lifecycle_allows(atomic_load(&component->state), DPL__STOP, &next)) {
        return 0;
    }
    struct dpl_diag diag = {0};
    int r = dpl__stand_in_operate(component, DPL__STOP, &diag);
    if (r < 0) {
        dpl__runtime_fault(component->runtime, component->self.name, "cannot be stopped: %s",
                           diag.text);
        dpl_fail(reterr, r, diag.place, "%s", diag.text);
    }
    return r;
}

/* In reverse start order. After a second stop request, components with a device are first, so that
 * moving devices do not wait for a slow component. Continues after a failure; returns the first
 * error. */
int dpl__order_stop(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    int first = 0;
    bool devices_only = atomic_load(&runtime->stop_requested) >= 2;
    for (int pass = devices_only ? 0 : 1; pass < 2; pass++) {
        for (size_t i = runtime->app->n_components; i-- > 0;) {
            struct dpl__component *component = runtime->start_order[i];
            if (pass == 0 && !component->device) {
                continue;
            }
            int r = stop_component(component, first < 0 ? NULL : reterr);
            first = first < 0 ? first : r;
        }
    }
    return first;
}

/* ---- destroying ---- */

static void destroy_components(struct dpl_runtime *runtime)
{
    for (size_t i = runtime->start_order ? runtime->app->n_components : 0; i-- > 0;) {
        struct dpl__component *component = runtime->start_order[i];
        enum dpl__state next;
        if (is_stuck(component) ||
            !dpl__lifecycle_allows(atomic_load(&component->state), DPL__DESTROY, &next)) {
            continue;
        }
        struct dpl_diag diag = {0};
        if (dpl__stand_in_operate(component, DPL__DESTROY, &diag) < 0) {
            dpl__log_printf(runtime->log, DPL_LOG_ERROR, component->self.name, "%s", diag.text);
        }
    }
}

static void close_devices(struct dpl_runtime *runtime)
{
    for (size_t i = runtime->components ? runtime->app->n_components : 0; i-- > 0;) {
        struct dpl__component *component = runtime->components[i];
        if (component && component->device) {
            dpl__device_close(component->device->runtime);
            if (!is_stuck(component)) {
                component->device = NULL;
            }
        }
    }
}

int dpl__order_take_down(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    (void)reterr;
    destroy_components(runtime);
    close_devices(runtime);
    return 0;
}
