/* SPDX-License-Identifier: Apache-2.0 */
/* The socket of a server: listening, frames in and out. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "holder.h"
#include "room.h"
#include "server.h"
#include "zeromq.h"

static void set_option(void *socket, int option, int value)
{
    link_zeromq->setsockopt(socket, option, &value, sizeof value);
}

static int listen_at(struct server *server, struct dpl_diag *reterr)
{
    const char *host = server->options.host ? server->options.host : "127.0.0.1";
    char address[300];
    if (server->options.port != 0) {
        snprintf(address, sizeof address, "tcp://%s:%u", host, server->options.port);
    } else {
        snprintf(address, sizeof address, "tcp://%s:*", host);
    }
    if (link_zeromq->bind(server->socket, address) < 0) {
        int err = errno;
        char who[DPL_HOLDER_TEXT];
        if (err == EADDRINUSE) {
            return dpl_fail(reterr, -EADDRINUSE, (struct dpl_place){0},
                            "cannot serve at %s: the port is in use by %s; choose another one, or "
                            "0 for any that is free",
                            address, dpl_holder_of_port(server->options.port, who));
        }
        return dpl_fail(reterr, -EADDRNOTAVAIL, (struct dpl_place){0}, "cannot serve at %s: %s",
                        address, link_zeromq->strerror(err));
    }
    size_t size = sizeof address;
    link_zeromq->getsockopt(server->socket, ZMQ_LAST_ENDPOINT, address, &size);
    const char *colon = strrchr(address, ':');
    server->port = colon ? (uint16_t)strtoul(colon + 1, NULL, 10) : 0;
    return 0;
}

int server_open_socket(struct server *server, struct dpl_diag *reterr)
{
    int room =
        dpl_room_check("the world's server", DPL_ROOM_ZMQ_FILES, DPL_ROOM_ZMQ_THREADS, reterr);
    int err = room < 0 ? room : link_zeromq_load(reterr);
    if (err < 0) {
        return err;
    }
    server->context = link_zeromq->ctx_new();
    server->socket = server->context ? link_zeromq->socket(server->context, ZMQ_ROUTER) : NULL;
    if (!server->socket) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "no socket: %s",
                        link_zeromq->strerror(errno));
    }
    int64_t frame_max = LINK_FRAME_MAX;
    link_zeromq->setsockopt(server->socket, ZMQ_MAXMSGSIZE, &frame_max, sizeof frame_max);
    set_option(server->socket, ZMQ_LINGER, 0);
    set_option(server->socket, ZMQ_ROUTER_HANDOVER, 1); /* a client that connects anew */
    set_option(server->socket, ZMQ_SNDHWM, 256);        /* who does not read loses frames */
    err = server_watch_connections(server);
    if (err < 0) {
        return dpl_fail(reterr, err, (struct dpl_place){0}, "connections cannot be watched: %s",
                        strerror(-err));
    }
    return listen_at(server, reterr);
}

void server_close_socket(struct server *server)
{
    server_unwatch_connections(server);
    if (server->socket) {
        link_zeromq->close(server->socket);
    }
    if (server->context) {
        link_zeromq->ctx_term(server->context);
    }
}

/* A message in exactly two frames, peer and content; anything else is counted and dropped. */
bool server_receive(struct server *server, server_handler *handle)
{
    zmq_msg_t parts[2];
    int n = 0, more = 1, extra = 0;
    while (more) {
        zmq_msg_t part;
        link_zeromq->msg_init(&part);
        if (link_zeromq->msg_recv(&part, server->socket, ZMQ_DONTWAIT) < 0) {
            link_zeromq->msg_close(&part);
            break;
        }
        more = link_zeromq->msg_more(&part);
        if (n < 2) {
            link_zeromq->msg_init(&parts[n]);
            link_zeromq->msg_move(&parts[n++], &part);
        } else {
            extra++;
        }
        link_zeromq->msg_close(&part);
    }
    if (n == 2 && extra == 0 && link_zeromq->msg_size(&parts[0]) <= SERVER_ID_MAX) {
        if (handle(server, link_zeromq->msg_data(&parts[0]), link_zeromq->msg_size(&parts[0]),
                   link_zeromq->msg_data(&parts[1]), link_zeromq->msg_size(&parts[1]))) {
            server_heard_from(server, link_zeromq->msg_get(&parts[1], ZMQ_SRCFD));
        }
    } else if (n > 0) {
        server->stats.malformed++;
    }
    for (int i = 0; i < n; i++) {
        link_zeromq->msg_close(&parts[i]);
    }
    return n > 0;
}

void server_send(struct server *server, const uint8_t *id, size_t id_size,
                 Doppel__Link__ToClient *message)
{
    message->session = server->session;
    int size = link_pack_to_client(server->codec, message);
    if (size > 0 &&
        link_zeromq->send(server->socket, id, id_size, ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0) {
        /* a peer that is gone or does not read: ZeroMQ drops the frame */
        link_zeromq->send(server->socket, server->codec->out, (size_t)size, ZMQ_DONTWAIT);
    }
}
