/* SPDX-License-Identifier: Apache-2.0 */
/* What a component is and what it may do. A component class is a const table that a plugin exports;
 * a component is an instance of it: parsed properties (const), a zeroed state block of the size the
 * class states, and ports. All callbacks of a component run on one thread at a time. */
#ifndef DOPPEL_COMPONENT_H
#define DOPPEL_COMPONENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/field.h>
#include <doppel/log.h>
#include <doppel/message.h>
#include <doppel/time.h>

struct dpl_component_class;
struct dpl_device;

struct dpl_component {
    const char *name; /* full instance name, e.g. "Base.Camera"; read-only */
    const struct dpl_component_class *class_;
    const void *properties; /* of class_->properties_size */
    void *state;            /* of class_->state_size, zeroed at creation and by a reset */
    void *runtime;          /* private */
};

/* ---- ports ------------------------------------------------------------------------------- */

enum dpl_port_kind {
    DPL_PORT_DATA,
    DPL_PORT_EVENT,
    DPL_PORT_SERVICE,
};

enum dpl_port_dir {
    DPL_PORT_IN,  /* data, event: receives; service: requires */
    DPL_PORT_OUT, /* data, event: sends; service: provides */
};

enum dpl_queue {
    DPL_QUEUE_LAST,  /* keeps the newest only */
    DPL_QUEUE_FIFO,  /* takes the oldest first; a full queue drops the oldest */
    DPL_QUEUE_LIFO,  /* takes the newest first; a full queue drops the oldest */
    DPL_QUEUE_UFIFO, /* OPRoS's unbounded FIFO: bounded here, at 1024 unless depth says more */
};

/* One method of a provided service: `request` and `response` are the generated structs of the
 * method's descriptor. Repeated fields and strings of the response come with storage of the caller:
 * n_x holds the capacity, the provider writes at most that and sets n_x. Returns 0 or a negative
 * errno. */
typedef int (*dpl_service_method)(struct dpl_component *, unsigned port, const void *request,
                                  void *response);

struct dpl_port_desc {
    const char *name;
    const char *aliases; /* other names, '|'-separated; NULL: none */
    enum dpl_port_kind kind;
    enum dpl_port_dir dir;
    const struct ProtobufCMessageDescriptor
        *message; /* data, event (NULL: an event without data) */
    const struct ProtobufCServiceDescriptor *service; /* service */
    const dpl_service_method
        *methods;          /* provided service: in the order of the descriptor's methods */
    enum dpl_queue policy; /* data in */
    uint16_t depth;        /* data in, event in: queue length; 0: 1 for LAST, else 16 */
    uint16_t capacity; /* data, event out: most elements of a repeated field, bytes of a string */
    bool required;     /* must be connected before anything starts */
    const char *summary;
};

/* Ports are named by their index in the class's table (an enum beside it). */

/* A fresh message of an output port to fill: scalars zero, sub-messages present, repeated fields
 * empty with room for `capacity`. NULL when every block is still borrowed (counted as a drop).
 * Loaned blocks that are not published return at the end of the callback. No allocation, no lock.
 */
void *dpl_port_loan(struct dpl_component *component, unsigned port);

/* Sends a loaned body to all connections; it must not be touched afterwards. An event port sends to
 * the receivers' queues. 0, or -EINVAL when `body` was not loaned from this port. */
int dpl_port_publish(struct dpl_component *component, unsigned port, void *body, dpl_ns stamp);

/* Sends an event that has no data. */
int dpl_port_signal(struct dpl_component *component, unsigned port, dpl_ns stamp);

/* The next message of an input port by its policy, or NULL. Borrowed until the next take on the
 * port or the end of the callback. */
const struct dpl_message *dpl_port_take(struct dpl_component *component, unsigned port);

/* The newest message that ever arrived, taken or not, or NULL; borrowed until the end of the
 * callback. */
const struct dpl_message *dpl_port_latest(struct dpl_component *component, unsigned port);

bool dpl_port_is_connected(const struct dpl_component *component, unsigned port);

/* Calls a method of a required service, by its index in the descriptor. In one executor this is a
 * function call; across executors the provider's lock is taken (priority inheritance). Returns
 * what the provider returns, -ENOTCONN without a provider, -ESHUTDOWN when it is not READY, ACTIVE
 * or INACTIVE, -EDEADLK on a cycle of calls. */
int dpl_service_call(struct dpl_component *component, unsigned port, unsigned method,
                     const void *request, void *response);

/* ---- class --------------------------------------------------------------------------------- */

/* The OPRoS life cycle. NULL = nothing to do. 0 or a negative errno; a failure keeps the state and
 * is reported with component, operation and cause.
 *
 * What initialize and start take (memory, files) destroy gives back; destroy follows any state that
 * a successful initialize has led to, so a failing initialize cleans up after itself.
 *
 * A reset is three steps: reset, initialize, start. `reset` finds the state block as it was and
 * gives back what is held, as destroy would (nothing is held when it comes before the first
 * initialize or after destroy), and brings what moves to a stand; NULL: destroy is called in its
 * place where something may be held. Then the runtime zeroes the block, and initialize sees it as
 * at creation. A failure of `reset` keeps the state; one of initialize leaves the component
 * CREATED, one of start READY, and a component with a device then halts the application
 * (tick->halt).
 *
 * Before and after the run initialize, start, stop and destroy are called one after the other on
 * the control thread. They may wait for hardware; which one takes seconds is told in the log. A
 * command to what moves belongs into execute: see dpl_component_take_command. */
struct dpl_component_ops {
    int (*initialize)(struct dpl_component *, struct dpl_diag *reterr); /* may allocate, block */
    int (*start)(struct dpl_component *, struct dpl_diag *reterr);
    int (*execute)(struct dpl_component *, const struct dpl_tick *);
    int (*update)(struct dpl_component *,
                  const struct dpl_tick *); /* after every execute of the executor */
    int (*event)(struct dpl_component *, unsigned port, const struct dpl_message *);
    /* Before start, when the period it runs at is not the one it was told last (none: 0); never for
     * aperiodic and passive components. */
    int (*period_changed)(struct dpl_component *, dpl_ns period);
    int (*stop)(struct dpl_component *);
    int (*error)(struct dpl_component *, int cause);
    int (*recover)(struct dpl_component *);
    int (*reset)(struct dpl_component *);
    void (*destroy)(struct dpl_component *);
};

struct dpl_component_class {
    const char *name; /* OPRoS style: "Camera" */
    const char *summary;
    const char
        *tag; /* prefix of its exports in trace and summary, e.g. "sync"; NULL: the instance name */
    const struct dpl_component_ops *ops;
    const struct dpl_port_desc *ports;
    size_t n_ports;
    const struct dpl_field *properties;
    size_t n_properties, properties_size;
    const struct dpl_field *exports; /* variables of the state, see enum dpl_field_flag */
    size_t n_exports, state_size;
    const char *device_class; /* "camera": has a driver named by property ApiName; NULL: none */
    /* The device keeps what callers of the component's services have told it, for as long as they
     * say nothing else, as an output of a board does: then the executors of the callers command it
     * too, and it stops when one of them is late (dpl_device_is_commanded). False for components
     * that judge themselves whether their callers still live. */
    bool callers_command;
    /* The device only measures: there is nothing to stop when its commander is late, and nothing is
     * said. */
    bool only_senses;
    dpl_ns default_period; /* where the profile gives none */
    /* Whether properties that are good one by one go together: 0, or a negative errno with reterr
     * (without place and name). Called before there is an instance; pure. NULL: they always do. */
    int (*check)(const void *properties, struct dpl_diag *reterr);
};

/* A property of the component, or of the driver below it, as text: what GetParameter and
 * SetParameter of device services do. `name` may be scoped ("hardware.WheelDiameter"). -ENOENT: no
 * such property. Without a scope, a property that the sides of a device have is read from the first
 * of them and set in all: when one refuses the value, none gets it. Getting needs room for the
 * whole text and its end (else -ENOSPC, nothing is written). Setting works for fields with
 * DPL_FIELD_LIVE only (-EPERM) and only from the component's own callbacks and service methods.
 * Neither allocates nor blocks. */
int dpl_component_get_property(const struct dpl_component *component, const char *name,
                               char *ret_text, size_t size);
int dpl_component_set_property(struct dpl_component *component, const char *name, const char *text,
                               struct dpl_diag *reterr);

/* The device under a component whose class has a device_class: opened before initialize, closed
 * after destroy. NULL for other classes. */
struct dpl_device *dpl_component_device(struct dpl_component *component);

/* From a service method that has given the component's device a command: until the next such call
 * the caller's executor commands the device too, and the device stops when that one is late (see
 * dpl_device_is_commanded). What a callback of the life cycle commands before the executors run, or
 * after, counts for <late_limit>. Wait-free; nothing for a component without a device. */
void dpl_component_take_command(struct dpl_component *component);

/* Asks for the end of the run, in order, as if its duration were over. Any callback. */
void dpl_component_finish_run(struct dpl_component *component);

/* Says whether what the component leads moves in a way that must be brought to rest in order. At
 * the end of a run on the real clock, while an ACTIVE component moves so, tick->halt is
 * DPL_HALT_ENDING and cycles go on, for up to DPL_ENDING_PATIENCE; a second stop request ends that.
 * The simulated clock just stops. Any callback; wait-free. */
void dpl_component_moves(struct dpl_component *component, bool moves);
#define DPL_ENDING_PATIENCE (2 * DPL_S)

/* Says what is wrong with what the component leads, although no callback fails (NULL: nothing, or
 * no longer): a machine that stands in a fault until somebody resets it. A run that ends so, and
 * without a verdict, has failed like one with a component in ERROR. `what` stays the component's
 * (a literal). Any callback; wait-free. */
void dpl_component_fault(struct dpl_component *component, const char *what);

#define DPL_MEASURES_MAX 16

/* A number that a test bench measured, for reports. */
struct dpl_measure {
    char name[24]; /* "path" */
    char unit[8];  /* "m"; "": a count */
    double value;
};

/* What a test bench found out. */
struct dpl_verdict {
    bool expected;  /* it is what the bench's profile expects */
    char name[32];  /* one word: "finished", "hit" ... */
    char text[512]; /* a sentence for people: where, when, why */
    size_t n_measures;
    struct dpl_measure measures[DPL_MEASURES_MAX];
};

/* Gives the bench's verdict and asks for the end of the run, in order. The first one counts. Any
 * callback; copies. Devices that are lost then are told at the end of the text, with the reason. */
void dpl_component_give_verdict(struct dpl_component *component, const struct dpl_verdict *verdict);

/* The clock's time; executors should use the tick instead. For initialize and start. */
dpl_ns dpl_component_now(const struct dpl_component *component);

/* Whether the run is simulated (lock-step time). */
bool dpl_component_clock_is_simulated(const struct dpl_component *component);

struct dpl_output;

/* Whether the run has a folder for results (--out). */
bool dpl_component_keeps_results(const struct dpl_component *component);

/* Opens a result of the component's own, such as "log.csv", in that folder (doppel/output.h). It is
 * removed before the next run there. Only where results are kept, in stop or destroy, never in a
 * cycle: allocates; blocks. 0, or -errno with reterr, which names the file: -EINVAL where `name`
 * has a folder in it, begins with a dot or is that of a file of the runtime. */
int dpl_component_open_result(struct dpl_component *component, const char *name,
                              struct dpl_output *output, struct dpl_diag *reterr);

/* The run's seed (--seed, default 1). */
uint64_t dpl_component_seed(const struct dpl_component *component);

#endif
