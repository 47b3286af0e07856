/* SPDX-License-Identifier: Apache-2.0 */
#include "going_down.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <doppel/host/runtime.h>

#include "device.h"
#include "early_end.h"
#include "executor.h"
#include "loading.h"
#include "log.h"
#include "recorder.h"
#include "runtime.h"
#include "stand_in.h"

static _Atomic(struct dpl_runtime *) watched;
static pthread_t control_thread;
static atomic_bool leaving; /* this file, or early_end.c, ends the process */
static pid_t process;       /* the process that is watched; not a child that a component forks */

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static struct sigaction handled_before[DPL_COUNT(crashes)];

/* ---- identification of the cause ---- */

/* The following functions also run in signal handlers: only async-signal-safe calls. */

static bool on_control_thread(void)
{
    return pthread_equal(control_thread, pthread_self());
}

/* The component whose callback runs while there are no executors. */
static const struct dpl__component *component_of_control(const struct dpl_runtime *runtime)
{
    for (size_t i = 0; runtime->start_order && i < runtime->app->n_components; i++) {
        const struct dpl__component *component = runtime->start_order[i];
        if (!runtime->executing && atomic_load(&component->callback)) {
            return component;
        }
    }
    return NULL;
}

static const struct dpl__component *running_component(const struct dpl_runtime *runtime)
{
    for (size_t i = 0; i < runtime->n_executors; i++) {
        const struct dpl__executor *executor = runtime->executors[i];
        bool here =
            runtime->options.simulated
                ? atomic_load(&executor->running) != NULL
                : executor->thread_started && pthread_equal(executor->thread, pthread_self());
        if (here) {
            return atomic_load(&executor->running);
        }
    }
    return on_control_thread() ? component_of_control(runtime) : NULL;
}

/* The component in whose callback an executor blocks; NULL: none. */
static const struct dpl__component *stuck_component(const struct dpl_runtime *runtime)
{
    dpl_ns now = dpl_monotonic_now();
    for (size_t i = 0; i < runtime->n_executors; i++) {
        const struct dpl__executor *executor = runtime->executors[i];
        const struct dpl__component *component = atomic_load(&executor->running);
        if (component && atomic_load(&component->callback) &&
            now > atomic_load(&executor->ends_by)) {
            return component;
        }
    }
    return NULL;
}

static void say_who(const struct dpl_runtime *runtime, const char *what)
{
    dpl__early_end_say(running_component(runtime), what);
}

/* ---- the devices ---- */

static void wait_for_devices(void)
{
    struct timespec left = {.tv_nsec = (long)DPL__GOING_DOWN};
    while (nanosleep(&left, &left) != 0) {
    }
}

/* Gives the control thread, or its stand-in, time to stop the moving devices. The control thread
 * itself cannot wait for itself. */
static void let_devices_stop(struct dpl_runtime *runtime)
{
    atomic_store_explicit(&runtime->going_down, true, memory_order_release);
    if (runtime->options.simulated || (on_control_thread() && !dpl__stand_in_is_there(runtime))) {
        return;
    }
    wait_for_devices();
}

/* ---- crashes ---- */

static void on_crash(int number)
{
    for (size_t i = 0; i < DPL_COUNT(crashes); i++) {
        if (crashes[i] == number) {
            sigaction(number, &handled_before[i], NULL);
        }
    }
    struct dpl_runtime *runtime = atomic_load(&watched);
    if (runtime) {
        say_who(runtime, " has crashed\n");
        let_devices_stop(runtime);
    }
    raise(number); /* for the previous handler, or the end of the process; after the return */
}

static void take_crashes(void)
{
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = (int)SA_ONSTACK};
    for (size_t i = 0; i < DPL_COUNT(crashes); i++) {
        sigaction(crashes[i], &action, &handled_before[i]);
    }
}

static void give_crashes_back(void)
{
    for (size_t i = 0; i < DPL_COUNT(crashes); i++) {
        sigaction(crashes[i], &handled_before[i], NULL);
    }
}

/* ---- the process ends ---- */

/* Before and after the executors run, only the control thread calls drivers. */
static void close_devices(struct dpl_runtime *runtime)
{
    for (struct dpl__device *device = runtime->devices; device; device = device->next) {
        if (!device->parent) {
            dpl__device_close(device);
        }
    }
}

static void end(struct dpl_runtime *runtime, const char *what)
{
    if (on_control_thread()) {
        dpl__stand_in_dismiss(runtime);
        dpl__log_drain(runtime->log); /* only the thread with the duty may do this */
        dpl__recorder_save(runtime->recorder);
    }
    say_who(runtime, what);
    if (on_control_thread() && !runtime->executing) {
        close_devices(runtime);
    } else {
        let_devices_stop(runtime);
    }
    dpl__early_end_write(runtime, running_component(runtime), what);
    dpl__going_down_leave();
}

static void on_exit_of_process(void)
{
    struct dpl_runtime *runtime = atomic_exchange(&watched, NULL);
    if (runtime && getpid() != process) {
        dpl__going_down_leave(); /* a child must not write its copies of the file buffers */
    }
    if (runtime) {
        end(runtime, " has ended the process (exit) during the run\n");
    }
}

void dpl__going_down_without_thread(void *runtime)
{
    atomic_store(&watched, NULL);
    end(runtime, " has ended the thread of the run\n");
    abort(); /* never reached */
}

void dpl_runtime_give_up(struct dpl_runtime *runtime)
{
    if (atomic_load(&watched) != runtime) {
        return;
    }
    const struct dpl__component *component = running_component(runtime);
    dpl__early_end_no_return(component ? component : stuck_component(runtime));
    atomic_store_explicit(&runtime->going_down, true, memory_order_release);
    wait_for_devices();
    dpl__going_down_leave();
}

void dpl_runtime_leaves(void)
{
    dpl__loading_leaves();
    if (atomic_load(&leaving) || !atomic_load(&watched) || getpid() != process) {
        return;
    }
    struct dpl_runtime *runtime = atomic_exchange(&watched, NULL);
    if (runtime) {
        end(runtime, " has ended the process (_exit) during the run\n");
    }
}

void dpl__going_down_leave(void)
{
    atomic_store(&leaving, true);
    _exit(DPL_EXIT_FAULT);
}

/* ---- supervision ---- */

struct dpl_runtime *dpl_runtime_calling(void)
{
    struct dpl_runtime *runtime = atomic_load(&watched);
    bool is_calling =
        runtime && (dpl__stand_in_is_there(runtime) || atomic_load(&runtime->waiting));
    return is_calling ? runtime : NULL;
}

void dpl__going_down_watch(struct dpl_runtime *runtime)
{
    static bool registered;
    if (!registered) {
        registered = atexit(on_exit_of_process) == 0 && at_quick_exit(on_exit_of_process) == 0;
    }
    if (runtime) {
        control_thread = pthread_self();
        process = getpid();
        atomic_store(&watched, runtime);
        take_crashes();
    } else if (atomic_exchange(&watched, NULL)) {
        give_crashes_back();
    }
}
