/* SPDX-License-Identifier: Apache-2.0 */
/* Exports as topics: those of trace.csv and the status line. At the end of its cycle an executor
 * copies those that somebody observes, one row for each component or device. On the simulated clock
 * they have the stamps of trace.csv: what other executors have copied is sent at the end of the
 * next cycle of the one that makes its rows. */
#include <string.h>

#include "component.h"
#include "executor.h"
#include "host_calls.h"
#include "observer.h"
#include "recorder_columns.h"
#include "runtime.h"
#include "value_topic.h"

/* The exports of a component or of one of its devices. */
struct dpl__watched {
    struct dpl__watched *next; /* of the same executor */
    const struct dpl__component *component;
    struct dpl__row_tap *tap;
    const uint8_t **sources;  /* [n], in the state */
    struct dpl_field *fields; /* [n], with the offset in a row */
    size_t n, size;
    uint8_t *held; /* copied, and to be sent by another executor; NULL: sent at once */
    bool is_held;
    struct dpl__watched *of_other; /* what this one sends; NULL: its own */
};

static void copy(const struct dpl__watched *watched, uint8_t *to)
{
    for (size_t i = 0; i < watched->n; i++) {
        memcpy(to + watched->fields[i].offset, watched->sources[i], watched->fields[i].size);
    }
}

static void send(const struct dpl__watched *watched, dpl_ns now)
{
    struct dpl__row *row = dpl__row_tap_open(watched->tap);
    if (row && watched->held) {
        memcpy(row->data, watched->held, watched->size);
    } else if (row) {
        copy(watched, row->data);
    }
    if (row) {
        dpl__row_tap_send(watched->tap, now);
    }
}

static void hold(struct dpl__watched *watched)
{
    watched->is_held = atomic_load_explicit(&watched->tap->listening, memory_order_relaxed);
    if (watched->is_held) {
        copy(watched, watched->held);
    }
}

static void send_held(struct dpl__watched *other, dpl_ns now)
{
    if (other->is_held) {
        other->is_held = false;
        send(other, now);
    }
}

void dpl__observer_cycle(struct dpl__watched *watched, dpl_ns now)
{
    for (; watched; watched = watched->next) {
        if (watched->of_other) {
            send_held(watched->of_other, now);
        } else if (!watched->component->due && watched->component->executor) {
            continue;
        } else if (watched->held) {
            hold(watched);
        } else {
            send(watched, now);
        }
    }
}

/* ---- creation ---- */

struct building {
    struct dpl_runtime *runtime;
    struct dpl__topics *topics;
    struct dpl__observer *observer;
    const struct dpl__component *component;
    struct dpl__executor *executor;
    struct dpl__executor *tracer; /* NULL: each sends its own */
};

static size_t round_up(size_t size)
{
    return (size + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
}

/* As in trace.csv: others may be written by other threads. */
static bool is_sampled(const struct dpl_field *field, const void *state)
{
    return (field->flags & (DPL_FIELD_TRACE | DPL_FIELD_STATUS)) &&
           dpl__columns_is_there(field, state);
}

static struct dpl__watched *gather(const struct building *building, const void *state,
                                   const struct dpl_field *exports, size_t n)
{
    struct dpl_arena *arena = &building->runtime->arena;
    struct dpl__watched *watched = dpl_arena_alloc(arena, sizeof *watched);
    watched->component = building->component;
    watched->sources = dpl_arena_alloc(arena, n * sizeof(void *));
    watched->fields = dpl_arena_alloc(arena, n * sizeof *watched->fields);
    for (size_t i = 0; i < n; i++) {
        if (is_sampled(&exports[i], state)) {
            struct dpl_field *field = &watched->fields[watched->n];
            watched->sources[watched->n++] = (const uint8_t *)state + exports[i].offset;
            *field = exports[i];
            field->offset = watched->size;
            watched->size += round_up(exports[i].size);
        }
    }
    return watched;
}

static void link_to(struct dpl__executor *executor, struct dpl__watched *watched)
{
    watched->next = executor->watched;
    executor->watched = watched;
}

/* `device`: whose exports they are; NULL: the component's. */
static int add(const struct building *building, const char *device, const void *state,
               const struct dpl_field *exports, size_t n, struct dpl_diag *reterr)
{
    const char *name =
        dpl__columns_topic(&building->runtime->arena, building->component->self.name, device);
    if (n == 0 || dpl__topics_find(building->topics, name)) {
        return 0; /* nothing, or a port of that name */
    }
    struct dpl__watched *watched = gather(building, state, exports, n);
    if (watched->n == 0) {
        return 0;
    }
    struct dpl__value_topic described = {.name = name,
                                         .summary = "exported values",
                                         .fields = watched->fields,
                                         .n_fields = watched->n,
                                         .size = watched->size};
    int r = dpl__value_topic_add(building->topics, &described, &watched->tap, reterr);
    if (r < 0) {
        return r;
    }
    if (building->runtime->options.simulated) {
        watched->tap->make_room = dpl__observer_make_room;
        watched->tap->user = building->observer;
    }
    link_to(building->executor, watched);
    if (building->tracer && building->tracer != building->executor) {
        struct dpl__watched *sender = dpl_arena_alloc(&building->runtime->arena, sizeof *sender);
        sender->of_other = watched;
        watched->held = dpl_arena_alloc(&building->runtime->arena, watched->size);
        watched->is_held = true; /* the first row of trace.csv has what is there before any cycle */
        copy(watched, watched->held);
        link_to(building->tracer, sender);
    }
    return 0;
}

static int add_device(const struct building *building, struct dpl_device *device,
                      struct dpl_diag *reterr)
{
    const struct dpl_driver *driver = device->driver;
    int r = add(building, device->name, device->state, driver->exports, driver->n_exports, reterr);
    for (size_t i = 0; i < driver->n_sides && r == 0; i++) {
        r = add_device(building, dpl_device_side(device, i), reterr);
    }
    return r;
}

/* The executor whose thread may read the exports, as in trace.csv; NULL: several may change them.
 */
static struct dpl__executor *find_reader(const struct dpl_runtime *runtime,
                                         const struct dpl__component *component)
{
    return component->executor || component->shared || runtime->n_executors == 0
               ? component->executor
               : runtime->executors[0];
}

/* The executor whose cycles are the rows of trace.csv; NULL: on the real clock each has its time.
 */
static struct dpl__executor *find_tracer(struct dpl_runtime *runtime)
{
    struct dpl__columns columns;
    if (!runtime->options.simulated) {
        return NULL;
    }
    dpl__columns_create(&columns, runtime, &runtime->arena);
    const struct dpl__executor *tracer = dpl__columns_tracer(&columns, runtime);
    size_t i = 0;
    while (tracer && runtime->executors[i] != tracer) {
        i++;
    }
    return tracer ? runtime->executors[i] : NULL;
}

int dpl__watched_create(struct dpl_runtime *runtime, struct dpl__topics *topics,
                        struct dpl__observer *observer, struct dpl_diag *reterr)
{
    int r = 0;
    struct dpl__executor *tracer = find_tracer(runtime);
    for (size_t i = 0; i < runtime->app->n_components && r == 0; i++) {
        const struct dpl__component *component = runtime->components[i];
        const struct dpl_component_class *class_ = component->self.class_;
        struct building building = {
            runtime, topics, observer, component, find_reader(runtime, component), tracer};
        if (!building.executor) {
            continue;
        }
        r = add(&building, NULL, component->self.state, class_->exports, class_->n_exports, reterr);
        r = r < 0 || !component->device ? r : add_device(&building, component->device, reterr);
    }
    return r;
}
