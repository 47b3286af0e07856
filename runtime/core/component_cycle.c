/* SPDX-License-Identifier: Apache-2.0 */
/* One component in an executor's cycle: inputs, events, execute, update, and the loss and return of
 * its device. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "component.h"
#include "executor.h"
#include "host_calls.h"
#include "port.h"
#include "runtime.h"

#define REPORT_EVERY DPL_S /* interval of log lines for a component that fails each cycle */

static bool is_active(const struct dpl__component *component)
{
    return atomic_load_explicit(&component->state, memory_order_acquire) == DPL__ACTIVE;
}

static void drain(struct dpl__component *component, bool local_only)
{
    for (size_t i = 0; i < component->self.class_->n_ports; i++) {
        dpl__port_drain(&component->ports[i], local_only);
    }
}

static void add(atomic_ullong *counter, unsigned long long n)
{
    unsigned long long old = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, old + n, memory_order_relaxed);
}

void dpl__component_plan(struct dpl__component *component, uint64_t index,
                         const struct dpl_tick *tick)
{
    component->due = index >= component->next_index;
    if (!component->due) {
        return;
    }
    uint64_t since = index % component->divisor;
    add(&component->n_late, since > 0);
    add(&component->n_skipped, (index - component->next_index) / component->divisor);
    component->next_index = index - since + component->divisor;
    component->tick.now = tick->now;
    component->tick.halt = tick->halt;
    component->tick.cycle = component->n_due++;
}

void dpl__component_take_inputs(struct dpl__component *component)
{
    if (component->executor) {
        dpl__component_lock(component);
    }
    drain(component, false);
    component->n_before_cycle = component->n_arrivals;
    if (component->executor) {
        dpl__component_unlock(component);
    }
}

/* A callback that fails in each cycle would fill the log: counts every failure and logs once per
 * second. */
static void report_failure(struct dpl__component *component, const char *callback, int r,
                           dpl_ns now)
{
    atomic_fetch_add_explicit(&component->n_errors, 1, memory_order_relaxed);
    if (component->last_report != 0 && now - component->last_report < REPORT_EVERY) {
        atomic_fetch_add_explicit(&component->runtime->faults, 1, memory_order_relaxed);
        component->n_unreported++;
        return;
    }
    char others[64] = "";
    if (component->n_unreported > 0) {
        snprintf(others, sizeof others, " (and %" PRIu64 " more since the last report)",
                 component->n_unreported);
    }
    dpl__runtime_fault(component->runtime, component->self.name, "%s failed: %s%s", callback,
                       strerror(-r), others);
    component->last_report = now > 0 ? now : 1;
    component->n_unreported = 0;
}

/* The event port whose oldest entry arrived first, if it arrived before the cycle. */
static struct dpl__port *next_event_port(struct dpl__component *component)
{
    struct dpl__port *first = NULL;
    uint64_t arrival = component->n_before_cycle;
    for (size_t i = 0; i < component->self.class_->n_ports; i++) {
        struct dpl__port *port = &component->ports[i];
        if (port->desc->kind != DPL_PORT_EVENT || port->queue.n == 0) {
            continue;
        }
        const struct dpl__queue_entry *oldest = &port->queue.entries[port->queue.oldest];
        if (oldest->arrival < arrival) {
            arrival = oldest->arrival;
            first = port;
        }
    }
    return first;
}

static int deliver_next(struct dpl__component *component, struct dpl__port *port)
{
    const struct dpl_message *message = dpl__port_take_event(port);
    const struct dpl_component_ops *ops = component->self.class_->ops;
    if (!ops || !ops->event) {
        return 0;
    }
    return ops->event(&component->self, (unsigned)(port - component->ports), message);
}

void dpl__component_deliver_events(struct dpl__component *component, const struct dpl_tick *tick)
{
    while (is_active(component) && (component->shared || next_event_port(component))) {
        struct dpl__activation activation;
        int r = dpl__component_enter(component, component->executor, "event", &activation);
        if (r < 0) {
            report_failure(component, "event", r, tick->now);
            return;
        }
        struct dpl__port *port = next_event_port(component);
        r = port ? deliver_next(component, port) : 0;
        dpl__component_leave(component, &activation);
        if (r < 0) {
            report_failure(component, "event", r, tick->now);
        }
        if (!port) {
            return;
        }
    }
}

static bool is_in_group_with(const struct dpl__component *component,
                             const struct dpl__component *other)
{
    return component->executor && component->executor == other->executor &&
           component->executor->execution.rate_group;
}

static bool waits_for(const struct dpl__component *component, const struct dpl__depends *d)
{
    if (atomic_load_explicit(&d->source->n_execute, memory_order_acquire) != d->seen) {
        return false;
    }
    return !is_in_group_with(component, d->source) || d->source->n_due != d->seen_due;
}

/* Whether all components that it depends on have run since its last run; if so, stores those
 * runs. */
static bool sources_have_run(struct dpl__component *component)
{
    for (size_t i = 0; i < component->n_depends; i++) {
        if (waits_for(component, &component->depends[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < component->n_depends; i++) {
        struct dpl__depends *d = &component->depends[i];
        d->seen = atomic_load_explicit(&d->source->n_execute, memory_order_acquire);
        if (is_in_group_with(component, d->source)) {
            d->seen_due = d->source->n_due;
        }
    }
    return true;
}

static int call_tick(struct dpl__component *component, const char *name,
                     int (*callback)(struct dpl_component *, const struct dpl_tick *),
                     const struct dpl_tick *tick)
{
    struct dpl__activation activation;
    int r = dpl__component_enter(component, component->executor, name, &activation);
    if (r < 0) {
        return r;
    }
    drain(component, true);
    r = callback ? callback(&component->self, tick) : 0;
    dpl__component_leave(component, &activation);
    return r;
}

int dpl__component_execute(struct dpl__component *component, const struct dpl_tick *tick)
{
    if (!is_active(component) || !sources_have_run(component)) {
        return 0;
    }
    const struct dpl_component_ops *ops = component->self.class_->ops;
    int r = call_tick(component, "execute", ops ? ops->execute : NULL, tick);
    /* Release: a component that depends on this one sees the results of this run. */
    atomic_fetch_add_explicit(&component->n_execute, 1, memory_order_release);
    if (r >= 0) {
        return 0;
    }
    report_failure(component, "execute", r, tick->now);
    struct dpl_diag diag = {0};
    if (dpl__component_operate(component, DPL__FAULT, r, &diag) < 0) {
        dpl__log_printf(component->runtime->log, DPL_LOG_ERROR, component->self.name, "%s",
                        diag.text);
    }
    return r;
}

int dpl__component_update(struct dpl__component *component, const struct dpl_tick *tick)
{
    const struct dpl_component_ops *ops = component->self.class_->ops;
    if (!ops || !ops->update || !is_active(component)) {
        return 0;
    }
    int r = call_tick(component, "update", ops->update, tick);
    if (r < 0) {
        report_failure(component, "update", r, tick->now);
    }
    return r;
}

/* ---- loss and return of devices ---- */

static bool operate_logged(struct dpl__component *component, enum dpl__operation operation,
                           int cause)
{
    struct dpl_diag diag = {0};
    int r = dpl__component_operate(component, operation, cause, &diag);
    if (r < 0) {
        dpl__log_printf(component->runtime->log, DPL_LOG_ERROR, component->self.name, "%s",
                        diag.text);
    }
    return r >= 0;
}

static void rejoin(struct dpl__component *component, const struct dpl_tick *tick)
{
    if (tick->now < component->retry_at) {
        return;
    }
    component->retry_at = tick->now + DPL_S;
    enum dpl__state state = atomic_load_explicit(&component->state, memory_order_relaxed);
    if (state == DPL__ERROR && !operate_logged(component, DPL__RECOVER, 0)) {
        return;
    }
    component->rejoining = true;
    if (operate_logged(component, DPL__START, 0)) {
        component->rejoining = false;
        component->retry_at = 0;
        dpl__log_printf(component->runtime->log, DPL_LOG_INFO, component->self.name,
                        "active again");
    }
}

void dpl__component_poll_device(struct dpl__component *component, const struct dpl_tick *tick)
{
    if (!component->device) {
        return;
    }
    enum dpl__state state = atomic_load_explicit(&component->state, memory_order_relaxed);
    if (state == DPL__ERROR && dpl_device_is_lost(component->device)) {
        dpl__device_poll(component->device->runtime, tick);
    }
    bool lost = dpl_device_is_lost(component->device);
    if (lost && state == DPL__ACTIVE) {
        operate_logged(component, DPL__FAULT, -ENODEV);
    } else if (!lost && ((state == DPL__ERROR && component->cause == -ENODEV) ||
                         (state == DPL__READY && component->rejoining))) {
        rejoin(component, tick);
    }
}
