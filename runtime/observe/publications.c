/* SPDX-License-Identifier: Apache-2.0 */
#include "publications.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "component.h"
#include "descriptor_set.h"
#include "executor.h"
#include "host_calls.h"
#include "outside_message.h"
#include "port.h"
#include "row_topic.h"
#include "runtime.h"

#define ROOM 64 /* as capacity, when no port of the application is connected */

static const struct dpl_place nowhere;

/* An input port. */
struct input {
    struct dpl__port *port;
    const char *name; /* "/Component/port" */
    size_t capacity;
    char who[DPL__WHO_MAX]; /* "": nobody publishes */
    atomic_llong last;      /* the run's time of the newest message; written by the owner */
    uint64_t n;             /* the owner's */
    struct dpl__task silence;
    atomic_bool silenced;
    bool asked; /* the task is on its way */
};

/* A message in a block of its own: the observer frees it when no port has it any more. */
struct outside_block {
    struct dpl__block block; /* must be first */
    struct outside_block *next;
};

struct publication {
    struct dpl__errand errand; /* must be first */
    struct input *input;
    struct outside_block *block;
};

struct dpl__publications {
    struct dpl_runtime *runtime;
    struct dpl__errands errands;
    struct input *inputs;
    size_t n;
    struct outside_block *blocks;
    struct dpl__row_tap *list; /* /run/inputs */
    bool is_listed;
};

/* ---- on the owner's thread ---- */

static int run_publication(struct dpl__request *request, struct dpl_diag *reterr)
{
    struct publication *publication = (struct publication *)(void *)request;
    struct input *input = publication->input;
    struct dpl__component *component = input->port->component;
    struct dpl__block *block = &publication->block->block;
    if (atomic_load_explicit(&component->state, memory_order_relaxed) != DPL__ACTIVE) {
        return dpl_fail(reterr, -ESHUTDOWN, nowhere, "%s: the component is not active",
                        input->name);
    }
    dpl_ns now = dpl__runtime_now(component->runtime);
    block->message.stamp = now;
    block->message.sequence = input->n++;
    dpl__block_ref(block, 1); /* the first one is the observer's, until this is answered */
    dpl__component_lock(component);
    dpl__port_receive(input->port, block);
    dpl__component_unlock(component);
    atomic_store_explicit(&input->last, now, memory_order_relaxed);
    return 0;
}

static void run_silence(struct dpl__task *task)
{
    struct input *input = (struct input *)(void *)((char *)task - offsetof(struct input, silence));
    struct dpl__port *port = input->port;
    dpl__component_lock(port->component);
    if (port->newest && port->newest->index == DPL__OUTSIDE) {
        dpl__port_clear(port);
    }
    dpl__component_unlock(port->component);
    atomic_store_explicit(&input->silenced, true, memory_order_release);
}

/* ---- on the observer's thread ---- */

static void finish_publication(struct dpl__errand *errand)
{
    struct publication *publication = (void *)errand;
    if (publication->block) {
        dpl__block_unref(&publication->block->block);
    }
}

static const struct dpl__errand_ops publication_ops = {
    {"publish", DPL_ROLE_CONTROL, run_publication}, NULL, NULL, finish_publication};

static struct input *find(const struct dpl__publications *publications, const char *name)
{
    for (size_t i = 0; i < publications->n; i++) {
        if (strcmp(publications->inputs[i].name, name) == 0) {
            return &publications->inputs[i];
        }
    }
    return NULL;
}

static struct outside_block *make_block(struct dpl__publications *publications,
                                        const struct input *input, const struct dpl_asked *asked,
                                        struct dpl_diag *reterr)
{
    const ProtobufCMessageDescriptor *type = input->port->desc->message;
    ProtobufCMessage *body =
        type ? dpl__outside_message(type, asked->value, asked->n_value, input->capacity, reterr)
             : NULL;
    struct outside_block *block = body || !type ? calloc(1, sizeof *block) : NULL;
    if (!block) {
        if (body) {
            protobuf_c_message_free_unpacked(body, NULL);
        }
        return NULL;
    }
    block->block.message.type = type;
    block->block.message.body = body;
    block->block.index = DPL__OUTSIDE;
    atomic_store(&block->block.references, 1);
    block->next = publications->blocks;
    publications->blocks = block;
    return block;
}

static int prepare(struct dpl__publications *publications, struct publication *publication,
                   const struct dpl_asked *asked, struct dpl_diag *reterr)
{
    struct input *input = find(publications, asked->name);
    struct dpl_diag why = {0};
    if (!input) {
        return dpl_fail(reterr, -ENOENT, nowhere, "there is no input port '%.200s'", asked->name);
    }
    if (asked->role == DPL_ROLE_CONTROL && input->who[0] && strcmp(input->who, asked->who) != 0) {
        return dpl_fail(reterr, -EBUSY, nowhere, "%s: %s publishes to it", input->name, input->who);
    }
    publication->input = input;
    publication->block = make_block(publications, input, asked, &why);
    return publication->block
               ? 0
               : dpl_fail(reterr, -EPROTO, nowhere, "%s: %.300s", input->name, why.text);
}

/* From here on the port is his, until he falls silent. */
static void take_over(const struct dpl__publications *publications, struct input *input,
                      const char *who)
{
    const struct dpl_runtime *runtime = publications->runtime;
    if (!input->who[0]) {
        snprintf(input->who, sizeof input->who, "%s", who);
        atomic_store_explicit(&input->last, dpl__runtime_now(runtime), memory_order_relaxed);
        dpl__log_event(runtime->log, DPL_LOG_INFO, input->port->name, "%s publishes to it", who);
    }
}

void dpl__publications_ask(struct dpl__publications *publications, struct dpl__asker asker,
                           const struct dpl_asked *asked)
{
    struct dpl_diag why = {0};
    struct publication *publication = (void *)dpl__errand_create(
        &publications->errands, asker, asked, &publication_ops, sizeof *publication);
    if (!publication) {
        return;
    }
    int r = prepare(publications, publication, asked, &why);
    if (r < 0) {
        dpl__asker_tell(asker, asked->tag, r, why.text);
        dpl__errand_destroy(&publication->errand);
        return;
    }
    struct input *input = publication->input;
    if (asked->role == DPL_ROLE_CONTROL) {
        take_over(publications, input, asked->who);
    }
    dpl__errand_post(&publications->errands, &publication->errand,
                     dpl__component_owner(input->port->component), asked->role);
}

static void watch(const struct dpl__publications *publications, struct input *input)
{
    const struct dpl_runtime *runtime = publications->runtime;
    dpl_ns last = atomic_load_explicit(&input->last, memory_order_relaxed);
    if (input->asked && atomic_load_explicit(&input->silenced, memory_order_acquire)) {
        dpl__log_event(runtime->log, DPL_LOG_INFO, input->port->name,
                       "%s has published nothing for %.1f s: stopped", input->who,
                       dpl_ns_to_s(DPL__SILENCE));
        input->who[0] = '\0';
        input->asked = false;
    } else if (input->who[0] && !input->asked && dpl__runtime_now(runtime) - last > DPL__SILENCE) {
        struct dpl__executor *owner = dpl__component_owner(input->port->component);
        input->asked = true;
        atomic_store(&input->silenced, false);
        input->silence.run = run_silence;
        dpl__mailbox_post(&owner->mailbox, &input->silence);
        dpl__executor_nudge(owner);
    }
}

static void free_block(struct outside_block *block)
{
    if (block->block.message.body) {
        protobuf_c_message_free_unpacked(block->block.message.body, NULL);
    }
    free(block);
}

static void sweep(struct dpl__publications *publications, bool all)
{
    for (struct outside_block **at = &publications->blocks; *at;) {
        struct outside_block *block = *at;
        /* Acquire: the last reader has read the body. */
        if (all || atomic_load_explicit(&block->block.references, memory_order_acquire) == 0) {
            *at = block->next;
            free_block(block);
        } else {
            at = &block->next;
        }
    }
}

void dpl__publications_turn(struct dpl__publications *publications, bool all)
{
    dpl__errands_turn(&publications->errands, all);
    for (size_t i = 0; i < publications->n; i++) {
        watch(publications, &publications->inputs[i]);
    }
    sweep(publications, false);
    if (!publications->is_listed && dpl__row_tap_open(publications->list)) {
        dpl__row_tap_send(publications->list, dpl__runtime_now(publications->runtime));
        publications->is_listed = true;
    }
}

const char *dpl__publications_controller(const struct dpl__publications *publications)
{
    size_t i = 0;
    while (i < publications->n && !publications->inputs[i].who[0]) {
        i++;
    }
    return i < publications->n ? publications->inputs[i].who : "";
}

/* ---- the ports ---- */

static void encode_list(const void *user, const struct dpl__row *row, struct dpl_bytes *out)
{
    const struct dpl__publications *publications = user;
    (void)row;
    dpl_bytes_text(out, "[");
    for (size_t i = 0; i < publications->n; i++) {
        const struct dpl_port_desc *desc = publications->inputs[i].port->desc;
        struct dpl_bytes schema = {0};
        dpl_bytes_text(out, i > 0 ? ",{\"name\":" : "{\"name\":");
        dpl_bytes_json(out, publications->inputs[i].name);
        dpl_bytes_text(out, ",\"type\":");
        dpl_bytes_json(out, desc->message ? desc->message->name : "");
        dpl_bytes_text(out, ",\"schema\":\"");
        if (desc->message) {
            out->failed |= dpl__descriptor_set(desc->message, &schema) < 0;
            dpl_bytes_base64(out, schema.data, schema.n);
        }
        dpl_bytes_text(out, "\"}");
        dpl_bytes_finish(&schema);
    }
    dpl_bytes_text(out, "]");
}

static int add_list(struct dpl__publications *publications, struct dpl__topics *topics,
                    struct dpl_diag *reterr)
{
    static const char schema[] =
        "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":"
        "\"string\"},\"type\":{\"type\":\"string\"},\"schema\":{\"type\":\"string\"}}}}";
    const struct dpl_topic described = {.name = "/run/inputs",
                                        .encoding = "json",
                                        .schema_name = "/run/inputs",
                                        .schema_encoding = "jsonschema",
                                        .schema = schema,
                                        .n_schema = sizeof schema - 1,
                                        .summary = "input ports, to which one may publish",
                                        .source = DPL_TOPIC_PRESENT,
                                        .latched = true};
    const struct dpl__row_topic rows = {0, 1, encode_list, publications};
    return dpl__row_topic_add(topics, &described, &rows, &publications->list, reterr);
}

/* Components rely on the bounds of those with which they are connected. */
static size_t find_capacity(const struct dpl_app *app, size_t component, unsigned port)
{
    size_t capacity = 0;
    for (size_t i = 0; i < app->n_connections; i++) {
        const struct dpl_app_connection *c = &app->connections[i];
        if (c->kind != DPL_PORT_SERVICE && c->target == component && c->target_port == port) {
            size_t one = app->components[c->source].class_->ports[c->source_port].capacity;
            capacity = one > capacity ? one : capacity;
        }
    }
    return capacity > 0 ? capacity : ROOM;
}

static void find_inputs(struct dpl__publications *publications, struct dpl__topics *topics)
{
    const struct dpl_runtime *runtime = publications->runtime;
    for (size_t i = 0; i < runtime->app->n_components && runtime->n_executors > 0; i++) {
        struct dpl__component *component = runtime->components[i];
        for (unsigned k = 0; k < component->self.class_->n_ports; k++) {
            struct dpl__port *port = &component->ports[k];
            if (port->role == DPL__TAKES) {
                publications->inputs[publications->n++] =
                    (struct input){.port = port,
                                   .name = dpl_arena_printf(&topics->arena, "/%s/%s",
                                                            component->self.name, port->desc->name),
                                   .capacity = find_capacity(runtime->app, i, k)};
            }
        }
    }
}

struct dpl__publications *dpl__publications_create(struct dpl_runtime *runtime,
                                                   struct dpl__topics *topics,
                                                   struct dpl_diag *reterr)
{
    size_t n = 1;
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        n += runtime->components[i]->self.class_->n_ports;
    }
    struct dpl__publications *publications = calloc(1, sizeof *publications);
    struct input *inputs = publications ? calloc(n, sizeof *inputs) : NULL;
    if (!inputs) {
        free(publications);
        dpl_fail(reterr, -ENOMEM, nowhere, "no memory");
        return NULL;
    }
    publications->runtime = runtime;
    publications->inputs = inputs;
    find_inputs(publications, topics);
    if (add_list(publications, topics, reterr) < 0) {
        dpl__publications_destroy(publications);
        return NULL;
    }
    return publications;
}

void dpl__publications_destroy(struct dpl__publications *publications)
{
    if (publications) {
        dpl__errands_finish(&publications->errands);
        sweep(publications, true);
        free(publications->inputs);
        free(publications);
    }
}
