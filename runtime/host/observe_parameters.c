/* SPDX-License-Identifier: Apache-2.0 */
/* Properties as parameters of gateways. What can change during the run is read and set by the
 * thread that runs the component, between two cycles; all else stays as it was loaded. All else of
 * this file is on the observer's thread. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/system_clock.h>

#include "by_hand.h"
#include "bytes.h"
#include "component.h"
#include "executor.h"
#include "host_calls.h"
#include "observer.h"
#include "request.h"
#include "runtime.h"

#define VALUE_MAX   4096 /* bytes of a value as text */
#define PATIENCE    (2 * DPL_S)
#define WAITING_MAX 256 /* requests on their way */

struct parameter {
    const char *name; /* "Base.WheelDiameter", "Base.hardware.Port" */
    const char *own;  /* the part after the component */
    const struct dpl_field *field;
    struct dpl__component *component;
};

/* What a gateway has asked for: answered when no part of it is on its way. */
struct asked {
    const struct dpl_gateway *gateway;
    void *self;
    uint64_t tag;
    size_t n_open;
    int err;
    char why[DPL_DIAG_TEXT_MAX];
    struct dpl_bytes values; /* members of a JSON object */
};

/* One value that its owner reads, after it has set it if `wanted` is there. */
struct waiting {
    struct dpl__request request; /* must be first */
    struct waiting *next;
    struct asked *asked;
    const struct parameter *parameter;
    const struct dpl_runtime *runtime;
    dpl_ns at; /* when it was set */
    bool is_set;
    char wanted[VALUE_MAX], before[VALUE_MAX], value[VALUE_MAX];
};

struct dpl__parameters {
    struct dpl_runtime *runtime;
    struct dpl_arena arena;
    struct parameter *items;
    size_t n, capacity;
    struct waiting *waiting;
    size_t n_waiting;
    struct dpl__by_hand *by_hand;
};

/* ---- on the owner's thread ---- */

static void read_value(const struct parameter *parameter, char ret_text[VALUE_MAX])
{
    if (dpl_component_get_property(&parameter->component->self, parameter->own, ret_text,
                                   VALUE_MAX) < 0) {
        ret_text[0] = '\0';
    }
}

static int run_request(struct dpl__request *request, struct dpl_diag *reterr)
{
    struct waiting *waiting = (struct waiting *)(void *)request;
    struct dpl__component *component = waiting->parameter->component;
    int r = 0;
    dpl__component_lock(component);
    if (waiting->is_set) {
        read_value(waiting->parameter, waiting->before);
        waiting->at = dpl__runtime_now(waiting->runtime);
        r = dpl_component_set_property(&component->self, waiting->parameter->own, waiting->wanted,
                                       reterr);
    }
    read_value(waiting->parameter, waiting->value);
    dpl__component_unlock(component);
    return r;
}

static const struct dpl__request_kind get_kind = {"read a parameter", DPL_ROLE_LOOK, run_request};
static const struct dpl__request_kind set_kind = {"set a parameter", DPL_ROLE_CONTROL, run_request};

/* ---- answers ---- */

static void add_value(struct asked *asked, const struct parameter *parameter, const char *text)
{
    struct dpl_bytes *out = &asked->values;
    enum dpl_field_type type = parameter->field->type;
    char *end;
    dpl_bytes_text(out, out->n > 0 ? "," : "");
    dpl_bytes_json(out, parameter->name);
    dpl_bytes_text(out, ":");
    bool is_number = (type == DPL_FIELD_INT || type == DPL_FIELD_DOUBLE) &&
                     (strtod(text, &end), end != text && *end == '\0');
    bool is_plain = is_number || (type == DPL_FIELD_BOOL && *text);
    if (is_plain) {
        dpl_bytes_text(out, text);
    } else {
        dpl_bytes_json(out, text);
    }
}

static void give_answer(struct asked *asked)
{
    struct dpl_bytes object = {0};
    dpl_bytes_text(&object, "{");
    dpl_bytes_add(&object, asked->values.data, asked->values.n);
    dpl_bytes_text(&object, "}");
    bool failed = object.failed || asked->values.failed;
    struct dpl_answer answer = {.tag = asked->tag,
                                .err = failed ? -ENOMEM : asked->err,
                                .why = failed ? "no memory" : asked->why,
                                .value = object.data,
                                .n_value = failed ? 0 : object.n};
    if (asked->gateway->answer) {
        asked->gateway->answer(asked->self, &answer);
    }
    dpl_bytes_finish(&object);
    dpl_bytes_finish(&asked->values);
    free(asked);
}

/* A part of what was asked for is done. */
static void end_part(struct asked *asked)
{
    if (--asked->n_open == 0) {
        give_answer(asked);
    }
}

static void fail(struct asked *asked, int err, const char *why)
{
    asked->err = err;
    snprintf(asked->why, sizeof asked->why, "%s", why);
}

/* With the parameter's name in front, once. */
static void fail_request(const struct waiting *waiting)
{
    const struct parameter *parameter = waiting->parameter;
    const char *text = waiting->request.why.text;
    char why[DPL_DIAG_TEXT_MAX];
    size_t n = strlen(parameter->field->name);
    bool is_named = strncmp(text, parameter->field->name, n) == 0 && text[n] == ':';
    snprintf(why, sizeof why, "%.200s: %.250s", parameter->name,
             is_named ? text + n + 1 + strspn(text + n + 1, " ") : text);
    fail(waiting->asked, waiting->request.result, why);
}

/* Who was refused gets the value that holds. One that did not come in time belongs to the owner. */
static void take_result(struct dpl__parameters *parameters, struct waiting *waiting)
{
    struct asked *asked = waiting->asked;
    if (waiting->request.result < 0) {
        fail_request(waiting);
    } else if (waiting->is_set) {
        dpl__log_event(parameters->runtime->log, DPL_LOG_INFO, asked->gateway->name,
                       "%s set %s from %s to %s", waiting->request.who, waiting->parameter->name,
                       waiting->before, waiting->value);
        struct dpl__by_hand_item item = {.at = waiting->at,
                                         .kind = DPL__BY_HAND_SET,
                                         .name = (char *)(uintptr_t)waiting->parameter->name,
                                         .value = waiting->wanted};
        dpl__by_hand_add(parameters->by_hand, &item);
        parameters->runtime->was_touched = true;
    }
    if (waiting->request.result != -ETIMEDOUT) {
        add_value(asked, waiting->parameter, waiting->value);
    }
    waiting->asked = NULL;
    end_part(asked);
}

void dpl__parameters_turn(struct dpl__parameters *parameters, bool all)
{
    dpl_ns monotonic = dpl_monotonic_now();
    for (struct waiting **at = &parameters->waiting; *at;) {
        struct waiting *waiting = *at;
        waiting->request.deadline = all ? monotonic : waiting->request.deadline;
        if (waiting->asked && dpl__request_is_answered(&waiting->request, monotonic)) {
            take_result(parameters, waiting);
        }
        if (!waiting->asked && dpl__request_is_free(&waiting->request)) {
            *at = waiting->next;
            parameters->n_waiting--;
            free(waiting);
        } else {
            at = &waiting->next;
        }
    }
}

/* ---- asking ---- */

static void ask_one(struct dpl__parameters *parameters, struct asked *asked,
                    const struct parameter *parameter, const struct dpl_asked *from);

static void post(struct dpl__parameters *parameters, struct asked *asked,
                 const struct parameter *parameter, const struct dpl_asked *from)
{
    bool is_set = from->what == DPL_ASK_SET;
    struct waiting *waiting =
        parameters->n_waiting < WAITING_MAX ? calloc(1, sizeof *waiting) : NULL;
    if (!waiting || (is_set && from->n_value >= sizeof waiting->wanted)) {
        free(waiting);
        fail(asked, -ENOMEM, "too many requests wait, or the value is too long");
        return;
    }
    waiting->request.kind = is_set ? &set_kind : &get_kind;
    snprintf(waiting->request.who, sizeof waiting->request.who, "%s", from->who);
    waiting->request.deadline = dpl_monotonic_now() + PATIENCE;
    waiting->asked = asked;
    waiting->runtime = parameters->runtime;
    waiting->parameter = parameter;
    waiting->is_set = is_set;
    memcpy(waiting->wanted, from->value, is_set ? from->n_value : 0);
    struct dpl__executor *owner = dpl__component_owner(parameter->component);
    if (dpl__request_post(&waiting->request, &owner->mailbox, from->role) < 0) {
        fail(asked, -EACCES, waiting->request.why.text);
        free(waiting);
        if (is_set) {
            struct dpl_asked get = *from;
            get.what = DPL_ASK_GET;
            ask_one(parameters, asked, parameter, &get);
        }
        return;
    }
    asked->n_open++;
    waiting->next = parameters->waiting;
    parameters->waiting = waiting;
    parameters->n_waiting++;
    dpl__executor_nudge(owner);
}

static void read_now(struct asked *asked, const struct parameter *parameter)
{
    char text[VALUE_MAX];
    read_value(parameter, text);
    add_value(asked, parameter, text);
}

static void ask_one(struct dpl__parameters *parameters, struct asked *asked,
                    const struct parameter *parameter, const struct dpl_asked *from)
{
    if (from->what == DPL_ASK_GET && !(parameter->field->flags & DPL_FIELD_LIVE)) {
        read_now(asked, parameter);
    } else if (parameters->runtime->n_executors == 0) {
        fail(asked, -EPERM, "no component of this run executes");
    } else {
        post(parameters, asked, parameter, from);
    }
}

void dpl__parameters_ask(struct dpl__parameters *parameters, const struct dpl_gateway *gateway,
                         void *self, const struct dpl_asked *from, const char *refused)
{
    struct asked *asked = calloc(1, sizeof *asked);
    if (!asked) {
        return;
    }
    *asked = (struct asked){.gateway = gateway, .self = self, .tag = from->tag, .n_open = 1};
    struct dpl_asked get = *from;
    if (refused) {
        fail(asked, -EBUSY, refused);
        get.what = DPL_ASK_GET;
    }
    bool is_found = from->what == DPL_ASK_GET && from->name[0] == '\0';
    for (size_t i = 0; i < parameters->n; i++) {
        if (from->name[0] == '\0' ? from->what == DPL_ASK_GET
                                  : strcmp(parameters->items[i].name, from->name) == 0) {
            ask_one(parameters, asked, &parameters->items[i], &get);
            is_found = true;
        }
    }
    if (!is_found) {
        char why[DPL_DIAG_TEXT_MAX];
        snprintf(why, sizeof why, "there is no parameter '%.300s'", from->name);
        fail(asked, -ENOENT, why);
    }
    end_part(asked);
}

/* ---- the table ---- */

static void add_fields(struct dpl__parameters *parameters, struct dpl__component *component,
                       const char *prefix, const struct dpl_field *fields, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (parameters->n == parameters->capacity) {
            size_t capacity = parameters->capacity > 0 ? 2 * parameters->capacity : 256;
            struct parameter *items = dpl_arena_alloc(&parameters->arena, capacity * sizeof *items);
            if (parameters->n > 0) {
                memcpy(items, parameters->items, parameters->n * sizeof *items);
            }
            parameters->items = items;
            parameters->capacity = capacity;
        }
        const char *name = dpl_arena_printf(&parameters->arena, "%s.%s%s", component->self.name,
                                            prefix, fields[i].name);
        parameters->items[parameters->n++] = (struct parameter){
            name, name + strlen(component->self.name) + 1, &fields[i], component};
    }
}

static void add_device(struct dpl__parameters *parameters, struct dpl__component *component,
                       const char *prefix, struct dpl_device *device)
{
    const struct dpl_driver *driver = device->driver;
    add_fields(parameters, component, prefix, driver->properties, driver->n_properties);
    for (size_t i = 0; i < driver->n_sides; i++) {
        add_device(parameters, component,
                   dpl_arena_printf(&parameters->arena, "%s%s.", prefix, driver->sides[i].name),
                   dpl_device_side(device, i));
    }
}

struct dpl__parameters *dpl__parameters_create(struct dpl_runtime *runtime,
                                               struct dpl__by_hand *by_hand)
{
    struct dpl__parameters *parameters = calloc(1, sizeof *parameters);
    if (!parameters) {
        return NULL;
    }
    parameters->runtime = runtime;
    parameters->by_hand = by_hand;
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        struct dpl__component *component = runtime->components[i];
        const struct dpl_component_class *class_ = component->self.class_;
        add_fields(parameters, component, "", class_->properties, class_->n_properties);
        if (component->device) {
            add_device(parameters, component, "", component->device);
        }
    }
    return parameters;
}

void dpl__parameters_destroy(struct dpl__parameters *parameters)
{
    if (!parameters) {
        return;
    }
    while (parameters->waiting) {
        struct waiting *waiting = parameters->waiting;
        parameters->waiting = waiting->next;
        free(waiting);
    }
    dpl_arena_finish(&parameters->arena);
    free(parameters);
}
