/* SPDX-License-Identifier: Apache-2.0 */
/* Data exchange between the thread of a pin driver's calls and the control thread, which owns its
 * wire: a ring of events in each direction (one writer, one reader, no locks), and the unread edges
 * of a pin. */
#ifndef PINS_PIN_EXCHANGE_H
#define PINS_PIN_EXCHANGE_H

#include <stdatomic.h>

#include <doppel/drv/pins.h>

enum {
    PIN_RING_MAX = 1024,
};

struct pin_event {
    dpl_ns at;
    double value, frequency_hz;
    uint8_t pin;
    uint8_t kind; /* defined by the driver */
    bool level;
};

/* The indices never wrap; their difference is the number of events in the ring. */
struct pin_ring {
    atomic_uint head, tail;
    atomic_uint lost; /* events dropped because the ring was full */
    struct pin_event items[PIN_RING_MAX];
};

/* For the writer. False: full, and counted as lost. Release pairs with the reader's acquire. */
static inline bool pin_ring_push(struct pin_ring *ring, const struct pin_event *event)
{
    unsigned tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    if (tail - atomic_load_explicit(&ring->head, memory_order_acquire) == PIN_RING_MAX) {
        atomic_fetch_add_explicit(&ring->lost, 1, memory_order_relaxed);
        return false;
    }
    ring->items[tail % PIN_RING_MAX] = *event;
    atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
    return true;
}

/* For the reader. False: empty. */
static inline bool pin_ring_pop(struct pin_ring *ring, struct pin_event *ret_event)
{
    unsigned head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    if (head == atomic_load_explicit(&ring->tail, memory_order_acquire)) {
        return false;
    }
    *ret_event = ring->items[head % PIN_RING_MAX];
    atomic_store_explicit(&ring->head, head + 1, memory_order_release);
    return true;
}

struct pin_edges {
    struct dpl_pin_edge items[DPL_PINS_EDGES_MAX];
    unsigned first, n, lost;
};

/* When it is full, the oldest is dropped. */
static inline void pin_edges_add(struct pin_edges *edges, struct dpl_pin_edge edge)
{
    if (edges->n == DPL_PINS_EDGES_MAX) {
        edges->first = (edges->first + 1) % DPL_PINS_EDGES_MAX;
        edges->n--;
        edges->lost++;
    }
    edges->items[(edges->first + edges->n++) % DPL_PINS_EDGES_MAX] = edge;
}

/* Takes at most `n`, oldest first, and adds the number of dropped ones to *lost. */
static inline size_t pin_edges_pop(struct pin_edges *edges, struct dpl_pin_edge *ret_edges,
                                   size_t n, unsigned *lost)
{
    size_t taken = 0;
    while (taken < n && edges->n > 0) {
        ret_edges[taken++] = edges->items[edges->first];
        edges->first = (edges->first + 1) % DPL_PINS_EDGES_MAX;
        edges->n--;
    }
    *lost += edges->lost;
    edges->lost = 0;
    return taken;
}

#endif
