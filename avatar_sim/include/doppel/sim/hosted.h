/* SPDX-License-Identifier: Apache-2.0 */
/* A world with controllers outside (docs/controllers.md) and Modbus masters (docs/modbus.md) whose
 * time is its owner's: it moves by single steps, on the calling thread. What `doppel test` is built
 * on. */
#ifndef DOPPEL_SIM_HOSTED_H
#define DOPPEL_SIM_HOSTED_H

#include <doppel/sim/channels.h>
#include <doppel/sim/load.h>
#include <doppel/sim/modbus_server.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_sim_hosted;

struct dpl_sim_hosted_options {
    const char *world;                /* file */
    struct dpl_sim_load_options load; /* used by create only */
    const char *host;                 /* address to listen at; NULL: 127.0.0.1 */
    bool controllers;                 /* may join at a port of their own */
    uint16_t controllers_port;        /* 0: any that is free */
    bool modbus;                      /* masters may connect to the world's units, the same */
    uint16_t modbus_port;             /* 0: any that is free */
    dpl_ns modbus_pace;               /* as in doppel/sim/modbus_server.h */
    dpl_ns modbus_patience;           /* the same */
    /* At the end of each boundary, also of those at which the world waits, after all commands: who
     * puts values here is the last one. On the owner's thread; NULL: nobody. */
    void (*boundary)(void *user);
    void *boundary_user;
    void (*notice)(void *user, const char *text); /* any thread; NULL: none */
    void *notice_user;
};

/* Loads the world and listens; its time stands still at 0. -errno with reterr. Allocates. */
int dpl_sim_hosted_create(const struct dpl_sim_hosted_options *options,
                          struct dpl_sim_hosted **ret_hosted, struct dpl_diag *reterr);
void dpl_sim_hosted_destroy(struct dpl_sim_hosted *hosted); /* NULL: nothing */

struct dpl_world *dpl_sim_hosted_world(struct dpl_sim_hosted *hosted);
struct dpl_world_channels *dpl_sim_hosted_channels(struct dpl_sim_hosted *hosted);
uint16_t dpl_sim_hosted_controllers_port(const struct dpl_sim_hosted *hosted); /* 0: none */

uint16_t dpl_sim_hosted_modbus_port(const struct dpl_sim_hosted *hosted); /* 0: none */

/* What masters have done; all 0 when none can connect. */
struct dpl_sim_modbus_stats dpl_sim_hosted_modbus(const struct dpl_sim_hosted *hosted);

/* How many controllers work with it now. */
unsigned dpl_sim_hosted_joined(const struct dpl_sim_hosted *hosted);

/* A boundary without a step: who wants to join, joins. Does not block. */
void dpl_sim_hosted_stand(struct dpl_sim_hosted *hosted);

/* One step, then the boundary. Waits for a master that paces the world before, and for lock-step
 * controllers after it, each until its own time-out. */
void dpl_sim_hosted_step(struct dpl_sim_hosted *hosted);

/* Nobody is waited for any more. Any thread, signal-safe. */
void dpl_sim_hosted_stop(struct dpl_sim_hosted *hosted);

#ifdef __cplusplus
}
#endif

#endif
