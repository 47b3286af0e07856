/* SPDX-License-Identifier: Apache-2.0 */
#include "foxglove_hub.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "foxglove_session.h"

void foxglove_hub_finish(struct foxglove_hub *hub)
{
    for (size_t i = 0; i < FOXGLOVE_CLIENTS_MAX; i++) {
        foxglove_session_destroy(hub->sessions[i]);
    }
    for (size_t i = 0; i < FOXGLOVE_REQUESTS_MAX; i++) {
        if (hub->requests[i].tag != 0) {
            foxglove_values_end_part(NULL, hub->requests[i].values);
        }
    }
    for (size_t i = 0; i < hub->n_topics; i++) {
        for (size_t k = 0; k < hub->topics[i].n_held; k++) {
            dpl_bytes_finish(&hub->topics[i].held[k].bytes);
        }
        free(hub->topics[i].held);
    }
    free(hub->topics);
    free(hub->services);
}

bool foxglove_hub_is_full(const struct foxglove_hub *hub)
{
    size_t i = 0;
    while (i < FOXGLOVE_CLIENTS_MAX && hub->sessions[i]) {
        i++;
    }
    return i == FOXGLOVE_CLIENTS_MAX;
}

int foxglove_hub_add_topic(struct foxglove_hub *hub, const struct dpl_topic *topic)
{
    if (topic->id > hub->n_topics) {
        struct foxglove_topic *topics = realloc(hub->topics, topic->id * sizeof *topics);
        if (!topics) {
            return -ENOMEM;
        }
        memset(topics + hub->n_topics, 0, (topic->id - hub->n_topics) * sizeof *topics);
        hub->topics = topics;
        hub->n_topics = topic->id;
    }
    hub->topics[topic->id - 1].topic = topic;
    for (size_t i = 0; i < FOXGLOVE_CLIENTS_MAX; i++) {
        if (hub->sessions[i]) {
            foxglove_session_topic(hub->sessions[i], topic);
        }
    }
    return 0;
}

int foxglove_hub_add_service(struct foxglove_hub *hub, const struct dpl_service_desc *service)
{
    const struct dpl_service_desc **services =
        realloc(hub->services, (hub->n_services + 1) * sizeof *services);
    if (!services) {
        return -ENOMEM;
    }
    hub->services = services;
    services[hub->n_services++] = service;
    for (size_t i = 0; i < FOXGLOVE_CLIENTS_MAX; i++) {
        if (hub->sessions[i]) {
            foxglove_session_service(hub->sessions[i], service);
        }
    }
    return 0;
}

const struct foxglove_topic *foxglove_hub_topic(const struct foxglove_hub *hub, uint32_t id)
{
    return id > 0 && id <= hub->n_topics && hub->topics[id - 1].topic ? &hub->topics[id - 1] : NULL;
}

const struct dpl_service_desc *foxglove_hub_service(const struct foxglove_hub *hub, uint32_t id)
{
    size_t i = 0;
    while (i < hub->n_services && hub->services[i]->id != id) {
        i++;
    }
    return i < hub->n_services ? hub->services[i] : NULL;
}

/* Room for one more message; else the oldest one's. NULL: there is none. */
static struct foxglove_held *make_room(struct foxglove_topic *topic)
{
    size_t most = topic->topic->source == DPL_TOPIC_EVENTS ? FOXGLOVE_EVENTS_MAX : 1;
    if (topic->n_held == most) {
        struct foxglove_held oldest = topic->held[0];
        memmove(topic->held, topic->held + 1, (most - 1) * sizeof oldest);
        topic->held[most - 1] = oldest;
        return &topic->held[most - 1];
    }
    struct foxglove_held *held = realloc(topic->held, (topic->n_held + 1) * sizeof *held);
    if (!held) {
        return NULL;
    }
    topic->held = held;
    held[topic->n_held] = (struct foxglove_held){.bytes = {0}};
    return &held[topic->n_held++];
}

/* For those that join late. */
static void hold(struct foxglove_topic *topic, const struct dpl_sample *sample)
{
    struct foxglove_held *held = make_room(topic);
    if (held) {
        held->bytes.n = 0;
        dpl_bytes_add(&held->bytes, sample->data, sample->n);
        held->sample = *sample;
        held->sample.data = held->bytes.failed ? NULL : held->bytes.data;
    }
}

void foxglove_hub_message(struct foxglove_hub *hub, const struct dpl_topic *topic,
                          const struct dpl_sample *sample)
{
    if (topic->latched && foxglove_hub_topic(hub, topic->id)) {
        hold(&hub->topics[topic->id - 1], sample);
    }
    for (size_t i = 0; i < FOXGLOVE_CLIENTS_MAX; i++) {
        if (hub->sessions[i]) {
            foxglove_session_message(hub->sessions[i], topic, sample);
        }
    }
}

bool foxglove_hub_ask(struct foxglove_hub *hub, const struct foxglove_request *request,
                      const struct dpl_asked *asked)
{
    for (size_t i = 0; i < FOXGLOVE_REQUESTS_MAX; i++) {
        if (hub->requests[i].tag == 0) {
            struct dpl_asked tagged = *asked;
            hub->requests[i] = *request;
            hub->requests[i].tag = tagged.tag = ++hub->n_requests;
            hub->setup.ops->ask(hub->setup.observer, hub, &tagged);
            return true;
        }
    }
    return false;
}

static struct foxglove_session *find_session(const struct foxglove_hub *hub, uint64_t number)
{
    for (size_t i = 0; i < FOXGLOVE_CLIENTS_MAX; i++) {
        if (hub->sessions[i] && hub->sessions[i]->number == number) {
            return hub->sessions[i];
        }
    }
    return NULL;
}

/* A parameter was set: for those that subscribe to them. */
static void tell_parameters(struct foxglove_hub *hub, uint64_t setter,
                            const struct dpl_answer *answer)
{
    for (size_t i = 0; i < FOXGLOVE_CLIENTS_MAX; i++) {
        struct foxglove_session *session = hub->sessions[i];
        if (session && session->wants_parameters && session->number != setter) {
            foxglove_session_update(session, answer);
        }
    }
}

void foxglove_hub_answer(struct foxglove_hub *hub, const struct dpl_answer *answer)
{
    for (size_t i = 0; i < FOXGLOVE_REQUESTS_MAX; i++) {
        struct foxglove_request request = hub->requests[i];
        if (request.tag != 0 && request.tag == answer->tag) {
            hub->requests[i].tag = 0;
            struct foxglove_session *session = find_session(hub, request.session);
            if (session) {
                foxglove_session_answer(session, &request, answer);
            }
            foxglove_values_end_part(session, request.values);
            if (request.what == DPL_ASK_SET && answer->err == 0) {
                tell_parameters(hub, request.session, answer);
            }
            return;
        }
    }
}

void foxglove_hub_time(struct foxglove_hub *hub)
{
    dpl_ns now = hub->setup.ops->now(hub->setup.observer);
    for (size_t i = 0; i < FOXGLOVE_CLIENTS_MAX; i++) {
        if (hub->sessions[i]) {
            foxglove_session_time(hub->sessions[i], now);
        }
    }
}

void foxglove_hub_graph_changed(struct foxglove_hub *hub)
{
    for (size_t i = 0; i < FOXGLOVE_CLIENTS_MAX; i++) {
        if (hub->sessions[i] && hub->sessions[i]->wants_graph) {
            foxglove_session_graph(hub->sessions[i]);
        }
    }
}
