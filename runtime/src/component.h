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
    struct dpl__executor *executor; /* whose thread runs it; NULL: passive */
    struct dpl_device *device;
    pthread_mutex_t
        lock; /* PI; taken only when `shared`: services are called from other executors */
    bool shared;
    dpl_ns period;      /* its own, also in a rate group; 0: none */
    dpl_ns told_period; /* period_changed has told it; 0: none yet */
    bool in_call;       /* a service of this component is running: finds cycles of calls */
    _Atomic(const char *) callback; /* the running callback's name for the watchdog; NULL: none */
    atomic_ullong n_execute, n_errors; /* failed callbacks */
    atomic_ullong n_late, n_skipped;   /* see dpl__component_plan */
    atomic_bool moves;                 /* see dpl_component_moves */
    _Atomic(const char *) fault;       /* see dpl_component_fault; NULL: none */

    /* All of this belongs to the thread that runs the component (or holds its lock). */
    struct dpl_tick tick;      /* of the cycle it is due in */
    uint64_t divisor;          /* due in cycles of the executor's grid that it divides */
    uint64_t next_index;       /* the cycle of the grid in which it is due next */
    uint64_t n_due;            /* cycles in which it was due, this one included */
    bool due;                  /* in this cycle */
    struct dpl__executor *on;  /* whose thread runs the callback; NULL: the control thread */
    struct dpl__port *touched; /* ports with something to release at the end of the callback */
    struct dpl__depends *depends;
    size_t n_depends;
    uint64_t n_arrivals;     /* messages queued so far: orders events of several ports */
    uint64_t n_before_cycle; /* n_arrivals at the start of the cycle: later events wait */
    int cause;               /* of ERROR */
    bool halting;            /* counted in runtime->lost_devices because it is in ERROR */
    bool rejoining;          /* READY after a loss, to be started */
    dpl_ns retry_at;         /* not before: the next try to recover or start */
    dpl_ns last_report;      /* of a failed update or event, to limit the log's rate */
    uint64_t n_unreported;
};

/* `target` runs once `source` has run since its last run. */
struct dpl__depends {
    const struct dpl__component *source;
    unsigned long long seen; /* n_execute of the source at the target's last run */
    uint64_t seen_due;       /* its n_due then; in a rate group */
};

const char *dpl__state_name(enum dpl__state state);
const char *dpl__operation_name(enum dpl__operation operation);

/* Whether the table of transitions allows it, and where it leads. */
bool dpl__lifecycle_allows(enum dpl__state state, enum dpl__operation operation,
                           enum dpl__state *ret_next);

/* Runs one operation with its callbacks. An illegal one returns -EPROTO ("precondition not met"), a
 * failed callback its errno; both keep the state and say component, operation, cause in reterr. On
 * the thread that owns the component. `stop` clears the ports' queues. `cause` matters for
 * DPL__FAULT only. */
int dpl__component_operate(struct dpl__component *component, enum dpl__operation operation,
                           int cause, struct dpl_diag *reterr);

/* Brackets every callback: takes the lock of a shared component, names the callback to the
 * watchdog, releases what was borrowed. `on` is the executor whose thread this is (NULL: the
 * control thread). -EDEADLK when a callback of the component is already running below. */
struct dpl__activation {
    struct dpl__component *outer; /* whose callback on this executor is interrupted; NULL: none */
    long long entered;
};
int dpl__component_enter(struct dpl__component *component, struct dpl__executor *on,
                         const char *callback, struct dpl__activation *ret_activation);
void dpl__component_leave(struct dpl__component *component,
                          const struct dpl__activation *activation);

/* What the cycle does about a lost device: ACTIVE -> ERROR (cause -ENODEV) when it is lost; when it
 * is found again, recover and start, tried once a second until they succeed. */
void dpl__component_poll_device(struct dpl__component *component, const struct dpl_tick *tick);

/* Allocates and wires all components of the app from the runtime's arena: states, ports, queues,
 * pools. Executors must be assigned (component->executor) before dpl__wiring_connect, which chooses
 * plain queues inside an executor and lock-free rings between executors. */
int dpl__components_create(struct dpl_runtime *runtime, struct dpl_diag *reterr);
int dpl__wiring_connect(struct dpl_runtime *runtime, struct dpl_diag *reterr);
void dpl__components_finish(struct dpl_runtime *runtime); /* what the arena does not free */

/* What an executor's cycle does with a component, in this order. All on the executor's thread. */
/* Whether it is due in cycle `index` of the grid, and its tick, of which `now` and `halt` are taken
 * from the executor's. One whose cycle the clock has skipped is due at once (late), only once
 * however many were skipped, and then again on its own grid. When it is not due nothing of the rest
 * is called. */
void dpl__component_plan(struct dpl__component *component, uint64_t index,
                         const struct dpl_tick *tick);
void dpl__component_take_inputs(struct dpl__component *component); /* rings -> queues */
/* ops->event for each event that was there when the inputs were taken. */
void dpl__component_deliver_events(struct dpl__component *component, const struct dpl_tick *tick);
/* When ACTIVE and when all its `depends` have run. A failure leads to ERROR and is returned. */
int dpl__component_execute(struct dpl__component *component, const struct dpl_tick *tick);
int dpl__component_update(struct dpl__component *component, const struct dpl_tick *tick);

/* Per-port counters, for summary and introspection; relaxed atomics, any thread. */
struct dpl__port_counters {
    uint64_t published, received, taken, dropped_queue, dropped_ring, dropped_pool;
};
void dpl__port_read_counters(const struct dpl__component *component, unsigned port,
                             struct dpl__port_counters *ret);

/* Order of the executor's components: data flow and `depends` first, profile order among equals;
 * -ELOOP on a cycle of depends. Where data goes round in a circle the circle is opened: of those
 * circles that no waiting component feeds, the component runs first that comes first in the profile
 * and that no `depends` holds; what it receives from the rest of its circle is of the cycle before.
 * So a profile that lists a loop in the order of its chain gets that order. Fills order[] with
 * indices. */
int dpl__wiring_sort(const struct dpl_app *app, const size_t *members, size_t n, size_t *order,
                     struct dpl_diag *reterr);

#endif
