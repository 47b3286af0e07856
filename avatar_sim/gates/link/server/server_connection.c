/* SPDX-License-Identifier: Apache-2.0 */
/* The TCP connections of a server. Each takes a file descriptor, also if its peer never says
 * anything, and libzmq neither counts nor closes them. Its monitor tells when one comes and goes;
 * to end one, its descriptor is shut down, and libzmq closes it as if the peer had. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server.h"
#include "zeromq.h"

#define MONITOR "inproc://connections"

/* ---- addresses ---- */

static bool read_peer(int fd, struct server_connection *ret)
{
    ret->length = sizeof ret->peer;
    return getpeername(fd, (struct sockaddr *)&ret->peer, &ret->length) == 0;
}

/* "127.0.0.1:4711", for people. */
static void describe(const struct server_connection *connection, char *text, size_t size)
{
    char host[64], port[8];
    if (getnameinfo((const struct sockaddr *)&connection->peer, connection->length, host,
                    sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
        snprintf(text, size, "an unknown address");
        return;
    }
    snprintf(text, size, "%s:%s", host, port);
}

/* ---- the list ---- */

static struct server_connection *find(struct server *server, int fd)
{
    for (size_t i = 0; i < SERVER_CONNECTIONS_MAX; i++) {
        struct server_connection *connection = &server->connections[i];
        if (connection->used && connection->fd == fd) {
            return connection;
        }
    }
    return NULL;
}

static struct server_connection *find_free(struct server *server)
{
    for (size_t i = 0; i < SERVER_CONNECTIONS_MAX; i++) {
        if (!server->connections[i].used) {
            return &server->connections[i];
        }
    }
    return NULL;
}

/* Of those that have said nothing valid yet the one that has been there for the longest time; NULL:
 * all have. */
static struct server_connection *find_idlest(struct server *server)
{
    struct server_connection *idlest = NULL;
    for (size_t i = 0; i < SERVER_CONNECTIONS_MAX; i++) {
        struct server_connection *connection = &server->connections[i];
        if (!connection->heard && (!idlest || connection->last_heard < idlest->last_heard)) {
            idlest = connection;
        }
    }
    return idlest;
}

/* libzmq may have closed the descriptor meanwhile, and another file may have its number: only the
 * connection to this peer is shut down. */
static void end(struct server *server, const struct server_connection *connection, const char *why)
{
    char who[80];
    struct server_connection now = {0};
    int fd = dup(connection->fd);
    bool is_it = fd >= 0 && read_peer(fd, &now) && now.length == connection->length &&
                 memcmp(&now.peer, &connection->peer, now.length) == 0;
    if (is_it && shutdown(fd, SHUT_RDWR) == 0) {
        describe(connection, who, sizeof who);
        server->stats.closed++;
        server_notice(server, SERVER_NOTICE_CONNECTION, "connection from %s closed: %s", who, why);
    }
    if (fd >= 0) {
        close(fd);
    }
}

/* With all places taken, who has proved to be a client stays. */
static void add(struct server *server, int fd)
{
    struct server_connection coming = {.used = true, .fd = fd, .last_heard = dpl_monotonic_now()};
    struct server_connection *place = find_free(server);
    if (!read_peer(fd, &coming)) {
        return; /* it has gone already */
    }
    if (!place) {
        place = find_idlest(server);
        end(server, place ? place : &coming, "there are too many connections");
    }
    if (place) {
        *place = coming;
    }
}

/* ---- the monitor ---- */

int server_watch_connections(struct server *server)
{
    int unlimited = 0; /* so that the thread of libzmq never waits for the server's */
    if (link_zeromq->socket_monitor(server->socket, MONITOR,
                                    ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED) < 0) {
        return -errno;
    }
    server->monitor = link_zeromq->socket(server->context, ZMQ_PAIR);
    if (!server->monitor ||
        link_zeromq->setsockopt(server->monitor, ZMQ_RCVHWM, &unlimited, sizeof unlimited) < 0 ||
        link_zeromq->connect(server->monitor, MONITOR) < 0) {
        return -errno;
    }
    return 0;
}

void server_unwatch_connections(struct server *server)
{
    if (server->socket) {
        link_zeromq->socket_monitor(server->socket, NULL, 0);
    }
    if (server->monitor) {
        link_zeromq->close(server->monitor);
        server->monitor = NULL;
    }
}

/* An event is two frames: its number (16 bit) with its value (32 bit), and an address. */
static bool receive_event(struct server *server, uint16_t *ret_event, int *ret_fd)
{
    uint8_t event[6];
    char address[1];
    int32_t value;
    if (link_zeromq->recv(server->monitor, event, sizeof event, ZMQ_DONTWAIT) != sizeof event) {
        return false;
    }
    link_zeromq->recv(server->monitor, address, sizeof address, ZMQ_DONTWAIT);
    memcpy(ret_event, event, sizeof *ret_event);
    memcpy(&value, event + sizeof *ret_event, sizeof value);
    *ret_fd = value;
    return true;
}

void server_take_connections(struct server *server)
{
    uint16_t event;
    int fd;
    while (receive_event(server, &event, &fd)) {
        struct server_connection *gone = find(server, fd);
        if (gone) { /* also if a new one has its number and this was not told */
            gone->used = false;
        }
        if (event == ZMQ_EVENT_ACCEPTED) {
            add(server, fd);
        }
    }
}

void server_close_idle(struct server *server)
{
    dpl_ns now = dpl_monotonic_now();
    char why[64];
    for (size_t i = 0; i < SERVER_CONNECTIONS_MAX; i++) {
        struct server_connection *connection = &server->connections[i];
        if (connection->used && now - connection->last_heard > server->drop) {
            snprintf(why, sizeof why, "no valid message for %g s", dpl_ns_to_s(server->drop));
            end(server, connection, why);
            connection->used = false;
        }
    }
}

void server_heard_from(struct server *server, int fd)
{
    struct server_connection *connection = find(server, fd);
    if (connection) {
        connection->heard = true;
        connection->last_heard = dpl_monotonic_now();
    }
}
