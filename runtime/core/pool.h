/* SPDX-License-Identifier: Apache-2.0 */
/* Message blocks. A block has a header, the generated struct with its sub-messages, and bounded
 * storage for repeated fields, strings and bytes. The layout is computed once from the type's
 * descriptor. One thread at a time acquires blocks; any thread may release them. */
#ifndef DOPPEL_RUNTIME_POOL_H
#define DOPPEL_RUNTIME_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/message.h>

#include "arena.h"

#define DPL__BLOCK_BYTES_MAX (16u << 20)
#define DPL__POOL_BYTES_MAX  (256u << 20)

/* All members that a publication uses are in one cache line. */
struct dpl__block {
    struct dpl_message message;   /* must be first: a message is converted to its block */
    struct dpl__block *next_loan; /* while it is loaned: list of the port */
    struct dpl__block *following; /* next block in its pool, in a circle */
    uint32_t index;               /* in its pool */
    bool one_thread;              /* see dpl__pool_keep_on_thread */
    atomic_uint references;
};

struct dpl__pool {
    char *memory;
    size_t block_bytes, n_blocks;
    size_t n_used;      /* the first ones, which are acquired; see dpl__pool_limit */
    size_t body_at;     /* offset of the fixed part in a block; its initial copy follows it */
    size_t fixed_bytes; /* struct, sub-messages, arrays of pointers */
    size_t *texts;      /* offsets of strings in a block, which are initially empty */
    size_t n_texts;
    struct dpl__block *next; /* the next block to try */
};

/* `type` NULL: blocks without a body. `capacity`: largest number of elements of a repeated field,
 * of bytes of a string. At least one block. Members of a oneof get no storage; a type inside itself
 * gets none either. -E2BIG above the limits. */
int dpl__pool_create(struct dpl_arena *arena, const struct ProtobufCMessageDescriptor *type,
                     size_t capacity, size_t n_blocks, struct dpl__pool **ret_pool,
                     struct dpl_diag *reterr);

/* The bytes of one block; 0 above the limit. */
size_t dpl__pool_block_bytes(const struct ProtobufCMessageDescriptor *type, size_t capacity);

/* Acquires only the first `n` blocks from now on, 1 <= n <= n_blocks. On the thread that acquires.
 */
void dpl__pool_limit(struct dpl__pool *pool, size_t n);

/* `on`: the blocks are only used by threads of which one runs at a time: then counting references
 * needs no locked instruction. Call while no other thread has a block; by default threads share the
 * blocks. */
void dpl__pool_keep_on_thread(struct dpl__pool *pool, bool on);

/* A new block with one reference, or NULL when all are in use. One thread at a time. */
struct dpl__block *dpl__pool_acquire(struct dpl__pool *pool);

static inline struct dpl__block *dpl__pool_at(const struct dpl__pool *pool, size_t index)
{
    return (struct dpl__block *)(void *)(pool->memory + index * pool->block_bytes);
}

/* Relaxed is enough: the caller already holds a reference. */
static inline void dpl__block_ref(struct dpl__block *block, unsigned n)
{
    if (block->one_thread) {
        unsigned old = atomic_load_explicit(&block->references, memory_order_relaxed);
        atomic_store_explicit(&block->references, old + n, memory_order_relaxed);
    } else {
        atomic_fetch_add_explicit(&block->references, n, memory_order_relaxed);
    }
}

/* Release: all reads of the body are done before the block is free; pairs with the acquire load of
 * dpl__pool_acquire (later decrements continue the release sequence). A block that stays on one
 * thread is released by the thread that acquires it. */
static inline void dpl__block_unref(struct dpl__block *block)
{
    if (block->one_thread) {
        unsigned old = atomic_load_explicit(&block->references, memory_order_relaxed);
        atomic_store_explicit(&block->references, old - 1, memory_order_relaxed);
    } else {
        atomic_fetch_sub_explicit(&block->references, 1, memory_order_release);
    }
}

#endif
