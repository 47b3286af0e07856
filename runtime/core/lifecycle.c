/* SPDX-License-Identifier: Apache-2.0 */
/* The OPRoS life cycle: one table of transitions, and one function that runs an operation. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "executor.h"
#include "host_calls.h"
#include "port.h"
#include "runtime.h"

static const char *const state_names[] = {
    [DPL__CREATED] = "CREATED",   [DPL__READY] = "READY", [DPL__ACTIVE] = "ACTIVE",
    [DPL__INACTIVE] = "INACTIVE", [DPL__ERROR] = "ERROR", [DPL__DESTROYED] = "DESTROYED",
};

static const char *const operation_names[] = {
    [DPL__INITIALIZE] = "initialize", [DPL__START] = "start",     [DPL__STOP] = "stop",
    [DPL__FAULT] = "error",           [DPL__RECOVER] = "recover", [DPL__RESET] = "reset",
    [DPL__DESTROY] = "destroy",
};

#define FROM(state) (1u << (state))
#define FROM_ANY    (~0u)

static const struct {
    unsigned from;
    enum dpl__state to;
} transitions[] = {
    [DPL__INITIALIZE] = {FROM(DPL__CREATED), DPL__READY},
    [DPL__START] = {FROM(DPL__READY) | FROM(DPL__INACTIVE), DPL__ACTIVE},
    [DPL__STOP] = {FROM(DPL__ACTIVE), DPL__INACTIVE},
    [DPL__FAULT] = {FROM(DPL__ACTIVE), DPL__ERROR},
    [DPL__RECOVER] = {FROM(DPL__ERROR), DPL__READY},
    [DPL__RESET] = {FROM_ANY, DPL__ACTIVE},
    [DPL__DESTROY] = {FROM_ANY & ~FROM(DPL__CREATED) & ~FROM(DPL__DESTROYED), DPL__DESTROYED},
};

const char *dpl__state_name(enum dpl__state state)
{
    return state_names[state];
}

const char *dpl__operation_name(enum dpl__operation operation)
{
    return operation_names[operation];
}

bool dpl__lifecycle_allows(enum dpl__state state, enum dpl__operation operation,
                           enum dpl__state *ret_next)
{
    if (!(transitions[operation].from & FROM(state))) {
        return false;
    }
    *ret_next = transitions[operation].to;
    return true;
}

/* The application halts while a component with a device is in ERROR, or could not be reset. */
static void set_halting(struct dpl__component *component, bool halting)
{
    if (component->halting == halting) {
        return;
    }
    component->halting = halting;
    atomic_fetch_add_explicit(&component->runtime->lost_devices, halting ? 1 : -1,
                              memory_order_acq_rel);
}

/* ---- callbacks ---- */

static void set_callback(struct dpl__component *component, const char *name)
{
    atomic_store_explicit(&component->callback, name, memory_order_relaxed);
}

static int report(const struct dpl__component *component, const char *callback, int r,
                  const struct dpl_diag *why, struct dpl_diag *reterr)
{
    struct dpl_place place = why->place.file ? why->place : component->model->place;
    return dpl_fail(reterr, r, place, "%s: %s failed: %s", component->self.name, callback,
                    why->text[0] != '\0' ? why->text : strerror(-r));
}

static int call_simple(struct dpl__component *component, const char *name,
                       int (*callback)(struct dpl_component *), struct dpl_diag *reterr)
{
    static const struct dpl_diag unknown;
    set_callback(component, name);
    int r = callback ? callback(&component->self) : 0;
    return r < 0 ? report(component, name, r, &unknown, reterr) : 0;
}

static int call_explaining(struct dpl__component *component, const char *name,
                           int (*callback)(struct dpl_component *, struct dpl_diag *),
                           struct dpl_diag *reterr)
{
    struct dpl_diag why = {0};
    set_callback(component, name);
    int r = callback ? callback(&component->self, &why) : 0;
    return r < 0 ? report(component, name, r, &why, reterr) : 0;
}

static int call_period_changed(struct dpl__component *component,
                               const struct dpl_component_ops *ops, struct dpl_diag *reterr)
{
    static const struct dpl_diag unknown;
    dpl_ns period = component->period;
    if (!ops->period_changed || period == component->told_period) {
        return 0;
    }
    set_callback(component, "period_changed");
    int r = ops->period_changed(&component->self, period);
    if (r < 0) {
        return report(component, "period_changed", r, &unknown, reterr);
    }
    component->told_period = period;
    return 0;
}

static int call_start(struct dpl__component *component, const struct dpl_component_ops *ops,
                      struct dpl_diag *reterr)
{
    int r = call_period_changed(component, ops, reterr);
    return r < 0 ? r : call_explaining(component, "start", ops->start, reterr);
}

/* Releases what the component holds: calls its reset, or its destroy if it has no reset. */
static int let_go(struct dpl__component *component, const struct dpl_component_ops *ops,
                  struct dpl_diag *reterr)
{
    enum dpl__state state = atomic_load_explicit(&component->state, memory_order_relaxed);
    if (ops->reset) {
        return call_simple(component, "reset", ops->reset, reterr);
    }
    if (ops->destroy && state != DPL__CREATED && state != DPL__DESTROYED) {
        set_callback(component, "destroy");
        ops->destroy(&component->self);
    }
    return 0;
}

/* Sets the state after a failed reset. A component with a device halts the application until it is
 * active again. */
static void fall_back(struct dpl__component *component, enum dpl__state state)
{
    set_halting(component, component->device != NULL);
    atomic_store_explicit(&component->state, state, memory_order_release);
}

static int call_reset(struct dpl__component *component, const struct dpl_component_ops *ops,
                      struct dpl_diag *reterr)
{
    int r = let_go(component, ops, reterr);
    if (r < 0) {
        return r;
    }
    memset(component->self.state, 0, component->self.class_->state_size);
    component->told_period = 0;
    r = call_explaining(component, "initialize", ops->initialize, reterr);
    if (r < 0) {
        fall_back(component, DPL__CREATED);
        return r;
    }
    r = call_start(component, ops, reterr);
    if (r < 0) {
        fall_back(component, DPL__READY);
    }
    return r;
}

/* ERROR is reached even when the error callback fails: a faulty component must not continue. */
static void call_error(struct dpl__component *component, const struct dpl_component_ops *ops,
                       int cause)
{
    set_callback(component, "error");
    component->cause = cause;
    int r = ops->error ? ops->error(&component->self, cause) : 0;
    if (r < 0) {
        dpl__log_printf(component->runtime->log, DPL_LOG_ERROR, component->self.name,
                        "error failed: %s", strerror(-r));
    }
}

static int call_operation(struct dpl__component *component, enum dpl__operation operation,
                          int cause, struct dpl_diag *reterr)
{
    static const struct dpl_component_ops nothing;
    const struct dpl_component_ops *ops = component->self.class_->ops;
    ops = ops ? ops : &nothing;
    switch (operation) {
    case DPL__INITIALIZE: return call_explaining(component, "initialize", ops->initialize, reterr);
    case DPL__START: return call_start(component, ops, reterr);
    case DPL__STOP: return call_simple(component, "stop", ops->stop, reterr);
    case DPL__RECOVER: return call_simple(component, "recover", ops->recover, reterr);
    case DPL__RESET: return call_reset(component, ops, reterr);
    case DPL__FAULT: call_error(component, ops, cause); return 0;
    case DPL__DESTROY:
        if (ops->destroy) {
            ops->destroy(&component->self);
        }
        return 0;
    }
    return -EINVAL;
}

/* ---- operations ---- */

static void clear_ports(struct dpl__component *component)
{
    for (size_t i = 0; i < component->self.class_->n_ports; i++) {
        dpl__port_clear(&component->ports[i]);
    }
}

/* A message from before a stop or a fault is outdated when the component continues. */
static bool empties_ports(enum dpl__operation operation)
{
    return operation == DPL__STOP || operation == DPL__FAULT || operation == DPL__RECOVER ||
           operation == DPL__RESET || operation == DPL__DESTROY;
}

static void report_change(const struct dpl__component *component, enum dpl__operation operation,
                          enum dpl__state next, int cause)
{
    struct dpl__log *log = component->runtime->log;
    if (operation == DPL__FAULT) {
        dpl__log_event(log, DPL_LOG_ERROR, component->self.name, "now in ERROR: %s",
                       strerror(-cause));
    } else {
        dpl__log_event(log, DPL_LOG_DEBUG, component->self.name, "%s: now %s",
                       operation_names[operation], state_names[next]);
    }
}

static bool device_is_closed(const struct dpl__component *component)
{
    return component->device && !dpl__device_is_open(component->device->runtime);
}

static int refuse(const struct dpl__component *component, enum dpl__operation operation,
                  enum dpl__state state, struct dpl_diag *reterr)
{
    return dpl_fail(reterr, -EPROTO, component->model->place,
                    "%s: cannot %s in state %s: precondition not met", component->self.name,
                    operation_names[operation], state_names[state]);
}

/* With the component activated: no other callback of it runs. */
static int operate(struct dpl__component *component, enum dpl__operation operation, int cause,
                   struct dpl_diag *reterr)
{
    enum dpl__state state = atomic_load_explicit(&component->state, memory_order_relaxed);
    enum dpl__state next;
    if (!dpl__lifecycle_allows(state, operation, &next) ||
        (operation == DPL__RESET && state == DPL__DESTROYED && device_is_closed(component))) {
        return refuse(component, operation, state, reterr);
    }
    int r = call_operation(component, operation, cause, reterr);
    if (r < 0) {
        atomic_fetch_add_explicit(&component->n_errors, 1, memory_order_relaxed);
        return r;
    }
    set_halting(component, next == DPL__ERROR && component->device);
    atomic_store_explicit(&component->state, next, memory_order_release);
    report_change(component, operation, next, cause);
    return 0;
}

int dpl__component_operate(struct dpl__component *component, enum dpl__operation operation,
                           int cause, struct dpl_diag *reterr)
{
    struct dpl__activation activation;
    const char *name = operation_names[operation];
    int r = dpl__component_enter(component, component->executor, name, &activation);
    if (r < 0) {
        return dpl_fail(reterr, r, component->model->place,
                        "%s: cannot %s while one of its callbacks runs", component->self.name,
                        name);
    }
    r = operate(component, operation, cause, reterr);
    if (r >= 0 && empties_ports(operation)) {
        clear_ports(component);
    }
    dpl__component_leave(component, &activation);
    return r;
}
