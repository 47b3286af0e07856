/* SPDX-License-Identifier: Apache-2.0 */
/* What the slots of clients have subscribed, and what is put into it. */
#include <stdlib.h>
#include <string.h>

#include "link_embedded.h"
#include "server.h"

/* ---- subscriptions ---- */

void server_free_slot(struct server_slot *slot)
{
    dpl_link_close(slot->link);
    free(slot->channels);
    *slot = (struct server_slot){.part = -1};
}

/* The sums that a frame and a command must hold. */
static const char *check_sizes(const struct server_list *list,
                               const Doppel__Link__Subscribe *subscribe)
{
    size_t put = 0, frame = 0;
    for (size_t i = 0; i < subscribe->n_channels; i++) {
        const struct dpl_channel_desc *desc = server_list_at(list, subscribe->channels[i]);
        if (!desc) {
            return "it subscribes a channel that the world does not have";
        }
        size_t bytes = dpl_channel_bytes(desc);
        enum link_way way = link_way(desc, subscribe->look);
        if (way == LINK_WAY_BLOCK && bytes > LINK_BLOCK_MAX) {
            return "it subscribes a block that is too large for the network";
        }
        put += way == LINK_WAY_PUT ? bytes : 0;
        frame += way == LINK_WAY_FRAME ? bytes : 0;
        if (put > LINK_VALUES_MAX || frame > LINK_VALUES_MAX) {
            return "its subscription has too many bytes";
        }
    }
    return NULL;
}

static int part_index(const struct server *server, const struct dpl_channel_desc *desc)
{
    int part = hosted_world_part(server->world, desc->path);
    return part >= 0 ? part : (int)server->world->n_parts;
}

static const char *find_channel(struct server *server, struct server_slot *slot, uint32_t number,
                                bool look)
{
    const struct dpl_channel_desc *desc = server_list_at(server->list, number);
    char path[DPL_CHANNEL_PATH_MAX + 1];
    snprintf(path, sizeof path, "/%s", desc->path);
    enum link_way way = link_way(desc, look);
    struct dpl_channel_want want = {.path = path, .put = way == LINK_WAY_PUT};
    struct server_channel *channel = &slot->channels[slot->n];
    if (dpl_link_find(slot->link, &want, &channel->channel, NULL) < 0) {
        return look ? "it reads a request" : "it subscribes inputs of two parts in one slot";
    }
    channel->way = way;
    want.path = desc->path;
    int index = want.put ? dpl_world_channels_find(server->world->channels, &want, NULL) : 0;
    channel->number = index >= 0 ? (size_t)index : SIZE_MAX; /* there it is */
    if (want.put && dpl_channel_is_owned(desc->dir)) {
        slot->part = part_index(server, desc);
    }
    slot->n++;
    return NULL;
}

static const char *fill(struct server *server, struct server_slot *slot,
                        const Doppel__Link__Subscribe *subscribe)
{
    struct dpl_link_config config = {.look = subscribe->look};
    slot->channels = calloc(subscribe->n_channels + 1, sizeof *slot->channels);
    if (!slot->channels || link_embedded_prepare(server->world, &config, &slot->link, NULL) < 0) {
        return "the world is out of memory";
    }
    const char *why = NULL;
    for (size_t i = 0; i < subscribe->n_channels && !why; i++) {
        why = find_channel(server, slot, subscribe->channels[i], subscribe->look);
    }
    link_embedded_join(slot->link); /* from then on the world frees it */
    return why;
}

/* Whether a subscription has the channels that the slot has. */
static bool is_same(const struct server *server, const struct server_slot *slot,
                    const Doppel__Link__Subscribe *subscribe)
{
    bool same = slot->n == subscribe->n_channels;
    for (size_t i = 0; i < subscribe->n_channels && same; i++) {
        const struct dpl_channel_desc *wanted =
            server_list_at(server->list, subscribe->channels[i]);
        same = wanted && strcmp(wanted->path, slot->channels[i].channel.desc->path) == 0;
    }
    return same;
}

const char *server_subscribe(struct server *server, struct server_client *client,
                             const Doppel__Link__Subscribe *subscribe)
{
    struct server_slot *slot = &client->slots[subscribe->slot];
    struct server_slot next = {
        .number = subscribe->number,
        .part = -1,
        .take_over = subscribe->take_over || slot->take_over,
    };
    if (slot->link && slot->number == subscribe->number) {
        /* said again, because its first frame was late; else an index would mean another channel */
        return is_same(server, slot, subscribe) ? NULL
                                                : "the number of a subscription is used twice";
    }
    if (slot->link && slot->number > subscribe->number) {
        return "the numbers of subscriptions grow";
    }
    const char *why = check_sizes(server->list, subscribe);
    why = why ? why : fill(server, &next, subscribe);
    if (why) {
        server_free_slot(&next);
        return why;
    }
    struct server_busy busy;
    bool keeps = slot->controls && next.part == slot->part && server_claim(server, &next, &busy);
    if (keeps) {
        server_unclaim(server, slot);
    } else {
        server_let_go(server, client, slot);
    }
    next.controls = keeps;
    server_free_slot(slot);
    *slot = next;
    return NULL;
}

/* ---- what is put ---- */

static const char *check_puts(const struct server_slot *slot,
                              const Doppel__Link__SlotCommand *command)
{
    for (size_t i = 0; i < command->n_puts; i++) {
        const Doppel__Link__Put *put = command->puts[i];
        if (put->index >= slot->n || slot->channels[put->index].way != LINK_WAY_PUT) {
            return "it puts into a channel that it cannot put into";
        }
        bool request = slot->channels[put->index].channel.desc->dir == DPL_CHANNEL_REQUEST;
        if (request && put->request == 0) {
            return "requests are numbered from 1 on";
        }
        _Alignas(16) uint8_t value[LINK_VALUES_MAX];
        const char *why =
            link_value_read(slot->channels[put->index].channel.desc, put->value, value);
        if (why) {
            return why;
        }
    }
    return NULL;
}

static void put_value(struct server_channel *channel, const Doppel__Link__Put *put)
{
    _Alignas(16) uint8_t value[LINK_VALUES_MAX];
    (void)link_value_read(channel->channel.desc, put->value, value); /* checked */
    dpl_channel_put(channel->channel, value);
    channel->request = put->request;
}

static bool is_owned(const struct server_slot *slot, const Doppel__Link__Put *put)
{
    return dpl_channel_is_owned(slot->channels[put->index].channel.desc->dir);
}

static bool wants_control(const struct server_slot *slot, const Doppel__Link__SlotCommand *command)
{
    bool wants = command->release;
    for (size_t i = 0; i < command->n_puts && !wants; i++) {
        wants = is_owned(slot, command->puts[i]);
    }
    return wants && slot->part >= 0;
}

/* The slot that a command is about; NULL: it is about channels that the slot does not have any
 * more. */
static struct server_slot *slot_of(struct server_client *client,
                                   const Doppel__Link__SlotCommand *command)
{
    struct server_slot *slot = &client->slots[command->slot];
    return slot->link && slot->number == command->number ? slot : NULL;
}

const char *server_check_put(struct server_client *client, const Doppel__Link__SlotCommand *command)
{
    const struct server_slot *slot = slot_of(client, command);
    return slot ? check_puts(slot, command) : NULL;
}

void server_put(struct server *server, struct server_client *client,
                const Doppel__Link__SlotCommand *command)
{
    struct server_slot *slot = slot_of(client, command);
    if (!slot) {
        return;
    }
    bool may = wants_control(slot, command) && server_may_control(server, client, slot);
    if (may && command->release) {
        dpl_link_release(slot->link);
    }
    for (size_t i = 0; i < command->n_puts; i++) {
        if (may || !is_owned(slot, command->puts[i])) {
            put_value(&slot->channels[command->puts[i]->index], command->puts[i]);
        }
    }
}
