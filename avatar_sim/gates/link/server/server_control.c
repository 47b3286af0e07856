/* SPDX-License-Identifier: Apache-2.0 */
/* Which client owns the inputs of a part: one at a time, and nobody is left to guess which. */
#include <stdio.h>

#include "server.h"

static void tell(struct server *server, const struct server_client *client,
                 const struct server_slot *slot, bool granted, const char *text)
{
    Doppel__Link__Control control;
    doppel__link__control__init(&control);
    control.slot = (uint32_t)(slot - client->slots);
    control.granted = granted;
    control.text = link_text(text);
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_CONTROL;
    message.control = &control;
    server_send(server, client->id, client->id_size, &message);
}

/* All slots with which a client owns the part hear of it. What they have put is released when they
 * lose it. */
static void tell_all(struct server *server, struct server_client *client, int part, bool granted,
                     const char *text)
{
    for (size_t i = 0; i < LINK_SLOTS_MAX; i++) {
        struct server_slot *slot = &client->slots[i];
        if (!slot->link || slot->part != part || !slot->controls) {
            continue;
        }
        slot->controls = granted;
        slot->denied = !granted;
        if (!granted) {
            server_unclaim(server, slot);
            dpl_link_release(slot->link);
        }
        tell(server, client, slot, granted, text);
    }
}

/* "part 'name'" */
static const char *name_of(const struct server *server, int part, char *text, size_t size)
{
    const struct hosted_world *world = server->world;
    if ((size_t)part < world->n_parts) {
        snprintf(text, size, "part '%s'", world->parts[part].name);
    } else {
        snprintf(text, size, "the world");
    }
    return text;
}

/* Once, until it gets the part. Without a holder (NULL): this process has it, or somebody else has
 * the channel `busy`. */
static void deny(struct server *server, struct server_client *client, struct server_slot *slot,
                 struct server_client *holder, const struct server_busy *busy)
{
    if (slot->denied) {
        return;
    }
    slot->denied = true;
    int part = slot->part;
    char text[LINK_TEXT_MAX + 1], buffer[DPL_CHANNEL_PATH_MAX];
    const char *name = name_of(server, part, buffer, sizeof buffer);
    if (!holder) {
        snprintf(text, sizeof text, "%s%s%s is controlled by %s", busy ? "channel '" : "",
                 busy ? busy->path : name, busy ? "'" : "",
                 busy ? hosted_commander_name(busy->by) : "the program that serves it");
        tell(server, client, slot, false, text);
        return;
    }
    snprintf(text, sizeof text, "%s is controlled by client '%s'; property TakeOver takes it over",
             name, holder->name);
    tell(server, client, slot, false, text);
    snprintf(text, sizeof text, "client '%s' wants to control %s and was refused", client->name,
             name);
    tell_all(server, holder, part, true, text);
    server_notice(server, SERVER_NOTICE_CONTROL,
                  "client '%s' was refused %s: client '%s' controls it", client->name, name,
                  holder->name);
}

/* Tells the client that lost the part, and the world; what the other one is told is in `won`. */
static void take_over(struct server *server, const struct server_client *client, int part,
                      struct server_client *holder, char *won, size_t size)
{
    char text[LINK_TEXT_MAX + 1], buffer[DPL_CHANNEL_PATH_MAX];
    const char *name = name_of(server, part, buffer, sizeof buffer);
    snprintf(won, size, "took over %s from client '%s'", name, holder->name);
    snprintf(text, sizeof text, "client '%s' took over %s", client->name, name);
    tell_all(server, holder, part, false, text);
    server_notice(server, SERVER_NOTICE_CONTROL, "client '%s' took over %s from client '%s'",
                  client->name, name, holder->name);
}

void server_unclaim(struct server *server, const struct server_slot *slot)
{
    for (size_t i = 0; i < slot->n; i++) {
        if (slot->channels[i].way == LINK_WAY_PUT) {
            hosted_channel_leave(server->world, slot->channels[i].number, HOSTED_LINK);
        }
    }
}

bool server_claim(struct server *server, const struct server_slot *slot,
                  struct server_busy *ret_busy)
{
    struct server_slot done = *slot; /* its first channels */
    for (done.n = 0; done.n < slot->n; done.n++) {
        const struct server_channel *channel = &slot->channels[done.n];
        if (channel->way != LINK_WAY_PUT) {
            continue;
        }
        enum hosted_commander by = hosted_channel_join(server->world, channel->number, HOSTED_LINK);
        if (by != HOSTED_NOBODY) {
            *ret_busy = (struct server_busy){channel->channel.desc->path, by};
            server_unclaim(server, &done);
            return false;
        }
    }
    return true;
}

bool server_may_control(struct server *server, struct server_client *client,
                        struct server_slot *slot)
{
    int part = slot->part;
    struct server_client *holder = server->owners[part];
    struct server_busy busy;
    if (slot->controls && holder == client) {
        slot->take_over = false;
        return true;
    }
    bool owned_here = !hosted_part_serve(server->world, part);
    if (owned_here || (holder && holder != client && !slot->take_over)) {
        deny(server, client, slot, owned_here ? NULL : holder, NULL);
        return false;
    }
    if (!server_claim(server, slot, &busy)) {
        if (!holder) {
            hosted_part_unserve(server->world, part);
        }
        deny(server, client, slot, NULL, &busy);
        return false;
    }
    char won[LINK_TEXT_MAX + 1] = "";
    if (holder && holder != client) {
        take_over(server, client, part, holder, won, sizeof won);
    }
    slot->take_over = false; /* who lost the part again does not take it back for ever */
    server->owners[part] = client;
    slot->controls = true;
    slot->denied = false;
    tell(server, client, slot, true, won);
    return true;
}

void server_let_go(struct server *server, struct server_client *client, struct server_slot *slot)
{
    if (!slot->controls) {
        return;
    }
    slot->controls = false;
    server_unclaim(server, slot);
    for (size_t i = 0; i < LINK_SLOTS_MAX; i++) {
        if (client->slots[i].controls && client->slots[i].part == slot->part) {
            return;
        }
    }
    server->owners[slot->part] = NULL;
    hosted_part_unserve(server->world, slot->part);
}
