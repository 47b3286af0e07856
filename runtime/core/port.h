/* SPDX-License-Identifier: Apache-2.0 */
/* Ports and connections inside the runtime. An output port owns a pool of blocks and gives each
 * publication to its connections by reference. A connection inside an executor puts it directly
 * into the queue of the input port; other connections use a ring that the receiver drains. */
#ifndef DOPPEL_RUNTIME_PORT_H
#define DOPPEL_RUNTIME_PORT_H

#include "component.h"
#include "pool.h"
#include "queue.h"

#define DPL__UFIFO_DEPTH 1024
#define DPL__FIFO_DEPTH  16
#define DPL__RING_SLOTS  64 /* largest number of slots of a ring, for any queue depth */
/* blocks that a publisher may fill at the same time, in addition to those on their way */
#define DPL__OPEN_LOANS  2
#define DPL__OUTSIDE     UINT32_MAX /* index of a block that is in no pool */
#define DPL__HELD_BLOCKS 3          /* held by an input port: newest, arriving, taken */

struct dpl__connection {
    struct dpl__port *source, *target; /* target NULL: observers */
    struct dpl__ring *ring;            /* NULL: directly into the target's queue */
    bool local; /* has a ring, but within one executor: drained in the same cycle */
    struct dpl__executor *wakes; /* aperiodic executor of the target; NULL: none */
    atomic_ullong n_dropped;     /* by the ring; counted by the sender */
    /* Called by the sender before it sends into a full ring, until there is room: then nothing is
     * lost. Of taps on the simulated clock; NULL: the oldest message is dropped. */
    void (*make_room)(void *user);
    void *user;
};

/* The role of a port, for a fast check. */
enum dpl__port_role { DPL__CALLS, DPL__SENDS, DPL__TAKES }; /* services; data and events: out, in */

struct dpl__port {
    const struct dpl_port_desc *desc;
    const char *name; /* "Camera.picture" */
    struct dpl__component *component;
    enum dpl__port_role role;
    bool connected;

    bool touched; /* in component->touched */
    struct dpl__port *next_touched;

    /* output */
    struct dpl__connection **outputs;
    size_t n_outputs;
    struct dpl__port *direct; /* the only target, when only its queue is needed */
    struct dpl__pool *pool;
    struct dpl__connection *tap; /* to observers (tap.h); NULL: none */
    struct dpl__block *loans;    /* loaned in the running callback and not published */

    /* input */
    enum dpl_queue policy;
    size_t depth;
    struct dpl__connection **rings; /* the connections that have a ring */
    size_t n_rings;
    struct dpl__queue queue;
    struct dpl__block *newest; /* for dpl_port_latest */
    /* becomes newest at the end of the callback that borrows `newest` */
    struct dpl__block *arriving;
    struct dpl__block *taken; /* borrowed by the running callback */
    bool lent;                /* newest is borrowed by the running callback */
    struct dpl__block *seen;  /* the queued message that dpl_port_latest showed; LAST only */
    atomic_bool noticed;      /* reaching the UFIFO's bound was logged */

    /* required service */
    struct dpl__port *provider;

    /* Written by the port's thread only; read by any thread. */
    atomic_ullong n_published, n_received, n_taken, n_dropped_queue, n_dropped_pool;
};

/* The port of a component, or NULL for a wrong index, kind or direction. */
struct dpl__port *dpl__port_find(const struct dpl_component *component, unsigned port,
                                 enum dpl_port_kind kind, enum dpl_port_dir dir);

/* How the port sends, as its connections allow: when none of them has a ring, its blocks stay on
 * one thread. Its thread, or before the start. */
void dpl__port_find_short_cuts(struct dpl__port *port);

/* Moves messages from the rings to the queue; `local_only`: only from within the executor. */
void dpl__port_drain(struct dpl__port *port, bool local_only);
/* A message from outside, with the index DPL__OUTSIDE, as one that arrives over a connection. Takes
 * over one reference. On the thread that runs the component, between two callbacks. */
void dpl__port_receive(struct dpl__port *port, struct dpl__block *block);
/* The next event that arrived before the cycle, or NULL; borrowed until the next take or the end of
 * the callback. */
const struct dpl_message *dpl__port_take_event(struct dpl__port *port);
/* Releases what the ending callback has borrowed from the port. */
void dpl__port_release(struct dpl__port *port);
/* Empties queue and newest. */
void dpl__port_clear(struct dpl__port *port);

/* Single writer: no locked instruction. Returns the previous count. */
static inline unsigned long long dpl__count(atomic_ullong *counter)
{
    unsigned long long old = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, old + 1, memory_order_relaxed);
    return old;
}

/* The full name of the message or service of a port, such as "doppel.Odometry"; NULL: an event
 * without data. */
const char *dpl__port_type(const struct dpl_port_desc *port);

#endif
