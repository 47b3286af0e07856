/* SPDX-License-Identifier: Apache-2.0 */
/* The observer's side of a tap. The thread that runs the component turns the tap on and off,
 * because it alone may change the port: the observer posts a task to it and looks at the answer
 * later. */
#include "port_topic.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <protobuf-c/protobuf-c.h>

#include <doppel/msg/device.pb-c.h>

#include "bytes.h"
#include "descriptor_set.h"
#include "executor.h"
#include "runtime.h"
#include "tap.h"

/* The phases in their circle; in those that ask, the task is on its way. */
enum phase { OFF, ASKS_LISTEN, ON, ASKS_IGNORE, ASKS_SETTLE };

struct port_source {
    struct dpl__task task; /* must be first */
    atomic_bool done;      /* written by the task, read by the observer */
    void (*change)(struct dpl__port *port);
    struct dpl__port *port;
    struct dpl__executor *owner; /* whose thread runs the task */
    enum phase phase;
    bool wanted;
    struct dpl_bytes bytes;
};

static const struct dpl_place nowhere;

/* ---- on the owner's thread ---- */

static void run_task(struct dpl__task *task)
{
    struct port_source *source = (struct port_source *)(void *)task;
    struct dpl__component *component = source->port->component;
    /* several executors call the component: its lock is what makes this "between two callbacks" */
    dpl__component_lock(component);
    source->change(source->port);
    dpl__component_unlock(component);
    atomic_store_explicit(&source->done, true, memory_order_release);
}

/* ---- on the observer's thread ---- */

static void ask(struct port_source *source, enum phase phase,
                void (*change)(struct dpl__port *port))
{
    source->phase = phase;
    source->change = change;
    atomic_store_explicit(&source->done, false, memory_order_relaxed);
    dpl__mailbox_post(&source->owner->mailbox, &source->task);
    dpl__executor_nudge(source->owner);
}

/* The next phase when the owner has done what was asked for. */
static void go_on(struct port_source *source)
{
    bool done = atomic_load_explicit(&source->done, memory_order_acquire);
    if (source->phase == OFF && source->wanted) {
        ask(source, ASKS_LISTEN, dpl__tap_listen);
    } else if (source->phase == ON && !source->wanted) {
        ask(source, ASKS_IGNORE, dpl__tap_ignore);
    } else if (source->phase == ASKS_LISTEN && done) {
        source->phase = ON;
    } else if (source->phase == ASKS_SETTLE && done) {
        source->phase = OFF;
    }
}

static void listen(void *self, bool on)
{
    struct port_source *source = self;
    source->wanted = on;
    go_on(source);
}

static bool encode(struct port_source *source, const struct dpl_message *message)
{
    source->bytes.n = 0;
    if (!message->type) {
        return true;
    }
    size_t n = protobuf_c_message_get_packed_size(message->body);
    uint8_t *at = dpl_bytes_extend(&source->bytes, n);
    if (at) {
        protobuf_c_message_pack(message->body, at);
    }
    return at != NULL;
}

static bool take(void *self, struct dpl_sample *ret_sample)
{
    struct port_source *source = self;
    go_on(source);
    if (source->phase == OFF || source->phase == ASKS_SETTLE) {
        return false;
    }
    /* Before the ring is read: what was sent before the owner's last task is then in it. */
    bool ignored =
        source->phase == ASKS_IGNORE && atomic_load_explicit(&source->done, memory_order_acquire);
    const struct dpl_message *message = dpl__tap_take(source->port->tap);
    if (!message) {
        if (ignored) {
            ask(source, ASKS_SETTLE, dpl__tap_settle);
        }
        return false;
    }
    bool encoded = encode(source, message);
    *ret_sample = (struct dpl_sample){.stamp = message->stamp,
                                      .taken = dpl__runtime_now(source->port->component->runtime),
                                      .sequence = message->sequence,
                                      .data = source->bytes.data,
                                      .n = source->bytes.n};
    dpl__tap_release(message);
    source->bytes.failed = false;
    return encoded;
}

static uint64_t dropped(void *self)
{
    return dpl__tap_dropped(((const struct port_source *)self)->port->tap);
}

static const struct dpl__source_ops ops = {listen, take, dropped};

/* ---- the topics ---- */

/* The components that are connected with an output port. */
static const char *const *find_subscribers(struct dpl__topics *topics, const struct dpl__port *port,
                                           size_t *ret_n)
{
    size_t n = 0;
    for (size_t i = 0; i < port->n_outputs; i++) {
        n += port->outputs[i]->target != NULL;
    }
    const char **names = dpl_arena_alloc(&topics->arena, (n + 1) * sizeof *names);
    for (size_t i = 0; i < n; i++) {
        names[i] = port->outputs[i]->target->component->self.name;
    }
    *ret_n = n;
    return names;
}

static int add_port(struct dpl__topics *topics, struct dpl_runtime *runtime, struct dpl__port *port,
                    struct dpl_diag *reterr)
{
    struct port_source *source = dpl_arena_alloc(&topics->arena, sizeof *source);
    struct dpl__component *component = port->component;
    source->task.run = run_task;
    source->port = port;
    source->owner = dpl__component_owner(component);
    struct dpl_bytes schema = {0};
    const ProtobufCMessageDescriptor *type =
        port->desc->message ? port->desc->message : &doppel__empty__descriptor;
    int r = dpl__descriptor_set(type, &schema);
    if (r < 0) {
        dpl_bytes_finish(&schema);
        return dpl_fail(reterr, r, nowhere, "%s: no schema of %s", port->name, type->name);
    }
    struct dpl_topic described = {
        .name = dpl_arena_printf(&topics->arena, "/%s/%s", component->self.name, port->desc->name),
        .encoding = "protobuf",
        .schema_name = type->name,
        .schema_encoding = "protobuf",
        .schema = schema.data,
        .n_schema = schema.n,
        .summary = port->desc->summary,
        .source = DPL_TOPIC_PORT,
        .publisher = component->self.name,
    };
    described.subscribers = find_subscribers(topics, port, &described.n_subscribers);
    const struct dpl__topic *added = dpl__topics_add(topics, &described, &ops, source, reterr);
    dpl_bytes_finish(&schema);
    return added ? 0 : -EINVAL;
}

int dpl__port_topics_add(struct dpl__topics *topics, struct dpl_runtime *runtime,
                         struct dpl_diag *reterr)
{
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        struct dpl__component *component = runtime->components[i];
        for (size_t k = 0; k < component->self.class_->n_ports && runtime->n_executors > 0; k++) {
            struct dpl__port *port = &component->ports[k];
            int r = port->tap ? add_port(topics, runtime, port, reterr) : 0;
            if (r < 0) {
                return r;
            }
        }
    }
    return 0;
}

void dpl__port_topics_finish(struct dpl__topics *topics)
{
    for (size_t i = 0; i < topics->n; i++) {
        if (topics->items[i]->ops == &ops) {
            dpl_bytes_finish(&((struct port_source *)topics->items[i]->source)->bytes);
        }
    }
}
