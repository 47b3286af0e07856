/* SPDX-License-Identifier: Apache-2.0 */
/* The Modbus server of a world (doppel/sim/modbus_server.h), in six files:
 *
 * - request.c    requests from bytes
 * - units.c      which addresses there are, and their channels
 * - commands.c   what masters write, on the world's thread
 * - boundary.c   boundaries between steps, watchdogs, the world's pace: on the world's thread
 * - masters.c    connections: the thread of the sockets
 * - served.c     making it
 *
 * The thread of the sockets owns the slot of a master; while its state is MASTER_ASKS or
 * MASTER_LEAVES, the world's thread owns it. The state passes the ownership (release, acquire). */
#ifndef DOPPEL_SIM_MODBUS_SERVED_H
#define DOPPEL_SIM_MODBUS_SERVED_H

#include <pthread.h>
#include <stdatomic.h>

#include <doppel/latest.h>
#include <doppel/peer_log.h>

#include "units.h"

#define SERVED_PATIENCE (2 * DPL_S)
#define SERVED_TURN     (100 * DPL_MS) /* between two looks of the thread of the sockets */

enum master_state {
    MASTER_FREE,
    MASTER_OPEN,
    MASTER_ASKS,     /* owned by the world's thread: the master requests a write */
    MASTER_ANSWERED, /* the world has done it, or not */
    MASTER_LEAVES,   /* the world's: it is gone */
    MASTER_LEFT,     /* the world has released the channels that the master commanded */
};

struct master {
    atomic_int state;
    int fd;
    char name[64]; /* for messages: its address */
    dpl_ns heard;  /* real time of its newest whole request, or when it came */
    bool is_out;   /* the thread of the sockets has closed the connection */
    const char *why;
    uint8_t in[4 * REQUEST_MAX];
    size_t n_in;
    struct request request;
    struct unit *unit;                /* of the request */
    enum request_exception exception; /* the world's answer */
    bool has_answer;                  /* owned by the world's thread, see `state` */
    /* owned by the world's thread, see `state`: the channel that another program commanded when
     * this master first tried to; NULL: it did not try, or it may command */
    const char *busy;
    const char *said_busy; /* the channel that was reported in a notice */
    size_t n_released;     /* the world's: commands, when it left */
};

/* Each kind of notice has its own share of lines. */
enum served_notice { SERVED_REFUSED, SERVED_BUSY, SERVED_RELEASED, SERVED_NOTICES };

struct served_counts {
    atomic_uint masters;
    atomic_ullong reads, writes, exceptions, saturated, lost, trips, waits, time_outs;
};

struct modbus_answers; /* answers.h */

struct dpl_sim_modbus_server {
    struct dpl_sim_modbus_options options;
    struct units units;
    struct master masters[DPL_MODBUS_MASTERS_MAX];
    struct served_counts counts;

    /* the world's */
    uint16_t *cells;            /* [n_cells] the present values */
    const struct unit *awaited; /* whose write time waits for; NULL: it does not wait */
    dpl_ns waits_since, asked;  /* real time */
    /* from the world to the sockets: cells of the newest boundary, in one block */
    struct dpl_latest sync;
    uint16_t *image[3];

    /* the thread of the sockets' */
    int listener;
    bool is_full; /* the newest master was not accepted, because all slots are in use */
    uint16_t port;
    pthread_t thread;
    bool running;
    struct dpl_peer_log notices[SERVED_NOTICES];
    struct modbus_answers *answers;

    atomic_bool stop;
    int to_world, to_sockets; /* eventfd: wake up */
};

static inline enum master_state master_state(const struct master *master)
{
    /* acquire: what the other thread wrote before it passed the slot */
    return (enum master_state)atomic_load_explicit(&master->state, memory_order_acquire);
}

static inline void master_become(struct master *master, enum master_state state)
{
    /* release: the other thread sees all that was written */
    atomic_store_explicit(&master->state, (int)state, memory_order_release);
}

/* Wakes who waits for this eventfd. Signal-safe. */
void served_wake(int eventfd);

/* ---- commands.c ---- */

/* Does a checked request of a master that writes, as a whole or, with REQUEST_BUSY, not at all. */
enum request_exception commands_take(struct dpl_sim_modbus_server *server, struct unit *unit,
                                     const struct request *request, int master);
/* Releases what the master has commanded, of the unit or (NULL) of all; master -1: by any master.
 * Returns the number of these channels. */
size_t commands_release(struct dpl_sim_modbus_server *server, struct unit *unit, int master);
/* Ends the values that coils with an edge have put before this step. */
void commands_end_pulses(struct dpl_sim_modbus_server *server);
/* The world has jumped: puts the values that masters hold again. */
void commands_put_again(struct dpl_sim_modbus_server *server);
/* Fills the cells that masters only read. */
void commands_read_world(struct dpl_sim_modbus_server *server);
/* Writes into a copy of the cells what somebody has put in the channels of coils and holding
 * registers over all masters. */
void commands_show_overruled(const struct dpl_sim_modbus_server *server, uint16_t *cells);

/* ---- masters.c ---- */

void *masters_serve(void *server);

#endif
