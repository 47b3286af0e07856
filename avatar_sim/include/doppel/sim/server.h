/* SPDX-License-Identifier: Apache-2.0 */
/* Serves a world to other processes: what `doppel sim` is. */
#ifndef DOPPEL_SIM_SERVER_H
#define DOPPEL_SIM_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/sim/modbus_server.h>
#include <doppel/sim/model.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_catalog;
struct dpl_sim_set;

struct dpl_sim_server_options {
    const char *world;           /* file */
    struct dpl_catalog *catalog; /* where its robots are found besides beside it; NULL: nowhere */
    uint64_t seed;
    const struct dpl_sim_set *sets; /* [n_sets] changes of the world; used by create only */
    size_t n_sets;
    const struct dpl_sim_set *params; /* [n_params] of the world's file; used by create only */
    size_t n_params;
    const char *host; /* address to listen at; NULL: 127.0.0.1 */
    uint16_t port;    /* 0: any that is free */
    bool lockstep;    /* time moves as far as all clients grant; else it follows the real clock */
    unsigned clients; /* lock-step: time waits until this many granted; 0: one */
    double rate;      /* lock-step: at most X times real time; 0: as fast as possible */
    dpl_ns duration;  /* of the world's time, then run returns; 0: without end */
    /* External controllers (docs/controllers.md) may join at a port of their own. */
    bool controllers;
    uint16_t controllers_port; /* 0: any that is free */
    /* Modbus masters (docs/modbus.md) may connect at a port of their own. */
    bool modbus;
    uint16_t modbus_port;   /* 0: any that is free */
    dpl_ns modbus_pace;     /* as in doppel/sim/modbus_server.h */
    dpl_ns modbus_patience; /* the same */
    /* Notices (a client came, is waited for, went), on the server's thread. May be NULL. */
    void (*notice)(void *user, const char *text);
    void *notice_user;
    void (*warn)(const struct dpl_diag *warning); /* as in doppel/sim/load.h; used by create only */
};

struct dpl_sim_server_stats {
    uint64_t malformed; /* frames refused */
    uint64_t welcomed;  /* hellos answered */
    uint64_t silenced;  /* clients whose motors were stopped because they fell silent */
    uint64_t dropped;   /* clients given up */
    uint64_t closed;    /* connections closed: nothing valid came, or there were too many */
};

struct dpl_sim_server;

/* Loads the world and listens. Borrows the options' strings. -errno with reterr: the world's first
 * error, or an address in use. Allocates. */
int dpl_sim_server_create(const struct dpl_sim_server_options *options,
                          struct dpl_sim_server **ret_server, struct dpl_diag *reterr);
void dpl_sim_server_destroy(struct dpl_sim_server *server); /* NULL: nothing */

/* Serves on the calling thread until stopped or the duration is over: 0 or -errno with reterr. */
int dpl_sim_server_run(struct dpl_sim_server *server, struct dpl_diag *reterr);

/* Makes run return within 20 ms. Any thread, signal-safe. */
void dpl_sim_server_stop(struct dpl_sim_server *server);

uint16_t dpl_sim_server_port(const struct dpl_sim_server *server);
uint16_t dpl_sim_server_controllers_port(const struct dpl_sim_server *server); /* 0: none */
uint16_t dpl_sim_server_modbus_port(const struct dpl_sim_server *server);      /* 0: none */
const struct dpl_sim_model *dpl_sim_server_model(const struct dpl_sim_server *server);

/* Any thread; zeros: none is served. */
struct dpl_sim_modbus_stats dpl_sim_server_modbus_stats(const struct dpl_sim_server *server);

/* After run, or from notices. */
struct dpl_sim_server_stats dpl_sim_server_stats(const struct dpl_sim_server *server);

#ifdef __cplusplus
}
#endif

#endif
