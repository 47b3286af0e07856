/* SPDX-License-Identifier: Apache-2.0 */
/* Serves the Modbus units of a world to masters over TCP (docs/modbus.md, decision 0066). A thread
 * of its own owns the sockets. The thread that steps the world calls dpl_sim_modbus_boundary after
 * each step: there a request of a master takes effect, as a whole, and what masters read is of the
 * newest boundary. A world that masters pace waits between its steps, not in them: its owner goes
 * on with all else. */
#ifndef DOPPEL_SIM_MODBUS_SERVER_H
#define DOPPEL_SIM_MODBUS_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/world.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_MODBUS_MASTERS_MAX 16

struct dpl_sim_modbus_server;

struct dpl_sim_modbus_options {
    struct dpl_world *world;             /* borrowed, as all here */
    struct dpl_world_channels *channels; /* of this world */
    const char *host;                    /* NULL: 127.0.0.1; "*": all of this machine */
    uint16_t port;                       /* 0: any that is free */
    /* The world moves at most so far, in its own time, after the last write to a register that is
     * marked `pace`; before the first one it does not move. 0: nobody paces it. */
    dpl_ns pace;
    dpl_ns patience; /* real time that it waits then; 0: 2 s */
    /* Whether masters may command a channel, and that they do not any more. Asked for all channels
     * that the maps of a unit write, when the first of them is commanded. On the world's thread,
     * neither blocks. NULL: they may. */
    bool (*claim)(void *user, size_t channel);
    void (*unclaim)(void *user, size_t channel);
    void *claim_user;
    void (*notice)(void *user, const char *text); /* on the thread of the sockets; NULL: none */
    void *notice_user;
};

struct dpl_sim_modbus_stats {
    bool is_served;
    unsigned masters;       /* connected now */
    uint64_t reads, writes; /* requests that were done */
    uint64_t exceptions;    /* requests that were refused */
    uint64_t saturated;     /* times that a value left the range of its type or channel */
    uint64_t lost;          /* masters that left while they commanded something */
    uint64_t trips;         /* times that a watchdog did not change in time */
    uint64_t waits;         /* times that the world has waited for a write */
    uint64_t time_outs;     /* times that it has waited in vain */
};

/* Listens for masters of all units of the world, which does not move yet. -EINVAL with reterr: the
 * world has no unit, or two of one number; or the errno of the socket. Allocates; makes a thread.
 */
int dpl_sim_modbus_create(const struct dpl_sim_modbus_options *options,
                          struct dpl_sim_modbus_server **ret_server, struct dpl_diag *reterr);

/* Closes all connections and releases what masters command. The world's thread has ended, or this
 * is it. NULL: nothing. */
void dpl_sim_modbus_destroy(struct dpl_sim_modbus_server *server);

/* Nobody is waited for any more, so that the world's thread can end. Any thread, signal-safe. */
void dpl_sim_modbus_stop(struct dpl_sim_modbus_server *server);

/* ---- on the thread that owns the world ---- */

/* The end of a boundary: for struct dpl_sim_loop_options. Allocates nothing. While time waits for a
 * master it blocks for 2 ms, or until a master has something to say. */
void dpl_sim_modbus_boundary(void *server);

/* Whether time has to wait for a write of who paces the world: the same. */
bool dpl_sim_modbus_holds(void *server);

/* The world has gone back to its start or to a snapshot, and dpl_world_channels_restored was
 * called: what masters command holds again. */
void dpl_sim_modbus_jumped(void *server);

/* ---- any thread ---- */

uint16_t dpl_sim_modbus_port(const struct dpl_sim_modbus_server *server);
struct dpl_sim_modbus_stats dpl_sim_modbus_stats(const struct dpl_sim_modbus_server *server);

#ifdef __cplusplus
}
#endif

#endif
