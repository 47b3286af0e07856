/* SPDX-License-Identifier: Apache-2.0 */
/* The link to a world in another process: opening it, and as its user calls it. */
#include "link_remote.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "remote_world.h"
#include "room.h"
#include "zeromq.h"

#define OPEN_WAIT  (300 * DPL_MS)
#define CLOSE_WAIT (100 * DPL_MS)

static struct remote_link *self_of(struct dpl_link *link)
{
    return (struct remote_link *)link;
}

static const struct remote_frame *frame_of(const struct remote_link *self)
{
    return self->has_frame ? hosted_slots_front(&self->frames) : NULL;
}

static int refresh(struct dpl_link *link, dpl_ns *ret_stamp)
{
    struct remote_link *self = self_of(link);
    self->has_frame |= dpl_latest_update(&self->frames.sync);
    const struct remote_frame *frame = frame_of(self);
    if (!frame) {
        return -EAGAIN;
    }
    if (ret_stamp) {
        *ret_stamp = frame->stamp;
    }
    return 0;
}

static bool alive(struct dpl_link *link)
{
    return atomic_load(&self_of(link)->alive);
}

static uint32_t restarts(struct dpl_link *link)
{
    const struct remote_frame *frame = frame_of(self_of(link));
    return frame ? (uint32_t)frame->restarts : 0;
}

static int put(struct dpl_link *link, unsigned id, const void *value)
{
    const struct remote_link *self = self_of(link);
    struct remote_channel *channel = self->channels[id];
    if (channel->way != LINK_WAY_PUT) {
        return -EINVAL;
    }
    bool request = channel->desc->dir == DPL_CHANNEL_REQUEST;
    channel->n_put++;
    /* in this order: a loss from now on is not overwritten */
    atomic_store(&channel->lost, false);
    bool lost = !alive(link);
    if (lost && request) {
        atomic_store(&channel->lost, true);
        return -EAGAIN;
    }
    struct hosted_value *slot = hosted_slots_back(&channel->put);
    slot->number = (uint64_t)(request ? restarts(link) : self->n_releases) << 32 | channel->n_put;
    memcpy(slot->bytes, value, channel->bytes);
    dpl_latest_publish(&channel->put.sync);
    return lost ? -EAGAIN : 0;
}

static int copy_value(const struct hosted_value *value, size_t bytes, void *ret_value,
                      dpl_ns *ret_stamp)
{
    if (value->stamp == HOSTED_NO_VALUE) {
        return -EAGAIN;
    }
    memcpy(ret_value, value->bytes, bytes);
    if (ret_stamp) {
        *ret_stamp = value->stamp;
    }
    return 0;
}

static int get_constant(const struct remote_channel *channel, void *ret_value, dpl_ns *ret_stamp)
{
    memcpy(ret_value, channel->constant, channel->bytes);
    if (ret_stamp) {
        *ret_stamp = 0;
    }
    return 0;
}

static int get(struct dpl_link *link, unsigned id, void *ret_value, dpl_ns *ret_stamp)
{
    const struct remote_link *self = self_of(link);
    struct remote_channel *channel = self->channels[id];
    if (channel->way == LINK_WAY_PUT) {
        return -EINVAL;
    }
    if (channel->way == LINK_WAY_CONSTANT) {
        return get_constant(channel, ret_value, ret_stamp);
    }
    if (channel->way == LINK_WAY_BLOCK) {
        return dpl_latest_update(&channel->block.sync)
                   ? copy_value(hosted_slots_front(&channel->block), channel->bytes, ret_value,
                                ret_stamp)
                   : -EAGAIN;
    }
    const struct remote_frame *frame = frame_of(self);
    return frame ? copy_value((const struct hosted_value *)(frame->values + channel->at),
                              channel->bytes, ret_value, ret_stamp)
                 : -EAGAIN;
}

static int answer(struct dpl_link *link, unsigned id)
{
    const struct remote_link *self = self_of(link);
    const struct remote_channel *channel = self->channels[id];
    const struct remote_frame *frame = frame_of(self);
    if (channel->n_put == 0) {
        return 0;
    }
    if (frame) {
        const struct hosted_answer *answer_ =
            (const struct hosted_answer *)(frame->values + channel->at);
        if (answer_->number == channel->n_put) {
            return (int)answer_->result;
        }
    }
    return atomic_load(&channel->lost) ? -ENOTCONN : -EINPROGRESS;
}

static void release(struct dpl_link *link)
{
    struct remote_link *self = self_of(link);
    atomic_store_explicit(&self->released, ++self->n_releases, memory_order_release);
}

static size_t describe(struct dpl_link *link, size_t first, struct dpl_channel_desc *ret_descs,
                       size_t n)
{
    struct remote_world *world = self_of(link)->owner;
    size_t all = 0;
    pthread_mutex_lock(&world->lock);
    struct remote_list *list = world->list;
    if (list) {
        all = list->n;
        list->pinned = true;
    }
    for (size_t i = 0; i < n && first < all && i < all - first; i++) {
        ret_descs[i] = list->descs[first + i];
    }
    pthread_mutex_unlock(&world->lock);
    return all;
}

static bool is_let_go(const struct remote_world *world, const struct remote_link *link)
{
    (void)world;
    return !link->closing;
}

static void close_link(struct dpl_link *link)
{
    struct remote_link *self = self_of(link);
    struct remote_world *world = self->owner;
    pthread_mutex_lock(&world->lock);
    self->device = NULL;
    self->closing = true;
    remote_world_wake(world);
    remote_wait(world, self, is_let_go, CLOSE_WAIT, CLOSE_WAIT);
    struct remote_link **at = &world->links;
    while (*at != self) {
        at = &(*at)->next;
    }
    *at = self->next;
    pthread_mutex_unlock(&world->lock);
    remote_link_destroy(self);
}

int link_remote_loss(struct dpl_link *link, char *ret_why, size_t size)
{
    struct remote_link *self = self_of(link);
    struct remote_world *world = self->owner;
    pthread_mutex_lock(&world->lock);
    bool is_lost = self->lost;
    bool is_denied = world->welcomed && self->denied;
    snprintf(ret_why, size, "%s", is_lost ? self->why : "");
    pthread_mutex_unlock(&world->lock);
    return !is_lost ? 0 : is_denied ? -EBUSY : -ENOTCONN;
}

static const struct dpl_link_ops ops = {
    .find = remote_link_find,
    .refresh = refresh,
    .put = put,
    .get = get,
    .answer = answer,
    .release = release,
    .restarts = restarts,
    .describe = describe,
    .alive = alive,
    .close = close_link,
};

/* ---- opening ---- */

/* Whether there is room for another world, and for its address. */
static int check_room(const struct dpl_link_config *config, struct dpl_diag *reterr)
{
    const struct remote_world *world = NULL;
    const size_t most = sizeof world->address - 1, length = strlen(config->world);
    if (length > most) {
        return dpl_fail(reterr, -EINVAL, config->place,
                        "the address of a world has at most %zu characters, this one has %zu", most,
                        length);
    }
    int err = dpl_room_check(config->world, DPL_ROOM_ZMQ_FILES, DPL_ROOM_ZMQ_THREADS + 1, reterr);
    return err < 0 ? err : link_zeromq_load(reterr);
}

static int world_at(struct remote_world **list, const struct dpl_link_config *config,
                    struct remote_world **ret_world, struct dpl_diag *reterr)
{
    struct remote_world **at = list;
    for (; *at; at = &(*at)->next) {
        if (strcmp((*at)->address, config->world) == 0) {
            *ret_world = *at;
            return 0;
        }
    }
    int err = check_room(config, reterr);
    if (err < 0) {
        return err;
    }
    struct remote_world *world = calloc(1, sizeof *world);
    if (!world) {
        return -ENOMEM;
    }
    snprintf(world->address, sizeof world->address, "%s", config->world);
    world->patience = REMOTE_PATIENCE;
    err = remote_world_start(world);
    if (err < 0) {
        remote_world_destroy(world);
        return dpl_fail(reterr, err, config->place, "cannot talk to '%s': %s", config->world,
                        err == -EINVAL ? "expected tcp://host:port" : strerror(-err));
    }
    *at = *ret_world = world;
    return 0;
}

static int free_slot(const struct remote_world *world)
{
    unsigned taken = 0;
    for (const struct remote_link *link = world->links; link; link = link->next) {
        taken |= 1u << link->slot;
    }
    int slot = 0;
    while (slot < LINK_SLOTS_MAX && (taken & (1u << slot)) != 0) {
        slot++;
    }
    return slot < LINK_SLOTS_MAX ? slot : -ENOSPC;
}

static int add_link(struct remote_world *world, const struct dpl_link_config *config,
                    struct dpl_device *device, struct remote_link **ret_link)
{
    int slot = free_slot(world);
    if (slot < 0) {
        return slot;
    }
    struct remote_link *link = remote_link_create(world, config, (uint32_t)slot);
    if (!link) {
        return -ENOMEM;
    }
    link->link.ops = &ops;
    link->device = device;
    link->next = world->links;
    world->links = link;
    *ret_link = link;
    return 0;
}

static bool link_has_answer(const struct remote_world *world, const struct remote_link *link)
{
    return atomic_load(&link->alive) || atomic_load(&link->known) < 0 || world->refusal[0];
}

int link_remote_open(struct remote_world **list, const struct dpl_link_config *config,
                     struct dpl_device *device, struct dpl_link **ret_link, struct dpl_diag *reterr)
{
    struct remote_world *world = NULL;
    int err = world_at(list, config, &world, reterr);
    if (err < 0) {
        return err;
    }
    pthread_mutex_lock(&world->lock);
    struct remote_link *link;
    err = add_link(world, config, device, &link);
    if (err == 0) {
        remote_world_wake(world);
        /* a world that let one link wait in vain is not waited for again */
        dpl_ns patience = world->welcomed || !world->links->next ? OPEN_WAIT : 0;
        remote_wait(world, link, link_has_answer, patience, 0);
        if (!atomic_load(&link->alive)) {
            remote_link_lose(link, world->refusal[0] ? world->refusal : "no world answers yet");
        }
        *ret_link = &link->link;
    }
    pthread_mutex_unlock(&world->lock);
    return err == 0 ? 0
                    : dpl_fail(reterr, err, config->place,
                               err == -ENOSPC ? "%s: a program has at most %d links to a world"
                                              : "%s: out of memory for a link (of at most %d)",
                               config->world, LINK_SLOTS_MAX);
}
