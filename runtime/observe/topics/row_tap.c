/* SPDX-License-Identifier: Apache-2.0 */
#include "row_tap.h"

#include "arena.h"

void dpl__row_tap_init(struct dpl__row_tap *tap, struct dpl_arena *arena, size_t row_bytes,
                       size_t n_rows)
{
    *tap = (struct dpl__row_tap){.row_bytes = row_bytes, .n_rows = n_rows};
    tap->stride = (sizeof(struct dpl__row) + row_bytes + 15) / 16 * 16;
    tap->memory = dpl_arena_alloc(arena, n_rows * tap->stride);
}

static struct dpl__row *row_at(const struct dpl__row_tap *tap, uint64_t number)
{
    return (struct dpl__row *)(void *)(tap->memory + number % tap->n_rows * tap->stride);
}

static bool is_full(const struct dpl__row_tap *tap, uint64_t written)
{
    /* Acquire: the reader has finished with the row that the next one replaces. */
    return written - atomic_load_explicit(&tap->read, memory_order_acquire) >= tap->n_rows;
}

struct dpl__row *dpl__row_tap_open(struct dpl__row_tap *tap)
{
    if (!atomic_load_explicit(&tap->listening, memory_order_relaxed)) {
        return NULL;
    }
    uint64_t written = atomic_load_explicit(&tap->written, memory_order_relaxed);
    tap->sequence++;
    while (tap->make_room && is_full(tap, written)) {
        tap->make_room(tap->user);
    }
    if (is_full(tap, written)) {
        uint64_t n = atomic_load_explicit(&tap->n_dropped, memory_order_relaxed);
        atomic_store_explicit(&tap->n_dropped, n + 1, memory_order_relaxed);
        return NULL;
    }
    struct dpl__row *row = row_at(tap, written);
    row->n = tap->row_bytes;
    row->sequence = tap->sequence - 1;
    return row;
}

void dpl__row_tap_send(struct dpl__row_tap *tap, dpl_ns stamp)
{
    uint64_t written = atomic_load_explicit(&tap->written, memory_order_relaxed);
    row_at(tap, written)->stamp = stamp;
    /* Release publishes the row to the reader. */
    atomic_store_explicit(&tap->written, written + 1, memory_order_release);
}

const struct dpl__row *dpl__row_tap_take(struct dpl__row_tap *tap)
{
    uint64_t read = atomic_load_explicit(&tap->read, memory_order_relaxed);
    return read == atomic_load_explicit(&tap->written, memory_order_acquire) ? NULL
                                                                             : row_at(tap, read);
}

void dpl__row_tap_release(struct dpl__row_tap *tap)
{
    uint64_t read = atomic_load_explicit(&tap->read, memory_order_relaxed);
    atomic_store_explicit(&tap->read, read + 1, memory_order_release);
}
