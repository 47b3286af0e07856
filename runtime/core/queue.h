/* SPDX-License-Identifier: Apache-2.0 */
/* The two kinds of message queues: a plain one inside an input port, owned by the thread that runs
 * the component, and a lock-free ring from one thread to another. Both drop the oldest. */
#ifndef DOPPEL_RUNTIME_QUEUE_H
#define DOPPEL_RUNTIME_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dpl__block;
struct dpl_arena;

/* ---- plain queue, one thread ------------------------------------------------------------------
 */

struct dpl__queue_entry {
    struct dpl__block *block;
    /* number of the message in the component: gives the order of several queues */
    uint64_t arrival;
};

struct dpl__queue {
    struct dpl__queue_entry *entries; /* the caller's memory */
    size_t capacity, oldest, n;
};

/* NULL when empty. */
static inline struct dpl__block *dpl__queue_pop_oldest(struct dpl__queue *queue)
{
    if (queue->n == 0) {
        return NULL;
    }
    struct dpl__block *block = queue->entries[queue->oldest].block;
    queue->oldest = queue->oldest + 1 == queue->capacity ? 0 : queue->oldest + 1;
    queue->n--;
    return block;
}

/* The entry `n` after the oldest, n <= capacity. */
static inline struct dpl__queue_entry *dpl__queue_at(const struct dpl__queue *queue, size_t n)
{
    size_t at = queue->oldest + n;
    return &queue->entries[at < queue->capacity ? at : at - queue->capacity];
}

/* NULL when empty. */
static inline struct dpl__block *dpl__queue_pop_newest(struct dpl__queue *queue)
{
    return queue->n == 0 ? NULL : dpl__queue_at(queue, --queue->n)->block;
}

/* Returns the oldest block if it was dropped, otherwise NULL. */
static inline struct dpl__block *dpl__queue_push(struct dpl__queue *queue, struct dpl__block *block,
                                                 uint64_t arrival)
{
    struct dpl__block *dropped = queue->n == queue->capacity ? dpl__queue_pop_oldest(queue) : NULL;
    *dpl__queue_at(queue, queue->n++) = (struct dpl__queue_entry){block, arrival};
    return dropped;
}

/* ---- ring, one producer, one consumer ---------------------------------------------------------
 */

/* A slot has the low half of the ticket of its message (the number of pushes before it) in the
 * upper bits, and index + 1 of the block in the producer's pool in the lower bits; 0: empty. With
 * the ticket the consumer detects an overwritten slot. */
struct dpl__ring {
    atomic_ullong *slots; /* the caller's memory, zeroed */
    uint32_t n_slots;
    char producer_line[64];
    atomic_ullong pushed; /* written by the producer */
    char consumer_line[64];
    uint64_t next; /* the consumer's: next ticket to read */
};

/* An empty ring in the arena's memory. */
struct dpl__ring *dpl__ring_create(struct dpl_arena *arena, size_t n_slots);

/* Producer: puts block `index`. A full ring returns its oldest block: true, with ret_dropped. */
bool dpl__ring_push(struct dpl__ring *ring, uint32_t index, uint32_t *ret_dropped);
/* Producer: whether the next push returns a block. */
bool dpl__ring_is_full(const struct dpl__ring *ring);
/* Consumer: takes the oldest remaining one; false when empty. */
bool dpl__ring_pop(struct dpl__ring *ring, uint32_t *ret_index);

#endif
