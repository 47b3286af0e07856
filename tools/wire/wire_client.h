/* SPDX-License-Identifier: Apache-2.0 */
/* A client of the Foxglove WebSocket protocol (foxglove.websocket.v1), without the socket: it reads
 * the server's frames and makes those to it. What comes is checked: a server may be any program.
 * One thread; all functions allocate. */
#ifndef DOPPEL_WIRE_CLIENT_H
#define DOPPEL_WIRE_CLIENT_H

#include <doppel/time.h>
#include <jansson.h>

#include "bytes.h"
#include "proto_types.h"

#define WIRE_TOPICS_MAX   8192
#define WIRE_SERVICES_MAX 4096

/* How messages of a topic, a request or an answer are encoded. */
struct wire_schema {
    char *encoding;                      /* "protobuf", "json" */
    char *name, *language;               /* "doppel.Odometry", "protobuf" */
    struct dpl_bytes bytes;              /* of the schema: a FileDescriptorSet, JSON schema */
    struct proto_types *types;           /* private: made when it is used first */
    const struct proto_message *message; /* private */
};

struct wire_topic {
    uint32_t channel;
    char *name;
    struct wire_schema schema;
    uint32_t subscription; /* 0: none */
    uint64_t n_messages;   /* that have come */
    bool is_gone;          /* unadvertised */
    void *user;            /* the caller's */
};

struct wire_service {
    uint32_t id;
    char *name, *type;
    struct wire_schema request, answer;
};

/* Called by wire_client_take; NULL: not wanted. What they get is valid during the call. */
struct wire_events {
    void (*topic)(void *user, struct wire_topic *topic);
    void (*message)(void *user, struct wire_topic *topic, dpl_ns stamp, const uint8_t *data,
                    size_t n);
    void (*status)(void *user, int level, const char *text); /* 0 info, 1 warning, 2 error */
    void (*new_time)(void *user);                            /* client->now is new */
    /* `parameters`: [{"name", "value"}]; `id` of the request, "": an update. */
    void (*values)(void *user, const char *id, const json_t *parameters);
    void (*graph)(void *user, const json_t *update);
    /* The answer of a call; `why` NULL: `data` has it. */
    void (*answer)(void *user, uint32_t call, const uint8_t *data, size_t n, const char *why);
};

struct wire_client {
    struct wire_events events;
    void (*send)(void *user, bool is_text, const void *data, size_t n);
    void *user;                 /* of both */
    char *name;                 /* of the server; NULL: no serverInfo yet */
    char *role;                 /* "look", "control"; NULL: not told */
    bool is_greeted;            /* all topics and services that were there have come */
    dpl_ns now;                 /* of the run */
    struct wire_topic **topics; /* [n_topics]; they stay until the end */
    size_t n_topics;
    struct wire_service **services;
    size_t n_services;
    uint32_t n_subscriptions, n_calls; /* ever */
};

void wire_client_finish(struct wire_client *client);

/* A frame of the server: 0; -EPROTO with reterr: it makes no sense. */
int wire_client_take(struct wire_client *client, bool is_text, const void *data, size_t n,
                     struct dpl_diag *reterr);

struct wire_topic *wire_client_topic(const struct wire_client *client, const char *name);
struct wire_service *wire_client_service(const struct wire_client *client, const char *name);

/* Asks for the graph, whose answer is the end of the greeting. */
void wire_client_greet(struct wire_client *client);
void wire_client_subscribe(struct wire_client *client, struct wire_topic *topic);
void wire_client_unsubscribe(struct wire_client *client, struct wire_topic *topic);
/* All (NULL), or one. */
void wire_client_get(struct wire_client *client, const char *name, const char *id);
/* The value is borrowed. */
void wire_client_set(struct wire_client *client, const char *name, json_t *value, const char *id);
/* Calls a service with an encoded request. The number of the call. */
uint32_t wire_client_call(struct wire_client *client, const struct wire_service *service,
                          const struct dpl_bytes *request);
/* From now on messages are published to `topic` on the channel of this number; `type` NULL: no
 * type is told. */
void wire_client_advertise(struct wire_client *client, uint32_t channel, const char *topic,
                           const struct wire_schema *type);
void wire_client_publish(struct wire_client *client, uint32_t channel,
                         const struct dpl_bytes *message);

/* A message as JSON, which the caller owns; NULL with reterr. */
json_t *wire_decode(struct wire_schema *schema, const uint8_t *data, size_t n,
                    struct dpl_diag *reterr);
/* Adds a message to `out`; 0 or -errno with reterr. */
int wire_encode(struct wire_schema *schema, json_t *value, struct dpl_bytes *out,
                struct dpl_diag *reterr);
/* Frees what it has. */
void wire_schema_finish(struct wire_schema *schema);
/* The type; NULL with reterr: it is not protobuf, or damaged. */
const struct proto_message *wire_message(struct wire_schema *schema, struct dpl_diag *reterr);

#endif
