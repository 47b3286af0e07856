/* SPDX-License-Identifier: Apache-2.0 */
/* A pty as the serial port of an emulated device. Whether a host is there is polled (see
 * doppel/host/pty.h). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <doppel/host/pty.h>

#include "port.h"

#define POLL_MS    10
#define READ_BYTES 4096

struct watch {
    uv_poll_t poll;
    struct pty *pty; /* NULL: closing */
};

struct pty {
    struct port base;
    uv_loop_t *loop;
    struct port_events events;
    char *link;
    struct dpl_pty line; /* closed: unplugged */
    struct watch *watch;
    bool connected, paused;
    uv_timer_t poll;
};

static void on_readable(uv_poll_t *handle, int status, int events);

static void free_watch(uv_handle_t *handle)
{
    free(handle->data);
}

static void stop_watch(struct pty *pty)
{
    if (pty->watch) {
        pty->watch->pty = NULL;
        uv_close((uv_handle_t *)&pty->watch->poll, free_watch);
        pty->watch = NULL;
    }
}

static void start_watch(struct pty *pty)
{
    struct watch *watch = calloc(1, sizeof *watch);
    if (!watch || uv_poll_init(pty->loop, &watch->poll, pty->line.master) < 0) {
        free(watch);
        return;
    }
    watch->poll.data = watch;
    watch->pty = pty;
    pty->watch = watch;
    if (!pty->paused) {
        uv_poll_start(&watch->poll, UV_READABLE, on_readable);
    }
}

static void lose_host(struct pty *pty)
{
    if (pty->connected) {
        pty->connected = false;
        stop_watch(pty);
        dpl_pty_forget(&pty->line);
        pty->events.gone(pty->events.user);
    }
}

static void on_readable(uv_poll_t *handle, int status, int events)
{
    (void)events;
    struct watch *watch = handle->data;
    struct pty *pty = watch->pty;
    uint8_t bytes[READ_BYTES];
    if (!pty) {
        return;
    }
    ssize_t n = status < 0 ? -1 : read(pty->line.master, bytes, sizeof bytes);
    if (n > 0) {
        pty->events.received(pty->events.user, bytes, (size_t)n);
    } else if (status < 0 || (errno != EAGAIN && errno != EINTR)) {
        lose_host(pty);
    }
}

static void on_poll(uv_timer_t *timer)
{
    struct pty *pty = timer->data;
    if (pty->line.master < 0) {
        return;
    }
    bool is_unread;
    bool is_there = dpl_pty_has_peer(&pty->line, &is_unread);
    if (is_there && !pty->connected) {
        pty->connected = true;
        start_watch(pty);
        pty->events.connected(pty->events.user);
    } else if (!is_there && (pty->paused || !is_unread)) {
        lose_host(pty);
    }
}

static void pty_send(struct port *port, const void *bytes, size_t n)
{
    struct pty *pty = (struct pty *)port;
    if (pty->connected && write(pty->line.master, bytes, n) < 0 && errno == EIO) {
        lose_host(pty);
    }
}

/* ---- plugging ---- */

static void unplug(struct pty *pty)
{
    lose_host(pty);
    stop_watch(pty);
    dpl_pty_close(&pty->line);
}

static int pty_set_plugged(struct port *port, bool plugged, struct dpl_diag *reterr)
{
    struct pty *pty = (struct pty *)port;
    if (!plugged) {
        unplug(pty);
        return 0;
    }
    if (pty->line.master >= 0) {
        return 0;
    }
    return dpl_pty_open(&pty->line, pty->link, reterr);
}

static void pty_set_paused(struct port *port, bool paused)
{
    struct pty *pty = (struct pty *)port;
    if (pty->paused == paused) {
        return;
    }
    pty->paused = paused;
    if (pty->watch && paused) {
        uv_poll_stop(&pty->watch->poll);
    } else if (pty->watch) {
        uv_poll_start(&pty->watch->poll, UV_READABLE, on_readable);
    }
}

static void free_pty(uv_handle_t *handle)
{
    struct pty *pty = handle->data;
    free(pty->link);
    free(pty);
}

static void pty_close(struct port *port)
{
    struct pty *pty = (struct pty *)port;
    unplug(pty);
    uv_close((uv_handle_t *)&pty->poll, free_pty);
}

static const struct port_ops ops = {
    .send = pty_send,
    .set_plugged = pty_set_plugged,
    .set_paused = pty_set_paused,
    .close = pty_close,
};

int port_open_pty(uv_loop_t *loop, const char *link, const struct port_events *events,
                  struct port **ret_port, struct dpl_diag *reterr)
{
    struct pty *pty = calloc(1, sizeof *pty);
    char *copy = strdup(link);
    if (!pty || !copy) {
        free(pty);
        free(copy);
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    pty->base.ops = &ops;
    pty->loop = loop;
    pty->events = *events;
    pty->link = copy;
    pty->line.master = -1;
    int err = pty_set_plugged(&pty->base, true, reterr);
    if (err < 0) {
        free(copy);
        free(pty);
        return err;
    }
    snprintf(pty->base.name, sizeof pty->base.name, "%.150s", pty->line.link);
    uv_timer_init(loop, &pty->poll);
    pty->poll.data = pty;
    uv_timer_start(&pty->poll, on_poll, 0, POLL_MS);
    *ret_port = &pty->base;
    return 0;
}
