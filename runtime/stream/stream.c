/* SPDX-License-Identifier: Apache-2.0 */
/* doppel/stream.h with libuv: one descriptor at a time, watched by a poll handle. A lost stream is
 * opened again after a delay. The delay doubles with each attempt until bytes arrive, or until the
 * driver reports that its device works. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "holder.h"
#include "stream.h"
#include "stream_state.h"
#include <doppel/host/user_folder.h>

#define ADDRESS_BYTES      4096
#define CONNECT_TIMEOUT_MS 2000
#define CLOSE_TIMEOUT_MS   50
#define RETRY_MIN_MS       100
#define RETRY_MAX_MS       2000
#define LISTEN_MS          10 /* interval of checks for a new peer */

static void on_poll(uv_poll_t *handle, int status, int events);
static void on_retry(uv_timer_t *handle);

/* ---- the descriptor ---- */

void dpl__stream_update_watch(struct dpl_stream *stream)
{
    int events = UV_READABLE | UV_DISCONNECT;
    if (stream->connecting) {
        events = UV_WRITABLE;
    } else if (stream->queue.n > 0) {
        events |= UV_WRITABLE;
    }
    uv_poll_start(&stream->watch->poll, events, on_poll);
}

static int start_watch(struct dpl_stream *stream)
{
    struct watch *watch = calloc(1, sizeof *watch);
    if (!watch) {
        return -ENOMEM;
    }
    int r = uv_poll_init(dpl__control_loop(stream->runtime->control), &watch->poll, stream->fd);
    if (r < 0) {
        free(watch);
        return r;
    }
    watch->poll.data = watch;
    watch->stream = stream;
    stream->watch = watch;
    dpl__stream_update_watch(stream);
    return 0;
}

static void free_watch(uv_handle_t *handle)
{
    free(handle->data);
}

static void drop_descriptor(struct dpl_stream *stream)
{
    if (stream->watch) {
        stream->watch->stream = NULL;
        uv_close((uv_handle_t *)&stream->watch->poll, free_watch);
        stream->watch = NULL;
    }
    if (stream->fd >= 0) {
        close(stream->fd);
        stream->fd = -1;
    }
    uv_timer_stop(&stream->ticker);
    dpl__steady_start(&stream->steady, 0);
    stream->connecting = false;
    stream->queue.n = 0;
}

/* ---- loss and retries ------- */

static void retry_later(struct dpl_stream *stream)
{
    uv_timer_start(&stream->retry, on_retry, stream->delay_ms, 0);
    uint32_t doubled = stream->delay_ms * 2;
    stream->delay_ms =
        doubled < stream->config.retry_max_ms ? doubled : stream->config.retry_max_ms;
}

void dpl__stream_lose(struct dpl_stream *stream, const char *why)
{
    if (stream->fd < 0) {
        return;
    }
    bool announced = stream->announced;
    stream->announced = false;
    drop_descriptor(stream);
    retry_later(stream);
    dpl__log_printf(stream->runtime->log, DPL_LOG_DEBUG, stream->owner, "%s: %s",
                    stream->config.address, why);
    if (announced && stream->config.ops->lost) {
        stream->config.ops->lost(stream, stream->config.user, why);
    }
}

static void fire(void *user)
{
    struct dpl_stream *stream = user;
    stream->config.ops->timer(stream, stream->config.user, dpl__runtime_now(stream->runtime));
}

static void on_ticker(uv_timer_t *handle)
{
    fire(handle->data);
}

static void start_timer(struct dpl_stream *stream)
{
    const struct dpl_stream_config *config = &stream->config;
    if (stream->steady.fd >= 0) {
        dpl__steady_start(&stream->steady, config->timer_us);
    } else if (config->timer_ms > 0 && config->ops->timer) {
        uv_timer_start(&stream->ticker, on_ticker, config->timer_ms, config->timer_ms);
    }
}

static void announce(struct dpl_stream *stream)
{
    stream->connecting = false;
    stream->announced = true;
    dpl__stream_update_watch(stream);
    start_timer(stream);
    if (stream->config.ops->opened) {
        stream->config.ops->opened(stream, stream->config.user, dpl__runtime_now(stream->runtime));
    }
}

static int begin_attempt(struct dpl_stream *stream)
{
    if (stream->listener.kind != DPL__LISTENER_NONE) {
        return dpl__listener_accept(&stream->listener, &stream->fd);
    }
    if (stream->is_can) {
        return dpl__can_open(stream->config.address, &stream->fd);
    }
    if (!stream->is_tcp) {
        return dpl__serial_open(stream->config.address, stream->config.baud, &stream->fd);
    }
    unsigned index = stream->peer_index;
    stream->peer_index = (index + 1) % stream->peer.n;
    int r = dpl__tcp_begin(&stream->peer, index, &stream->fd);
    stream->connecting = r >= 0;
    return r;
}

static void attempt(struct dpl_stream *stream)
{
    int r = begin_attempt(stream);
    if (r >= 0) {
        r = start_watch(stream);
    }
    if (r < 0) {
        drop_descriptor(stream);
        retry_later(stream);
    } else if (stream->connecting) {
        uv_timer_start(&stream->retry, on_retry, CONNECT_TIMEOUT_MS, 0);
    } else {
        announce(stream);
    }
}

static void on_retry(uv_timer_t *handle)
{
    struct dpl_stream *stream = handle->data;
    if (stream->is_timer) {
        start_timer(stream);
    } else if (stream->fd < 0) {
        attempt(stream);
    } else if (stream->connecting) {
        dpl__stream_lose(stream, "no answer to the attempt to connect");
    } else if (!stream->announced) {
        if (stream->runtime->waited) {
            dpl__stream_discard(stream);
        }
        announce(stream);
    }
}

static void finish_connecting(struct dpl_stream *stream)
{
    int r = dpl__tcp_finish(stream->fd);
    if (r < 0) {
        dpl__stream_lose(stream, strerror(-r));
        return;
    }
    uv_timer_stop(&stream->retry);
    announce(stream);
}

/* ---- events of the descriptor ---- */

static void on_poll(uv_poll_t *handle, int status, int events)
{
    struct watch *watch = handle->data;
    struct dpl_stream *stream = watch->stream;
    if (!stream) {
        return;
    }
    if (stream->connecting) {
        finish_connecting(stream);
        return;
    }
    if (status == 0 && (events & UV_WRITABLE)) {
        status = dpl__stream_queue_flush(&stream->queue, stream->fd);
        dpl__stream_update_watch(stream);
    }
    /* Reads first, even after an error, to get the cause and the last bytes. */
    if (status < 0 || (events & (UV_READABLE | UV_DISCONNECT))) {
        dpl__stream_read(stream);
    }
    if (status < 0 && stream->watch == watch) {
        dpl__stream_lose(stream, uv_strerror(status));
    }
}

void dpl_stream_settled(struct dpl_stream *stream)
{
    stream->delay_ms = stream->config.retry_min_ms;
}

void dpl_stream_reopen(struct dpl_stream *stream, const char *why)
{
    if (!stream->connecting) {
        dpl__stream_lose(stream, why);
    }
}

/* ---- opening and closing ---- */

static void free_stream(uv_handle_t *handle)
{
    struct dpl_stream *stream = handle->data;
    if (--stream->n_handles == 0) {
        free((char *)(uintptr_t)stream->config.address);
        free(stream);
    }
}

static void close_timers(struct dpl_stream *stream)
{
    uv_close((uv_handle_t *)&stream->retry, free_stream);
    uv_close((uv_handle_t *)&stream->ticker, free_stream);
    if (stream->steady.fd >= 0) {
        dpl__steady_close(&stream->steady, free_stream);
    }
}

static int fail(const struct dpl_stream *stream, int err, struct dpl_diag *reterr)
{
    const char *address = stream->config.address;
    char remedy[DPL_REMEDY_BYTES] = "";
    if (!stream->is_tcp && !stream->is_can) {
        dpl_open_remedy(address, err, remedy, sizeof remedy);
    }
    return dpl_fail(reterr, err, (struct dpl_place){0}, "cannot open '%s': %s%s", address,
                    err == -EBUSY    ? "another program uses it"
                    : stream->is_can ? dpl__can_error(err)
                                     : strerror(-err),
                    remedy);
}

static int open_first(struct dpl_stream *stream, struct dpl_diag *reterr)
{
    const struct dpl_place nowhere = {0};
    const char *address = stream->config.address;
    int r;
    if (stream->is_timer) {
        return 0;
    }
    if (dpl__listener_kind_of(address) != DPL__LISTENER_NONE) {
        return dpl__listener_open(&stream->listener, address, reterr);
    }
    if (stream->is_tcp) {
        r = dpl__tcp_resolve(address, &stream->peer, reterr);
        if (r < 0) {
            return r;
        }
        r = dpl__tcp_connect(&stream->peer, CONNECT_TIMEOUT_MS, &stream->fd);
    } else if (stream->is_can) {
        r = dpl__can_open(address, &stream->fd);
    } else {
        r = dpl__serial_open(address, stream->config.baud, &stream->fd);
    }
    if (r == -EINVAL && !stream->is_tcp && !stream->is_can) {
        return dpl_fail(reterr, r, nowhere, "cannot open '%s': %u baud is not a standard speed",
                        address, stream->config.baud);
    }
    if (r >= 0) {
        r = start_watch(stream);
    }
    return r < 0 ? fail(stream, r, reterr) : 0;
}

static int open_patiently(struct dpl_stream *stream, struct dpl_diag *reterr)
{
    struct dpl_diag why = {0};
    int r = open_first(stream, &why);
    while (r < 0 && dpl__await_device(stream->runtime, stream->owner, r, why.text)) {
        drop_descriptor(stream);
        r = open_first(stream, &why);
    }
    if (r < 0 && reterr) {
        *reterr = why;
    }
    return r;
}

/* A listener checks for a peer at a constant interval; longer delays would have no advantage. */
static void choose_delays(struct dpl_stream *stream)
{
    struct dpl_stream_config *config = &stream->config;
    if (dpl__listener_kind_of(config->address) != DPL__LISTENER_NONE) {
        config->retry_min_ms = config->retry_max_ms = LISTEN_MS;
    }
    if (config->retry_min_ms == 0) {
        config->retry_min_ms = RETRY_MIN_MS;
    }
    if (config->retry_max_ms < config->retry_min_ms) {
        config->retry_max_ms =
            config->retry_min_ms < RETRY_MAX_MS ? RETRY_MAX_MS : config->retry_min_ms;
    }
    stream->delay_ms = config->retry_min_ms;
}

static struct dpl_stream *allocate(struct dpl_runtime *runtime, const char *owner,
                                   const struct dpl_stream_config *config, const char *where)
{
    struct dpl_stream *stream = calloc(1, sizeof *stream);
    char *address = strdup(where);
    if (!stream || !address) {
        free(stream);
        free(address);
        return NULL;
    }
    stream->runtime = runtime;
    stream->owner = owner;
    stream->config = *config;
    stream->config.address = address;
    choose_delays(stream);
    stream->is_tcp = strncmp(address, "tcp://", 6) == 0;
    stream->is_can = dpl__can_is(address);
    stream->is_timer = strcmp(address, "timer:") == 0;
    stream->queue.record = stream->is_can ? DPL__CAN_RECORD_BYTES : 0;
    stream->queue.is_socket = stream->is_tcp || dpl__listener_kind_of(address) == DPL__LISTENER_TCP;
    stream->fd = -1;
    uv_timer_init(dpl__control_loop(runtime->control), &stream->retry);
    uv_timer_init(dpl__control_loop(runtime->control), &stream->ticker);
    stream->retry.data = stream;
    stream->ticker.data = stream;
    stream->n_handles = 2;
    stream->steady = (struct dpl__steady){.fd = -1, .fire = fire, .user = stream};
    return stream;
}

static int open_steady(struct dpl_stream *stream, struct dpl_diag *reterr)
{
    if (stream->config.timer_us == 0 || !stream->config.ops->timer) {
        return 0;
    }
    int err = dpl__steady_open(&stream->steady, dpl__control_loop(stream->runtime->control));
    if (err < 0) {
        return dpl_fail(reterr, err, (struct dpl_place){0}, "no timer: %s", strerror(-err));
    }
    stream->n_handles++;
    return 0;
}

int dpl__stream_open(struct dpl_runtime *runtime, const char *owner,
                     const struct dpl_stream_config *config, struct dpl_stream **ret_stream,
                     struct dpl_diag *reterr)
{
    char address[ADDRESS_BYTES];
    int err = dpl_user_path(config->address, false, address, sizeof address, reterr);
    if (err < 0) {
        return err;
    }
    struct dpl_stream *stream = allocate(runtime, owner, config, address);
    if (!stream) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    int r = open_steady(stream, reterr);
    r = r < 0 ? r : open_patiently(stream, reterr);
    if (r < 0) {
        drop_descriptor(stream);
        close_timers(stream);
        return r;
    }
    uv_timer_start(&stream->retry, on_retry, 0, 0);
    *ret_stream = stream;
    return 0;
}

void dpl_stream_close(struct dpl_stream *stream)
{
    if (!stream || stream->closed) {
        return;
    }
    stream->closed = true;
    if (stream->fd >= 0 && !stream->connecting) {
        dpl__stream_queue_finish(&stream->queue, stream->fd, CLOSE_TIMEOUT_MS);
    }
    drop_descriptor(stream);
    dpl__listener_close(&stream->listener);
    close_timers(stream);
}
