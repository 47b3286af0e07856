/* SPDX-License-Identifier: Apache-2.0 */
/* Logs callbacks that do not return, and lets executors without a period check their devices. The
 * control thread calls this several times per second. */
#include <doppel/device.h>

#include "executor.h"
#include "host_calls.h"
#include "runtime.h"

#define LIMIT    (800 * DPL_MS)
#define PROGRESS (2 * DPL_S)

static bool is_stuck(const struct dpl__executor *executor, dpl_ns now)
{
    /* Acquire pairs with dpl__component_enter. */
    long long entered = atomic_load_explicit(&executor->entered, memory_order_acquire);
    return entered != 0 && now - entered >= LIMIT;
}

static void watch(struct dpl__executor *executor, dpl_ns now)
{
    /* Acquire pairs with dpl__component_enter. */
    long long entered = atomic_load_explicit(&executor->entered, memory_order_acquire);
    if (entered == 0 || now - entered < LIMIT || entered == executor->reported) {
        return;
    }
    const struct dpl__component *component =
        atomic_load_explicit(&executor->running, memory_order_relaxed);
    const char *callback =
        component ? atomic_load_explicit(&component->callback, memory_order_relaxed) : NULL;
    if (!callback) {
        return; /* it has returned in the meantime */
    }
    executor->reported = entered;
    dpl__runtime_fault(executor->runtime, component->self.name,
                       "%s is stuck: it has not returned for %.1f s (executor \"%s\")", callback,
                       dpl_ns_to_s(now - entered), executor->name);
}

static bool must_look(const struct dpl__component *component)
{
    enum dpl__state state = atomic_load_explicit(&component->state, memory_order_acquire);
    if (!component->device) {
        return false;
    }
    return dpl_device_is_lost(component->device) ? state == DPL__ACTIVE
                                                 : state == DPL__ERROR || state == DPL__READY;
}

/* Without a period, they would otherwise not notice that a device was lost or found. */
static void wake_for_devices(struct dpl__executor *executor)
{
    if (executor->execution.type != DPL_EXECUTION_APERIODIC) {
        return;
    }
    for (size_t i = 0; i < executor->n_components; i++) {
        if (must_look(executor->components[i])) {
            dpl__executor_notify(executor);
            return;
        }
    }
}

static bool makes_cycles(struct dpl__executor *executor, dpl_ns now)
{
    unsigned long long n = atomic_load_explicit(&executor->n_cycles, memory_order_relaxed);
    dpl_ns period = executor->execution.period;
    if (n != executor->seen_cycles || executor->seen_at == 0) {
        executor->seen_cycles = n;
        executor->seen_at = now;
    }
    return period <= 0 || now - executor->seen_at < (4 * period > PROGRESS ? 4 * period : PROGRESS);
}

bool dpl__executors_go_on(struct dpl_runtime *runtime)
{
    dpl_ns now = dpl_monotonic_now();
    bool go_on = true;
    for (size_t i = 0; i < runtime->n_executors; i++) {
        struct dpl__executor *executor = runtime->executors[i];
        go_on = makes_cycles(executor, now) && !is_stuck(executor, now) && go_on;
    }
    return go_on;
}

void dpl__executors_watch(struct dpl_runtime *runtime)
{
    dpl_ns now = dpl_monotonic_now();
    for (size_t i = 0; i < runtime->n_executors; i++) {
        watch(runtime->executors[i], now);
        wake_for_devices(runtime->executors[i]);
    }
}
