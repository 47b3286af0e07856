/* SPDX-License-Identifier: Apache-2.0 */
/* A run from its first allocation to its last: creates in one order and destroys in the reverse
 * order. On every path each device is closed by its driver, which stops what moves. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commander.h"
#include "component.h"
#include "control.h"
#include "device.h"
#include "executor.h"
#include "going_down.h"
#include "log.h"
#include "recorder.h"
#include "runtime.h"
#include "stand_in.h"
#include "summary.h"
#include "threads.h"

static const struct dpl_place nowhere;

/* ---- order ---- */

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

static void order_components(struct dpl_runtime *runtime)
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

/* ---- callbacks of components ---- */

/* Calls components, and handles those that end the thread or the process. */
static int under_watch(struct dpl_runtime *runtime,
                       int (*part)(struct dpl_runtime *, struct dpl_diag *),
                       struct dpl_diag *reterr)
{
    int r;
    dpl__going_down_watch(runtime);
    dpl__stand_in_begin(runtime);
    pthread_cleanup_push(dpl__going_down_without_thread, runtime);
    r = part(runtime, reterr);
    pthread_cleanup_pop(0);
    dpl__stand_in_end(runtime);
    dpl__going_down_watch(NULL);
    return r;
}

/* ---- creation ---- */

static int open_devices(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        struct dpl__component *component = runtime->components[i];
        const struct dpl_app_device *model = component->model->device;
        if (!model) {
            continue;
        }
        bool is_partial = runtime->is_rehearsal && dpl__device_needs_hardware(model);
        struct dpl__device *device = NULL;
        int r = is_partial ? dpl__device_open_parts(runtime, model, reterr)
                           : dpl__device_open(runtime, model, &device, reterr);
        if (r < 0) {
            return r;
        }
        if (!device) {
            continue;
        }
        dpl__device_find_commanders(device, component);
        component->device = &device->self;
    }
    return 0;
}

static int initialize_components(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        struct dpl__component *component = runtime->start_order[i];
        if (component->model->device && !component->device) {
            continue; /* in a rehearsal: a component that needs hardware */
        }
        int r = dpl__stand_in_operate(component, DPL__INITIALIZE, reterr);
        if (r < 0) {
            return r;
        }
    }
    return 0;
}

static int create_parts(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    static int (*const steps[])(struct dpl_runtime *, struct dpl_diag *) = {
        dpl__control_create,   dpl__components_create, dpl__executors_create,
        dpl__wiring_connect,   open_devices,           NULL,
        initialize_components, dpl__recorder_create,
    };
    for (size_t i = 0; i < DPL_COUNT(steps); i++) {
        if (!steps[i]) {
            order_components(runtime);
            continue;
        }
        int r = steps[i](runtime, reterr);
        if (r < 0) {
            return r;
        }
    }
    return 0;
}

static int create(const struct dpl_app *app, const struct dpl_runtime_options *options,
                  bool is_rehearsal, struct dpl_runtime **ret_runtime, struct dpl_diag *reterr)
{
    struct dpl_runtime *runtime = calloc(1, sizeof *runtime);
    if (!runtime) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "out of memory");
    }
    runtime->app = app;
    runtime->options = *options;
    runtime->is_rehearsal = is_rehearsal;
    dpl__threads_create(runtime);
    dpl__stand_in_create(runtime);
    int r = dpl__log_create(runtime);
    if (r < 0) {
        dpl_fail(reterr, r, nowhere, "cannot create the log: %s", strerror(-r));
    } else {
        r = under_watch(runtime, create_parts, reterr);
    }
    if (r < 0) {
        dpl_runtime_destroy(runtime);
        return r;
    }
    dpl__log_drain(runtime->log);
    *ret_runtime = runtime;
    return 0;
}

int dpl_runtime_create(const struct dpl_app *app, const struct dpl_runtime_options *options,
                       struct dpl_runtime **ret_runtime, struct dpl_diag *reterr)
{
    return create(app, options, false, ret_runtime, reterr);
}

int dpl_runtime_rehearse(const struct dpl_app *app, const struct dpl_runtime_options *options,
                         struct dpl_diag *reterr)
{
    struct dpl_runtime *runtime = NULL;
    int r = create(app, options, true, &runtime, reterr);
    if (r == 0) {
        dpl_runtime_destroy(runtime);
    }
    return r;
}

/* ---- running ---- */

static bool was_left_behind(const struct dpl__executor *executor)
{
    return executor->thread_started && !atomic_load(&executor->finished);
}

static bool any_left_behind(const struct dpl_runtime *runtime)
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
    if (!component->shared || !any_left_behind(component->runtime)) {
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
        dpl__runtime_fault(component->runtime, component->self.name, "does not stop: %s",
                           diag.text);
        dpl_fail(reterr, r, diag.place, "%s", diag.text);
    }
    return r;
}

/* In reverse start order. After a second stop request, components with a device are first, so that
 * moving devices do not wait for a slow component. Continues after a failure; returns the first
 * error. */
static int stop_components(struct dpl_runtime *runtime, struct dpl_diag *reterr)
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

static int start_components(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        struct dpl__component *component = runtime->start_order[i];
        struct dpl_diag diag = {0};
        int r = dpl__stand_in_operate(component, DPL__START, &diag);
        if (r < 0) {
            dpl__runtime_fault(runtime, component->self.name, "does not start: %s", diag.text);
            return dpl_fail(reterr, r, diag.place, "%s", diag.text);
        }
    }
    return 0;
}

static int run_real(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    runtime->executing = true;
    int r = dpl__executors_start(runtime, reterr);
    dpl__threads_begin_control(runtime, DPL__CONTROL_PERIOD);
    if (r >= 0) {
        r = dpl__control_run(runtime->control, reterr);
        dpl__control_come_to_rest(runtime->control);
    }
    runtime->ended = dpl__runtime_now(runtime);
    dpl__threads_end_control(runtime);
    size_t n_stuck = dpl__executors_stop(runtime);
    runtime->executing = n_stuck > 0;
    if (n_stuck > 0 && r >= 0) {
        r = dpl_fail(reterr, -ETIMEDOUT, nowhere,
                     "%zu executor(s) did not stop: a callback is stuck (see the log)", n_stuck);
    }
    return r;
}

static int run_simulated(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    int r = dpl__scheduler_run(runtime, reterr);
    runtime->ended = dpl__runtime_now(runtime);
    return r;
}

static int start_world(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    const struct dpl_world_host *world = &runtime->options.world;
    dpl__threads_offer(runtime);
    if (!world->ops || !world->ops->start) {
        return 0;
    }
    dpl_ns epoch = runtime->options.simulated ? 0 : runtime->real_epoch;
    return world->ops->start(world->self, epoch, reterr);
}

static int run_between(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    runtime->real_epoch = dpl_monotonic_now();
    int r = start_world(runtime, reterr);
    if (r < 0) {
        return r;
    }
    r = start_components(runtime, reterr);
    runtime->began = r >= 0;
    if (runtime->began) {
        r = runtime->options.simulated ? run_simulated(runtime, reterr) : run_real(runtime, reterr);
    }
    return r;
}

/* The fault of a component at the end of the run; NULL: none. With a verdict, faults of what the
 * component leads do not count. */
static const char *find_fault(const struct dpl__component *component, bool judged)
{
    if (atomic_load(&component->state) != DPL__ERROR) {
        return judged ? NULL : atomic_load(&component->fault);
    }
    return component->device && dpl_device_is_lost(component->device) ? "its device is lost"
                                                                      : "a callback failed";
}

/* -EIO with the first component that ends the run in ERROR or with a fault reported by
 * dpl_component_set_fault. */
static int find_unrecovered(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    bool judged = dpl_runtime_verdict(runtime) != NULL;
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        const struct dpl__component *component = runtime->components[i];
        const char *why = find_fault(component, judged);
        if (why) {
            return dpl_fail(reterr, -EIO, component->model->place,
                            "%s was in %s when the run ended: %s", component->self.name,
                            atomic_load(&component->state) == DPL__ERROR ? "ERROR" : "FAULT", why);
        }
    }
    return 0;
}

/* When a component refuses to start (-EINVAL), the profile has an error, not the run. */
static enum dpl_exit exit_code(const struct dpl_runtime *runtime, int r)
{
    return r >= 0                            ? DPL_EXIT_DONE
           : r == -EINVAL && !runtime->began ? DPL_EXIT_BAD_INPUT
                                             : DPL_EXIT_FAULT;
}

/* `why`: reason of the failure; NULL: no failure. */
static int write_summary(struct dpl_runtime *runtime, enum dpl_exit code,
                         const struct dpl_diag *why, struct dpl_diag *reterr)
{
    if (!runtime->recorder || !runtime->options.out_dir) {
        return 0;
    }
    struct dpl_diag diag = {0};
    int r = dpl__summary_write(runtime, code, why, &diag);
    if (r < 0) {
        dpl__runtime_fault(runtime, "recorder", "%s", diag.text);
        dpl_fail(reterr, r, diag.place, "%s", diag.text);
    }
    return r;
}

static int run_and_stop(struct dpl_runtime *runtime, struct dpl_diag *ret_why)
{
    int r = run_between(runtime, ret_why);
    if (r >= 0) {
        r = find_unrecovered(runtime, ret_why);
    }
    int stopped = stop_components(runtime, r < 0 ? NULL : ret_why);
    runtime->ended_badly = stopped < 0;
    return r < 0 ? r : stopped;
}

enum dpl_exit dpl_runtime_run(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    struct dpl_diag why = {0};
    int r = under_watch(runtime, run_and_stop, &why);
    const struct dpl_world_host *world = &runtime->options.world;
    if (world->ops && world->ops->stop) {
        world->ops->stop(world->self);
    }
    int written =
        write_summary(runtime, exit_code(runtime, r), r < 0 ? &why : NULL, r < 0 ? NULL : &why);
    r = r < 0 ? r : written;
    runtime->ended_badly |= written < 0;
    dpl__log_drain(runtime->log);
    if (r < 0 && reterr) {
        *reterr = why;
    }
    return exit_code(runtime, r);
}

void dpl_runtime_request_stop(struct dpl_runtime *runtime)
{
    atomic_fetch_add(&runtime->stop_requested, 1);
    dpl__control_wake(runtime->control);
}

/* ---- destruction ---- */

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

static int take_down_components(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    (void)reterr;
    destroy_components(runtime);
    close_devices(runtime);
    return 0;
}

void dpl_runtime_destroy(struct dpl_runtime *runtime)
{
    if (!runtime) {
        return;
    }
    under_watch(runtime, take_down_components, NULL);
    dpl__recorder_destroy(runtime->recorder);
    runtime->recorder = NULL;
    dpl__control_destroy(runtime->control);
    runtime->control = NULL;
    if (any_left_behind(runtime)) {
        /* The blocked thread still uses this memory: it is not freed. */
        dpl__log_drain(runtime->log);
        return;
    }
    if (runtime->components) {
        dpl__components_finish(runtime);
    }
    dpl__log_destroy(runtime->log);
    dpl_arena_finish(&runtime->arena);
    free(runtime);
}
