/* SPDX-License-Identifier: Apache-2.0 */
#include "tap.h"

#include <string.h>

#include "arena.h"

static size_t count_slots(const struct dpl__port *port)
{
    size_t bytes = dpl__pool_block_bytes(port->desc->message, port->desc->capacity);
    size_t n = bytes > 0 ? DPL__TAP_BYTES / bytes : 0;
    return n < DPL__TAP_LEAST ? DPL__TAP_LEAST : n > DPL__TAP_MOST ? DPL__TAP_MOST : n;
}

size_t dpl__tap_create(struct dpl_arena *arena, struct dpl__port *port)
{
    struct dpl__connection **outputs =
        dpl_arena_alloc(arena, (port->n_outputs + 1) * sizeof *outputs);
    if (port->n_outputs > 0) {
        memcpy(outputs, port->outputs, port->n_outputs * sizeof *outputs);
    }
    port->outputs = outputs;
    port->tap = dpl_arena_alloc(arena, sizeof *port->tap);
    port->tap->source = port;
    port->tap->ring = dpl__ring_create(arena, count_slots(port));
    return port->tap->ring->n_slots + 1;
}

void dpl__tap_listen(struct dpl__port *port)
{
    port->outputs[port->n_outputs++] = port->tap;
    dpl__pool_limit(port->pool, port->pool->n_blocks);
    dpl__port_find_short_cuts(port);
}

void dpl__tap_ignore(struct dpl__port *port)
{
    port->n_outputs--;
}

void dpl__tap_settle(struct dpl__port *port)
{
    dpl__pool_limit(port->pool, port->pool->n_blocks - port->tap->ring->n_slots - 1);
    dpl__port_find_short_cuts(port);
}

const struct dpl_message *dpl__tap_take(struct dpl__connection *tap)
{
    uint32_t index;
    if (!dpl__ring_pop(tap->ring, &index)) {
        return NULL;
    }
    return &dpl__pool_at(tap->source->pool, index)->message;
}

void dpl__tap_release(const struct dpl_message *message)
{
    dpl__block_unref((struct dpl__block *)(uintptr_t)message);
}

uint64_t dpl__tap_dropped(const struct dpl__connection *tap)
{
    return atomic_load_explicit(&tap->n_dropped, memory_order_relaxed);
}
