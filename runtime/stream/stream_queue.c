/* SPDX-License-Identifier: Apache-2.0 */
/* The ring of bytes that a stream must still write, and the end of a connection. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime.h"
#include "stream_queue.h"

#define CAPACITY DPL__STREAM_QUEUE_BYTES

int dpl__stream_queue_put(struct dpl__stream_queue *queue, const void *bytes, size_t n)
{
    if (n > CAPACITY - queue->n) {
        return -ENOBUFS;
    }
    size_t end = (queue->first + queue->n) % CAPACITY;
    size_t before_wrap = CAPACITY - end < n ? CAPACITY - end : n;
    memcpy(queue->bytes + end, bytes, before_wrap);
    memcpy(queue->bytes, (const uint8_t *)bytes + before_wrap, n - before_wrap);
    queue->n += n;
    return 0;
}

static ssize_t write_some(const struct dpl__stream_queue *queue, int fd)
{
    size_t n = queue->n < CAPACITY - queue->first ? queue->n : CAPACITY - queue->first;
    const uint8_t *bytes = queue->bytes + queue->first;
    if (queue->record > 0 && queue->record < n) {
        n = queue->record;
    }
    return queue->is_socket ? send(fd, bytes, n, MSG_NOSIGNAL) : write(fd, bytes, n);
}

int dpl__stream_queue_flush(struct dpl__stream_queue *queue, int fd)
{
    while (queue->n > 0) {
        ssize_t written = write_some(queue, fd);
        if (written < 0 && errno == ENOBUFS && queue->record > 0) {
            written = (ssize_t)queue->record; /* lost, as is possible on any bus */
        }
        if (written < 0) {
            return errno == EAGAIN || errno == EINTR ? 0 : -errno;
        }
        queue->first = (queue->first + (size_t)written) % CAPACITY;
        queue->n -= (size_t)written;
    }
    return 0;
}

/* Waits for the descriptor until the deadline; false when that has passed. */
static bool wait_for(int fd, short events, dpl_ns deadline)
{
    dpl_ns left = deadline - dpl_monotonic_now();
    if (left <= 0) {
        return false;
    }
    struct pollfd p = {.fd = fd, .events = events};
    return poll(&p, 1, (int)(left / DPL_MS) + 1) > 0;
}

/* Closing a socket with unread input resets the connection, and the last command may be lost.
 * Therefore the sending side is shut down first, and further input is discarded. */
static void end_connection(int fd, dpl_ns deadline)
{
    uint8_t bytes[4096];
    shutdown(fd, SHUT_WR);
    while (wait_for(fd, POLLIN, deadline)) {
        if (read(fd, bytes, sizeof bytes) <= 0) {
            return;
        }
    }
}

void dpl__stream_queue_finish(struct dpl__stream_queue *queue, int fd, int timeout_ms)
{
    dpl_ns deadline = dpl_monotonic_now() + timeout_ms * DPL_MS;
    while (dpl__stream_queue_flush(queue, fd) == 0 && queue->n > 0) {
        if (!wait_for(fd, POLLOUT, deadline)) {
            break;
        }
    }
    if (queue->is_socket) {
        end_connection(fd, deadline);
    }
}
