/* SPDX-License-Identifier: Apache-2.0 */
/* What a client puts into a served world.
 *
 * In lock-step a value is said once, as an embedded world takes it; else all that was put is said
 * again and again, because a world that believed us silent has released it. */
#include <stdlib.h>

#include "remote_world.h"

/* Room for one message: LINK_VALUES_MAX and LINK_SUBSCRIBED_MAX leave room in a frame for the rest.
 */
struct remote_commands {
    Doppel__Link__Command command;
    Doppel__Link__SlotCommand slots[LINK_SLOTS_MAX], *slot_list[LINK_SLOTS_MAX];
    Doppel__Link__Put puts[LINK_SUBSCRIBED_MAX], *put_list[LINK_SUBSCRIBED_MAX];
    uint8_t bytes[LINK_VALUES_MAX];
    struct remote_link *links[LINK_SLOTS_MAX]; /* whose slots they are */
    size_t n_puts, n_bytes;
};

struct remote_commands *remote_commands_create(void)
{
    return calloc(1, sizeof(struct remote_commands));
}

static void begin(struct remote_commands *commands)
{
    doppel__link__command__init(&commands->command);
    commands->command.slots = commands->slot_list;
    commands->n_puts = commands->n_bytes = 0;
}

/* ---- one link ---- */

static const struct hosted_value *newest(const struct remote_channel *channel)
{
    return hosted_slots_front(&channel->put);
}

/* Of a request the world that it is meant for, else how many releases were before. */
static uint32_t context_of(const struct remote_channel *channel)
{
    return (uint32_t)(newest(channel)->number >> 32);
}

/* Takes what the user has put since. A request that was meant for a world that is gone says nothing
 * about the one that followed. */
static void take_put(struct remote_link *link, struct remote_channel *channel, dpl_ns now)
{
    if (dpl_latest_update(&channel->put.sync)) {
        channel->is_put = true;
        channel->is_due = true;
        link->commands |= dpl_channel_is_owned(channel->desc->dir);
        link->last_put = channel->desc->dir == DPL_CHANNEL_IN ? now : link->last_put;
    }
    bool request = channel->desc->dir == DPL_CHANNEL_REQUEST && channel->is_due;
    if (request && context_of(channel) != link->owner->n_restarts) {
        channel->is_due = false;
        atomic_store(&channel->lost, true);
    }
}

/* Nobody answers for what was put, or it is not ours to put: the user puts it anew later. */
static void forget(struct remote_channel *channel)
{
    if (dpl_channel_is_owned(channel->desc->dir) && channel->is_put) {
        channel->is_put = channel->is_due = false;
        atomic_store(&channel->lost, true);
    }
}

static void forget_released(const struct remote_link *link, struct remote_channel *channel)
{
    if (channel->desc->dir == DPL_CHANNEL_IN && context_of(channel) < link->n_released) {
        channel->is_put = channel->is_due = false;
    }
}

/* What holds until it is put again may be said again; what falls silent must not be kept alive. */
static bool is_to_say(const struct remote_channel *channel, bool again)
{
    bool may_repeat = channel->desc->dir != DPL_CHANNEL_REQUEST && channel->desc->silence == 0;
    return channel->is_due || (again && channel->is_put && may_repeat);
}

static void add_put(struct remote_commands *commands, const struct remote_channel *channel,
                    uint32_t index)
{
    Doppel__Link__Put *put = &commands->puts[commands->n_puts];
    uint8_t *bytes = &commands->bytes[commands->n_bytes];
    const struct hosted_value *value = newest(channel);
    link_value_write(channel->desc, value->bytes, bytes);
    doppel__link__put__init(put);
    put->index = index;
    put->value = (ProtobufCBinaryData){.len = channel->bytes, .data = bytes};
    put->request = channel->desc->dir == DPL_CHANNEL_REQUEST ? (uint32_t)value->number : 0;
    commands->put_list[commands->n_puts++] = put;
    commands->n_bytes += channel->bytes;
}

/* Whether this is the moment in which the commander of the link's device is found to be late, or
 * the link's user to be silent. */
static bool note_commander(struct remote_link *link, dpl_ns now)
{
    bool was = link->left_alone;
    bool silent = link->silence > 0 && now - link->last_put > link->silence;
    link->left_alone = silent || (link->device && !dpl_device_is_commanded(link->device));
    return link->left_alone && !was;
}

static void take_puts(struct remote_link *link, dpl_ns now)
{
    for (size_t i = 0; i < link->n_channels; i++) {
        if (link->channels[i]->way == LINK_WAY_PUT) {
            take_put(link, link->channels[i], now);
        }
    }
}

static void add_link(struct remote_commands *commands, struct remote_link *link, dpl_ns now)
{
    /* acquire, and read first: what was put before the release is taken before it */
    uint32_t released = atomic_load_explicit(&link->released, memory_order_acquire);
    link->release_due |= released != link->n_released;
    link->n_released = released;
    take_puts(link, now);
    bool just_left = note_commander(link, now);
    bool beat = now >= link->next_command && (!link->owner->lockstep || link->denied);
    bool releases = link->denied || link->left_alone;
    Doppel__Link__SlotCommand *slot = &commands->slots[commands->command.n_slots];
    doppel__link__slot_command__init(slot);
    slot->slot = link->slot;
    slot->number = link->confirmed;
    slot->puts = &commands->put_list[commands->n_puts];
    size_t before = commands->n_puts;
    for (size_t i = 0; i < link->n_channels; i++) {
        struct remote_channel *channel = link->channels[i];
        if (channel->way != LINK_WAY_PUT) {
            continue;
        }
        forget_released(link, channel);
        if (releases) {
            forget(channel);
        }
        if (is_to_say(channel, beat || link->say_all)) {
            add_put(commands, channel, (uint32_t)i);
        }
    }
    link->next_command = beat ? now + REMOTE_BEAT : link->next_command;
    slot->n_puts = commands->n_puts - before;
    bool again = releases && (just_left || beat || link->say_all);
    slot->release = link->commands && (link->release_due || again);
    if (slot->n_puts > 0 || slot->release) {
        commands->links[commands->command.n_slots] = link;
        commands->slot_list[commands->command.n_slots++] = slot;
    }
}

/* ---- all links ---- */

static void settle(struct remote_link *link, bool sent)
{
    link->say_all = !sent;
    link->release_due = link->release_due && !sent;
    for (size_t i = 0; i < link->n_channels; i++) {
        struct remote_channel *channel = link->channels[i];
        bool stays_due = !sent && channel->desc->dir == DPL_CHANNEL_REQUEST;
        channel->is_due = channel->is_due && stays_due;
    }
}

static void flush(struct remote_world *world, bool grant)
{
    struct remote_commands *commands = world->commands;
    Doppel__Link__Command *command = &commands->command;
    if (command->n_slots == 0 && !grant) {
        return;
    }
    command->grant = grant;
    command->until = grant ? world->grant : 0;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_COMMAND;
    message.command = command;
    bool sent = link_client_say(&world->client, &message);
    for (size_t i = 0; i < command->n_slots; i++) {
        settle(commands->links[i], sent);
    }
    begin(commands);
}

static bool has_room(const struct remote_commands *commands, const struct remote_link *link)
{
    return commands->n_puts + link->n_channels <= LINK_SUBSCRIBED_MAX &&
           commands->n_bytes + link->put_bytes <= LINK_VALUES_MAX;
}

void remote_say_commands(struct remote_world *world, dpl_ns now, bool grant)
{
    begin(world->commands);
    for (struct remote_link *link = world->links; link; link = link->next) {
        if (!link->mapped || link->confirmed != link->wanted) {
            continue; /* the world does not know its channels yet */
        }
        if (!has_room(world->commands, link)) {
            flush(world, false);
        }
        add_link(world->commands, link, now);
    }
    flush(world, grant);
}
