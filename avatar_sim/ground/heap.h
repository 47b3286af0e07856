/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of one world: an allocator in a mapping of its own, whose books are in that mapping
 * too. So a copy of the used part is the state of all that lives in it, and copying it back to the
 * same place restores that state: pointers within it stay right. The same calls give the same
 * addresses relative to its start, in every process. One thread at a time. */
#ifndef DOPPEL_SIM_HEAP_H
#define DOPPEL_SIM_HEAP_H

#include <stddef.h>

/* AddressSanitizer watches the blocks of heaps as those of malloc. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DPL_HEAP_WATCHED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define DPL_HEAP_WATCHED
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_heap;

/* A heap for up to `reserve` bytes, its books and what is lost between blocks included. They are
 * addresses, which become memory when they are used. Where the process may not have so many
 * (ulimit -v) it is half, a quarter and so on, down to 1 MiB. Calls the system. NULL: not even
 * that. */
struct dpl_heap *dpl__heap_create(size_t reserve);

/* Gives the memory back, with all that lives in it. NULL is allowed. Calls the system. */
void dpl__heap_destroy(struct dpl_heap *heap);

/* Memory for any type, aligned to 16 bytes; what is in it is not defined. NULL: the heap is full.
 * Never calls the system. */
void *dpl__heap_alloc(struct dpl_heap *heap, size_t size);

/* n elements of zeroes, else the same. n may be 0. */
void *dpl__heap_zeroed(struct dpl_heap *heap, size_t n, size_t size);

/* Gives back a block of this heap, for others of about the same size. NULL is allowed. */
void dpl__heap_free(struct dpl_heap *heap, void *memory);

/* Bytes that dpl__heap_save writes now: it grows until every list of free blocks has what is
 * needed. */
size_t dpl__heap_used(const struct dpl_heap *heap);

/* Copies the used part to ret_bytes[dpl__heap_used()]. */
void dpl__heap_save(const struct dpl_heap *heap, void *ret_bytes);

/* Copies back what dpl__heap_save has written of this heap, `size` bytes of it: every byte is then
 * as it was, also those that no block has used since. -EINVAL: of another heap, or cut short. */
int dpl__heap_restore(struct dpl_heap *heap, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
