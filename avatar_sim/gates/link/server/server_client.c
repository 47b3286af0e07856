/* SPDX-License-Identifier: Apache-2.0 */
/* What a server says to its clients, and does when they say something. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "server.h"

/* `version`: that the peer understands. */
static void refuse(struct server *server, const uint8_t *id, size_t id_size, bool again,
                   uint32_t version, const char *text)
{
    char copy[LINK_TEXT_MAX + 1];
    snprintf(copy, sizeof copy, "%s", text);
    Doppel__Link__Refused refused;
    doppel__link__refused__init(&refused);
    refused.text = copy;
    refused.again = again;
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.version = version;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_REFUSED;
    message.refused = &refused;
    server_send(server, id, id_size, &message);
}

/* A message that was understood, but cannot be what a client of ours says. */
static void refuse_message(struct server *server, const struct server_client *client,
                           const char *why)
{
    server->stats.malformed++;
    refuse(server, client->id, client->id_size, true, LINK_VERSION, why);
}

/* ---- clients ---- */

static struct server_client *find_client(struct server *server, const uint8_t *id, size_t id_size)
{
    for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++) {
        struct server_client *client = &server->clients[i];
        if (client->used && client->id_size == id_size && memcmp(client->id, id, id_size) == 0) {
            return client;
        }
    }
    return NULL;
}

static struct server_client *add_client(struct server *server, const uint8_t *id, size_t id_size)
{
    for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++) {
        struct server_client *client = &server->clients[i];
        if (!client->used) {
            client->used = true;
            client->id_size = id_size;
            memcpy(client->id, id, id_size);
            return client;
        }
    }
    return NULL;
}

static void free_slots(struct server *server, struct server_client *client)
{
    for (size_t i = 0; i < LINK_SLOTS_MAX; i++) {
        server_let_go(server, client, &client->slots[i]);
        server_free_slot(&client->slots[i]);
    }
}

void server_forget(struct server *server, struct server_client *client)
{
    free_slots(server, client);
    server_forget_commands(server, client);
    if (server->late == client) {
        server->late = NULL;
    }
    *client = (struct server_client){0};
}

/* ---- what clients say ---- */

static void send_welcome(struct server *server, const struct server_client *client)
{
    char name[LINK_NAME_MAX + 1];
    snprintf(name, sizeof name, "%s", server->world->model->name);
    Doppel__Link__Welcome welcome;
    doppel__link__welcome__init(&welcome);
    welcome.lockstep = server->options.lockstep;
    welcome.now = server_clock(server);
    welcome.world = name;
    welcome.channels = (uint32_t)server_list_size(server->list);
    welcome.fingerprint = server_list_fingerprint(server->list);
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_WELCOME;
    message.welcome = &welcome;
    server_send(server, client->id, client->id_size, &message);
}

static void handle_hello(struct server *server, struct server_client *client,
                         const Doppel__Link__Hello *hello)
{
    bool known = client->period != 0;
    if (known) {
        free_slots(server, client); /* a program that was started again begins with nothing */
    }
    dpl_peer_name(hello->name, client->name, sizeof client->name);
    client->period = hello->period;
    server->stats.welcomed++;
    send_welcome(server, client);
    if (!known) {
        server_notice(server, SERVER_NOTICE_COMING, "client '%s' connected", client->name);
    }
}

static void handle_list(struct server *server, const struct server_client *client,
                        const Doppel__Link__List *list)
{
    Doppel__Link__Channels page;
    server_list_page(server->list, list->first, &page);
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_CHANNELS;
    message.channels = &page;
    server_send(server, client->id, client->id_size, &message);
}

static void handle_subscribe(struct server *server, struct server_client *client,
                             const Doppel__Link__Subscribe *subscribe)
{
    const char *why = server_subscribe(server, client, subscribe);
    if (why) {
        refuse_message(server, client, why);
    } else if (server->options.lockstep) {
        hosted_world_publish(server->world); /* there is a frame before the first step */
        server_send_frame(server, client);
    }
}

static void handle_command(struct server *server, struct server_client *client,
                           const Doppel__Link__Command *command)
{
    const char *why = NULL;
    for (size_t i = 0; i < command->n_slots && !why; i++) {
        why = server_check_put(client, command->slots[i]);
    }
    if (why) {
        refuse_message(server, client, why); /* nothing of it was put */
        return;
    }
    for (size_t i = 0; i < command->n_slots; i++) {
        server_put(server, client, command->slots[i]);
    }
    if (command->grant && server->options.lockstep) {
        client->grants = true;
        client->granted = command->until;
    }
}

static void handle_ping(struct server *server, const struct server_client *client,
                        const Doppel__Link__Ping *ping)
{
    char waiting_for[LINK_NAME_MAX + 1];
    snprintf(waiting_for, sizeof waiting_for, "%s", server->late ? server->late->name : "");
    Doppel__Link__Pong pong;
    doppel__link__pong__init(&pong);
    pong.sent = ping->sent;
    pong.now = server_clock(server);
    pong.waiting_for = waiting_for;
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_PONG;
    message.pong = &pong;
    server_send(server, client->id, client->id_size, &message);
}

static void handle_message(struct server *server, struct server_client *client,
                           const Doppel__Link__ToServer *message)
{
    client->last_heard = dpl_monotonic_now();
    if (client->silent) {
        client->silent = false;
        server_notice(server, SERVER_NOTICE_SILENCE, "client '%s' is back", client->name);
    }
    switch (message->body_case) {
    case DOPPEL__LINK__TO_SERVER__BODY_HELLO: handle_hello(server, client, message->hello); break;
    case DOPPEL__LINK__TO_SERVER__BODY_LIST: handle_list(server, client, message->list); break;
    case DOPPEL__LINK__TO_SERVER__BODY_SUBSCRIBE:
        handle_subscribe(server, client, message->subscribe);
        break;
    case DOPPEL__LINK__TO_SERVER__BODY_COMMAND:
        handle_command(server, client, message->command);
        break;
    case DOPPEL__LINK__TO_SERVER__BODY_LOOP:
        server_handle_loop(server, client, message->loop);
        break;
    case DOPPEL__LINK__TO_SERVER__BODY_PING: handle_ping(server, client, message->ping); break;
    case DOPPEL__LINK__TO_SERVER__BODY_BYE:
        server_notice(server, SERVER_NOTICE_COMING, "client '%s' left", client->name);
        server_forget(server, client);
        break;
    default: break;
    }
}

/* In its own version, so that it can tell its user. */
static void refuse_version(struct server *server, const uint8_t *id, size_t id_size)
{
    char name[LINK_NAME_MAX + 1], text[200];
    uint32_t version = server->codec->version;
    dpl_peer_name(server->codec->name, name, sizeof name);
    snprintf(text, sizeof text,
             "client '%s' speaks version %u of the link protocol, this world speaks version %u",
             name, version, LINK_VERSION);
    refuse(server, id, id_size, false, version, text);
    server_notice(server, SERVER_NOTICE_COMING, "refused: %s", text);
}

bool server_handle(struct server *server, const uint8_t *id, size_t id_size, const void *frame,
                   size_t size)
{
    const Doppel__Link__ToServer *message;
    const char *why;
    int err = link_unpack_to_server(server->codec, frame, size, &message, &why);
    if (err < 0) {
        server->stats.malformed++;
        if (err == -EPROTONOSUPPORT) {
            refuse_version(server, id, id_size);
        } else {
            refuse(server, id, id_size, true, LINK_VERSION, why);
        }
        return false;
    }
    struct server_client *client = find_client(server, id, id_size);
    bool hello = message->body_case == DOPPEL__LINK__TO_SERVER__BODY_HELLO;
    if (!client && hello) {
        client = add_client(server, id, id_size);
        if (!client) {
            refuse(server, id, id_size, true, LINK_VERSION, "too many clients");
        }
    } else if (!client && message->body_case != DOPPEL__LINK__TO_SERVER__BODY_BYE) {
        refuse(server, id, id_size, true, LINK_VERSION, "unknown client: say hello");
    }
    if (client) {
        handle_message(server, client, message);
    }
    return client != NULL;
}
