/* SPDX-License-Identifier: Apache-2.0 */
/* Serves a world to other processes. `doppel sim` uses it. */
#ifndef DOPPEL_SIM_SERVER_H
#define DOPPEL_SIM_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/host/runtime.h>
#include <doppel/sim/modbus_server.h>
#include <doppel/sim/model.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_catalog;
struct dpl_gate;
struct dpl_sim_set;

struct dpl_sim_server_options {
    const char *world;           /* file */
    struct dpl_catalog *catalog; /* a further place to find its robots, if they are not beside the
                                    file; NULL: none */
    uint64_t seed;
    const struct dpl_sim_set *sets; /* [n_sets] changes of the world; used only by create */
    size_t n_sets;
    const struct dpl_sim_set
        *params; /* [n_params] parameters of the world's file; used only by create */
    size_t n_params;
    const char *host; /* address to listen on; NULL: 127.0.0.1 */
    uint16_t port;    /* 0: any free port */
    bool lockstep; /* true: time moves as far as all clients allow; false: it follows the real clock
                    */
    unsigned clients; /* lock-step: time waits for this number of clients; 0: one */
    double rate;      /* lock-step: at most X times real time; 0: as fast as possible */
    dpl_ns duration;  /* in the world's time; then run returns; 0: no end */
    /* [n_gates] gates that are opened (doppel/sim/gate.h): "NAME" or "NAME:SETTING=VALUE,...", such
     * as "controllers:port=5600" and "modbus"; used only by create. */
    const char *const *gates;
    size_t n_gates;
    /* Gets notices (a client has connected, the world waits for it, it has left), on the server's
     * thread. May be NULL. */
    void (*notice)(void *user, const char *text);
    void *notice_user;
    void (*warn)(const struct dpl_diag *warning); /* as in doppel/sim/load.h; used only by create */
};

struct dpl_sim_server_stats {
    uint64_t malformed; /* frames refused */
    uint64_t welcomed;  /* clients accepted */
    uint64_t silenced;  /* clients whose motors were stopped because they sent nothing */
    uint64_t dropped;   /* clients disconnected because they did not respond */
    uint64_t closed;    /* connections closed: no valid frame came, or there were too many */
};

struct dpl_sim_server;

/* Loads the world and listens. Borrows the options' strings. -errno with reterr: the world's first
 * error, or an address in use. Allocates. */
int dpl_sim_server_create(const struct dpl_sim_server_options *options,
                          struct dpl_sim_server **ret_server, struct dpl_diag *reterr);
void dpl_sim_server_destroy(struct dpl_sim_server *server); /* NULL: does nothing */

/* Serves on the calling thread until dpl_sim_server_stop or the end of the duration, or of the
 * world (dpl_world_check_motion: -ERANGE): 0 or -errno with reterr. */
int dpl_sim_server_run(struct dpl_sim_server *server, struct dpl_diag *reterr);

/* Makes run return within 20 ms. Any thread; safe in a signal handler. */
void dpl_sim_server_stop(struct dpl_sim_server *server);

/* The server as the worlds of a run without components, which observers look at as at any run: the
 * run starts it on a thread of its own, instead of dpl_sim_server_run, and ends when it does. */
struct dpl_world_host dpl_sim_server_host(struct dpl_sim_server *server);
/* After that run: as dpl_sim_server_run. */
int dpl_sim_server_result(const struct dpl_sim_server *server, struct dpl_diag *reterr);

uint16_t dpl_sim_server_port(const struct dpl_sim_server *server);
/* As dpl_sim_hosted_gate, dpl_sim_hosted_port. */
const struct dpl_gate *dpl_sim_server_gate(const struct dpl_sim_server *server, size_t i,
                                           uint16_t *ret_port);
uint16_t dpl_sim_server_gate_port(const struct dpl_sim_server *server, const char *gate);
const struct dpl_sim_model *dpl_sim_server_model(const struct dpl_sim_server *server);

/* Any thread; zeros: no unit is served. */
struct dpl_sim_modbus_stats dpl_sim_server_modbus_stats(const struct dpl_sim_server *server);

/* Call it after run, or in a notice. */
struct dpl_sim_server_stats dpl_sim_server_stats(const struct dpl_sim_server *server);

#ifdef __cplusplus
}
#endif

#endif
