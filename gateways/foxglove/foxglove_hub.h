/* SPDX-License-Identifier: Apache-2.0 */
/* What all clients of the Foxglove gateway share: topics, services, requests on their way. No
 * sockets: tests and the fuzzer put frames into sessions directly. One thread. */
#ifndef DPL_GATEWAYS_FOXGLOVE_HUB_H
#define DPL_GATEWAYS_FOXGLOVE_HUB_H

#include <doppel/host/gateway.h>

#include "bytes.h"

#define FOXGLOVE_CLIENTS_MAX  16
#define FOXGLOVE_EVENTS_MAX   256  /* that a topic holds */
#define FOXGLOVE_REQUESTS_MAX 1024 /* on their way */

struct foxglove_session;
struct foxglove_values;

/* A request on its way, until it is answered. */
struct foxglove_request {
    uint64_t tag; /* 0: free */
    uint64_t session;
    enum dpl_ask what;
    struct foxglove_values *values; /* DPL_ASK_GET and DPL_ASK_SET: to which the answer belongs */
    uint32_t service, call;         /* DPL_ASK_CALL */
};

/* A message for those that join late. */
struct foxglove_held {
    struct dpl_bytes bytes;
    struct dpl_sample sample; /* data NULL: no memory */
};

/* A topic; if it is latched, with its newest message, or with its newest events. */
struct foxglove_topic {
    const struct dpl_topic *topic; /* NULL: none */
    struct foxglove_held *held;    /* [n_held], the newest last */
    size_t n_held;
};

struct foxglove_hub {
    struct dpl_gateway_setup setup;
    struct foxglove_topic *topics; /* index: id - 1 */
    size_t n_topics;
    const struct dpl_service_desc **services;
    size_t n_services;
    struct foxglove_session *sessions[FOXGLOVE_CLIENTS_MAX]; /* NULL: free */
    struct foxglove_request requests[FOXGLOVE_REQUESTS_MAX];
    uint64_t n_requests, n_sessions; /* ever */
    /* Called when a session has something to send. */
    void (*wants_to_send)(struct foxglove_session *session);
};

void foxglove_hub_finish(struct foxglove_hub *hub);
bool foxglove_hub_is_full(const struct foxglove_hub *hub); /* no more clients */
/* 0 or -ENOMEM. */
int foxglove_hub_add_topic(struct foxglove_hub *hub, const struct dpl_topic *topic);
int foxglove_hub_add_service(struct foxglove_hub *hub, const struct dpl_service_desc *service);
/* NULL: there is none of this id. */
const struct foxglove_topic *foxglove_hub_topic(const struct foxglove_hub *hub, uint32_t id);
const struct dpl_service_desc *foxglove_hub_service(const struct foxglove_hub *hub, uint32_t id);
void foxglove_hub_message(struct foxglove_hub *hub, const struct dpl_topic *topic,
                          const struct dpl_sample *sample);
void foxglove_hub_answer(struct foxglove_hub *hub, const struct dpl_answer *answer);
/* Tells all clients the run's time. */
void foxglove_hub_time(struct foxglove_hub *hub);
/* The same for those that subscribe to the graph. */
void foxglove_hub_graph_changed(struct foxglove_hub *hub);

/* Asks for a session; false: too many are on their way. */
bool foxglove_hub_ask(struct foxglove_hub *hub, const struct foxglove_request *request,
                      const struct dpl_asked *asked);

#endif
