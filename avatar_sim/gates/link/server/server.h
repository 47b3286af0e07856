/* SPDX-License-Identifier: Apache-2.0 */
/* A server of one hosted world:
 *
 * - server.c          threads, silence of clients
 * - server_notice.c   notices
 * - server_socket.c   frames in and out
 * - server_connection.c  how many connections there are, and which of them are idle
 * - server_grants.c   time that follows grants
 * - server_client.c   messages to and from clients
 * - server_list.c     the list of channels, in pages
 * - server_slot.c     subscriptions; server_frame.c their frames and blocks
 * - server_control.c  which client owns the inputs of a part
 * - server_loop.c     commands for the time of the world
 * - sim_server.c      a server with a world of its own: doppel/sim/server.h
 * - sim_server_host.c the same as the host of a run without components
 *
 * The thread that serves makes all calls except `stop`. A slot of a client is an embedded link, so
 * that local and remote users have the same rules. */
#ifndef DOPPEL_SIM_SERVER_INTERNAL_H
#define DOPPEL_SIM_SERVER_INTERNAL_H

#include <sys/socket.h>

#include <doppel/peer_log.h>
#include <doppel/sim/server.h>

#include "hosted_alone.h"
#include "hosted_world.h"
#include "link_codec.h"
#include "link_values.h"

#define SERVER_CLIENTS_MAX     32
#define SERVER_ID_MAX          32
#define SERVER_CONNECTIONS_MAX (2 * SERVER_CLIENTS_MAX)
#define SERVER_SILENCE                                                                             \
    (500 * DPL_MS) /* after this time the inputs of a silent client are released */
#define SERVER_DROP                                                                                \
    (5 * DPL_S) /* then it is forgotten, and its connection is closed;                             \
                 * also: missing grants are named */

struct server_channel {
    struct dpl_channel channel;
    enum link_way way;
    uint32_t request;  /* the client's number of its last request; 0: none */
    uint64_t sequence; /* of the last block */
    size_t number;     /* in the world; of inputs */
};

struct server_slot {
    struct dpl_link *link;           /* NULL: free */
    uint32_t number;                 /* of the subscription */
    struct server_channel *channels; /* [n] */
    size_t n;
    int part;       /* of its inputs, as server->owners; -1: it has none */
    bool take_over; /* its first value makes it the owner of the part, even if there is another
                       owner */
    bool controls;  /* it owns the part */
    bool denied;    /* it was informed that another client owns the part */
};

struct server_client {
    bool used;
    uint8_t id[SERVER_ID_MAX];
    size_t id_size;
    char name[LINK_NAME_MAX + 1];          /* escaped, for messages */
    dpl_ns period, last_heard, next_frame; /* real time */
    bool silent;
    bool grants; /* takes part in lock-step */
    dpl_ns granted;
    struct server_slot slots[LINK_SLOTS_MAX];
};

/* A TCP connection; a client may have several for a moment. */
struct server_connection {
    bool used;
    int fd; /* libzmq's, which may close it at any time */
    struct sockaddr_storage peer;
    socklen_t length;
    bool heard;        /* a valid message */
    dpl_ns last_heard; /* of a valid message, or when it came */
};

/* Each kind of notice has its own share of lines. */
enum server_notice {
    SERVER_NOTICE_COMING, /* and going */
    SERVER_NOTICE_SILENCE,
    SERVER_NOTICE_CONTROL,
    SERVER_NOTICE_TIME,
    SERVER_NOTICE_CONNECTION,
    SERVER_NOTICE_LOOP,
    SERVER_N_NOTICES,
};

/* A command for the loop whose answer is still to come. */
struct server_command {
    struct server_client *client; /* NULL: free, or the client is gone */
    uint32_t number;              /* the client's */
    bool used;
};

struct server_list;
struct server_frame;

struct server {
    struct dpl_sim_server_options options;
    struct hosted_world *world;
    struct server *next;
    void *context, *socket;
    void *monitor; /* connection events from libzmq */
    uint16_t port;
    uint64_t session;
    struct link_codec *codec;
    struct server_list *list;
    struct server_frame *frame;
    struct server_client clients[SERVER_CLIENTS_MAX];
    struct server_connection connections[SERVER_CONNECTIONS_MAX];
    /* [n_parts + 1], the last one of inputs that are of no part; NULL: no owner yet */
    struct server_client **owners;
    struct dpl_peer_log notices[SERVER_N_NOTICES];
    struct server_command commands[HOSTED_REQUESTS_MAX]; /* by the number of the request */
    uint64_t n_skips;                                    /* that were reported */
    struct dpl_sim_server_stats stats;
    dpl_ns drop;                      /* SERVER_DROP; tests have less patience */
    bool moving;                      /* lock-step: enough clients have granted once */
    bool is_behind;                   /* lock-step: more is granted than time has moved */
    dpl_ns waiting_since;             /* lock-step, real time */
    const struct server_client *late; /* lock-step: the client whose grant is missing; NULL: none */
    bool named;
    pthread_t thread;
    bool running;
    atomic_bool stop;
    bool ends_with_world; /* it has no owner who would end this */
};

/* What doppel/sim/server.h is about. */
struct dpl_sim_server {
    struct dpl_sim_hosted hosted;
    struct server *server;
    /* as the host of a run (sim_server_host.c) */
    const struct dpl_run_services *services;
    dpl_ns epoch; /* CLOCK_MONOTONIC at time 0; 0: when it begins to serve */
    pthread_t thread;
    bool has_thread;
    int err; /* of serving, and why */
    struct dpl_diag why;
};

/* Listens; borrows the world, which does not move yet, and the options' strings. */
int server_create(struct hosted_world *world, const struct dpl_sim_server_options *options,
                  struct server **ret_server, struct dpl_diag *reterr);
void server_destroy(struct server *server); /* stops; NULL: nothing */

/* Serves on a thread of its own. */
int server_start(struct server *server, struct dpl_diag *reterr);
/* Serves on this one, until it is stopped or the duration is over. */
void server_run(struct server *server);

bool server_is_over(const struct server *server); /* it was stopped, or its duration is over */

/* What stamps are in. */
static inline dpl_ns server_clock(const struct server *server)
{
    if (server->options.lockstep) {
        return dpl_world_now(server->world->world);
    }
    return dpl_monotonic_now() - atomic_load(&server->world->real_epoch);
}

/* ---- server_notice.c ---- */

/* One line to options.notice, unless there were too many of this kind lately. */
void server_notice(struct server *server, enum server_notice kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- server_socket.c ---- */

int server_open_socket(struct server *server, struct dpl_diag *reterr);
void server_close_socket(struct server *server);
/* Takes one frame from the peer `id`. Whether it is a valid message. */
typedef bool server_handler(struct server *server, const uint8_t *id, size_t id_size,
                            const void *frame, size_t size);
/* Gives one message to `handle`, if there is one. False: there was none. */
bool server_receive(struct server *server, server_handler *handle);
/* With the session; the version is ours unless the message has one. */
void server_send(struct server *server, const uint8_t *id, size_t id_size,
                 Doppel__Link__ToClient *message);

/* ---- server_connection.c ---- */

/* Before the socket listens. 0 or -errno; unwatch in either case. */
int server_watch_connections(struct server *server);
void server_unwatch_connections(struct server *server);
/* Reads which connections were opened and closed; closes those beyond SERVER_CONNECTIONS_MAX. */
void server_take_connections(struct server *server);
/* A valid message came on the connection of this descriptor. */
void server_heard_from(struct server *server, int fd);
/* Closes connections without a valid message for server->drop. Call it after all messages were
 * read. */
void server_close_idle(struct server *server);

/* ---- server_grants.c ---- */

/* Moves the world as far as it may, and informs all clients. */
void server_follow_grants(struct server *server, dpl_ns real_start);

/* ---- server_client.c ---- */

server_handler server_handle;
void server_forget(struct server *server, struct server_client *client);

/* ---- server_list.c ---- */

/* Reads the constants: the world does not move yet. */
int server_list_create(struct hosted_world *world, struct server_list **ret_list,
                       struct dpl_diag *reterr);
void server_list_destroy(struct server_list *list); /* NULL: nothing */
size_t server_list_size(const struct server_list *list);
uint64_t server_list_fingerprint(const struct server_list *list);
/* NULL: there is no channel of that number. */
const struct dpl_channel_desc *server_list_at(const struct server_list *list, size_t channel);
/* As many channels from `first` on as a frame holds; borrowed from the list. */
void server_list_page(const struct server_list *list, size_t first,
                      Doppel__Link__Channels *ret_page);

/* ---- server_slot.c ---- */

/* NULL, or why there is no such subscription; then the slot is as before. */
const char *server_subscribe(struct server *server, struct server_client *client,
                             const Doppel__Link__Subscribe *subscribe);
/* The error of a command for a slot; NULL: none. */
const char *server_check_put(struct server_client *client,
                             const Doppel__Link__SlotCommand *command);
/* Puts the values of a checked command. */
void server_put(struct server *server, struct server_client *client,
                const Doppel__Link__SlotCommand *command);
/* Closes its link: the world releases its inputs. */
void server_free_slot(struct server_slot *slot);

/* ---- server_frame.c ---- */

struct server_frame *server_frame_create(void);
/* New blocks, then the frame. */
void server_send_frame(struct server *server, struct server_client *client);

/* ---- server_loop.c ---- */

void server_handle_loop(struct server *server, struct server_client *client,
                        const Doppel__Link__LoopCommand *command);
/* Sends the world's new answers to clients, and writes a notice if the world has skipped time. */
void server_answer_loop(struct server *server);
/* Some are still to come. */
bool server_awaits_answers(const struct server *server);
/* The client does not wait for answers any more. */
void server_forget_commands(struct server *server, const struct server_client *client);

/* ---- server_control.c ---- */

/* Whether this client, which puts an input of a slot's part, owns the part. The first client owns
 * it until it leaves or is silent. Informs both clients of a change or a refusal. */
bool server_may_control(struct server *server, struct server_client *client,
                        struct server_slot *slot);
/* A channel that is commanded, but not by a link. */
struct server_busy {
    const char *path; /* the world's */
    enum hosted_commander by;
};

/* Takes all inputs of a slot for its client, or none of them: false, and the first one that is busy
 * is written. */
bool server_claim(struct server *server, const struct server_slot *slot,
                  struct server_busy *ret_busy);
void server_unclaim(struct server *server, const struct server_slot *slot);

/* The slot does not own its part any more; nor does the client, unless another slot of it does. */
void server_let_go(struct server *server, struct server_client *client, struct server_slot *slot);

#endif
