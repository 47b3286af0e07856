/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that a stream must still write: a ring of constant size. */
#ifndef DOPPEL_RUNTIME_STREAM_QUEUE_H
#define DOPPEL_RUNTIME_STREAM_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DPL__STREAM_QUEUE_BYTES (64u * 1024u)

struct dpl__stream_queue {
    bool is_socket;
    size_t record; /* bytes of one write; all data must be multiples of it; 0: any number */
    size_t first, n;
    uint8_t bytes[DPL__STREAM_QUEUE_BYTES];
};

/* Puts all bytes or none: -ENOBUFS when there is no room. */
int dpl__stream_queue_put(struct dpl__stream_queue *queue, const void *bytes, size_t n);

/* Writes what the descriptor accepts now, without waiting. 0, or -errno when it is broken. */
int dpl__stream_queue_flush(struct dpl__stream_queue *queue, int fd);

/* Writes the rest and ends a connection in the correct order, for at most `timeout_ms` in total.
 * The caller then closes the descriptor. */
void dpl__stream_queue_finish(struct dpl__stream_queue *queue, int fd, int timeout_ms);

#endif
