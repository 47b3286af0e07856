/* SPDX-License-Identifier: Apache-2.0 */
/* Between the thread of a pin driver's calls and the control thread that owns its wire: a ring of
 * events each way (one writer, one reader, no locks), and the edges of a pin that wait for being
 * read. */
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
    uint8_t kind; /* the driver's own */
    bool level;
};

/* The indices count on; their difference is what is in the ring. */
struct pin_ring {
    atomic_uint head, tail;
    atomic_uint lost; /* events that found the ring full */
    struct pin_event items[PIN_RING_MAX];
};

/* The writer's. False: full, and counted as lost. Release pairs with the reader's acquire. */
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

/* The reader's. False: empty. */
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

/* Without room the oldest goes. */
static inline void pin_edges_add(struct pin_edges *edges, struct dpl_pin_edge edge)
{
    if (edges->n == DPL_PINS_EDGES_MAX) {
        edges->first = (edges->first + 1) % DPL_PINS_EDGES_MAX;
        edges->n--;
        edges->lost++;
    }
    edges->items[(edges->first + edges->n++) % DPL_PINS_EDGES_MAX] = edge;
}

/* Takes at most `n`, oldest first, and adds what was dropped to *lost. */
static inline size_t pin_edges_take(struct pin_edges *edges, struct dpl_pin_edge *ret_edges,
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
