/* SPDX-License-Identifier: Apache-2.0 */
/* What goes to a client: its queue, and the texts of the protocol (foxglove.websocket.v1). What
 * comes from it is in foxglove_commands.c. */
#include "foxglove_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t foxglove_session_room;

/* ---- queue ---- */

static struct foxglove_frame *make_frame(size_t n)
{
    struct foxglove_frame *frame = calloc(1, sizeof *frame);
    uint8_t *memory = frame ? malloc(foxglove_session_room + n + 1) : NULL;
    if (!memory) {
        free(frame);
        return NULL;
    }
    frame->data = memory + foxglove_session_room;
    frame->n = n;
    return frame;
}

void foxglove_frame_free(struct foxglove_frame *frame)
{
    if (frame) {
        free(frame->data - foxglove_session_room);
        free(frame);
    }
}

static void append(struct foxglove_session *session, struct foxglove_frame *frame)
{
    *session->last = frame;
    session->last = &frame->next;
    session->backlog += frame->n;
    session->hub->wants_to_send(session);
}

static void tell_skipped(struct foxglove_session *session)
{
    if (session->n_skipped > session->n_told) {
        char text[128];
        snprintf(text, sizeof text, "%llu messages were skipped: the connection is too slow",
                 (unsigned long long)session->n_skipped);
        session->n_told = session->n_skipped;
        foxglove_session_status(session, 1, text);
    }
}

static struct foxglove_subscription *find(const struct foxglove_session *session, uint32_t id)
{
    size_t i = 0;
    while (i < session->n_subscriptions && session->subscriptions[i].id != id) {
        i++;
    }
    return i < session->n_subscriptions ? &session->subscriptions[i] : NULL;
}

struct foxglove_frame *foxglove_session_next(struct foxglove_session *session)
{
    struct foxglove_frame *frame = session->first;
    if (!frame) {
        return NULL;
    }
    struct foxglove_subscription *from =
        frame->is_message ? find(session, frame->subscription) : NULL;
    if (from && from->waiting == frame) {
        from->waiting = NULL;
    }
    session->first = frame->next;
    session->last = session->first ? session->last : &session->first;
    session->backlog -= frame->n;
    if (!session->first) {
        tell_skipped(session);
        if (session->graph_waits) {
            foxglove_session_graph(session);
        }
    }
    return frame;
}

void foxglove_session_send(struct foxglove_session *session, bool is_text, struct dpl_bytes *bytes)
{
    struct foxglove_frame *frame = bytes->failed ? NULL : make_frame(bytes->n);
    if (frame) {
        frame->is_text = is_text;
        memcpy(frame->data, bytes->data, bytes->n);
        append(session, frame);
    }
    dpl_bytes_finish(bytes);
}

/* ---- messages ---- */

/* The newest waiting message of the subscription gets this one's bytes: it stays behind older ones.
 */
static bool replace(struct foxglove_session *session, struct foxglove_subscription *subscription,
                    struct foxglove_frame *by)
{
    struct foxglove_frame *newest = subscription->waiting, old = *by;
    if (!newest) {
        return false;
    }
    session->backlog += by->n - newest->n;
    by->data = newest->data;
    by->n = newest->n;
    newest->data = old.data;
    newest->n = old.n;
    foxglove_frame_free(by);
    return true;
}

/* Of a client that wants fewer than there are. */
static bool is_too_soon(struct foxglove_subscription *subscription, dpl_ns stamp)
{
    dpl_ns since = stamp - subscription->last;
    bool is_soon = subscription->period > 0 && since >= 0 && since < subscription->period;
    subscription->last = is_soon ? subscription->last : stamp;
    return is_soon;
}

void foxglove_session_give(struct foxglove_session *session, uint32_t id,
                           const struct dpl_topic *topic, const struct dpl_sample *sample)
{
    struct foxglove_subscription *subscription = find(session, id);
    bool is_full = session->backlog > FOXGLOVE_BACKLOG;
    if (!subscription || is_too_soon(subscription, sample->stamp)) {
        return;
    }
    struct foxglove_frame *frame =
        is_full && topic->source == DPL_TOPIC_EVENTS ? NULL : make_frame(13 + sample->n);
    if (!frame) {
        session->n_skipped++;
        return;
    }
    frame->is_message = true;
    frame->subscription = id;
    frame->data[0] = 1;
    struct dpl_bytes head = {.data = frame->data, .n = 13, .capacity = 13};
    dpl_bytes_put(&head, 1, id, 4);
    dpl_bytes_put(&head, 5, (uint64_t)sample->stamp, 8);
    if (sample->n > 0) {
        memcpy(frame->data + 13, sample->data, sample->n);
    }
    if (is_full && replace(session, subscription, frame)) {
        session->n_skipped++;
    } else {
        append(session, frame);
        subscription->waiting = frame;
    }
}

void foxglove_session_message(struct foxglove_session *session, const struct dpl_topic *topic,
                              const struct dpl_sample *sample)
{
    for (size_t i = 0; i < session->n_subscriptions; i++) {
        if (session->subscriptions[i].topic == topic) {
            foxglove_session_give(session, session->subscriptions[i].id, topic, sample);
        }
    }
}

void foxglove_session_time(struct foxglove_session *session, dpl_ns now)
{
    if (session->backlog > FOXGLOVE_BACKLOG) {
        return;
    }
    struct dpl_bytes bytes = {0};
    dpl_bytes_number(&bytes, 2, 1);
    dpl_bytes_number(&bytes, (uint64_t)now, 8);
    foxglove_session_send(session, false, &bytes);
}

/* ---- texts ---- */

static void add_member(struct dpl_bytes *out, const char *name, const char *value)
{
    dpl_bytes_printf(out, "\"%s\":", name);
    dpl_bytes_json(out, value);
}

/* A schema as a text: itself, or a FileDescriptorSet as base64. */
static void add_schema(struct dpl_bytes *out, const char *name, const char *encoding,
                       const void *schema, size_t n)
{
    dpl_bytes_printf(out, ",\"%s\":", name);
    if (strcmp(encoding, "protobuf") == 0) {
        dpl_bytes_text(out, "\"");
        dpl_bytes_base64(out, schema, n);
        dpl_bytes_text(out, "\"");
        return;
    }
    char *text = malloc(n + 1);
    out->failed |= !text;
    if (text) {
        memcpy(text, schema, n);
        text[n] = '\0';
        dpl_bytes_json(out, text);
        free(text);
    }
}

static void add_channel(struct dpl_bytes *out, const struct dpl_topic *topic)
{
    dpl_bytes_printf(out, "{\"id\":%u,", topic->id);
    add_member(out, "topic", topic->name);
    dpl_bytes_text(out, ",");
    add_member(out, "encoding", topic->encoding);
    dpl_bytes_text(out, ",");
    add_member(out, "schemaName", topic->schema_name);
    dpl_bytes_text(out, ",");
    add_member(out, "schemaEncoding", topic->schema_encoding);
    add_schema(out, "schema", topic->schema_encoding, topic->schema, topic->n_schema);
    dpl_bytes_text(out, "}");
}

void foxglove_session_topic(struct foxglove_session *session, const struct dpl_topic *topic)
{
    struct dpl_bytes out = {0};
    dpl_bytes_text(&out, "{\"op\":\"advertise\",\"channels\":[");
    add_channel(&out, topic);
    dpl_bytes_text(&out, "]}");
    foxglove_session_send(session, true, &out);
}

/* How a request or a response is encoded. */
static void add_format(struct dpl_bytes *out, const struct dpl_service_desc *service,
                       const char *schema_name, const void *schema, size_t n)
{
    dpl_bytes_text(out, "{");
    add_member(out, "encoding", service->encoding);
    dpl_bytes_text(out, ",");
    add_member(out, "schemaName", schema_name);
    dpl_bytes_text(out, ",");
    add_member(out, "schemaEncoding", service->schema_encoding);
    add_schema(out, "schema", service->schema_encoding, schema, n);
    dpl_bytes_text(out, "}");
}

static void add_service(struct dpl_bytes *out, const struct dpl_service_desc *service)
{
    dpl_bytes_printf(out, "{\"id\":%u,", service->id);
    add_member(out, "name", service->name);
    dpl_bytes_text(out, ",");
    add_member(out, "type", service->type);
    dpl_bytes_text(out, ",\"request\":");
    add_format(out, service, service->request_schema_name, service->request_schema,
               service->n_request_schema);
    dpl_bytes_text(out, ",\"response\":");
    add_format(out, service, service->response_schema_name, service->response_schema,
               service->n_response_schema);
    dpl_bytes_text(out, "}");
}

void foxglove_session_service(struct foxglove_session *session,
                              const struct dpl_service_desc *service)
{
    struct dpl_bytes out = {0};
    dpl_bytes_text(&out, "{\"op\":\"advertiseServices\",\"services\":[");
    add_service(&out, service);
    dpl_bytes_text(&out, "]}");
    foxglove_session_send(session, true, &out);
}

void foxglove_session_status(struct foxglove_session *session, int level, const char *text)
{
    struct dpl_bytes out = {0};
    dpl_bytes_printf(&out, "{\"op\":\"status\",\"level\":%d,", level);
    add_member(&out, "message", text);
    dpl_bytes_text(&out, "}");
    foxglove_session_send(session, true, &out);
}

static void greet(struct foxglove_session *session)
{
    const struct foxglove_hub *hub = session->hub;
    struct dpl_bytes out = {0};
    dpl_bytes_text(&out, "{\"op\":\"serverInfo\",");
    add_member(&out, "name", hub->setup.name);
    dpl_bytes_text(&out, ",\"capabilities\":[\"time\",\"parameters\",\"parametersSubscribe\","
                         "\"connectionGraph\"");
    dpl_bytes_text(&out, session->role == DPL_ROLE_CONTROL ? ",\"clientPublish\"" : "");
    dpl_bytes_text(&out, hub->n_services > 0 ? ",\"services\"" : "");
    dpl_bytes_text(&out, "],"
                         "\"supportedEncodings\":[\"protobuf\",\"json\"],\"metadata\":{");
    add_member(&out, "role", session->role == DPL_ROLE_CONTROL ? "control" : "look");
    dpl_bytes_text(&out, ",");
    add_member(&out, "who", session->who);
    dpl_bytes_text(&out, "}}");
    foxglove_session_send(session, true, &out);
    dpl_bytes_text(&out, "{\"op\":\"advertise\",\"channels\":[");
    const char *comma = "";
    for (size_t i = 0; i < hub->n_topics; i++) {
        if (hub->topics[i].topic) {
            dpl_bytes_text(&out, comma);
            add_channel(&out, hub->topics[i].topic);
            comma = ",";
        }
    }
    dpl_bytes_text(&out, "]}");
    foxglove_session_send(session, true, &out);
    for (size_t i = 0; i < hub->n_services; i++) {
        foxglove_session_service(session, hub->services[i]);
    }
}

/* ---- who talks with whom ---- */

bool foxglove_session_subscribes(const struct foxglove_session *session,
                                 const struct dpl_topic *topic)
{
    size_t i = 0;
    while (i < session->n_subscriptions && session->subscriptions[i].topic != topic) {
        i++;
    }
    return i < session->n_subscriptions;
}

static void add_id(struct dpl_bytes *out, const char *id)
{
    dpl_bytes_text(out, out->n > 0 ? "," : "");
    dpl_bytes_json(out, id);
}

/* Components and viewers. */
static void add_subscribers(const struct foxglove_hub *hub, const struct dpl_topic *topic,
                            struct dpl_bytes *out)
{
    for (size_t i = 0; i < topic->n_subscribers; i++) {
        add_id(out, topic->subscribers[i]);
    }
    for (size_t i = 0; i < FOXGLOVE_CLIENTS_MAX; i++) {
        if (hub->sessions[i] && foxglove_session_subscribes(hub->sessions[i], topic)) {
            add_id(out, hub->sessions[i]->who);
        }
    }
}

static void add_publisher(const struct foxglove_hub *hub, const struct dpl_topic *topic,
                          struct dpl_bytes *out)
{
    add_id(out, topic->publisher && *topic->publisher ? topic->publisher : hub->setup.name);
}

/* The topics with those that `add_ids` finds; one without any is left out. */
static void add_ends(struct dpl_bytes *out, const struct foxglove_hub *hub, const char *name,
                     void (*add_ids)(const struct foxglove_hub *hub, const struct dpl_topic *topic,
                                     struct dpl_bytes *ids))
{
    const char *comma = "";
    for (size_t i = 0; i < hub->n_topics; i++) {
        const struct dpl_topic *topic = hub->topics[i].topic;
        struct dpl_bytes ids = {0};
        if (topic) {
            add_ids(hub, topic, &ids);
        }
        if (ids.n > 0) {
            dpl_bytes_printf(out, "%s{", comma);
            add_member(out, "name", topic->name);
            dpl_bytes_printf(out, ",\"%s\":[", name);
            dpl_bytes_add(out, ids.data, ids.n);
            dpl_bytes_text(out, "]}");
            comma = ",";
        }
        dpl_bytes_finish(&ids);
    }
}

void foxglove_session_graph(struct foxglove_session *session)
{
    const struct foxglove_hub *hub = session->hub;
    struct dpl_bytes out = {0};
    session->graph_waits = session->backlog > FOXGLOVE_BACKLOG;
    if (session->graph_waits) {
        return;
    }
    dpl_bytes_text(&out, "{\"op\":\"connectionGraphUpdate\",\"publishedTopics\":[");
    add_ends(&out, hub, "publisherIds", add_publisher);
    dpl_bytes_text(&out, "],\"subscribedTopics\":[");
    add_ends(&out, hub, "subscriberIds", add_subscribers);
    dpl_bytes_text(&out, "],\"advertisedServices\":[");
    for (size_t i = 0; i < hub->n_services; i++) {
        const struct dpl_service_desc *service = hub->services[i];
        dpl_bytes_text(&out, i > 0 ? ",{" : "{");
        add_member(&out, "name", service->name);
        dpl_bytes_text(&out, ",\"providerIds\":[");
        dpl_bytes_json(&out, *service->provider ? service->provider : hub->setup.name);
        dpl_bytes_text(&out, "]}");
    }
    dpl_bytes_text(&out, "],\"removedTopics\":[],\"removedServices\":[]}");
    foxglove_session_send(session, true, &out);
}

/* ---- life ---- */

struct foxglove_session *foxglove_session_create(struct foxglove_hub *hub, const char *who,
                                                 enum dpl_role role, void *connection)
{
    size_t place = 0;
    while (place < FOXGLOVE_CLIENTS_MAX && hub->sessions[place]) {
        place++;
    }
    struct foxglove_session *session =
        place < FOXGLOVE_CLIENTS_MAX ? calloc(1, sizeof *session) : NULL;
    if (!session) {
        return NULL;
    }
    session->hub = hub;
    session->connection = connection;
    session->number = ++hub->n_sessions;
    session->role = role;
    session->last = &session->first;
    snprintf(session->who, sizeof session->who, "%s", who);
    hub->sessions[place] = session;
    greet(session);
    return session;
}

void foxglove_session_destroy(struct foxglove_session *session)
{
    if (!session) {
        return;
    }
    struct foxglove_hub *hub = session->hub;
    if (session->role == DPL_ROLE_CONTROL) {
        struct dpl_asked leave = {
            .what = DPL_ASK_LEAVE, .who = session->who, .name = "", .value = ""};
        hub->setup.ops->ask(hub->setup.observer, hub, &leave);
    }
    for (size_t i = 0; i < session->n_subscriptions; i++) {
        hub->setup.ops->listen(hub->setup.observer, session->subscriptions[i].topic, -1);
    }
    for (size_t i = 0; i < FOXGLOVE_CLIENTS_MAX; i++) {
        hub->sessions[i] = hub->sessions[i] == session ? NULL : hub->sessions[i];
    }
    while (session->first) {
        struct foxglove_frame *frame = session->first;
        session->first = frame->next;
        foxglove_frame_free(frame);
    }
    free(session->subscriptions);
    free(session);
}
