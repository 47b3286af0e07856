/* SPDX-License-Identifier: Apache-2.0 */
/* A server of one hosted world, in three files: server.c socket, time and threads; server_client.c
 * what is said to and by clients; server_control.c which of them a robot obeys. All but `stop`
 * belongs to the thread that serves. A client's binding is a link of the embedded kind, so that
 * remote and embedded users share every rule. */
#ifndef DOPPEL_SIM_SERVER_INTERNAL_H
#define DOPPEL_SIM_SERVER_INTERNAL_H

#include <doppel/peer_log.h>
#include <doppel/sim/server.h>

#include "hosted_world.h"
#include "link_codec.h"

#define SERVER_CLIENTS_MAX 32
#define SERVER_ID_MAX      32
#define SERVER_SILENCE     (500 * DPL_MS) /* then a client's motors stop */
#define SERVER_DROP        (5 * DPL_S)    /* then it is forgotten; also: missing grants are named */

struct server_slot {
    struct hosted_link *link; /* NULL: free */
    unsigned motor[LINK_WHEELS_MAX], encoder[LINK_WHEELS_MAX], laser[LINK_SCANNERS_MAX];
    unsigned n_motors, n_encoders, n_lasers;
    unsigned commanded;    /* bit a motor that this client ever drove */
    bool take_over;        /* its first command takes the robot from whoever controls it */
    bool controls;         /* the robot obeys it */
    bool denied;           /* it was told that another one controls the robot */
    uint32_t place_number; /* the client's, of its last wish */
    bool seen;             /* the world has given a snapshot */
};

struct server_client {
    bool used;
    uint8_t id[SERVER_ID_MAX];
    size_t id_size;
    char name[LINK_NAME_MAX + 1];          /* escaped, for people */
    dpl_ns period, last_heard, next_state; /* real time */
    bool silent;
    bool grants; /* takes part in lock-step */
    dpl_ns granted;
    struct server_slot slots[LINK_SLOTS_MAX];
};

/* Each kind of notice has its own share of lines. */
enum server_notice {
    SERVER_NOTICE_COMING, /* and going */
    SERVER_NOTICE_SILENCE,
    SERVER_NOTICE_CONTROL,
    SERVER_NOTICE_TIME,
    SERVER_N_NOTICES,
};

struct server {
    struct dpl_sim_server_options options;
    struct hosted_world *world;
    struct server *next;
    void *context, *socket;
    uint16_t port;
    uint64_t session;
    struct link_codec *codec;
    struct server_client clients[SERVER_CLIENTS_MAX];
    struct server_client *controllers[DPL_SIM_ROBOTS_MAX]; /* NULL: nobody yet */
    struct dpl_peer_log notices[SERVER_N_NOTICES];
    struct dpl_sim_server_stats stats;
    bool moving;                      /* lock-step: enough clients have granted once */
    dpl_ns waiting_since;             /* lock-step, real time */
    const struct server_client *late; /* lock-step: whose grant is missing; NULL: nobody's */
    bool named;
    pthread_t thread;
    bool running;
    atomic_bool stop;
};

/* Listens; borrows the world and the options' strings. */
int server_create(struct hosted_world *world, const struct dpl_sim_server_options *options,
                  struct server **ret_server, struct dpl_diag *reterr);
void server_destroy(struct server *server); /* stops; NULL: nothing */

/* Serves on a thread of its own. */
int server_start(struct server *server, struct dpl_diag *reterr);

dpl_ns server_clock(const struct server *server); /* what stamps are in */
void server_notice(struct server *server, enum server_notice kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- server_client.c ---- */

/* One frame from the peer `id`. */
void server_handle(struct server *server, const uint8_t *id, size_t id_size, const void *frame,
                   size_t size);
/* New scans, then the state. */
void server_send_state(struct server *server, struct server_client *client);
/* Stops the motors that the client drove. */
void server_stop_motors(struct server_client *client);
void server_forget(struct server *server, struct server_client *client);
void server_send(struct server *server, const uint8_t *id, size_t id_size,
                 Doppel__Link__ToClient *message);

/* ---- server_control.c ---- */

/* Whether the robot of a slot obeys this client, which commands it: the first one does until it
 * leaves or is silent. Tells both when that changes, or when it is refused. */
bool server_may_control(struct server *server, struct server_client *client,
                        struct server_slot *slot);
/* Whatever the client controls is nobody's. */
void server_let_go(struct server *server, struct server_client *client);

#endif
