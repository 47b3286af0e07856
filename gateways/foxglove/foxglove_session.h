/* SPDX-License-Identifier: Apache-2.0 */
/* A client of the Foxglove gateway: its subscriptions, and frames to and from it. What it has not
 * taken yet waits in a queue. While that is short, each message is in it; beyond FOXGLOVE_BACKLOG
 * bytes a topic has its newest message only (events: the new ones are left out), and what is
 * skipped is counted and told. So a client that stops reading costs a bounded amount of memory. */
#ifndef DPL_GATEWAYS_FOXGLOVE_SESSION_H
#define DPL_GATEWAYS_FOXGLOVE_SESSION_H

#include "bytes.h"
#include "foxglove_hub.h"

#define FOXGLOVE_BACKLOG           (256u << 10)
#define FOXGLOVE_FRAME_MAX         (1u << 20) /* bytes of a client's frame */
#define FOXGLOVE_SUBSCRIPTIONS_MAX 4096u

struct foxglove_subscription {
    uint32_t id;
    const struct dpl_topic *topic;
    dpl_ns period, last;            /* at most one message each period; 0: all */
    struct foxglove_frame *waiting; /* its newest message in the queue; NULL: none */
};

/* A frame that waits. */
struct foxglove_frame {
    struct foxglove_frame *next;
    uint32_t subscription; /* of a message; 0 and is_message false: another one */
    bool is_message, is_text;
    size_t n;
    uint8_t *data; /* foxglove_session_room bytes before it belong to the frame, too */
};

/* A topic to which the client publishes. */
struct foxglove_published {
    uint32_t id;
    char topic[128];
};

struct foxglove_session {
    struct foxglove_hub *hub;
    void *connection; /* the server's */
    uint64_t number;  /* of the session, from 1 */
    char who[64];
    enum dpl_role role;
    struct foxglove_subscription *subscriptions;
    size_t n_subscriptions;
    struct foxglove_published published[32];
    size_t n_published;
    bool wants_graph, wants_parameters;
    bool graph_waits; /* it has changed while the queue was long */
    struct foxglove_frame *first, **last;
    size_t backlog;             /* bytes that wait */
    uint64_t n_skipped, n_told; /* messages; of them told */
};

/* Bytes that a frame has before its data, for the server. */
extern size_t foxglove_session_room;

/* A session with its greeting (serverInfo, advertise) queued; NULL: no memory, or too many clients.
 */
struct foxglove_session *foxglove_session_create(struct foxglove_hub *hub, const char *who,
                                                 enum dpl_role role, void *connection);
void foxglove_session_destroy(struct foxglove_session *session);

/* A whole frame of the client. 0; -EPROTO: it makes no sense, which is told to the client; -ENOMEM.
 * Either way the session goes on. */
int foxglove_session_take(struct foxglove_session *session, bool is_text, const void *data,
                          size_t n);

/* Takes the next frame to send off the queue; the caller frees it with foxglove_frame_free. NULL:
 * none. */
struct foxglove_frame *foxglove_session_next(struct foxglove_session *session);
void foxglove_frame_free(struct foxglove_frame *frame);

/* A message of a topic for one subscription, by its id. */
void foxglove_session_give(struct foxglove_session *session, uint32_t subscription,
                           const struct dpl_topic *topic, const struct dpl_sample *sample);
/* The same for all subscriptions of the topic. */
void foxglove_session_message(struct foxglove_session *session, const struct dpl_topic *topic,
                              const struct dpl_sample *sample);
void foxglove_session_answer(struct foxglove_session *session,
                             const struct foxglove_request *request,
                             const struct dpl_answer *answer);
/* Parameters of others have changed: the members of a JSON object. */
void foxglove_session_update(struct foxglove_session *session, const struct dpl_answer *answer);
/* A request that was on its way has come to its end; `session` NULL: it has gone. */
void foxglove_values_end_part(struct foxglove_session *session, struct foxglove_values *values);
/* Whether it listens on a topic. */
bool foxglove_session_subscribes(const struct foxglove_session *session,
                                 const struct dpl_topic *topic);
void foxglove_session_graph(struct foxglove_session *session);
void foxglove_session_time(struct foxglove_session *session, dpl_ns now);
void foxglove_session_topic(struct foxglove_session *session, const struct dpl_topic *topic);
void foxglove_session_service(struct foxglove_session *session,
                              const struct dpl_service_desc *service);
/* Queues bytes as a frame and frees them. */
void foxglove_session_send(struct foxglove_session *session, bool is_text, struct dpl_bytes *bytes);
/* Tells a person: level 0 info, 1 warning, 2 error. */
void foxglove_session_status(struct foxglove_session *session, int level, const char *text);

#endif
