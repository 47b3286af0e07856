/* SPDX-License-Identifier: Apache-2.0 */
/* The service with which those outside put values into the worlds of a run. JSON. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <doppel/system_clock.h>

#include "hands.h"
#include "host_calls.h"
#include "runtime.h"
#include "services.h"

#define HOLD_MAX 1e6         /* s */
#define PATIENCE (2 * DPL_S) /* then the answer says that the world has not taken a value yet */

static const struct dpl_place nowhere;

struct put_errand {
    struct dpl__errand errand; /* must be first */
    struct dpl__services *services;
    struct dpl__hand_at at;
    void *value; /* NULL: lets go */
    char *text;  /* the value's, for the log */
    dpl_ns hold, until;
    bool is_pending; /* the world has not taken it yet, and will */
};

/* ---- doing it ---- */

/* Who drags something says so many times a second. */
static bool is_said_again(struct dpl__services *services, const struct put_errand *errand)
{
    dpl_ns now = dpl_monotonic_now();
    bool again =
        errand->hold > 0 && services->put_last == errand->at.path && now - services->put_at < DPL_S;
    services->put_last = errand->hold > 0 ? errand->at.path : NULL;
    services->put_at = again ? services->put_at : now;
    return again;
}

static void tell(const struct put_errand *errand)
{
    struct dpl__services *services = errand->services;
    const struct dpl_channel_desc *desc = errand->at.desc;
    if (is_said_again(services, errand)) {
        return;
    }
    dpl__log_event(services->runtime->log, DPL_LOG_INFO, "world", "%s %s %s%s%.100s%s%s",
                   errand->errand.request.who, errand->value ? "puts" : "lets go of",
                   errand->at.path, errand->value ? ": " : "", errand->value ? errand->text : "",
                   errand->value && desc->unit[0] ? " " : "", errand->value ? desc->unit : "");
}

static void note_by_hand(const struct put_errand *errand)
{
    struct dpl__services *services = errand->services;
    struct dpl__by_hand_item item = {.at = dpl__runtime_now(services->runtime),
                                     .kind = DPL__BY_HAND_PUT,
                                     .name = (char *)(uintptr_t)errand->at.path,
                                     .value = errand->value ? errand->text : NULL,
                                     .hold = errand->hold};
    dpl__by_hand_add(&services->by_hand, &item);
    services->runtime->was_touched = true;
}

static int run_put(struct dpl__request *request, struct dpl_diag *reterr)
{
    struct put_errand *errand = (struct put_errand *)(void *)request;
    if (!errand->services->runtime->began) {
        return dpl_fail(reterr, -EAGAIN, nowhere, "the run has not begun yet");
    }
    int r = dpl__hands_put(errand->services->hands, &errand->at, errand->value, errand->hold,
                           request->who, reterr);
    errand->until = dpl_monotonic_now() + PATIENCE;
    if (r == 0) {
        tell(errand);
        note_by_hand(errand);
    }
    return r;
}

/* Time may stand for long, and the world takes the value all the same: that is no failure. */
static int look_whether_taken(struct dpl__errand *self, struct dpl_diag *reterr)
{
    struct put_errand *errand = (void *)self;
    int state = dpl__hands_look(errand->services->hands, &errand->at, reterr);
    bool waits = state == DPL_HAND_WAITS || (!errand->value && state == DPL_HAND_HOLDS);
    if (!waits) {
        return state < 0 ? state : 1;
    }
    errand->is_pending = dpl_monotonic_now() >= errand->until;
    return errand->is_pending;
}

static void say_taken(struct dpl__errand *self, struct dpl_bytes *out)
{
    const struct put_errand *errand = (const void *)self;
    dpl_bytes_printf(out, "{\"ok\":true,\"pending\":%s,\"time_s\":%.9f}",
                     errand->is_pending ? "true" : "false",
                     dpl_ns_to_s(dpl__runtime_now(errand->services->runtime)));
}

static void finish(struct dpl__errand *self)
{
    struct put_errand *errand = (void *)self;
    free(errand->value);
    free(errand->text);
}

static const struct dpl__errand_ops ops = {
    {"put values into a world", DPL_ROLE_CONTROL, run_put}, look_whether_taken, say_taken, finish};

/* ---- requests ---- */

/* As many digits as bring the same number back. */
static void add_real(double number, struct dpl_bytes *text)
{
    char digits[DPL_CHANNEL_TEXT_MAX];
    snprintf(digits, sizeof digits, "%.15g", number);
    dpl_bytes_printf(text, "%.*g ", strtod(digits, NULL) == number ? 15 : 17, number);
}

static int add_element(const json_t *value, struct dpl_bytes *text)
{
    if (json_is_boolean(value)) {
        dpl_bytes_text(text, json_is_true(value) ? "true " : "false ");
    } else if (json_is_integer(value)) {
        dpl_bytes_printf(text, "%lld ", (long long)json_integer_value(value));
    } else if (json_is_real(value)) {
        add_real(json_real_value(value), text);
    }
    return json_is_boolean(value) || json_is_number(value) ? 0 : -EINVAL;
}

/* As dpl_channel_parse reads it. */
static int make_text(const json_t *value, struct dpl_bytes *text)
{
    int r = json_is_array(value) ? 0 : add_element(value, text);
    for (size_t i = 0; i < json_array_size(value) && r == 0; i++) {
        r = add_element(json_array_get(value, i), text);
    }
    text->n -= text->n > 0; /* the last blank */
    dpl_bytes_number(text, 0, 1);
    return text->failed ? -ENOMEM : r;
}

static int read_value(struct put_errand *errand, const json_t *value, struct dpl_diag *reterr)
{
    struct dpl_bytes text = {0};
    if (json_is_null(value)) {
        return 0;
    }
    int r = make_text(value, &text);
    if (r == -EINVAL) {
        dpl_fail(reterr, r, nowhere,
                 "value: a number, true or false, an array of them, or null is expected");
    }
    errand->value = calloc(1, dpl_channel_bytes(errand->at.desc) + 1);
    if (r == 0 && errand->value) {
        r = dpl_channel_parse(errand->at.desc, (const char *)text.data, errand->value, reterr);
    }
    errand->text = (char *)text.data;
    return r == -ENOMEM || !errand->value ? dpl_fail(reterr, -ENOMEM, nowhere, "no memory") : r;
}

static int read_hold(struct put_errand *errand, const json_t *value, struct dpl_diag *reterr)
{
    double seconds = json_number_value(value);
    if (value && !(json_is_number(value) && seconds > 0.0 && seconds <= HOLD_MAX)) {
        return dpl_fail(reterr, -ERANGE, nowhere,
                        "seconds: a number above 0, %g at most, is expected", HOLD_MAX);
    }
    errand->hold = llround(seconds * (double)DPL_S);
    return 0;
}

static int check_members(json_t *object, const char *service, struct dpl_diag *reterr)
{
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        if (strcmp(name, "channel") != 0 && strcmp(name, "value") != 0 &&
            strcmp(name, "seconds") != 0) {
            return dpl_fail(reterr, -EINVAL, nowhere, "%s takes no '%.100s'", service, name);
        }
    }
    if (!json_is_string(json_object_get(object, "channel")) || !json_object_get(object, "value")) {
        return dpl_fail(reterr, -EINVAL, nowhere, "%s needs 'channel', a text, and 'value'",
                        service);
    }
    return 0;
}

static int prepare(struct put_errand *errand, const struct dpl_asked *asked,
                   struct dpl_diag *reterr)
{
    json_error_t error;
    json_t *object = json_loadb(asked->value, asked->n_value, JSON_REJECT_DUPLICATES, &error);
    int r = json_is_object(object)
                ? check_members(object, asked->name, reterr)
                : dpl_fail(reterr, -EINVAL, nowhere, "the request is no JSON object%s%.100s",
                           object ? "" : ": ", object ? "" : error.text);
    r = r < 0 ? r
              : dpl__hands_find(errand->services->hands,
                                json_string_value(json_object_get(object, "channel")), &errand->at,
                                reterr);
    r = r < 0 ? r : read_value(errand, json_object_get(object, "value"), reterr);
    r = r < 0 ? r : read_hold(errand, json_object_get(object, "seconds"), reterr);
    json_decref(object);
    return r;
}

static void put(struct dpl__services *services, const struct dpl__service *service,
                struct dpl__asker asker, const struct dpl_asked *asked)
{
    struct dpl_diag why = {0};
    struct put_errand *errand = (struct put_errand *)(void *)dpl__errand_create(
        &services->errands, asker, asked, &ops, sizeof *errand);
    (void)service;
    if (!errand) {
        return;
    }
    errand->services = services;
    int r = prepare(errand, asked, &why);
    if (r < 0) {
        dpl__asker_tell(asker, asked->tag, r, why.text);
        dpl__errand_destroy(&errand->errand);
        return;
    }
    dpl__errand_post_to(&services->errands, &errand->errand, &services->own, asked->role);
    dpl__mailbox_serve(&services->own);
}

void dpl__world_services_add(struct dpl__services *services)
{
    static const char request[] =
        "{\"type\":\"object\",\"title\":\"/world/put\",\"properties\":{\"channel\":{\"type\":"
        "\"string\",\"description\":\"of /run/world_inputs\"},\"value\":{\"type\":[\"number\","
        "\"boolean\",\"array\",\"null\"],\"description\":\"in its unit; null: lets go\"},"
        "\"seconds\":{\"type\":\"number\",\"description\":\"[s] of the world's time, then it lets "
        "go\"}}}";
    static const char answer[] =
        "{\"type\":\"object\",\"properties\":{\"ok\":{\"type\":"
        "\"boolean\"},\"pending\":{\"type\":\"boolean\",\"description\":\"the world "
        "takes it when its time moves\"},\"time_s\":{\"type\":\"number\"}}}";
    const struct dpl_service_desc described = {.name = "/world/put",
                                               .type = "/world/put",
                                               .provider = "",
                                               .encoding = "json",
                                               .schema_encoding = "jsonschema",
                                               .request_schema_name = "/world/put",
                                               .response_schema_name = "done",
                                               .request_schema = request,
                                               .n_request_schema = sizeof request - 1,
                                               .response_schema = answer,
                                               .n_response_schema = sizeof answer - 1};
    if (services->hands) {
        dpl__services_add(services, &(struct dpl__service){described, put, NULL, 0});
    }
}
