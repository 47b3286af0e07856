/* SPDX-License-Identifier: Apache-2.0 */
/* What a stream is, for stream.c and stream_bytes.c. */
#ifndef DOPPEL_RUNTIME_STREAM_STATE_H
#define DOPPEL_RUNTIME_STREAM_STATE_H

#include <stdbool.h>
#include <uv.h>

#include <doppel/stream.h>

#include "host_calls.h"
#include "runtime.h"
#include "stream_open.h"
#include "stream_queue.h"
#include "stream_steady.h"

/* A poll handle belongs to one descriptor and is freed one loop turn after it. */
struct watch {
    uv_poll_t poll;
    struct dpl_stream *stream; /* NULL: closing */
};

struct dpl_stream {
    struct dpl_runtime *runtime;
    const char *owner;
    struct dpl_stream_config config; /* `address` is a copy */
    bool is_tcp, is_can, is_timer;
    struct dpl__tcp_peer peer;
    unsigned peer_index; /* of the next attempt */
    struct dpl__listener listener;
    int fd; /* -1: none */
    struct watch *watch;
    bool connecting; /* TCP: the descriptor is not connected yet */
    bool announced;  /* `opened` was called for this descriptor */
    bool closed;
    uint32_t delay_ms; /* before the next attempt */
    uv_timer_t retry;  /* next attempt, timeout of a connect, or the first announcement */
    uv_timer_t ticker;
    struct dpl__steady steady; /* used instead of the ticker */
    unsigned n_handles;        /* handles that libuv has not closed yet */
    struct dpl__stream_queue queue;
};

/* Watches for what the stream needs next: a connection, bytes, room for bytes. */
void dpl__stream_update_watch(struct dpl_stream *stream);

/* Closes the descriptor, tells the driver, and tries again later. */
void dpl__stream_lose(struct dpl_stream *stream, const char *why);

/* Reads what has come so far, for nobody. */
void dpl__stream_discard(struct dpl_stream *stream);

/* Gives the driver the bytes that have come, or loses the stream. */
void dpl__stream_read(struct dpl_stream *stream);

#endif
