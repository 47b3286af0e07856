/* SPDX-License-Identifier: Apache-2.0 */
/* Serves the Modbus units of a world to masters over TCP (docs/guides/modbus.md,
 * docs/design/link.md). A separate thread owns the sockets. The thread that steps the world calls
 * dpl_sim_modbus_boundary after each step. A request of a master takes effect there, as a whole;
 * masters read the values of the newest boundary. If masters pace the world, it waits between its
 * steps, not inside of them, so its owner can do other work. */
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
    struct dpl_world *world;             /* borrowed, as all pointers here */
    struct dpl_world_channels *channels; /* of this world */
    const char *host;                    /* NULL: 127.0.0.1; "*": all of this machine */
    uint16_t port;                       /* 0: any free port */
    /* Time of the world for which it may move after the last write to a register that is marked
     * `pace`. Before the first write it does not move. 0: no master paces it. */
    dpl_ns pace;
    dpl_ns patience; /* limit of a wait for such a write, in real time; 0: 2 s */
    /* claim: whether masters may command a channel. It is called for all channels that the maps of
     * a unit write, before the first command. unclaim: masters do not command the channel any more.
     * Both are called on the world's thread and must not block. NULL: they may. */
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
    uint64_t saturated;     /* values that were outside of the range of their type or channel */
    uint64_t lost;          /* masters that disconnected while they commanded a channel */
    uint64_t trips;         /* times that a watchdog did not change in time */
    uint64_t waits;         /* times that the world has waited for a write */
    uint64_t time_outs;     /* times that no write came in time */
};

/* Listens for masters of all units of the world, which does not move yet. -EINVAL with reterr: the
 * world has no unit, or two of one number; or the errno of the socket. Allocates; makes a thread.
 */
int dpl_sim_modbus_create(const struct dpl_sim_modbus_options *options,
                          struct dpl_sim_modbus_server **ret_server, struct dpl_diag *reterr);

/* Closes all connections and releases the channels that masters command. Call it on the world's
 * thread, or after this thread has ended. NULL: does nothing. */
void dpl_sim_modbus_destroy(struct dpl_sim_modbus_server *server);

/* Ends all waits, so that the world's thread can end. Any thread; safe in a signal handler. */
void dpl_sim_modbus_stop(struct dpl_sim_modbus_server *server);

/* ---- on the thread that owns the world ---- */

/* For `boundary` of struct dpl_sim_loop_options: the end of a boundary. Does not allocate. While
 * time waits for a master, it blocks for 2 ms, or until a master sends something. */
void dpl_sim_modbus_boundary(void *server);

/* For `holds`: whether time must wait for a write of the master that paces the world. */
bool dpl_sim_modbus_holds(void *server);

/* For `jumped`: the world has gone back to its start or to a snapshot, and
 * dpl_world_channels_restored was called. The commands of masters are put again. */
void dpl_sim_modbus_jumped(void *server);

/* ---- any thread ---- */

uint16_t dpl_sim_modbus_port(const struct dpl_sim_modbus_server *server);
struct dpl_sim_modbus_stats dpl_sim_modbus_stats(const struct dpl_sim_modbus_server *server);

#ifdef __cplusplus
}
#endif

#endif
