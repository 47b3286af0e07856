/* SPDX-License-Identifier: Apache-2.0 */
/* The control thread's loop: slow or blocking work (files, sockets, the terminal) happens here and
 * never in an executor. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "commander.h"
#include "control.h"
#include "device.h"
#include "executor.h"
#include "log.h"
#include "recorder.h"
#include "room.h"
#include "runtime.h"
#include "threads.h"

#define HOUSEKEEPING_MS ((uint64_t)(DPL__CONTROL_PERIOD / DPL_MS))
#define ENDING_LOOK_MS  2
#define TROUBLES_MAX    256
#define STATUS_PERIOD   (500 * DPL_MS)

struct dpl__control {
    struct dpl_runtime *runtime;
    uv_loop_t loop;
    uv_async_t wake;
    uv_timer_t housekeeping, end;
    dpl_ns status_at;            /* CLOCK_MONOTONIC of the last status; 0: none yet */
    unsigned long long *busy_ns; /* per executor, at that time; allocated at the first status */
};

struct uv_loop_s *dpl__control_loop(struct dpl__control *control)
{
    return &control->loop;
}

/* ---- status ---- */

/* The largest part of the time since the last status that an executor spent in its callbacks. */
static double highest_load(struct dpl__control *control, dpl_ns elapsed)
{
    double highest = 0.0;
    for (size_t i = 0; i < control->runtime->n_executors; i++) {
        struct dpl__executor *executor = control->runtime->executors[i];
        unsigned long long busy =
            atomic_load_explicit(&executor->execution_time.sum_ns, memory_order_relaxed);
        if (elapsed > 0) {
            highest = fmax(highest, (double)(busy - control->busy_ns[i]) / (double)elapsed);
        }
        control->busy_ns[i] = busy;
    }
    return fmin(highest, 1.0);
}

static uint64_t total_overruns(const struct dpl_runtime *runtime)
{
    uint64_t total = 0;
    for (size_t i = 0; i < runtime->n_executors; i++) {
        total += atomic_load_explicit(&runtime->executors[i]->n_overruns, memory_order_relaxed);
    }
    return total;
}

static void show_status(struct dpl__control *control)
{
    struct dpl_runtime *runtime = control->runtime;
    dpl_ns now = dpl_monotonic_now();
    if (!runtime->options.status || now - control->status_at < STATUS_PERIOD) {
        return;
    }
    if (!control->busy_ns) {
        control->busy_ns = calloc(runtime->n_executors + 1, sizeof *control->busy_ns);
        if (!control->busy_ns) {
            return;
        }
    }
    struct dpl_status status = {
        .now = dpl__runtime_now(runtime),
        .end = runtime->end,
        .text = runtime->recorder ? dpl__recorder_status(runtime->recorder) : "",
        .load = highest_load(control, control->status_at ? now - control->status_at : 0),
        .overruns = total_overruns(runtime),
        .faults = atomic_load_explicit(&runtime->faults, memory_order_relaxed),
    };
    control->status_at = now;
    runtime->options.status(runtime->options.status_user, &status);
}

static void add_trouble(char *text, size_t size, const char *name, const char *what)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s %s", used ? ", " : "", name, what);
}

/* "A lost, B failed": the devices of components that are lost, and components in ERROR. */
static void name_troubles(const struct dpl_runtime *runtime, char *text, size_t size)
{
    for (const struct dpl__device *device = runtime->devices; device; device = device->next) {
        if (!device->parent && dpl_device_is_lost(&device->self)) {
            add_trouble(text, size, device->self.name, "lost");
        }
    }
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        const struct dpl__component *component = runtime->components[i];
        if (atomic_load_explicit(&component->state, memory_order_acquire) == DPL__ERROR &&
            !(component->device && dpl_device_is_lost(component->device))) {
            add_trouble(text, size, component->self.name, "failed");
        }
    }
}

/* Only during the run; when it comes to rest, it is stopping. */
static void beat(const struct dpl__control *control)
{
    struct dpl_runtime *runtime = control->runtime;
    if (!runtime->options.beat || atomic_load(&runtime->stop_requested) > 0 ||
        atomic_load_explicit(&runtime->ending, memory_order_relaxed) ||
        (!runtime->options.simulated && !dpl__executors_go_on(runtime))) {
        return;
    }
    char troubles[TROUBLES_MAX] = "";
    name_troubles(runtime, troubles, sizeof troubles);
    runtime->options.beat(runtime->options.beat_user, DPL_BEAT_EXECUTES, troubles);
}

/* ---- turns of the loop ---- */

static void keep_house(struct dpl__control *control)
{
    struct dpl_runtime *runtime = control->runtime;
    if (!runtime->options.simulated) {
        dpl__executors_watch(runtime);
        dpl__commanders_watch(runtime);
    }
    dpl__log_drain(runtime->log);
    if (runtime->recorder) {
        dpl__recorder_drain(runtime->recorder);
    }
    if (atomic_load_explicit(&runtime->going_down, memory_order_relaxed)) {
        dpl__recorder_save(runtime->recorder);
    }
    show_status(control);
    beat(control);
}

static bool is_over(const struct dpl_runtime *runtime)
{
    return atomic_load(&runtime->stop_requested) > 0 ||
           (runtime->end > 0 && dpl__runtime_now(runtime) >= runtime->end);
}

static void on_wake(uv_async_t *handle)
{
    struct dpl__control *control = handle->data;
    if (is_over(control->runtime)) {
        uv_stop(&control->loop);
    }
}

static void on_housekeeping(uv_timer_t *handle)
{
    struct dpl__control *control = handle->data;
    dpl__threads_control_turn(control->runtime);
    keep_house(control);
    if (is_over(control->runtime)) {
        uv_stop(&control->loop);
    }
}

static void on_end(uv_timer_t *handle)
{
    struct dpl__control *control = handle->data;
    uv_stop(&control->loop);
}

static void start_end_timer(struct dpl__control *control)
{
    const struct dpl_runtime *runtime = control->runtime;
    if (runtime->end <= 0) {
        return;
    }
    dpl_ns left = runtime->end - dpl__runtime_now(runtime);
    uint64_t left_ms = left > 0 ? (uint64_t)((left + DPL_MS - 1) / DPL_MS) : 0;
    uv_timer_start(&control->end, on_end, left_ms, 0);
}

int dpl__control_run(struct dpl__control *control, struct dpl_diag *reterr)
{
    uv_update_time(&control->loop);
    uv_timer_start(&control->housekeeping, on_housekeeping, HOUSEKEEPING_MS, HOUSEKEEPING_MS);
    start_end_timer(control);
    if (!is_over(control->runtime)) {
        uv_run(&control->loop, UV_RUN_DEFAULT);
    }
    uv_timer_stop(&control->housekeeping);
    uv_timer_stop(&control->end);
    keep_house(control);
    return 0;
}

/* ---- the end of a run ---- */

/* Whether an ACTIVE component must still come to rest before the run may end. */
static bool is_moving(const struct dpl_runtime *runtime)
{
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        struct dpl__component *component = runtime->components[i];
        if (atomic_load_explicit(&component->moves, memory_order_acquire) &&
            atomic_load_explicit(&component->state, memory_order_acquire) == DPL__ACTIVE) {
            return true;
        }
    }
    return false;
}

static bool may_end(const struct dpl__control *control, dpl_ns until)
{
    const struct dpl_runtime *runtime = control->runtime;
    return !is_moving(runtime) || atomic_load(&runtime->stop_requested) > 1 ||
           dpl_monotonic_now() >= until;
}

void dpl__control_come_to_rest(struct dpl__control *control)
{
    struct dpl_runtime *runtime = control->runtime;
    dpl_ns until = dpl_monotonic_now() + DPL_ENDING_PATIENCE;
    if (may_end(control, until)) {
        return;
    }
    atomic_store_explicit(&runtime->ending, true, memory_order_relaxed);
    uv_update_time(&control->loop);
    uv_timer_start(&control->end, on_end, ENDING_LOOK_MS, ENDING_LOOK_MS);
    while (!may_end(control, until)) {
        uv_run(&control->loop, UV_RUN_DEFAULT);
        keep_house(control);
    }
    uv_timer_stop(&control->end);
    if (is_moving(runtime)) {
        dpl__log_printf(runtime->log, DPL_LOG_WARN, "runtime",
                        "the run ends although the application is not at rest");
    }
}

void dpl__control_poll(struct dpl__control *control)
{
    uv_run(&control->loop, UV_RUN_NOWAIT);
    keep_house(control);
}

void dpl__control_stand_in(struct dpl__control *control, bool serve)
{
    struct dpl_runtime *runtime = control->runtime;
    if (!runtime->options.simulated) {
        dpl__commanders_watch(runtime);
        if (serve || dpl__commanders_are_late(runtime)) {
            uv_run(&control->loop, UV_RUN_NOWAIT);
        }
    }
    dpl__log_drain(runtime->log);
}

void dpl__control_wake(struct dpl__control *control)
{
    uv_async_send(&control->wake);
}

/* ---- creation ---- */

static void init_handles(struct dpl__control *control)
{
    uv_timer_init(&control->loop, &control->housekeeping);
    uv_timer_init(&control->loop, &control->end);
    control->wake.data = control;
    control->housekeeping.data = control;
    control->end.data = control;
}

int dpl__control_create(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    const struct dpl_place nowhere = {0};
    struct dpl__control *control = calloc(1, sizeof *control);
    if (!control) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "out of memory");
    }
    control->runtime = runtime;
    int r = dpl_room_check("the control loop", DPL_ROOM_LOOP_FILES, 0, reterr);
    if (r < 0) {
        free(control);
        return r;
    }
    r = uv_loop_init(&control->loop);
    if (r < 0) {
        free(control);
        return dpl_fail(reterr, r, nowhere, "cannot create the control loop: %s", uv_strerror(r));
    }
    r = uv_async_init(&control->loop, &control->wake, on_wake);
    if (r < 0) {
        uv_loop_close(&control->loop);
        free(control);
        return dpl_fail(reterr, r, nowhere, "cannot create the control loop: %s", uv_strerror(r));
    }
    init_handles(control);
    runtime->control = control;
    return 0;
}

static void close_handle(uv_handle_t *handle, void *user)
{
    if (!uv_is_closing(handle)) {
        uv_close(handle, NULL);
    }
}

void dpl__control_destroy(struct dpl__control *control)
{
    if (!control) {
        return;
    }
    uv_walk(&control->loop, close_handle, NULL);
    uv_run(&control->loop, UV_RUN_DEFAULT);
    uv_loop_close(&control->loop);
    free(control->busy_ns);
    free(control);
}
