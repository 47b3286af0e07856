/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of components. A component class is a const table that a plugin exports. A
 * component is an instance of a class: parsed properties (const), a zeroed state block whose size
 * the class gives, and ports. All callbacks of a component run on one thread at a time. */
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

#ifdef __cplusplus
extern "C" {
#endif

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
    DPL_QUEUE_UFIFO, /* OPRoS's unbounded FIFO; bounded in Doppel: at 1024, or at depth if that is
                        more */
};

/* One method of a provided service: `request` and `response` are the generated structs of the
 * method's descriptor. The caller provides the storage for repeated fields and strings of the
 * response: n_x is the capacity; the provider writes at most n_x elements and then sets n_x.
 * Returns 0 or a negative errno. */
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
    bool required;     /* must be connected before the start */
    const char *summary;
    /* required service: this component commands, in each cycle, what the provider moves. Two
     * components that command the same one are a warning when an application is loaded. */
    bool commands;
    /* Input that is not required, but that the component is hardly used without: not connected is a
     * warning when an application is loaded, with the summary, which says what holds then. */
    bool expected;
};

/* A port is identified by its index in the class's table (an enum beside the table). */

/* Returns an empty message of an output port: scalars zero, sub-messages present, repeated fields
 * empty with room for `capacity`. NULL when all blocks are in use (counted as a drop). Loaned
 * blocks that are not published return to the pool at the end of the callback. No allocation, no
 * lock. */
void *dpl_port_loan(struct dpl_component *component, unsigned port);

/* Sends a loaned body to all connections; the caller must not use it afterwards. An event port
 * sends to the receivers' queues. 0, or -EINVAL when `body` was not loaned from this port. */
int dpl_port_publish(struct dpl_component *component, unsigned port, void *body, dpl_ns stamp);

/* Sends an event that has no data. */
int dpl_port_signal(struct dpl_component *component, unsigned port, dpl_ns stamp);

/* Takes the next message of an input port, chosen by the port's policy; NULL: none. Borrowed until
 * the next take on the port or the end of the callback. */
const struct dpl_message *dpl_port_take(struct dpl_component *component, unsigned port);

/* The newest message that has arrived, taken or not; NULL: none yet. Borrowed until the end of the
 * callback. */
const struct dpl_message *dpl_port_latest(struct dpl_component *component, unsigned port);

bool dpl_port_is_connected(const struct dpl_component *component, unsigned port);

/* Calls a method of a required service, by its index in the descriptor. In one executor this is a
 * function call; across executors it takes the provider's lock (priority inheritance). Returns the
 * result of the provider, -ENOTCONN without a provider, -ESHUTDOWN when the provider is not READY,
 * ACTIVE or INACTIVE, -EDEADLK on a cycle of calls. */
int dpl_service_call(struct dpl_component *component, unsigned port, unsigned method,
                     const void *request, void *response);

/* From a service method: who calls it, as the index of its component in the application (0 is the
 * first in the profile); the number of components: somebody outside. For who serves one caller at a
 * time. Wait-free. */
size_t dpl_component_caller(const struct dpl_component *component);

/* ---- class --------------------------------------------------------------------------------- */

/* The OPRoS life cycle. NULL: nothing to do. Each returns 0 or a negative errno. After a failure
 * the component keeps its state; the error message names component, operation and cause.
 *
 * initialize and start may take memory and open files; destroy releases them. destroy is called
 * after every successful initialize, whatever happened since; an initialize that fails must clean
 * up itself.
 *
 * A reset has three steps: reset, initialize, start. `reset` gets the state block unchanged,
 * releases what the component holds, as destroy does (nothing is held before the first initialize
 * or after destroy), and stops what moves. NULL: the runtime calls destroy instead if the component
 * may hold something. Then the runtime zeroes the block, so that initialize gets it as at creation.
 * When `reset` fails, the component keeps its state; when initialize fails, it is CREATED; when
 * start fails, it is READY. In the last two cases a component with a device halts the application
 * (tick->halt).
 *
 * Before and after the run the control thread calls initialize, start, stop and destroy of one
 * component after the other. They may wait for hardware; the log names a callback that takes
 * seconds. Commands to moving parts belong in execute: see dpl_component_take_command. */
struct dpl_component_ops {
    int (*initialize)(struct dpl_component *, struct dpl_diag *reterr); /* may allocate and block */
    int (*start)(struct dpl_component *, struct dpl_diag *reterr);
    int (*execute)(struct dpl_component *, const struct dpl_tick *);
    int (*update)(struct dpl_component *,
                  const struct dpl_tick *); /* after every execute of the executor */
    int (*event)(struct dpl_component *, unsigned port, const struct dpl_message *);
    /* Called before start when the period at which the component runs differs from the one of the
     * last call (0 before the first call); never for aperiodic and passive components. */
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
    /* e.g. "camera": the property ApiName selects its driver; NULL: no device */
    const char *device_class;
    /* DPL_DRV_<CLASS>_N_CALLS: a driver that was built when the device class had fewer calls is
     * refused (a class gets new calls at its end only). 0: not checked. */
    size_t n_device_calls;
    /* The device keeps the last command of the callers of the component's services until the next
     * one, as an output of a board does. Then the executors of the callers command the device too,
     * and it stops when one of them is late (dpl_device_is_commanded). False for components that
     * check themselves whether their callers still run. */
    bool callers_command;
    /* The device only measures: when its commander is late, nothing is stopped and nothing is
     * logged. */
    bool only_senses;
    dpl_ns default_period; /* used when the profile gives none */
    /* Checks that properties, each of which is valid alone, are consistent: 0, or a negative errno
     * with reterr (without place and name). Called before an instance exists; pure. NULL: no such
     * check. */
    int (*check)(const void *properties, struct dpl_diag *reterr);
};

/* A property of the component, or of its driver, as text: used by GetParameter and SetParameter of
 * device services. `name` may have a scope ("hardware.WheelDiameter"). -ENOENT: no such property.
 * Without a scope, a property of the sides of a device is read from the first side that has it, and
 * set in all of them: when one side refuses the value, it is set in none. Getting needs room for
 * the complete text with its NUL (otherwise -ENOSPC and nothing is written). Setting works only for
 * fields with DPL_FIELD_LIVE (otherwise -EPERM) and only from the component's own callbacks and
 * service methods. Neither allocates nor blocks. */
int dpl_component_get_property(const struct dpl_component *component, const char *name,
                               char *ret_text, size_t size);
int dpl_component_set_property(struct dpl_component *component, const char *name, const char *text,
                               struct dpl_diag *reterr);

/* The device of a component whose class has a device_class: opened before initialize, closed after
 * destroy. NULL for other classes. */
struct dpl_device *dpl_component_device(struct dpl_component *component);

/* Called in a service method that has given the component's device a command. Until the next such
 * call, the caller's executor commands the device too, and the device stops when that executor is
 * late (see dpl_device_is_commanded). A command of a life-cycle callback before or after the
 * executors run is valid for <late_limit>. Wait-free; does nothing for a component without a
 * device. */
void dpl_component_take_command(struct dpl_component *component);

/* Requests the end of the run, as if its duration were over. Any callback. */
void dpl_component_finish_run(struct dpl_component *component);

/* Reports whether the component moves something that must come to rest before the run ends. At the
 * end of a run on the real clock, while an ACTIVE component reports true, tick->halt is
 * DPL_HALT_ENDING and cycles continue for up to DPL_ENDING_PATIENCE; a second stop request ends
 * them. On the simulated clock the run stops immediately. Any callback; wait-free. */
void dpl_component_set_moving(struct dpl_component *component, bool moves);
#define DPL_ENDING_PATIENCE (2 * DPL_S)

/* Reports a fault that makes no callback fail, e.g. a machine that stays in a fault until a reset;
 * `what` NULL: no fault, or no longer. A run that ends with such a fault and without a verdict has
 * failed, as with a component in ERROR. `what` is not copied (use a literal). Any callback;
 * wait-free. */
void dpl_component_set_fault(struct dpl_component *component, const char *what);

#define DPL_MEASURES_MAX 16

/* A number that a test bench measured, for reports. */
struct dpl_measure {
    char name[24]; /* "path" */
    char unit[8];  /* "m"; "": a count */
    double value;
};

/* The result of a test bench. */
struct dpl_verdict {
    bool expected;  /* it is the verdict that the bench's profile expects */
    char name[32];  /* one word: "finished", "hit" ... */
    char text[512]; /* a sentence with place, time and reason */
    size_t n_measures;
    struct dpl_measure measures[DPL_MEASURES_MAX];
};

/* Sets the verdict of the bench and requests the end of the run. Only the first verdict counts. Any
 * callback; copies. The runtime appends the names of lost devices, with the reasons, to the
 * text. */
void dpl_component_give_verdict(struct dpl_component *component, const struct dpl_verdict *verdict);

/* The clock's time. For initialize and start; executors should use the tick instead. */
dpl_ns dpl_component_now(const struct dpl_component *component);

/* Whether the run is simulated (lock-step time). */
bool dpl_component_clock_is_simulated(const struct dpl_component *component);

struct dpl_output;

/* Whether the run has a folder for results (--out). */
bool dpl_component_keeps_results(const struct dpl_component *component);

/* Opens a result file of the component, such as "log.csv", in the folder for results
 * (doppel/output.h). The next run in the folder removes it. Only if the run has such a folder, in
 * stop or destroy, never in a cycle: allocates; blocks. 0, or -errno with reterr, which names the
 * file: -EINVAL if `name` contains a folder, begins with a dot or is the name of a file of the
 * runtime. */
int dpl_component_open_result(struct dpl_component *component, const char *name,
                              struct dpl_output *output, struct dpl_diag *reterr);

/* A file that a property names. */
struct dpl_file_wanted {
    const char *folder; /* of the profile path: "worlds", "robots" and so on */
    const char *what;   /* word for it in errors: "robot model" */
    const char *name;   /* of a file in such a folder, or a path */
};

/* Finds a file that exists and can be read. The catalogue owns its path, or it is `name` itself. 0,
 * or -ENOENT with reterr, which lists the searched folders. Call it in initialize: allocates and
 * blocks. */
int dpl_component_find_file(struct dpl_component *component, const struct dpl_file_wanted *wanted,
                            const char **ret_path, struct dpl_diag *reterr);

/* The run's seed (--seed, default 1). */
uint64_t dpl_component_seed(const struct dpl_component *component);

#ifdef __cplusplus
}
#endif

#endif
