/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a stream: what is read goes to the driver, what is written waits in a queue. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "stream_state.h"

#define READ_BYTES   4096u
#define READS_A_TURN 16 /* afterwards the other streams are served */

/* Result of one read: 1: more may follow, 0: nothing now, negative: lost. */
static int read_once(struct dpl_stream *stream)
{
    uint8_t bytes[READ_BYTES];
    ssize_t n = read(stream->fd, bytes, sizeof bytes);
    if (n > 0) {
        if (!stream->config.settles) {
            dpl_stream_settled(stream);
        }
        if (stream->config.ops->data) {
            stream->config.ops->data(stream, stream->config.user, bytes, (size_t)n,
                                     dpl__runtime_now(stream->runtime));
        }
        return (size_t)n == sizeof bytes || stream->is_can;
    }
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return 0;
    }
    return n < 0 ? -errno : -EPIPE;
}

void dpl__stream_discard(struct dpl_stream *stream)
{
    uint8_t bytes[READ_BYTES];
    for (int i = 0; i < READS_A_TURN && read(stream->fd, bytes, sizeof bytes) > 0; i++) {
    }
}

void dpl__stream_read(struct dpl_stream *stream)
{
    const struct watch *watch = stream->watch;
    for (int i = 0; i < READS_A_TURN; i++) {
        int r = read_once(stream);
        if (r < 0) {
            dpl__stream_lose(stream, r == -EPIPE ? "closed by the other end" : strerror(-r));
        }
        if (r <= 0 || stream->watch != watch) {
            return;
        }
    }
}

int dpl_stream_write(struct dpl_stream *stream, const void *bytes, size_t n)
{
    if (stream->fd < 0 || stream->connecting) {
        return -ENOTCONN;
    }
    int r = dpl__stream_queue_put(&stream->queue, bytes, n);
    if (r < 0) {
        return r;
    }
    /* on_poll also detects a broken descriptor and then informs the driver. Not done here, because
     * the driver may be in another function. */
    if (dpl__stream_queue_flush(&stream->queue, stream->fd) < 0) {
        stream->queue.n = 0;
        return -ENOTCONN;
    }
    dpl__stream_update_watch(stream);
    return 0;
}
