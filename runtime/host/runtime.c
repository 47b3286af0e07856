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
#include "observer.h"
#include "order.h"
#include "recorder.h"
#include "results.h"
#include "run_record.h"
#include "runtime.h"
#include "stand_in.h"
#include "summary.h"
#include "threads.h"

static const struct dpl_place nowhere;

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
    atomic_store(&runtime->waiting, false);
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
        initialize_components, dpl__recorder_create,   dpl__observer_create,
    };
    for (size_t i = 0; i < DPL_COUNT(steps); i++) {
        if (!steps[i]) {
            dpl__order_components(runtime);
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

static void tell_end(struct dpl_runtime *runtime)
{
    if (runtime->options.beat) {
        runtime->options.beat(runtime->options.beat_user, DPL_BEAT_STOPS, "");
    }
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
    if (!runtime->options.simulated) {
        dpl__threads_lock_memory(runtime);
    }
    runtime->real_epoch = dpl_monotonic_now();
    int r = start_world(runtime, reterr);
    if (r < 0) {
        return r;
    }
    dpl__observer_begin(runtime);
    r = dpl__order_start(runtime, reterr);
    runtime->began = r >= 0;
    if (runtime->began) {
        dpl_ns duration = runtime->options.duration; /* a start may take long */
        runtime->end = duration > 0 ? dpl__runtime_now(runtime) + duration : 0;
        r = runtime->options.simulated ? run_simulated(runtime, reterr) : run_real(runtime, reterr);
    }
    const struct dpl_world_host *world = &runtime->options.world;
    return r >= 0 && world->ops && world->ops->fault ? world->ops->fault(world->self, reterr) : r;
}

static bool lost_its_device(const struct dpl__component *component)
{
    return atomic_load(&component->state) == DPL__ERROR && component->device &&
           dpl_device_is_lost(component->device);
}

/* The fault of a component at the end of the run; NULL: none. With a verdict, faults of what the
 * component leads do not count. */
static const char *find_fault(const struct dpl__component *component, bool judged)
{
    if (atomic_load(&component->state) != DPL__ERROR) {
        return judged ? NULL : atomic_load(&component->fault);
    }
    return lost_its_device(component) ? "its device is lost" : "a callback failed";
}

/* -EIO with the first component that ends the run in ERROR (-ENODEV: its device is lost) or with a
 * fault reported by dpl_component_set_fault. */
static int find_unrecovered(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    bool judged = dpl_runtime_verdict(runtime) != NULL;
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        const struct dpl__component *component = runtime->components[i];
        const char *why = find_fault(component, judged);
        if (why) {
            int err = lost_its_device(component) ? -ENODEV : -EIO;
            return dpl_fail(reterr, err, component->model->place,
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
           : r == -ENODEV                    ? DPL_EXIT_DEVICE
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

/* A record that cannot be written does not keep a machine from running: it is told now, and is an
 * error of the run at its end. */
static int write_record(struct dpl_runtime *runtime, struct dpl_diag *ret_why)
{
    int r = dpl__run_record_write(runtime, ret_why);
    if (r < 0) {
        dpl__log_printf(runtime->log, DPL_LOG_ERROR, "recorder", "%s", ret_why->text);
    }
    return r;
}

static int run_and_stop(struct dpl_runtime *runtime, struct dpl_diag *ret_why)
{
    struct dpl_diag of_record = {0};
    if (runtime->recorder && runtime->options.out_dir) {
        dpl__results_keep_room(runtime->options.out_dir);
    }
    int recorded = write_record(runtime, &of_record);
    int r = run_between(runtime, ret_why);
    if (r >= 0 && runtime->options.over) {
        runtime->options.over(runtime->options.over_user, runtime);
    }
    if (r >= 0) {
        r = find_unrecovered(runtime, ret_why);
    }
    tell_end(runtime);
    int stopped = dpl__order_stop(runtime, r < 0 ? NULL : ret_why);
    runtime->ended_badly = stopped < 0 || recorded < 0;
    if (r >= 0 && stopped >= 0 && recorded < 0) {
        *ret_why = of_record;
    }
    return r < 0 ? r : stopped < 0 ? stopped : recorded;
}

enum dpl_exit dpl_runtime_run(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    struct dpl_diag why = {0};
    int r = under_watch(runtime, run_and_stop, &why);
    const struct dpl_world_host *world = &runtime->options.world;
    if (world->ops && world->ops->stop) {
        world->ops->stop(world->self);
    }
    dpl__log_drain(runtime->log);
    char *summary = dpl__summary_text(runtime, (int)exit_code(runtime, r), r < 0 ? &why : NULL);
    dpl__observer_keep(runtime, "summary.json", summary);
    int observed = dpl__observer_end(runtime, r < 0 ? NULL : &why);
    free(summary);
    r = r < 0 ? r : observed;
    int written =
        write_summary(runtime, exit_code(runtime, r), r < 0 ? &why : NULL, r < 0 ? NULL : &why);
    r = r < 0 ? r : written;
    runtime->ended_badly |= written < 0 || observed < 0;
    dpl__log_drain(runtime->log);
    if (r < 0 && reterr) {
        *reterr = why;
    }
    return exit_code(runtime, r);
}

void dpl_runtime_request_stop(struct dpl_runtime *runtime)
{
    int none = 0;
    if (atomic_compare_exchange_strong(&runtime->stop_requested, &none, 1)) {
        atomic_store(&runtime->interrupted, true);
    } else {
        atomic_fetch_add(&runtime->stop_requested, 1);
    }
    dpl__control_wake(runtime->control);
}

bool dpl_runtime_was_interrupted(const struct dpl_runtime *runtime)
{
    return atomic_load(&runtime->interrupted);
}

/* ---- destruction ---- */

void dpl_runtime_destroy(struct dpl_runtime *runtime)
{
    if (!runtime) {
        return;
    }
    under_watch(runtime, dpl__order_take_down, NULL);
    dpl__recorder_destroy(runtime->recorder);
    runtime->recorder = NULL;
    dpl__control_destroy(runtime->control);
    runtime->control = NULL;
    if (dpl__order_is_any_left_behind(runtime)) {
        /* The blocked thread still uses this memory: it is not freed. */
        dpl__observer_end(runtime, NULL);
        dpl__log_drain(runtime->log);
        return;
    }
    dpl__observer_destroy(runtime);
    if (runtime->components) {
        dpl__components_finish(runtime);
    }
    dpl__log_destroy(runtime->log);
    dpl_arena_finish(&runtime->arena);
    free(runtime);
}
