/* SPDX-License-Identifier: Apache-2.0 */
/* A TCP server with one client at a time, like an Ethernet scanner. One that only holds the place
 * gives way to the next. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "holder.h"
#include "port.h"

/* a host whose computer has disappeared is detected, so that another can connect */
#define KEEPALIVE_S 10
#define SEND_MAX    ((size_t)256 * 1024) /* bytes that may wait for a slow host */
#define IDLE_MS     5000 /* who has said nothing for so long since he came is idle */

struct client {
    uv_tcp_t socket;
    struct tcp *tcp; /* NULL: closing */
    uint64_t came_ms;
    bool has_spoken;
    uint8_t bytes[4096];
};

struct tcp {
    struct port base;
    uv_loop_t *loop;
    struct port_events events;
    struct sockaddr_storage address;
    uv_tcp_t *server; /* NULL: unplugged */
    struct client *client;
    bool paused;
};

/* Exists until the loop has released it, also after the port. */
struct server {
    struct tcp *tcp;
    uv_tcp_t socket;
};

struct transfer {
    uv_write_t write;
    char bytes[];
};

static void free_handle(uv_handle_t *handle)
{
    free(handle->data);
}

static void drop_client(struct tcp *tcp)
{
    struct client *client = tcp->client;
    if (client) {
        tcp->client = NULL;
        client->tcp = NULL;
        uv_close((uv_handle_t *)&client->socket, free_handle);
        tcp->events.gone(tcp->events.user);
    }
}

static void on_buffer(uv_handle_t *handle, size_t size, uv_buf_t *buffer)
{
    (void)size;
    struct client *client = handle->data;
    *buffer = uv_buf_init((char *)client->bytes, sizeof client->bytes);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buffer)
{
    (void)buffer;
    struct client *client = stream->data;
    struct tcp *tcp = client->tcp;
    if (tcp && n > 0) {
        client->has_spoken = true;
        tcp->events.received(tcp->events.user, client->bytes, (size_t)n);
    } else if (tcp && n < 0) {
        drop_client(tcp);
    }
}

static void describe_peer(const uv_tcp_t *socket, char *text, size_t size)
{
    struct sockaddr_storage address;
    int length = sizeof address;
    char ip[64] = "an unknown address";
    unsigned port = 0;
    if (uv_tcp_getpeername(socket, (struct sockaddr *)&address, &length) == 0 &&
        uv_ip4_name((struct sockaddr_in *)&address, ip, sizeof ip) == 0) {
        port = ntohs(((struct sockaddr_in *)&address)->sin_port);
    }
    snprintf(text, size, "%s:%u", ip, port);
}

/* Why the client need not be kept when another one wants its place; NULL: it must. */
static const char *idleness(const struct tcp *tcp)
{
    const struct client *client = tcp->client;
    uint64_t age_ms = uv_now(tcp->loop) - client->came_ms;
    if (uv_stream_get_write_queue_size((const uv_stream_t *)&client->socket) > SEND_MAX) {
        return "reads nothing";
    }
    bool is_mute = !client->has_spoken && !tcp->events.may_be_mute && !tcp->paused;
    return is_mute && age_ms > IDLE_MS ? "has said nothing" : NULL;
}

/* A device of this kind serves one host. A second client gets a reset at once, whatever it has
 * already sent. */
static void refuse(struct tcp *tcp, struct client *client)
{
    char who[80];
    describe_peer(&client->socket, who, sizeof who);
    if (uv_tcp_close_reset(&client->socket, free_handle) < 0) {
        uv_close((uv_handle_t *)&client->socket, free_handle);
    }
    tcp->events.refused(tcp->events.user, who);
}

static void on_connection(uv_stream_t *server, int status)
{
    struct tcp *tcp = ((struct server *)server->data)->tcp;
    struct client *client = status < 0 ? NULL : calloc(1, sizeof *client);
    if (!client) {
        return;
    }
    uv_tcp_init(tcp->loop, &client->socket);
    client->socket.data = client;
    if (uv_accept(server, (uv_stream_t *)&client->socket) < 0) {
        uv_close((uv_handle_t *)&client->socket, free_handle);
        return;
    }
    const char *why = tcp->client ? idleness(tcp) : NULL;
    if (tcp->client && !why) {
        refuse(tcp, client);
        return;
    }
    if (why) {
        tcp->events.displaced(tcp->events.user, why);
        drop_client(tcp);
    }
    uv_tcp_nodelay(&client->socket, 1);
    uv_tcp_keepalive(&client->socket, 1, KEEPALIVE_S);
    client->tcp = tcp;
    client->came_ms = uv_now(tcp->loop);
    tcp->client = client;
    if (!tcp->paused) {
        uv_read_start((uv_stream_t *)&client->socket, on_buffer, on_read);
    }
    tcp->events.connected(tcp->events.user);
}

static void on_written(uv_write_t *write, int status)
{
    (void)status;
    free(write->data);
}

static void tcp_send(struct port *port, const void *bytes, size_t n)
{
    struct tcp *tcp = (struct tcp *)port;
    if (!tcp->client ||
        uv_stream_get_write_queue_size((uv_stream_t *)&tcp->client->socket) > SEND_MAX) {
        return;
    }
    struct transfer *transfer = malloc(sizeof *transfer + n);
    if (!transfer) {
        return;
    }
    memcpy(transfer->bytes, bytes, n);
    transfer->write.data = transfer;
    uv_buf_t buffer = uv_buf_init(transfer->bytes, (unsigned)n);
    if (uv_write(&transfer->write, (uv_stream_t *)&tcp->client->socket, &buffer, 1, on_written) <
        0) {
        free(transfer);
    }
}

/* ---- plugging ---- */

static int plug_in(struct tcp *tcp, struct dpl_diag *reterr)
{
    struct server *server = calloc(1, sizeof *server);
    if (!server) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    server->tcp = tcp;
    uv_tcp_init(tcp->loop, &server->socket);
    server->socket.data = server;
    int err = uv_tcp_bind(&server->socket, (const struct sockaddr *)&tcp->address, 0);
    if (err == 0) {
        err = uv_listen((uv_stream_t *)&server->socket, 4, on_connection);
    }
    if (err < 0) {
        char who[DPL_HOLDER_TEXT];
        uint16_t port = ntohs(((const struct sockaddr_in *)&tcp->address)->sin_port);
        uv_close((uv_handle_t *)&server->socket, free_handle);
        if (err == UV_EADDRINUSE) {
            return dpl_fail(reterr, err, (struct dpl_place){0},
                            "cannot serve at %s: the port is in use by %s", tcp->base.name,
                            dpl_holder_of_port(port, who));
        }
        return dpl_fail(reterr, err, (struct dpl_place){0}, "cannot serve at %s: %s",
                        tcp->base.name, uv_strerror(err));
    }
    tcp->server = &server->socket;
    return 0;
}

static int tcp_set_plugged(struct port *port, bool plugged, struct dpl_diag *reterr)
{
    struct tcp *tcp = (struct tcp *)port;
    if (plugged) {
        return tcp->server ? 0 : plug_in(tcp, reterr);
    }
    drop_client(tcp);
    if (tcp->server) {
        uv_close((uv_handle_t *)tcp->server, free_handle);
        tcp->server = NULL;
    }
    return 0;
}

static void tcp_set_paused(struct port *port, bool paused)
{
    struct tcp *tcp = (struct tcp *)port;
    if (tcp->client && paused && !tcp->paused) {
        uv_read_stop((uv_stream_t *)&tcp->client->socket);
    } else if (tcp->client && !paused && tcp->paused) {
        uv_read_start((uv_stream_t *)&tcp->client->socket, on_buffer, on_read);
    }
    tcp->paused = paused;
}

static void tcp_close(struct port *port)
{
    tcp_set_plugged(port, false, NULL);
    free(port);
}

static const struct port_ops ops = {
    .send = tcp_send,
    .set_plugged = tcp_set_plugged,
    .set_paused = tcp_set_paused,
    .close = tcp_close,
};

int port_open_tcp(uv_loop_t *loop, const char *host, int port, const struct port_events *events,
                  struct port **ret_port, struct dpl_diag *reterr)
{
    struct tcp *tcp = calloc(1, sizeof *tcp);
    if (!tcp) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    tcp->base.ops = &ops;
    tcp->loop = loop;
    tcp->events = *events;
    snprintf(tcp->base.name, sizeof tcp->base.name, "tcp://%s:%d", host, port);
    int err = uv_ip4_addr(host, port, (struct sockaddr_in *)&tcp->address);
    if (err < 0) {
        err = dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                       "--host: found '%s', expected an IPv4 address such as 127.0.0.1", host);
    } else {
        err = tcp_set_plugged(&tcp->base, true, reterr);
    }
    if (err < 0) {
        free(tcp);
        return err;
    }
    *ret_port = &tcp->base;
    return 0;
}
