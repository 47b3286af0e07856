/* SPDX-License-Identifier: Apache-2.0 */
/* A server of one hosted world, in two files: server.c socket, time and threads; server_client.c
 * what is said to and by clients. All but `stop` belongs to the thread that serves. A client's
 * binding is a link of the embedded kind, so that remote and embedded users share every rule. */
#ifndef DOPPEL_SIM_SERVER_INTERNAL_H
#define DOPPEL_SIM_SERVER_INTERNAL_H

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
    unsigned commanded; /* bit a motor that this client ever drove */
    bool seen;          /* the world has given a snapshot */
};

struct server_client {
    bool used;
    uint8_t id[SERVER_ID_MAX];
    size_t id_size;
    char name[LINK_NAME_MAX + 1];
    dpl_ns period, last_heard, next_state; /* real time */
    bool silent;
    bool grants; /* takes part in lock-step */
    dpl_ns granted;
    struct server_slot slots[LINK_SLOTS_MAX];
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

dpl_ns server_monotonic(void);
dpl_ns server_clock(const struct server *server); /* what stamps are in */
void server_notice(struct server *server, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- server_client.c ---- */

/* One frame from the peer `id`. */
void server_handle(struct server *server, const uint8_t *id, size_t id_size, const void *frame,
                   size_t size);
/* New scans, then the state. */
void server_send_state(struct server *server, struct server_client *client);
/* Stops the motors that the client drove. */
void server_stop_motors(struct server_client *client);
void server_forget(struct server *server, struct server_client *client);

#endif
