/* SPDX-License-Identifier: Apache-2.0 */
/* Data and event ports: loan, publish, take, latest. All of this runs on the thread that runs the
 * component; other threads use only dpl__ring_push and the reference counts. */
#include "port.h"

#include <errno.h>

#include "executor.h"
#include "host_calls.h"
#include "runtime.h"

struct dpl__port *dpl__port_find(const struct dpl_component *component, unsigned port,
                                 enum dpl_port_kind kind, enum dpl_port_dir dir)
{
    const struct dpl__component *self = component->runtime;
    if (port >= component->class_->n_ports) {
        return NULL;
    }
    struct dpl__port *found = &self->ports[port];
    return found->desc->kind == kind && found->desc->dir == dir ? found : NULL;
}

static inline struct dpl__port *message_port(const struct dpl_component *component, unsigned port,
                                             enum dpl__port_role role)
{
    const struct dpl__component *self = component->runtime;
    if (port >= component->class_->n_ports) {
        return NULL;
    }
    struct dpl__port *found = &self->ports[port];
    return found->role == role ? found : NULL;
}

static inline void touch(struct dpl__port *port)
{
    if (!port->touched) {
        port->touched = true;
        port->next_touched = port->component->touched;
        port->component->touched = port;
    }
}

/* ---- receiving ---- */

static void notice_bound(struct dpl__port *port)
{
    if (port->policy != DPL_QUEUE_UFIFO ||
        atomic_exchange_explicit(&port->noticed, true, memory_order_relaxed)) {
        return;
    }
    dpl__log_printf(port->component->runtime->log, DPL_LOG_WARN, port->name,
                    "UFIFO queue is full: it is bounded at %zu messages and drops the oldest "
                    "(set queue_size for more, or take faster)",
                    port->depth);
}

static inline void set_newest(struct dpl__port *port, struct dpl__block *block)
{
    struct dpl__block **place = port->lent ? &port->arriving : &port->newest;
    dpl__block_ref(block, 1);
    if (*place) {
        dpl__block_unref(*place);
    }
    *place = block;
}

static void drop_from_queue(struct dpl__port *port, struct dpl__block *dropped)
{
    if (dropped != port->seen) {
        dpl__count(&port->n_dropped_queue);
        notice_bound(port);
    }
    port->seen = NULL;
    dpl__block_unref(dropped);
}

/* Takes over one reference to the block. */
static inline void accept(struct dpl__port *port, struct dpl__block *block)
{
    dpl__count(&port->n_received);
    if (port->desc->kind == DPL_PORT_DATA) {
        set_newest(port, block);
    }
    struct dpl__block *dropped =
        dpl__queue_push(&port->queue, block, port->component->n_arrivals++);
    if (dropped) {
        drop_from_queue(port, dropped);
    }
}

void dpl__port_receive(struct dpl__port *port, struct dpl__block *block)
{
    accept(port, block);
    if (port->component->executor) {
        dpl__executor_notify(port->component->executor);
    }
}

void dpl__port_drain(struct dpl__port *port, bool local_only)
{
    for (size_t i = 0; i < port->n_rings; i++) {
        const struct dpl__connection *connection = port->rings[i];
        if (local_only && !connection->local) {
            continue;
        }
        uint32_t index;
        /* At most one full ring, so that a fast sender cannot keep the receiver here. */
        for (uint32_t n = connection->ring->n_slots;
             n > 0 && dpl__ring_pop(connection->ring, &index); n--) {
            accept(port, dpl__pool_at(connection->source->pool, index));
        }
    }
}

static inline const struct dpl_message *lend(struct dpl__port *port, struct dpl__block *block)
{
    if (port->taken) {
        dpl__block_unref(port->taken);
    }
    port->taken = block;
    if (!block) {
        return NULL;
    }
    touch(port);
    if (block != port->seen) {
        dpl__count(&port->n_taken);
    }
    port->seen = NULL;
    return &block->message;
}

/* The message that a LAST port has shown counts as taken, although it stays in the queue: replacing
 * it is not a loss. */
static void note_seen(struct dpl__port *port)
{
    const struct dpl__queue *queue = &port->queue;
    struct dpl__block *queued = queue->n == 1 ? queue->entries[queue->oldest].block : NULL;
    if (port->policy == DPL_QUEUE_LAST && queued == port->newest && port->seen != queued) {
        port->seen = queued;
        dpl__count(&port->n_taken);
    }
}

const struct dpl_message *dpl_port_take(struct dpl_component *component, unsigned port)
{
    struct dpl__port *self = message_port(component, port, DPL__TAKES);
    if (!self) {
        return NULL;
    }
    bool newest_first = self->policy == DPL_QUEUE_LIFO;
    return lend(self, newest_first ? dpl__queue_pop_newest(&self->queue)
                                   : dpl__queue_pop_oldest(&self->queue));
}

const struct dpl_message *dpl__port_take_event(struct dpl__port *port)
{
    return lend(port, dpl__queue_pop_oldest(&port->queue));
}

const struct dpl_message *dpl_port_latest(struct dpl_component *component, unsigned port)
{
    struct dpl__port *self = dpl__port_find(component, port, DPL_PORT_DATA, DPL_PORT_IN);
    if (!self || !self->newest) {
        return NULL;
    }
    self->lent = true;
    touch(self);
    note_seen(self);
    return &self->newest->message;
}

/* ---- sending ---- */

static inline struct dpl__block *loan(struct dpl__port *port)
{
    struct dpl__block *block = dpl__pool_acquire(port->pool);
    if (!block) {
        dpl__count(&port->n_dropped_pool);
        return NULL;
    }
    block->next_loan = port->loans;
    port->loans = block;
    touch(port);
    return block;
}

void *dpl_port_loan(struct dpl_component *component, unsigned port)
{
    struct dpl__port *self = message_port(component, port, DPL__SENDS);
    if (!self || !self->desc->message) {
        return NULL;
    }
    struct dpl__block *block = loan(self);
    return block ? block->message.body : NULL;
}

/* Removes the loan with this body from the list; NULL: there is none. */
static inline struct dpl__block *end_loan(struct dpl__port *port, const void *body)
{
    for (struct dpl__block **at = &port->loans; *at; at = &(*at)->next_loan) {
        if ((*at)->message.body == body) {
            struct dpl__block *block = *at;
            *at = block->next_loan;
            return block;
        }
    }
    return NULL;
}

static bool has_ring(const struct dpl__port *port)
{
    for (size_t i = 0; i < port->n_outputs; i++) {
        if (port->outputs[i]->ring) {
            return true;
        }
    }
    return false;
}

void dpl__port_find_short_cuts(struct dpl__port *port)
{
    bool on_thread = !has_ring(port);
    bool direct = on_thread && port->n_outputs == 1 && !port->outputs[0]->wakes;
    port->direct = direct ? port->outputs[0]->target : NULL;
    dpl__pool_keep_on_thread(port->pool, on_thread);
}

static bool push(struct dpl__connection *connection, uint32_t index, uint32_t *ret_dropped)
{
    while (connection->make_room && dpl__ring_is_full(connection->ring)) {
        connection->make_room(connection->user);
    }
    return dpl__ring_push(connection->ring, index, ret_dropped);
}

/* Takes over one reference to the block. */
static void deliver(struct dpl__connection *connection, struct dpl__block *block)
{
    uint32_t dropped;
    if (!connection->ring) {
        accept(connection->target, block);
    } else if (push(connection, block->index, &dropped)) {
        dpl__count(&connection->n_dropped);
        dpl__block_unref(dpl__pool_at(connection->source->pool, dropped));
        if (connection->target) {
            notice_bound(connection->target);
        }
    }
    if (connection->wakes) {
        dpl__executor_notify(connection->wakes);
    }
}

static void deliver_to_all(struct dpl__port *port, struct dpl__block *block)
{
    if (port->n_outputs == 0) {
        dpl__block_unref(block);
        return;
    }
    /* All references are counted before the first receiver may release one. */
    if (port->n_outputs > 1) {
        dpl__block_ref(block, (unsigned)port->n_outputs - 1);
    }
    for (size_t i = 0; i < port->n_outputs; i++) {
        deliver(port->outputs[i], block);
    }
}

static inline void send(struct dpl__port *port, struct dpl__block *block, dpl_ns stamp)
{
    block->message.stamp = stamp;
    block->message.sequence = dpl__count(&port->n_published);
    if (port->direct) {
        accept(port->direct, block);
    } else {
        deliver_to_all(port, block);
    }
}

int dpl_port_publish(struct dpl_component *component, unsigned port, void *body, dpl_ns stamp)
{
    struct dpl__port *self = message_port(component, port, DPL__SENDS);
    struct dpl__block *block = self && body ? end_loan(self, body) : NULL;
    if (!block) {
        return -EINVAL;
    }
    send(self, block, stamp);
    return 0;
}

int dpl_port_signal(struct dpl_component *component, unsigned port, dpl_ns stamp)
{
    struct dpl__port *self = dpl__port_find(component, port, DPL_PORT_EVENT, DPL_PORT_OUT);
    if (!self || self->desc->message) {
        return -EINVAL;
    }
    struct dpl__block *block = loan(self);
    if (!block) {
        return -ENOBUFS;
    }
    self->loans = block->next_loan;
    send(self, block, stamp);
    return 0;
}

/* ---- around callbacks ---- */

static void give_back(struct dpl__block **block)
{
    if (*block) {
        dpl__block_unref(*block);
        *block = NULL;
    }
}

void dpl__port_release(struct dpl__port *port)
{
    while (port->loans) {
        struct dpl__block *block = port->loans;
        port->loans = block->next_loan;
        dpl__block_unref(block);
    }
    give_back(&port->taken);
    port->lent = false;
    if (port->arriving) {
        give_back(&port->newest);
        port->newest = port->arriving;
        port->arriving = NULL;
    }
}

void dpl__port_clear(struct dpl__port *port)
{
    if (port->desc->kind == DPL_PORT_SERVICE || port->desc->dir == DPL_PORT_OUT) {
        return;
    }
    dpl__port_drain(port, false);
    for (struct dpl__block *block; (block = dpl__queue_pop_oldest(&port->queue));) {
        dpl__block_unref(block);
    }
    port->seen = NULL;
    give_back(&port->newest);
    give_back(&port->arriving);
}

bool dpl_port_is_connected(const struct dpl_component *component, unsigned port)
{
    const struct dpl__component *self = component->runtime;
    return port < component->class_->n_ports && self->ports[port].connected;
}

static uint64_t read(const atomic_ullong *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

void dpl__port_read_counters(const struct dpl__component *component, unsigned port,
                             struct dpl__port_counters *ret)
{
    const struct dpl__port *self = &component->ports[port];
    *ret = (struct dpl__port_counters){
        .published = read(&self->n_published),
        .received = read(&self->n_received),
        .taken = read(&self->n_taken),
        .dropped_queue = read(&self->n_dropped_queue),
        .dropped_pool = read(&self->n_dropped_pool),
    };
    for (size_t i = 0; i < self->n_rings; i++) {
        ret->dropped_ring += read(&self->rings[i]->n_dropped);
    }
}
