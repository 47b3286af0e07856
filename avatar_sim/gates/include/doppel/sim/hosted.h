/* SPDX-License-Identifier: Apache-2.0 */
/* A world with controllers in other processes (docs/guides/controllers.md) and Modbus masters
 * (docs/guides/modbus.md). Its owner controls its time: each call makes a single step on the
 * calling thread. `doppel test` uses it. */
#ifndef DOPPEL_SIM_HOSTED_H
#define DOPPEL_SIM_HOSTED_H

#include <doppel/sim/channels.h>
#include <doppel/sim/load.h>
#include <doppel/sim/modbus_server.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_gate;
struct dpl_sim_hosted;

struct dpl_sim_hosted_options {
    const char *world;                /* file */
    struct dpl_sim_load_options load; /* used only by create */
    const char *host;                 /* address to listen on; NULL: 127.0.0.1 */
    /* [n_gates] gates that are opened (doppel/sim/gate.h): "NAME" or "NAME:SETTING=VALUE,...", such
     * as "controllers:port=5600" and "modbus"; used only by create. */
    const char *const *gates;
    size_t n_gates;
    /* Called on the owner's thread at the end of each boundary, also while the world waits. All
     * commands come before it, so values that it puts are the last ones. NULL: not called. */
    void (*boundary)(void *user);
    void *boundary_user;
    void (*notice)(void *user, const char *text); /* called on any thread; NULL: no notices */
    void *notice_user;
};

/* Loads the world and listens. The world's time stays 0 until the first step. -errno with reterr.
 * Allocates. */
int dpl_sim_hosted_create(const struct dpl_sim_hosted_options *options,
                          struct dpl_sim_hosted **ret_hosted, struct dpl_diag *reterr);
void dpl_sim_hosted_destroy(struct dpl_sim_hosted *hosted); /* NULL: does nothing */

struct dpl_world *dpl_sim_hosted_world(struct dpl_sim_hosted *hosted);
struct dpl_world_channels *dpl_sim_hosted_channels(struct dpl_sim_hosted *hosted);
/* Gate `i` with its TCP port (0: it has none); NULL: there are no more. */
const struct dpl_gate *dpl_sim_hosted_gate(const struct dpl_sim_hosted *hosted, size_t i,
                                           uint16_t *ret_port);
/* The port of the gate of this name; 0: there is none. */
uint16_t dpl_sim_hosted_port(const struct dpl_sim_hosted *hosted, const char *gate);

/* `put`, `hand` and `commander` of struct dpl_world_host_ops, and nothing else: of one thread at a
 * time, while the world may step in another. */
struct dpl_world_host dpl_sim_hosted_hands(struct dpl_sim_hosted *hosted);

/* Counters of the masters; all 0 if no master can connect. */
struct dpl_sim_modbus_stats dpl_sim_hosted_modbus(const struct dpl_sim_hosted *hosted);

/* The number of controllers that have joined now. */
unsigned dpl_sim_hosted_joined(const struct dpl_sim_hosted *hosted);

/* A boundary without a step: controllers can join. Does not block. */
void dpl_sim_hosted_stand(struct dpl_sim_hosted *hosted);

/* One step, then the boundary. Waits before the step for a master that paces the world, and after
 * it for lock-step controllers; each wait has its own time-out. */
void dpl_sim_hosted_step(struct dpl_sim_hosted *hosted);

/* Whether the world has ended by itself (dpl_world_check_motion): then steps do nothing. 0, or
 * -ERANGE with reterr. */
int dpl_sim_hosted_fault(const struct dpl_sim_hosted *hosted, struct dpl_diag *reterr);

/* Ends all waits, now and later. Any thread; safe in a signal handler. */
void dpl_sim_hosted_stop(struct dpl_sim_hosted *hosted);

#ifdef __cplusplus
}
#endif

#endif
