/* SPDX-License-Identifier: Apache-2.0 */
/* What a client says to a served world, but for what it puts. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "remote_world.h"

void remote_say_hello(struct remote_world *world)
{
    char name[LINK_NAME_MAX + 1];
    snprintf(name, sizeof name, "%.30s[%d]", program_invocation_short_name, (int)getpid());
    link_client_say_hello(&world->client, name, REMOTE_PERIOD);
}

void remote_say_list(struct remote_world *world)
{
    Doppel__Link__List list = DOPPEL__LINK__LIST__INIT;
    list.first = (uint32_t)world->incoming->n_got;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_LIST;
    message.list = &list;
    link_client_say(&world->client, &message);
}

/* ---- subscriptions ---- */

static bool say_subscribe(struct remote_link *link, uint32_t number, size_t n_channels)
{
    uint32_t channels[LINK_SUBSCRIBED_MAX];
    for (size_t i = 0; i < n_channels; i++) {
        channels[i] = (uint32_t)link->channels[i]->number;
    }
    Doppel__Link__Subscribe subscribe = DOPPEL__LINK__SUBSCRIBE__INIT;
    subscribe.slot = link->slot;
    subscribe.number = number;
    subscribe.n_channels = n_channels;
    subscribe.channels = channels;
    subscribe.take_over = link->take_over && link->confirmed == 0;
    subscribe.look = link->look;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_SUBSCRIBE;
    message.subscribe = &subscribe;
    return link_client_say(&link->owner->client, &message);
}

/* A new subscription knows nothing of what was put into the one before. */
static void subscribe(struct remote_link *link)
{
    link->said = say_subscribe(link, link->wanted, link->n_channels) ? link->wanted : link->said;
    link->say_all = true;
    for (size_t i = 0; i < link->n_channels; i++) {
        link->channels[i]->sequence = 0;
    }
}

void remote_say_subscriptions(struct remote_world *world, dpl_ns now)
{
    for (struct remote_link *link = world->links; link; link = link->next) {
        bool is_new = link->said != link->wanted;
        bool is_missing = link->confirmed != link->wanted && now >= link->next_subscribe;
        if (link->mapped && (is_new || is_missing)) {
            link->next_subscribe = now + REMOTE_BEAT;
            subscribe(link);
        }
    }
}

void remote_say_nothing_more(struct remote_link *link)
{
    if (link->owner->welcomed && link->mapped) {
        say_subscribe(link, ++link->owner->n_subscriptions, 0);
    }
}

/* ---- mapping ---- */

/* `error` is written at most once, because the user may be reading it. */
static void refuse_link(struct remote_link *link, int code, const char *text)
{
    if (atomic_load(&link->known) == 0) {
        snprintf(link->error, sizeof link->error, "%s", text);
        atomic_store_explicit(&link->known, code, memory_order_release);
    }
    remote_link_lose(link, text);
}

/* False: the world does not have the part. */
static bool know_part(struct remote_link *link)
{
    char name[LINK_PATH_MAX + 1] = "", text[400];
    if (link->wanted_part[0] != '\0' &&
        !remote_list_find_part(link->owner->list, link->wanted_part, name, sizeof name)) {
        snprintf(text, sizeof text, "the world has no robot '%.60s'; it has: %.255s",
                 link->wanted_part, name);
        refuse_link(link, -ENOENT, text);
        return false;
    }
    if (atomic_load(&link->known) != 1) {
        snprintf(link->part, sizeof link->part, "%s", name);
        atomic_store_explicit(&link->known, 1, memory_order_release);
    }
    return true;
}

static void miss_channel(struct remote_link *link, const char *path)
{
    char text[400];
    size_t length = dpl_channel_part(path);
    if (length > 0) {
        snprintf(text, sizeof text, "part '%.*s' has lost its channel '%s'", (int)length, path,
                 path + length + 1);
    } else {
        snprintf(text, sizeof text, "the world has lost its channel '%s'", path);
    }
    remote_link_lose(link, text);
}

static void map_link(struct remote_link *link)
{
    link->tried = true;
    if (!know_part(link)) {
        return;
    }
    for (size_t i = 0; i < link->n_channels; i++) {
        struct remote_channel *channel = link->channels[i];
        channel->number = remote_list_find_same(link->owner->list, channel->desc);
        if (channel->number < 0) {
            miss_channel(link, channel->desc->path);
            return;
        }
    }
    link->mapped = true;
}

void remote_map_links(struct remote_world *world)
{
    bool any = false;
    for (struct remote_link *link = world->links; link; link = link->next) {
        if (!link->tried) {
            map_link(link);
            any = true;
        }
    }
    if (any) {
        pthread_cond_broadcast(&world->changed);
    }
}
