/* SPDX-License-Identifier: Apache-2.0 */
/* The lock-free ring between executors. */
#include "queue.h"

#include "arena.h"

struct dpl__ring *dpl__ring_create(struct dpl_arena *arena, size_t n_slots)
{
    struct dpl__ring *ring = dpl_arena_alloc(arena, sizeof *ring);
    ring->n_slots = (uint32_t)n_slots;
    ring->slots = dpl_arena_alloc(arena, n_slots * sizeof *ring->slots);
    return ring;
}

bool dpl__ring_push(struct dpl__ring *ring, uint32_t index, uint32_t *ret_dropped)
{
    /* Only this thread writes `pushed`. */
    uint64_t ticket = atomic_load_explicit(&ring->pushed, memory_order_relaxed);
    unsigned long long value = (ticket << 32) | (index + 1u);
    /* Release publishes the message's content to the consumer that takes this value. The returned
     * value was written by this thread or emptied by the consumer: no acquire is needed. */
    unsigned long long old =
        atomic_exchange_explicit(&ring->slots[ticket % ring->n_slots], value, memory_order_release);
    /* Release: a thread that sees the count also sees the slot. */
    atomic_store_explicit(&ring->pushed, ticket + 1, memory_order_release);
    if (old == 0) {
        return false;
    }
    *ret_dropped = (uint32_t)old - 1u;
    return true;
}

bool dpl__ring_is_full(const struct dpl__ring *ring)
{
    uint64_t ticket = atomic_load_explicit(&ring->pushed, memory_order_relaxed);
    return atomic_load_explicit(&ring->slots[ticket % ring->n_slots], memory_order_relaxed) != 0;
}

bool dpl__ring_pop(struct dpl__ring *ring, uint32_t *ret_index)
{
    uint64_t pushed = atomic_load_explicit(&ring->pushed, memory_order_acquire);
    if (pushed - ring->next > ring->n_slots) {
        ring->next = pushed - ring->n_slots; /* earlier ones were overwritten */
    }
    while (ring->next < pushed) {
        uint64_t ticket = ring->next++;
        atomic_ullong *slot = &ring->slots[ticket % ring->n_slots];
        unsigned long long value = atomic_load_explicit(slot, memory_order_relaxed);
        if (value >> 32 != (ticket & UINT32_MAX)) {
            continue; /* overwritten by a later message, which is taken later */
        }
        /* Acquire pairs with the producer's exchange. On failure the slot was overwritten at this
         * moment. */
        if (atomic_compare_exchange_strong_explicit(slot, &value, 0, memory_order_acquire,
                                                    memory_order_relaxed)) {
            *ret_index = (uint32_t)value - 1u;
            return true;
        }
    }
    return false;
}
