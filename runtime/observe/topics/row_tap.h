/* SPDX-License-Identifier: Apache-2.0 */
/* A tap for values that are no messages of a port: rows of bytes of one size at most, copied by one
 * thread for one observing thread. While nobody listens a writer pays one load. A full ring drops
 * the row that is written, and counts. No lock, allocation or system call on either side. */
#ifndef DOPPEL_OBSERVE_ROW_TAP_H
#define DOPPEL_OBSERVE_ROW_TAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/time.h>

struct dpl_arena;

struct dpl__row {
    dpl_ns stamp;
    uint64_t sequence;
    size_t n;
    _Alignas(16) unsigned char data[];
};

struct dpl__row_tap {
    atomic_bool listening; /* written by the observer */
    atomic_uint n_came;    /* the same: how often somebody has come to listen */
    /* Called by the writer before it writes into a full ring, until there is room: then nothing is
     * lost. NULL: the row is dropped. */
    void (*make_room)(void *user);
    void *user;
    size_t row_bytes, n_rows, stride;
    char *memory;
    uint64_t sequence; /* the writer's: rows that were offered while somebody listened */
    atomic_ullong n_dropped;
    char writer_line[64];
    atomic_ullong written;
    char reader_line[64];
    atomic_ullong read;
};

/* Room for `n_rows` rows of at most `row_bytes`. */
void dpl__row_tap_init(struct dpl__row_tap *tap, struct dpl_arena *arena, size_t row_bytes,
                       size_t n_rows);

/* Writer: a row to fill (data, and n if it is not row_bytes); NULL: nobody listens, or the ring is
 * full, which is counted. */
struct dpl__row *dpl__row_tap_open(struct dpl__row_tap *tap);
/* Writer: sends the row that was opened. */
void dpl__row_tap_send(struct dpl__row_tap *tap, dpl_ns stamp);

/* Reader: the oldest row, or NULL; valid until dpl__row_tap_release, which must follow. */
const struct dpl__row *dpl__row_tap_take(struct dpl__row_tap *tap);
void dpl__row_tap_release(struct dpl__row_tap *tap);

#endif
