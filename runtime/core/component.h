/* SPDX-License-Identifier: Apache-2.0 */
/* Components inside the runtime: life cycle, ports, services. Files: component.c (creation,
 * accessors), component_cycle.c (its part of a cycle), lifecycle.c (table of transitions,
 * operations), port.c + queue.c (data and events), pool.c (message blocks), service.c (calls),
 * wiring.c (connections of the app to ports). */
#ifndef DOPPEL_RUNTIME_COMPONENT_H
#define DOPPEL_RUNTIME_COMPONENT_H

#include <pthread.h>
#include <stdatomic.h>

#include <doppel/component.h>
#include <doppel/host/app.h>

struct dpl_runtime;
struct dpl__executor;
struct dpl__port;

enum dpl__state {
    DPL__CREATED,
    DPL__READY,
    DPL__ACTIVE,
    DPL__INACTIVE,
    DPL__ERROR,
    DPL__DESTROYED,
};

enum dpl__operation {
    DPL__INITIALIZE,
    DPL__START,
    DPL__STOP,
    DPL__FAULT,
    DPL__RECOVER,
    DPL__RESET,
    DPL__DESTROY,
};

struct dpl__component {
    struct dpl_component self; /* self.runtime points back to this struct */
    struct dpl_runtime *runtime;
    const struct dpl_app_component *model;
    _Atomic enum dpl__state state;
    struct dpl__port *ports;        /* class_->n_ports */
    struct dpl__executor *executor; /* the executor whose thread runs it; NULL: passive */
    struct dpl__executor *home;     /* the only one that calls it; NULL: several, or none */
    struct dpl_device *device;
    pthread_mutex_t lock; /* with priority inheritance; taken only when `shared`: services are
                             called from other executors */
    bool shared;
    dpl_ns period;      /* its own period, also in a rate group; 0: none */
    dpl_ns told_period; /* last argument of period_changed; 0: not called yet */
    /* Whose call a service method answers; NULL: of somebody outside, or no service method runs. */
    const struct dpl__component *caller;
    bool told_null; /* its call without a request was logged */
    bool in_call;   /* a service of this component is running: to find cycles of calls */
    _Atomic(const char *) callback; /* name of the running callback, for the watchdog; NULL: none */
    atomic_ullong n_execute, n_errors; /* number of failed callbacks */
    atomic_ullong n_late, n_skipped;   /* see dpl__component_plan */
    atomic_bool moves;                 /* see dpl_component_set_moving */
    _Atomic(const char *) fault;       /* see dpl_component_set_fault; NULL: none */

    /* The following members are used only by the thread that runs the component (or holds its
     * lock). */
    struct dpl_tick tick; /* of the cycle in which it is due */
    uint64_t divisor;     /* due in cycles of the executor's grid whose number it divides */
    uint64_t next_index;  /* the next cycle of the grid in which it is due */
    uint64_t n_due;       /* number of cycles in which it was due, including this one */
    bool due;             /* in this cycle */
    /* the executor whose thread runs the callback; NULL: the control thread */
    struct dpl__executor *on;
    struct dpl__port *touched; /* ports to release at the end of the callback */
    struct dpl__depends *depends;
    size_t n_depends;
    /* number of queued messages so far: gives the order of events of several ports */
    uint64_t n_arrivals;
    /* n_arrivals at the start of the cycle: later events wait for the next cycle */
    uint64_t n_before_cycle;
    int cause;          /* of ERROR */
    bool halting;       /* counted in runtime->lost_devices because it is in ERROR */
    bool rejoining;     /* READY after a loss, waiting for start */
    dpl_ns retry_at;    /* earliest time of the next attempt to recover or start */
    dpl_ns last_report; /* of a failed update or event, to limit the log's rate */
    uint64_t n_unreported;
};

/* `target` runs after `source` has run since the last run of `target`. */
struct dpl__depends {
    const struct dpl__component *source;
    unsigned long long seen; /* n_execute of the source at the target's last run */
    uint64_t seen_due;       /* its n_due at that time; in a rate group */
};

const char *dpl__state_name(enum dpl__state state);
const char *dpl__operation_name(enum dpl__operation operation);

/* Whether the table of transitions allows the operation, and the next state. */
bool dpl__lifecycle_allows(enum dpl__state state, enum dpl__operation operation,
                           enum dpl__state *ret_next);

/* Runs one operation with its callbacks. An illegal one returns -EPROTO ("precondition not met"), a
 * failed callback its errno; both keep the state, and reterr has component, operation and cause. On
 * the thread that owns the component. `stop` clears the ports' queues. `cause` is used for
 * DPL__FAULT only. */
int dpl__component_operate(struct dpl__component *component, enum dpl__operation operation,
                           int cause, struct dpl_diag *reterr);

/* Before and after every callback: takes the lock of a shared component, sets the callback's name
 * for the watchdog, releases borrowed messages. `on` is the executor of this thread (NULL: the
 * control thread). -EDEADLK when a callback of the component is already running in an outer
 * call. */
struct dpl__activation {
    /* component whose callback on this executor is interrupted; NULL: none */
    struct dpl__component *outer;
    long long entered;
};
int dpl__component_enter(struct dpl__component *component, struct dpl__executor *on,
                         const char *callback, struct dpl__activation *ret_activation);
void dpl__component_leave(struct dpl__component *component,
                          const struct dpl__activation *activation);

/* Calls a method of a provided service on the thread of executor `on`. `caller` NULL: somebody
 * outside calls, between two callbacks of the component. As dpl_service_call. */
int dpl__service_serve(const struct dpl__port *port, unsigned method, struct dpl__executor *on,
                       struct dpl__component *caller, const void *request, void *response);

/* Keeps callbacks on other threads away from a component that several of them call. */
static inline void dpl__component_lock(struct dpl__component *component)
{
    if (component->shared) {
        pthread_mutex_lock(&component->lock);
    }
}
static inline void dpl__component_unlock(struct dpl__component *component)
{
    if (component->shared) {
        pthread_mutex_unlock(&component->lock);
    }
}

/* The executor whose thread does what those outside want of the component; NULL: none executes. */
struct dpl__executor *dpl__component_owner(const struct dpl__component *component);

/* Handles a lost device in the cycle: ACTIVE -> ERROR (cause -ENODEV) when it is lost; when it is
 * found again, recover and start, tried once per second until they succeed. */
void dpl__component_poll_device(struct dpl__component *component, const struct dpl_tick *tick);

/* Allocates and wires all components of the app from the runtime's arena: states, ports, queues,
 * pools. Executors must be assigned (component->executor) before dpl__wiring_connect, which chooses
 * plain queues inside an executor and lock-free rings between executors. */
int dpl__components_create(struct dpl_runtime *runtime, struct dpl_diag *reterr);
int dpl__wiring_connect(struct dpl_runtime *runtime, struct dpl_diag *reterr);
/* frees the resources outside of the arena */
void dpl__components_finish(struct dpl_runtime *runtime);

/* Functions for a component in an executor's cycle, in this order. All on the executor's thread. */
/* Computes whether the component is due in cycle `index` of the grid, and its tick, with `now` and
 * `halt` from the executor's tick. If the clock has skipped a cycle of the component, it is due at
 * once (late), only once for any number of skipped cycles, and then again on its own grid. If it is
 * not due, the following functions are not called. */
void dpl__component_plan(struct dpl__component *component, uint64_t index,
                         const struct dpl_tick *tick);
void dpl__component_take_inputs(struct dpl__component *component); /* rings -> queues */
/* Calls ops->event for each event that was present when the inputs were taken. */
void dpl__component_deliver_events(struct dpl__component *component, const struct dpl_tick *tick);
/* Runs it when it is ACTIVE and all its `depends` have run. A failure leads to ERROR and is
 * returned. */
int dpl__component_execute(struct dpl__component *component, const struct dpl_tick *tick);
int dpl__component_update(struct dpl__component *component, const struct dpl_tick *tick);

/* Per-port counters, for summary and introspection; relaxed atomics, any thread. */
struct dpl__port_counters {
    uint64_t published, received, taken, dropped_queue, dropped_ring, dropped_pool;
};
void dpl__port_read_counters(const struct dpl__component *component, unsigned port,
                             struct dpl__port_counters *ret);

/* Order of the executor's components: data flow and `depends` first, otherwise profile order;
 * -ELOOP on a cycle of depends. A cycle of data is opened: among the cycles that get no data from a
 * waiting component, the first component runs that is first in the profile and is not held by
 * `depends`; the data that it receives from the rest of its cycle is from the previous executor
 * cycle. So a profile that lists a loop in the order of its chain gets that order. Fills order[]
 * with indices. */
int dpl__wiring_sort(const struct dpl_app *app, const size_t *members, size_t n, size_t *order,
                     struct dpl_diag *reterr);

#endif
