/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks in classes of sizes, each class with a list of its free blocks; new blocks from the top:
 * see heap.h. */
#include "heap.h"

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#ifdef DPL_HEAP_WATCHED
#include <sanitizer/asan_interface.h>
#define FORBID(from, size) ASAN_POISON_MEMORY_REGION(from, size)
#define ALLOW(from, size)  ASAN_UNPOISON_MEMORY_REGION(from, size)
#define UNWATCHED          __attribute__((no_sanitize_address))
#else
#define FORBID(from, size) ((void)(from))
#define ALLOW(from, size)  ((void)(from))
#define UNWATCHED
#endif

enum { UNIT = 16, N_CLASSES = 288 };

#define LEAST_RESERVE ((size_t)1 << 20)
#define MOST_RESERVE  ((size_t)1 << 40) /* what the classes reach */

/* In front of what a block holds. A sanitizer that watches addresses forbids it, free blocks, and
 * what is left over at a block's end. */
struct block {
    uint32_t class;
    uint32_t is_live;
    union {
        size_t size;        /* that was asked for */
        struct block *next; /* of the free ones */
    };
};

struct dpl_heap {
    uint64_t number; /* of all heaps in the process */
    size_t used, reserved;
    size_t padding;
    struct block *free[N_CLASSES];
};

_Static_assert(sizeof(struct block) == UNIT, "a block's contents are aligned");
_Static_assert(sizeof(struct dpl_heap) % UNIT == 0, "the first block is aligned");

/* Classes are an eighth of a power of two apart: so much of a block is lost at most. Below eight
 * units they are exact. */
static uint32_t class_of(size_t size)
{
    size_t units = size > UNIT ? (size + UNIT - 1) / UNIT : 1;
    if (units < 8) {
        return (uint32_t)units;
    }
    unsigned shift = 60 - (unsigned)__builtin_clzll(units);
    size_t eighths = (units + ((size_t)1 << shift) - 1) >> shift;
    return (uint32_t)(shift * 8 + eighths);
}

static size_t class_size(uint32_t class)
{
    size_t units = class < 8 ? class : (size_t)(class % 8 + 8) << (class / 8 - 1);
    return units * UNIT;
}

static void *map(size_t *reserve)
{
    for (; *reserve >= LEAST_RESERVE; *reserve /= 2) {
        void *memory = mmap(NULL, *reserve, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory != MAP_FAILED) {
            return memory;
        }
    }
    return NULL;
}

/* What the last heap of this process had used: the next one will need about as much, and one call
 * for all its pages costs less than a fault for each. */
static atomic_size_t used_before;

struct dpl_heap *dpl__heap_create(size_t reserve)
{
    static atomic_uint_fast64_t numbers;
    reserve = reserve > LEAST_RESERVE ? reserve : LEAST_RESERVE;
    reserve = reserve < MOST_RESERVE ? reserve : MOST_RESERVE;
    struct dpl_heap *heap = map(&reserve);
    if (heap) {
        size_t likely = atomic_load_explicit(&used_before, memory_order_relaxed);
        madvise(heap, likely < reserve ? likely : reserve, MADV_POPULATE_WRITE);
        heap->number = 1 + atomic_fetch_add_explicit(&numbers, 1, memory_order_relaxed);
        heap->used = sizeof *heap;
        heap->reserved = reserve;
    }
    return heap;
}

void dpl__heap_destroy(struct dpl_heap *heap)
{
    if (heap) {
        atomic_store_explicit(&used_before, heap->used, memory_order_relaxed);
        ALLOW(heap, heap->used); /* who is given these addresses next may touch them */
        munmap(heap, heap->reserved);
    }
}

static struct block *at_top(struct dpl_heap *heap, uint32_t class)
{
    size_t size = sizeof(struct block) + class_size(class);
    if (size > heap->reserved - heap->used) {
        return NULL;
    }
    struct block *block = (struct block *)((char *)heap + heap->used);
    FORBID(block, size);
    heap->used += size;
    return block;
}

UNWATCHED void *dpl__heap_alloc(struct dpl_heap *heap, size_t size)
{
    if (size > heap->reserved) {
        return NULL;
    }
    uint32_t class = class_of(size);
    struct block *block = heap->free[class];
    if (block) {
        heap->free[class] = block->next;
    } else {
        block = at_top(heap, class);
    }
    if (!block) {
        return NULL;
    }
    *block = (struct block){.class = class, .is_live = true, .size = size};
    ALLOW(block + 1, size);
    return block + 1;
}

void *dpl__heap_zeroed(struct dpl_heap *heap, size_t n, size_t size)
{
    void *memory = size > 0 && n > SIZE_MAX / size ? NULL : dpl__heap_alloc(heap, n * size);
    return memory ? memset(memory, 0, n * size) : NULL;
}

UNWATCHED void dpl__heap_free(struct dpl_heap *heap, void *memory)
{
    if (!memory) {
        return;
    }
    assert((size_t)((char *)memory - (char *)heap) < heap->used);
    struct block *block = (struct block *)memory - 1;
    assert(block->is_live == true);
    block->is_live = false;
    block->next = heap->free[block->class];
    heap->free[block->class] = block;
    FORBID(memory, class_size(block->class));
}

size_t dpl__heap_used(const struct dpl_heap *heap)
{
    return heap->used;
}

#ifdef DPL_HEAP_WATCHED
/* What may be touched is not part of a copy. */
UNWATCHED static void forbid_again(const struct dpl_heap *heap)
{
    const char *end = (const char *)heap + heap->used;
    for (const char *at = (const char *)(heap + 1); at < end;) {
        const struct block *block = (const struct block *)at;
        size_t size = class_size(block->class);
        FORBID(block, sizeof *block + size);
        if (block->is_live) {
            ALLOW(block + 1, block->size);
        }
        at += sizeof *block + size;
    }
}
#else
static void forbid_again(const struct dpl_heap *heap)
{
}
#endif

void dpl__heap_save(const struct dpl_heap *heap, void *ret_bytes)
{
    ALLOW(heap, heap->used);
    memcpy(ret_bytes, heap, heap->used);
    forbid_again(heap);
}

int dpl__heap_restore(struct dpl_heap *heap, const void *bytes, size_t size)
{
    struct dpl_heap saved;
    if (size < sizeof saved) {
        return -EINVAL;
    }
    memcpy(&saved, bytes, sizeof saved);
    if (saved.number != heap->number || saved.used > size) {
        return -EINVAL;
    }
    size_t newer = heap->used > saved.used ? heap->used - saved.used : 0;
    ALLOW(heap, saved.used + newer);
    memcpy(heap, bytes, saved.used);
    memset((char *)heap + saved.used, 0, newer);
    forbid_again(heap);
    return 0;
}
