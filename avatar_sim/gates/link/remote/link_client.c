/* SPDX-License-Identifier: Apache-2.0 */
/* The connection of a client to a served world. */
#include "link_client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "zeromq.h"

#define SCHEME "tcp://"

/* ---- the connection ---- */

static void set_option(void *socket, int option, int value)
{
    link_zeromq->setsockopt(socket, option, &value, sizeof value);
}

/* "tcp://HOST:PORT". libzmq takes any number for a port. */
static bool is_address(const char *text)
{
    if (strncmp(text, SCHEME, strlen(SCHEME)) != 0) {
        return false;
    }
    const char *host = text + strlen(SCHEME);
    const char *colon = strrchr(host, ':');
    if (!colon || colon == host) {
        return false;
    }
    size_t digits = strspn(colon + 1, "0123456789");
    unsigned long port = strtoul(colon + 1, NULL, 10);
    return colon[1 + digits] == '\0' && port >= 1 && port <= UINT16_MAX;
}

int link_client_open(struct link_client *client, const char *address)
{
    if (!is_address(address)) {
        return -EINVAL;
    }
    client->codec = calloc(1, sizeof *client->codec);
    client->context = link_zeromq->ctx_new();
    client->socket = client->context ? link_zeromq->socket(client->context, ZMQ_DEALER) : NULL;
    if (!client->codec || !client->socket) {
        return -ENOMEM;
    }
    uint8_t id[9] = "c"; /* may not begin with 0 */
    if (getrandom(id + 1, sizeof id - 1, 0) != sizeof id - 1) {
        return -EIO;
    }
    link_zeromq->setsockopt(client->socket, ZMQ_ROUTING_ID, id, sizeof id);
    int64_t frame_max = LINK_FRAME_MAX;
    link_zeromq->setsockopt(client->socket, ZMQ_MAXMSGSIZE, &frame_max, sizeof frame_max);
    set_option(client->socket, ZMQ_IMMEDIATE, 1); /* nothing piles up for a world that is away */
    set_option(client->socket, ZMQ_SNDHWM, 64);
    set_option(client->socket, ZMQ_RCVHWM, 256);
    set_option(client->socket, ZMQ_LINGER, 100);
    set_option(client->socket, ZMQ_RECONNECT_IVL, 50);
    set_option(client->socket, ZMQ_RECONNECT_IVL_MAX, 400);
    return link_zeromq->connect(client->socket, address) < 0 ? -EINVAL : 0;
}

void link_client_close(struct link_client *client)
{
    if (client->socket) {
        link_zeromq->close(client->socket);
    }
    if (client->context) {
        link_zeromq->ctx_term(client->context);
    }
    free(client->codec);
    *client = (struct link_client){0};
}

/* ---- what is said ---- */

bool link_client_say(struct link_client *client, Doppel__Link__ToServer *message)
{
    int size = link_pack_to_server(client->codec, message);
    return size > 0 &&
           link_zeromq->send(client->socket, client->codec->out, (size_t)size, ZMQ_DONTWAIT) >= 0;
}

bool link_client_say_hello(struct link_client *client, const char *name, dpl_ns period)
{
    char text[LINK_NAME_MAX + 1];
    snprintf(text, sizeof text, "%s", name);
    Doppel__Link__Hello hello;
    doppel__link__hello__init(&hello);
    hello.name = text;
    hello.period = period;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_HELLO;
    message.hello = &hello;
    return link_client_say(client, &message);
}

bool link_client_say_ping(struct link_client *client, dpl_ns now)
{
    Doppel__Link__Ping ping = DOPPEL__LINK__PING__INIT;
    ping.sent = now;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_PING;
    message.ping = &ping;
    return link_client_say(client, &message);
}

bool link_client_say_bye(struct link_client *client)
{
    Doppel__Link__Bye bye = DOPPEL__LINK__BYE__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_BYE;
    message.bye = &bye;
    return link_client_say(client, &message);
}
