/* SPDX-License-Identifier: Apache-2.0 */
/* Ports and connections inside the runtime. An output port owns a pool of blocks and hands each
 * publication to its connections by reference. A connection inside an executor puts it straight
 * into the queue of the input port; any other goes through a ring that the receiver drains. */
#ifndef DOPPEL_RUNTIME_PORT_H
#define DOPPEL_RUNTIME_PORT_H

#include "component.h"
#include "pool.h"
#include "queue.h"

#define DPL__UFIFO_DEPTH 1024
#define DPL__FIFO_DEPTH  16
#define DPL__RING_SLOTS  64 /* most slots of a ring, however deep the queue behind it */
#define DPL__OPEN_LOANS  2  /* blocks a publisher may fill at once beside those on their way */
#define DPL__HELD_BLOCKS 3  /* by an input port: newest, arriving, taken */

struct dpl__connection {
    struct dpl__port *source, *target;
    struct dpl__ring *ring;      /* NULL: straight into the target's queue */
    bool local;                  /* has a ring, but within one executor: drained within the cycle */
    struct dpl__executor *wakes; /* aperiodic executor of the target; NULL: none */
    atomic_ullong n_dropped;     /* by the ring; the sender's */
};

/* What a port is for, by one comparison. */
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
    struct dpl__port *direct; /* the only target, when its queue is all that lies between */
    struct dpl__pool *pool;
    struct dpl__block *loans; /* loaned in the running callback, not published */

    /* input */
    enum dpl_queue policy;
    size_t depth;
    struct dpl__connection **rings; /* those connections that have one */
    size_t n_rings;
    struct dpl__queue queue;
    struct dpl__block *newest;   /* for dpl_port_latest */
    struct dpl__block *arriving; /* becomes newest at the end of the callback that borrows it */
    struct dpl__block *taken;    /* borrowed by the running callback */
    bool lent;                   /* newest is borrowed by the running callback */
    struct dpl__block *seen;     /* the queued message that dpl_port_latest showed; LAST only */
    atomic_bool noticed;         /* the UFIFO's bound was reported */

    /* required service */
    struct dpl__port *provider;

    /* Written by the port's thread only; read by any. */
    atomic_ullong n_published, n_received, n_taken, n_dropped_queue, n_dropped_pool;
};

/* The port of a component, or NULL when the index, kind or direction is not that. */
struct dpl__port *dpl__port_find(const struct dpl_component *component, unsigned port,
                                 enum dpl_port_kind kind, enum dpl_port_dir dir);

/* What arrived in the rings goes to the queue; `local_only`: from within the executor. */
void dpl__port_drain(struct dpl__port *port, bool local_only);
/* The next event that arrived before message number `before` of the component, or NULL; borrowed
 * until the next take or the end of the callback. */
const struct dpl_message *dpl__port_take_event(struct dpl__port *port);
/* Gives back what the callback that ends has borrowed of the port. */
void dpl__port_release(struct dpl__port *port);
/* Empties queue and newest. */
void dpl__port_clear(struct dpl__port *port);

/* Single writer: no locked instruction. Returns the count before. */
static inline unsigned long long dpl__count(atomic_ullong *counter)
{
    unsigned long long old = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, old + 1, memory_order_relaxed);
    return old;
}

#endif
