/* SPDX-License-Identifier: Apache-2.0 */
#include "wire_client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto_json.h"

static const struct dpl_place nowhere;

/* ---- what the server tells ---- */

static int refuse(struct dpl_diag *reterr, const char *what)
{
    return dpl_fail(reterr, -EPROTO, nowhere, "the server does not speak as expected: %s", what);
}

/* A copy, cleaned; "": not there or no text. */
static char *copy_text(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return strdup(text ? text : "");
}

static bool id_of(const json_t *value, uint32_t *ret_id)
{
    json_int_t id = json_is_integer(value) ? json_integer_value(value) : -1;
    *ret_id = (uint32_t)id;
    return id >= 0 && id <= UINT32_MAX;
}

static int read_schema(const json_t *object, const char *name_key, struct wire_schema *schema)
{
    const json_t *text = json_object_get(object, "schema");
    const char *data = json_is_string(text) ? json_string_value(text) : "";
    schema->encoding = copy_text(object, "encoding");
    schema->name = copy_text(object, name_key);
    schema->language = copy_text(object, "schemaEncoding");
    if (!schema->encoding || !schema->name || !schema->language) {
        return -ENOMEM;
    }
    if (strcmp(schema->language, "protobuf") != 0) {
        dpl_bytes_text(&schema->bytes, data);
        return schema->bytes.failed ? -ENOMEM : 0;
    }
    return wire_base64(data, strlen(data), &schema->bytes) < 0 ? -EPROTO
           : schema->bytes.failed                              ? -ENOMEM
                                                               : 0;
}

void wire_schema_finish(struct wire_schema *schema)
{
    free(schema->encoding);
    free(schema->name);
    free(schema->language);
    dpl_bytes_finish(&schema->bytes);
    proto_types_destroy(schema->types);
}

static void free_topic(struct wire_topic *topic)
{
    free(topic->name);
    wire_schema_finish(&topic->schema);
    free(topic);
}

static void free_service(struct wire_service *service)
{
    free(service->name);
    free(service->type);
    wire_schema_finish(&service->request);
    wire_schema_finish(&service->answer);
    free(service);
}

/* Room for one more pointer in a list; NULL: no memory, or `most` are there. */
static void *grow(void *list, size_t n, size_t most)
{
    return n < most ? realloc(list, (n + 1) * sizeof(void *)) : NULL;
}

static int advertise_one(struct wire_client *client, const json_t *channel, struct dpl_diag *reterr)
{
    struct wire_topic *topic = calloc(1, sizeof *topic);
    struct wire_topic **topics = grow(client->topics, client->n_topics, WIRE_TOPICS_MAX);
    client->topics = topics ? topics : client->topics;
    bool is_named =
        id_of(json_object_get(channel, "id"), topic ? &topic->channel : &(uint32_t){0}) &&
        json_is_string(json_object_get(channel, "topic"));
    if (!topic || !topics || !is_named || !(topic->name = copy_text(channel, "topic")) ||
        read_schema(channel, "schemaName", &topic->schema) < 0) {
        if (topic) {
            free_topic(topic);
        }
        return refuse(reterr, "a channel has no id, topic or schema, or there are too many");
    }
    topics[client->n_topics++] = topic;
    if (client->events.topic) {
        client->events.topic(client->user, topic);
    }
    return 0;
}

static int on_advertise(struct wire_client *client, const json_t *command, struct dpl_diag *reterr)
{
    size_t i;
    json_t *channel;
    int r = 0;
    json_array_foreach(json_object_get(command, "channels"), i, channel)
    {
        r = r < 0 ? r : advertise_one(client, channel, reterr);
    }
    return r;
}

static int on_unadvertise(struct wire_client *client, const json_t *command,
                          struct dpl_diag *reterr)
{
    size_t i;
    json_t *value;
    (void)reterr;
    json_array_foreach(json_object_get(command, "channelIds"), i, value)
    {
        uint32_t id;
        for (size_t k = 0; id_of(value, &id) && k < client->n_topics; k++) {
            client->topics[k]->is_gone |= client->topics[k]->channel == id;
        }
    }
    return 0;
}

static int offer_one(struct wire_client *client, const json_t *described, struct dpl_diag *reterr)
{
    struct wire_service *service = calloc(1, sizeof *service);
    struct wire_service **services = grow(client->services, client->n_services, WIRE_SERVICES_MAX);
    client->services = services ? services : client->services;
    bool is_named =
        id_of(json_object_get(described, "id"), service ? &service->id : &(uint32_t){0}) &&
        json_is_string(json_object_get(described, "name"));
    if (!service || !services || !is_named || !(service->name = copy_text(described, "name")) ||
        !(service->type = copy_text(described, "type")) ||
        read_schema(json_object_get(described, "request"), "schemaName", &service->request) < 0 ||
        read_schema(json_object_get(described, "response"), "schemaName", &service->answer) < 0) {
        if (service) {
            free_service(service);
        }
        return refuse(reterr, "a service has no id, name or schema, or there are too many");
    }
    services[client->n_services++] = service;
    return 0;
}

static int on_services(struct wire_client *client, const json_t *command, struct dpl_diag *reterr)
{
    size_t i;
    json_t *service;
    int r = 0;
    json_array_foreach(json_object_get(command, "services"), i, service)
    {
        r = r < 0 ? r : offer_one(client, service, reterr);
    }
    return r;
}

static int on_info(struct wire_client *client, const json_t *command, struct dpl_diag *reterr)
{
    const json_t *metadata = json_object_get(command, "metadata");
    if (client->name) {
        return refuse(reterr, "it greets twice");
    }
    client->name = copy_text(command, "name");
    client->role = json_object_get(metadata, "role") ? copy_text(metadata, "role") : NULL;
    return client->name ? 0 : -ENOMEM;
}

static int on_graph(struct wire_client *client, const json_t *command, struct dpl_diag *reterr)
{
    (void)reterr;
    client->is_greeted = client->name != NULL;
    if (client->events.graph) {
        client->events.graph(client->user, command);
    }
    return 0;
}

static int on_status(struct wire_client *client, const json_t *command, struct dpl_diag *reterr)
{
    const char *text = json_string_value(json_object_get(command, "message"));
    (void)reterr;
    if (client->events.status && text) {
        client->events.status(client->user,
                              (int)json_integer_value(json_object_get(command, "level")), text);
    }
    return 0;
}

static int on_values(struct wire_client *client, const json_t *command, struct dpl_diag *reterr)
{
    const char *id = json_string_value(json_object_get(command, "id"));
    const json_t *parameters = json_object_get(command, "parameters");
    size_t i;
    json_t *parameter;
    json_array_foreach(parameters, i, parameter)
    {
        if (!json_is_string(json_object_get(parameter, "name"))) {
            return refuse(reterr, "a parameter has no name");
        }
    }
    if (client->events.values) {
        client->events.values(client->user, id ? id : "", parameters);
    }
    return 0;
}

static int on_failure(struct wire_client *client, const json_t *command, struct dpl_diag *reterr)
{
    const char *why = json_string_value(json_object_get(command, "message"));
    uint32_t call;
    if (!id_of(json_object_get(command, "callId"), &call)) {
        return refuse(reterr, "a failure names no call");
    }
    if (client->events.answer) {
        client->events.answer(client->user, call, NULL, 0, why ? why : "it failed");
    }
    return 0;
}

static int take_text(struct wire_client *client, const char *data, size_t n,
                     struct dpl_diag *reterr)
{
    static const struct {
        const char *op;
        int (*run)(struct wire_client *client, const json_t *command, struct dpl_diag *reterr);
    } commands[] = {
        {"serverInfo", on_info},
        {"advertise", on_advertise},
        {"unadvertise", on_unadvertise},
        {"advertiseServices", on_services},
        {"status", on_status},
        {"parameterValues", on_values},
        {"serviceCallFailure", on_failure},
        {"connectionGraphUpdate", on_graph},
    };
    json_t *command = json_loadb(data, n, 0, NULL);
    const char *op = json_string_value(json_object_get(command, "op"));
    int r = op ? 0 : refuse(reterr, "a text is no command");
    for (size_t i = 0; op && i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(commands[i].op, op) == 0) {
            r = commands[i].run(client, command, reterr);
            break;
        }
    }
    json_decref(command);
    return r;
}

/* ---- messages ---- */

static int take_message(struct wire_client *client, const uint8_t *data, size_t n,
                        struct dpl_diag *reterr)
{
    if (n < 13) {
        return refuse(reterr, "a message is cut off");
    }
    uint32_t subscription = (uint32_t)dpl_bytes_get(data + 1, 4);
    for (size_t i = 0; subscription > 0 && i < client->n_topics; i++) {
        if (client->topics[i]->subscription == subscription) {
            client->topics[i]->n_messages++;
            client->events.message(client->user, client->topics[i],
                                   (dpl_ns)dpl_bytes_get(data + 5, 8), data + 13, n - 13);
            return 0;
        }
    }
    return 0; /* of a subscription that has ended */
}

static int take_answer(struct wire_client *client, const uint8_t *data, size_t n,
                       struct dpl_diag *reterr)
{
    uint64_t encoding = n < 13 ? 0 : dpl_bytes_get(data + 9, 4);
    if (n < 13 || encoding > n - 13) {
        return refuse(reterr, "an answer is cut off");
    }
    if (client->events.answer) {
        client->events.answer(client->user, (uint32_t)dpl_bytes_get(data + 5, 4),
                              data + 13 + encoding, n - 13 - (size_t)encoding, NULL);
    }
    return 0;
}

int wire_client_take(struct wire_client *client, bool is_text, const void *data, size_t n,
                     struct dpl_diag *reterr)
{
    const uint8_t *bytes = data;
    if (is_text) {
        return take_text(client, data, n, reterr);
    }
    if (n > 0 && bytes[0] == 1 && client->events.message) {
        return take_message(client, bytes, n, reterr);
    }
    if (n == 9 && bytes[0] == 2) {
        client->now = (dpl_ns)dpl_bytes_get(bytes + 1, 8);
        if (client->events.new_time) {
            client->events.new_time(client->user);
        }
    } else if (n > 0 && bytes[0] == 3) {
        return take_answer(client, bytes, n, reterr);
    }
    return 0; /* what is not known is passed over */
}

struct wire_topic *wire_client_topic(const struct wire_client *client, const char *name)
{
    for (size_t i = 0; i < client->n_topics; i++) {
        if (!client->topics[i]->is_gone && strcmp(client->topics[i]->name, name) == 0) {
            return client->topics[i];
        }
    }
    return NULL;
}

struct wire_service *wire_client_service(const struct wire_client *client, const char *name)
{
    for (size_t i = 0; i < client->n_services; i++) {
        if (strcmp(client->services[i]->name, name) == 0) {
            return client->services[i];
        }
    }
    return NULL;
}

void wire_client_finish(struct wire_client *client)
{
    for (size_t i = 0; i < client->n_topics; i++) {
        free_topic(client->topics[i]);
    }
    for (size_t i = 0; i < client->n_services; i++) {
        free_service(client->services[i]);
    }
    free(client->topics);
    free(client->services);
    free(client->name);
    free(client->role);
    *client = (struct wire_client){0};
}

/* ---- what the server is told ---- */

static void send_command(struct wire_client *client, json_t *command)
{
    char *text = command ? json_dumps(command, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    if (text) {
        client->send(client->user, true, text, strlen(text));
    }
    free(text);
    json_decref(command);
}

static void send_bytes(struct wire_client *client, struct dpl_bytes *bytes)
{
    if (!bytes->failed) {
        client->send(client->user, false, bytes->data, bytes->n);
    }
    dpl_bytes_finish(bytes);
}

void wire_client_greet(struct wire_client *client)
{
    send_command(client, json_pack("{s:s}", "op", "subscribeConnectionGraph"));
    send_command(client, json_pack("{s:s}", "op", "unsubscribeConnectionGraph"));
}

void wire_client_subscribe(struct wire_client *client, struct wire_topic *topic)
{
    topic->subscription = ++client->n_subscriptions;
    send_command(client, json_pack("{s:s, s:[{s:I, s:I}]}", "op", "subscribe", "subscriptions",
                                   "id", (json_int_t)topic->subscription, "channelId",
                                   (json_int_t)topic->channel));
}

void wire_client_unsubscribe(struct wire_client *client, struct wire_topic *topic)
{
    send_command(client, json_pack("{s:s, s:[I]}", "op", "unsubscribe", "subscriptionIds",
                                   (json_int_t)topic->subscription));
    topic->subscription = 0;
}

void wire_client_get(struct wire_client *client, const char *name, const char *id)
{
    json_t *names = name ? json_pack("[s]", name) : json_array();
    send_command(client, json_pack("{s:s, s:s, s:o}", "op", "getParameters", "id", id,
                                   "parameterNames", names));
}

void wire_client_set(struct wire_client *client, const char *name, json_t *value, const char *id)
{
    send_command(client, json_pack("{s:s, s:s, s:[{s:s, s:O}]}", "op", "setParameters", "id", id,
                                   "parameters", "name", name, "value", value));
}

uint32_t wire_client_call(struct wire_client *client, const struct wire_service *service,
                          const struct dpl_bytes *request)
{
    struct dpl_bytes out = {0};
    dpl_bytes_number(&out, 2, 1);
    dpl_bytes_number(&out, service->id, 4);
    dpl_bytes_number(&out, ++client->n_calls, 4);
    dpl_bytes_number(&out, strlen(service->request.encoding), 4);
    dpl_bytes_text(&out, service->request.encoding);
    dpl_bytes_add(&out, request->data, request->n);
    send_bytes(client, &out);
    return client->n_calls;
}

void wire_client_advertise(struct wire_client *client, uint32_t channel, const char *topic,
                           const struct wire_schema *type)
{
    send_command(client,
                 json_pack("{s:s, s:[{s:I, s:s, s:s, s:s}]}", "op", "advertise", "channels", "id",
                           (json_int_t)channel, "topic", topic, "encoding",
                           type ? type->encoding : "json", "schemaName", type ? type->name : ""));
}

void wire_client_publish(struct wire_client *client, uint32_t channel,
                         const struct dpl_bytes *message)
{
    struct dpl_bytes out = {0};
    dpl_bytes_number(&out, 1, 1);
    dpl_bytes_number(&out, channel, 4);
    dpl_bytes_add(&out, message->data, message->n);
    send_bytes(client, &out);
}

/* ---- messages as JSON ---- */

const struct proto_message *wire_message(struct wire_schema *schema, struct dpl_diag *reterr)
{
    if (schema->message) {
        return schema->message;
    }
    if (strcmp(schema->encoding, "protobuf") != 0) {
        dpl_fail(reterr, -EPROTO, nowhere, "messages are encoded as '%.40s', which is not known",
                 schema->encoding);
        return NULL;
    }
    if (!schema->types &&
        proto_types_read(schema->bytes.data, schema->bytes.n, &schema->types, reterr) < 0) {
        return NULL;
    }
    schema->message = proto_types_find(schema->types, schema->name);
    if (!schema->message) {
        dpl_fail(reterr, -EPROTO, nowhere, "the description lacks its type %.200s", schema->name);
    }
    return schema->message;
}

json_t *wire_decode(struct wire_schema *schema, const uint8_t *data, size_t n,
                    struct dpl_diag *reterr)
{
    json_error_t error;
    if (strcmp(schema->encoding, "json") != 0) {
        const struct proto_message *message = wire_message(schema, reterr);
        return message ? proto_to_json(message, data, n, reterr) : NULL;
    }
    json_t *value = json_loadb((const char *)data, n, JSON_DECODE_ANY, &error);
    if (!value) {
        dpl_fail(reterr, -EBADMSG, nowhere, "a message is damaged: %s", error.text);
    }
    return value;
}

int wire_encode(struct wire_schema *schema, json_t *value, struct dpl_bytes *out,
                struct dpl_diag *reterr)
{
    if (strcmp(schema->encoding, "json") != 0) {
        const struct proto_message *message = wire_message(schema, reterr);
        return message ? proto_from_json(message, value, out, reterr) : -EPROTO;
    }
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    dpl_bytes_text(out, text ? text : "");
    free(text);
    return out->failed ? -ENOMEM : 0;
}
