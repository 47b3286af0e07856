/* SPDX-License-Identifier: Apache-2.0 */
/* What comes from a client: commands as JSON, messages and calls of services as bytes; and the
 * answers to its requests. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "foxglove_session.h"

#define NAMES_MAX 256 /* of parameters in one command */

static int refuse(struct foxglove_session *session, const char *format, const char *what)
{
    char text[256];
    snprintf(text, sizeof text, format, what);
    foxglove_session_status(session, 2, text);
    return -EPROTO;
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

/* A number that fits an id; false: it is none. */
static bool id_of(const json_t *value, uint32_t *ret_id)
{
    json_int_t id = json_is_integer(value) ? json_integer_value(value) : -1;
    *ret_id = (uint32_t)id;
    return id >= 0 && id <= UINT32_MAX;
}

/* ---- subscriptions ---- */

static size_t find_subscription(const struct foxglove_session *session, uint32_t id)
{
    size_t i = 0;
    while (i < session->n_subscriptions && session->subscriptions[i].id != id) {
        i++;
    }
    return i;
}

static int subscribe_one(struct foxglove_session *session, const json_t *wanted)
{
    uint32_t id, channel;
    if (!id_of(json_object_get(wanted, "id"), &id) ||
        !id_of(json_object_get(wanted, "channelId"), &channel)) {
        return refuse(session, "%s: a subscription has an id and a channelId", "subscribe");
    }
    const struct foxglove_topic *found = foxglove_hub_topic(session->hub, channel);
    size_t n = session->n_subscriptions;
    if (!found || find_subscription(session, id) < n || n == FOXGLOVE_SUBSCRIPTIONS_MAX) {
        return refuse(session, "%s: no such channel, the id is taken, or too many", "subscribe");
    }
    if (foxglove_session_subscribes(session, found->topic)) {
        return refuse(session, "%s: the client has subscribed to it already", found->topic->name);
    }
    struct foxglove_subscription *subscriptions =
        realloc(session->subscriptions, (n + 1) * sizeof *subscriptions);
    if (!subscriptions) {
        return -ENOMEM;
    }
    /* ours: fewer messages of a fast topic */
    double period_s = json_number_value(json_object_get(wanted, "period"));
    subscriptions[n] = (struct foxglove_subscription){
        .id = id,
        .topic = found->topic,
        .period = period_s > 0.0 && period_s < 60.0 ? dpl_ns_from_s(period_s) : 0,
        .last = INT64_MIN / 2};
    session->subscriptions = subscriptions;
    session->n_subscriptions++;
    session->hub->setup.ops->listen(session->hub->setup.observer, found->topic, 1);
    for (size_t i = 0; i < found->n_held; i++) {
        if (found->held[i].sample.data) {
            foxglove_session_give(session, id, found->topic, &found->held[i].sample);
        }
    }
    return 0;
}

static int subscribe(struct foxglove_session *session, const json_t *command)
{
    size_t i;
    json_t *wanted;
    int r = 0;
    json_array_foreach(json_object_get(command, "subscriptions"), i, wanted)
    {
        int one = subscribe_one(session, wanted);
        r = r < 0 ? r : one;
    }
    foxglove_hub_graph_changed(session->hub);
    return r;
}

static int unsubscribe(struct foxglove_session *session, const json_t *command)
{
    size_t i;
    json_t *value;
    json_array_foreach(json_object_get(command, "subscriptionIds"), i, value)
    {
        uint32_t id;
        size_t at = id_of(value, &id) ? find_subscription(session, id) : session->n_subscriptions;
        if (at < session->n_subscriptions) {
            const struct dpl_topic *topic = session->subscriptions[at].topic;
            session->subscriptions[at] = session->subscriptions[--session->n_subscriptions];
            session->hub->setup.ops->listen(session->hub->setup.observer, topic, -1);
        }
    }
    foxglove_hub_graph_changed(session->hub);
    return 0;
}

/* ---- requests ---- */

/* What one getParameters or setParameters is answered with, when no part of it is on its way. */
struct foxglove_values {
    size_t n_open;
    bool is_wanted;
    char id[64]; /* the client's; "": none */
    json_t *object;
};

static struct dpl_asked asked_by(const struct foxglove_session *session, enum dpl_ask what,
                                 const char *name)
{
    return (struct dpl_asked){
        .what = what, .who = session->who, .role = session->role, .name = name, .value = ""};
}

static int ask(struct foxglove_session *session, struct foxglove_request *request,
               const struct dpl_asked *asked)
{
    request->session = session->number;
    request->what = asked->what;
    if (request->values) {
        request->values->n_open++;
    }
    if (foxglove_hub_ask(session->hub, request, asked)) {
        return 0;
    }
    foxglove_values_end_part(session, request->values);
    return refuse(session, "%s: too many requests wait for an answer", asked->name);
}

/* Open until foxglove_values_end_part of the command itself. NULL: no memory. */
static struct foxglove_values *begin_values(const json_t *command)
{
    struct foxglove_values *values = calloc(1, sizeof *values);
    if (values) {
        values->n_open = 1;
        values->object = json_object();
        snprintf(values->id, sizeof values->id, "%s", text_of(command, "id"));
    }
    return values;
}

static int get_parameters(struct foxglove_session *session, const json_t *command)
{
    const json_t *names = json_object_get(command, "parameterNames");
    size_t n = json_array_size(names), i;
    json_t *name;
    if (names && !json_is_array(names)) {
        return refuse(session, "%s: a list of names is expected", "getParameters");
    }
    json_array_foreach(names, i, name)
    {
        if (!json_is_string(name) || i == NAMES_MAX) {
            return refuse(session, "%s: names are texts, at most 256", "getParameters");
        }
    }
    struct foxglove_values *values = begin_values(command);
    int r = values ? 0 : -ENOMEM;
    for (i = 0; r == 0 && (i < n || (i == 0 && n == 0)); i++) {
        const char *wanted = n > 0 ? json_string_value(json_array_get(names, i)) : "";
        struct foxglove_request request = {.values = values};
        struct dpl_asked asked = asked_by(session, DPL_ASK_GET, wanted);
        values->is_wanted = true;
        r = ask(session, &request, &asked);
    }
    foxglove_values_end_part(session, values);
    return r;
}

/* A value as the text of a property; NULL: it is no value of one. The caller frees it. */
static char *text_of_value(const json_t *value)
{
    if (json_is_string(value)) {
        return strdup(json_string_value(value));
    }
    return json_is_boolean(value) || json_is_number(value)
               ? json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17))
               : NULL;
}

static int set_one(struct foxglove_session *session, const json_t *parameter,
                   struct foxglove_values *values)
{
    struct foxglove_request request = {.values = values};
    struct dpl_asked asked = asked_by(session, DPL_ASK_SET, text_of(parameter, "name"));
    char *text = text_of_value(json_object_get(parameter, "value"));
    if (!text) {
        return refuse(session, "%s: a text, a number, true or false is expected", asked.name);
    }
    asked.value = text;
    asked.n_value = strlen(text);
    int r = ask(session, &request, &asked);
    free(text);
    return r;
}

static int set_parameters(struct foxglove_session *session, const json_t *command)
{
    const json_t *parameters = json_object_get(command, "parameters");
    size_t n = json_array_size(parameters);
    if (n == 0 || n > NAMES_MAX) {
        return refuse(session, "%s: from 1 to 256 parameters are expected", "setParameters");
    }
    struct foxglove_values *values = begin_values(command);
    int r = values ? 0 : -ENOMEM;
    for (size_t i = 0; r == 0 && i < n; i++) {
        values->is_wanted = values->id[0] != '\0';
        r = set_one(session, json_array_get(parameters, i), values);
    }
    foxglove_values_end_part(session, values);
    return r;
}

static int watch_parameters(struct foxglove_session *session, const json_t *command)
{
    session->wants_parameters = strcmp(text_of(command, "op"), "subscribeParameterUpdates") == 0;
    return 0;
}

static int watch_graph(struct foxglove_session *session, const json_t *command)
{
    session->wants_graph = strcmp(text_of(command, "op"), "subscribeConnectionGraph") == 0;
    if (session->wants_graph) {
        foxglove_session_graph(session);
    }
    return 0;
}

static int fetch_asset(struct foxglove_session *session, const json_t *command)
{
    struct foxglove_request request = {0};
    struct dpl_asked asked = asked_by(session, DPL_ASK_ASSET, text_of(command, "uri"));
    return id_of(json_object_get(command, "requestId"), &request.call)
               ? ask(session, &request, &asked)
               : refuse(session, "%s: a requestId is missing", "fetchAsset");
}

/* ---- publishing ---- */

static int advertise(struct foxglove_session *session, const json_t *command)
{
    size_t i;
    json_t *channel;
    json_array_foreach(json_object_get(command, "channels"), i, channel)
    {
        struct foxglove_published added;
        const char *topic = text_of(channel, "topic");
        if (!id_of(json_object_get(channel, "id"), &added.id) || !*topic ||
            strlen(topic) >= sizeof added.topic ||
            session->n_published == sizeof session->published / sizeof session->published[0]) {
            return refuse(session, "%s: an id and a topic are expected, of at most 32",
                          "advertise");
        }
        snprintf(added.topic, sizeof added.topic, "%s", topic);
        session->published[session->n_published++] = added;
    }
    return 0;
}

static int unadvertise(struct foxglove_session *session, const json_t *command)
{
    size_t i;
    json_t *value;
    json_array_foreach(json_object_get(command, "channelIds"), i, value)
    {
        uint32_t id;
        for (size_t k = session->n_published; id_of(value, &id) && k-- > 0;) {
            if (session->published[k].id == id) {
                session->published[k] = session->published[--session->n_published];
            }
        }
    }
    return 0;
}

static int publish(struct foxglove_session *session, const uint8_t *data, size_t n)
{
    for (size_t i = 0; n >= 5 && i < session->n_published; i++) {
        if (session->published[i].id == dpl_bytes_get(data + 1, 4)) {
            struct foxglove_request request = {0};
            struct dpl_asked asked =
                asked_by(session, DPL_ASK_PUBLISH, session->published[i].topic);
            asked.value = data + 5;
            asked.n_value = n - 5;
            return ask(session, &request, &asked);
        }
    }
    return refuse(session, "%s: the channel was not advertised", "publish");
}

static int fail_call(struct foxglove_session *session, const struct foxglove_request *request,
                     const char *why)
{
    struct dpl_bytes out = {0};
    dpl_bytes_printf(&out,
                     "{\"op\":\"serviceCallFailure\",\"serviceId\":%" PRIu32 ",\"callId\":%" PRIu32
                     ",\"message\":",
                     request->service, request->call);
    dpl_bytes_json(&out, why);
    dpl_bytes_text(&out, "}");
    foxglove_session_send(session, true, &out);
    return -EPROTO;
}

static int call_service(struct foxglove_session *session, const uint8_t *data, size_t n)
{
    struct foxglove_request request = {0};
    uint64_t encoding = n < 13 ? 0 : dpl_bytes_get(data + 9, 4);
    if (n < 13 || encoding > n - 13) {
        return refuse(session, "%s: the request is cut off", "service");
    }
    request.service = (uint32_t)dpl_bytes_get(data + 1, 4);
    request.call = (uint32_t)dpl_bytes_get(data + 5, 4);
    const struct dpl_service_desc *service = foxglove_hub_service(session->hub, request.service);
    if (!service) {
        return fail_call(session, &request, "there is no such service");
    }
    if (encoding != strlen(service->encoding) ||
        memcmp(data + 13, service->encoding, (size_t)encoding) != 0) {
        char why[128];
        snprintf(why, sizeof why, "this service takes requests as %s", service->encoding);
        return fail_call(session, &request, why);
    }
    struct dpl_asked asked = asked_by(session, DPL_ASK_CALL, service->name);
    asked.value = data + 13 + encoding;
    asked.n_value = n - 13 - (size_t)encoding;
    return ask(session, &request, &asked);
}

/* ---- answers ---- */

static void send_values(struct foxglove_session *session, const char *id, json_t *values)
{
    json_t *parameters = json_array();
    const char *name;
    json_t *value;
    json_object_foreach(values, name, value)
    {
        json_array_append_new(parameters, json_pack("{s:s, s:O}", "name", name, "value", value));
    }
    json_t *out = json_pack("{s:s, s:o}", "op", "parameterValues", "parameters", parameters);
    if (id[0]) {
        json_object_set_new(out, "id", json_string(id));
    }
    char *text = json_dumps(out, JSON_COMPACT);
    if (text) {
        struct dpl_bytes bytes = {0};
        dpl_bytes_text(&bytes, text);
        foxglove_session_send(session, true, &bytes);
    }
    free(text);
    json_decref(out);
}

static json_t *load_values(const struct dpl_answer *answer)
{
    return answer->value ? json_loadb(answer->value, answer->n_value, 0, NULL) : NULL;
}

void foxglove_session_update(struct foxglove_session *session, const struct dpl_answer *answer)
{
    json_t *values = load_values(answer);
    send_values(session, "", values);
    json_decref(values);
}

void foxglove_values_end_part(struct foxglove_session *session, struct foxglove_values *values)
{
    if (!values || --values->n_open > 0) {
        return;
    }
    if (session && values->is_wanted) {
        send_values(session, values->id, values->object);
    }
    json_decref(values->object);
    free(values);
}

/* Who sets and is refused gets the value that holds, whether he has asked for it or not. */
static void take_values(struct foxglove_session *session, struct foxglove_values *values,
                        const struct dpl_answer *answer)
{
    json_t *object = load_values(answer);
    json_object_update(values->object, object);
    json_decref(object);
    if (answer->err < 0) {
        values->is_wanted = true;
        foxglove_session_status(session, 2, answer->why);
    }
}

static void answer_call(struct foxglove_session *session, const struct foxglove_request *request,
                        const struct dpl_answer *answer)
{
    struct dpl_bytes out = {0};
    const struct dpl_service_desc *service = foxglove_hub_service(session->hub, request->service);
    if (answer->err < 0) {
        fail_call(session, request, answer->why);
        return;
    }
    dpl_bytes_number(&out, 3, 1);
    dpl_bytes_number(&out, request->service, 4);
    dpl_bytes_number(&out, request->call, 4);
    dpl_bytes_number(&out, strlen(service->encoding), 4);
    dpl_bytes_text(&out, service->encoding);
    dpl_bytes_add(&out, answer->value, answer->n_value);
    foxglove_session_send(session, false, &out);
}

static void answer_asset(struct foxglove_session *session, const struct foxglove_request *request,
                         const struct dpl_answer *answer)
{
    struct dpl_bytes out = {0};
    const char *why = answer->err < 0 ? answer->why : "";
    dpl_bytes_number(&out, 4, 1);
    dpl_bytes_number(&out, request->call, 4);
    dpl_bytes_number(&out, answer->err < 0, 1);
    dpl_bytes_number(&out, strlen(why), 4);
    dpl_bytes_text(&out, why);
    if (answer->err >= 0) {
        dpl_bytes_add(&out, answer->value, answer->n_value);
    }
    foxglove_session_send(session, false, &out);
}

void foxglove_session_answer(struct foxglove_session *session,
                             const struct foxglove_request *request,
                             const struct dpl_answer *answer)
{
    if (request->what == DPL_ASK_CALL) {
        answer_call(session, request, answer);
    } else if (request->what == DPL_ASK_ASSET) {
        answer_asset(session, request, answer);
    } else if (request->values) {
        take_values(session, request->values, answer);
    } else if (answer->err < 0) {
        foxglove_session_status(session, 2, answer->why);
    }
}

/* ---- frames ---- */

static const struct {
    const char *op;
    int (*run)(struct foxglove_session *session, const json_t *command);
} commands[] = {
    {"subscribe", subscribe},
    {"unsubscribe", unsubscribe},
    {"advertise", advertise},
    {"unadvertise", unadvertise},
    {"getParameters", get_parameters},
    {"setParameters", set_parameters},
    {"subscribeParameterUpdates", watch_parameters},
    {"unsubscribeParameterUpdates", watch_parameters},
    {"subscribeConnectionGraph", watch_graph},
    {"unsubscribeConnectionGraph", watch_graph},
    {"fetchAsset", fetch_asset},
};

static int take_text(struct foxglove_session *session, const char *data, size_t n)
{
    json_error_t error;
    json_t *command = json_loadb(data, n, JSON_REJECT_DUPLICATES, &error);
    int r = -EPROTO;
    if (!command) {
        return refuse(session, "a command is JSON: %s", error.text);
    }
    const char *op = text_of(command, "op");
    size_t i = 0;
    while (i < sizeof commands / sizeof commands[0] && strcmp(commands[i].op, op) != 0) {
        i++;
    }
    if (i < sizeof commands / sizeof commands[0]) {
        r = commands[i].run(session, command);
    } else {
        r = refuse(session, "there is no command '%s'", op);
    }
    json_decref(command);
    return r;
}

int foxglove_session_take(struct foxglove_session *session, bool is_text, const void *data,
                          size_t n)
{
    const uint8_t *bytes = data;
    if (is_text) {
        return take_text(session, data, n);
    }
    if (n > 0 && bytes[0] == 1) {
        return publish(session, bytes, n);
    }
    if (n > 0 && bytes[0] == 2) {
        return call_service(session, bytes, n);
    }
    return refuse(session, "%s: its first byte is not known", "message");
}
