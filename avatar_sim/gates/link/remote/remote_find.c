/* SPDX-License-Identifier: Apache-2.0 */
/* Finding channels of a served world, and the memory of a link. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "remote_world.h"

/* ---- memory ---- */

struct remote_link *remote_link_create(struct remote_world *world,
                                       const struct dpl_link_config *config, uint32_t slot)
{
    struct remote_link *link = calloc(1, sizeof *link);
    if (!link || hosted_slots_init(&link->frames, sizeof(struct remote_frame)) < 0) {
        free(link);
        return NULL;
    }
    link->owner = world;
    link->slot = slot;
    link->look = config->look;
    link->take_over = config->take_over;
    link->silence = config->silence;
    link->first = link->wanted = ++world->n_subscriptions;
    snprintf(link->wanted_part, sizeof link->wanted_part, "%s", config->part ? config->part : "");
    return link;
}

static void destroy_channel(struct remote_channel *channel)
{
    free(channel->put.memory);
    free(channel->block.memory);
    free(channel);
}

void remote_link_destroy(struct remote_link *link)
{
    if (!link) {
        return;
    }
    for (size_t i = 0; i < link->n_channels; i++) {
        destroy_channel(link->channels[i]);
    }
    free(link->frames.memory);
    free(link);
}

static struct remote_channel *create_channel(const struct dpl_channel_desc *desc,
                                             const void *constant, int number, bool look)
{
    struct remote_channel *channel = calloc(1, sizeof *channel);
    if (!channel) {
        return NULL;
    }
    channel->desc = desc;
    channel->constant = constant;
    channel->number = number;
    channel->way = link_way(desc, look);
    channel->bytes = dpl_channel_bytes(desc);
    size_t size = sizeof(struct hosted_value) + channel->bytes;
    int err = 0;
    if (channel->way == LINK_WAY_PUT) {
        err = hosted_slots_init(&channel->put, size);
    } else if (channel->way == LINK_WAY_BLOCK) {
        err = hosted_slots_init(&channel->block, size);
    }
    if (err < 0) {
        destroy_channel(channel);
        return NULL;
    }
    return channel;
}

/* What the channel takes in a frame, a multiple of 8. */
static size_t bytes_in_frame(const struct remote_channel *channel)
{
    if (channel->way == LINK_WAY_FRAME) {
        return sizeof(struct hosted_value) + (channel->bytes + 7u) / 8u * 8u;
    }
    return channel->desc->dir == DPL_CHANNEL_REQUEST ? sizeof(struct hosted_answer) : 0;
}

/* With one channel more, frames have room for it. Those of before are gone. */
static int lay_out(struct remote_link *link)
{
    size_t at = 0;
    for (size_t i = 0; i < link->n_channels; i++) {
        link->channels[i]->at = at;
        at += bytes_in_frame(link->channels[i]);
    }
    link->has_frame = false;
    return hosted_slots_init(&link->frames, sizeof(struct remote_frame) + at);
}

/* ---- of a slot ---- */

struct remote_link *remote_find_slot(struct remote_world *world, uint32_t slot)
{
    struct remote_link *link = world->links;
    while (link && link->slot != slot) {
        link = link->next;
    }
    return link && link->mapped ? link : NULL;
}

/* ---- what may be found ---- */

/* The inputs that a link puts have one owner, so they are of one part. */
static int check_part(const struct remote_link *link, const struct dpl_channel_desc *desc,
                      struct dpl_diag *reterr)
{
    if (!link->owned || !dpl_channel_is_owned(desc->dir)) {
        return 0;
    }
    const char *path = link->owned->desc->path;
    size_t length = dpl_channel_part(path);
    if (dpl_channel_part(desc->path) == length && strncmp(desc->path, path, length) == 0) {
        return 0;
    }
    return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                    "channel '%s' is of another part than '%.*s', which this link commands",
                    desc->path, (int)length, path);
}

static int check_size(const struct remote_link *link, const struct dpl_channel_desc *desc,
                      const void *constant, struct dpl_diag *reterr)
{
    const struct dpl_place nowhere = {0};
    enum link_way way = link_way(desc, link->look);
    size_t bytes = dpl_channel_bytes(desc);
    size_t sum = bytes + (way == LINK_WAY_PUT ? link->put_bytes : link->frame_bytes);
    if (way == LINK_WAY_CONSTANT && !constant) {
        return dpl_fail(reterr, -EMSGSIZE, nowhere,
                        "channel '%s' is a constant that is too large for the network", desc->path);
    }
    if (way == LINK_WAY_BLOCK && bytes > LINK_BLOCK_MAX) {
        return dpl_fail(reterr, -EMSGSIZE, nowhere,
                        "channel '%s' has blocks that are too large for the network", desc->path);
    }
    bool counts = way == LINK_WAY_PUT || way == LINK_WAY_FRAME;
    if (link->n_channels == LINK_SUBSCRIBED_MAX || (counts && sum > LINK_VALUES_MAX)) {
        return dpl_fail(reterr, -ENOSPC, nowhere,
                        "channel '%s': a link has at most %d channels with %d bytes each way",
                        desc->path, LINK_SUBSCRIBED_MAX, LINK_VALUES_MAX);
    }
    return 0;
}

/* ---- finding ---- */

static int find_known(const struct remote_link *link, const struct dpl_channel_desc *desc)
{
    for (size_t i = 0; i < link->n_channels; i++) {
        if (strcmp(link->channels[i]->desc->path, desc->path) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static int add_channel(struct remote_link *link, const struct dpl_channel_desc *desc,
                       const void *constant, int number, struct dpl_diag *reterr)
{
    int err = check_part(link, desc, reterr);
    err = err < 0 ? err : check_size(link, desc, constant, reterr);
    if (err < 0) {
        return err;
    }
    struct remote_channel *channel = create_channel(desc, constant, number, link->look);
    if (!channel) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    link->channels[link->n_channels++] = channel;
    if (lay_out(link) < 0) {
        destroy_channel(link->channels[--link->n_channels]);
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    link->put_bytes += channel->way == LINK_WAY_PUT ? channel->bytes : 0;
    link->frame_bytes += channel->way == LINK_WAY_FRAME ? channel->bytes : 0;
    bool owns = channel->way == LINK_WAY_PUT && dpl_channel_is_owned(desc->dir);
    link->owned = !link->owned && owns ? channel : link->owned;
    if (channel->way != LINK_WAY_CONSTANT) {
        link->wanted = ++link->owner->n_subscriptions;
    }
    return (int)link->n_channels - 1;
}

/* With the lock. */
static int find_in_list(struct remote_link *link, const struct dpl_channel_want *want,
                        struct dpl_diag *reterr)
{
    char path[2 * DPL_CHANNEL_PATH_MAX];
    struct remote_list *list = link->owner->list;
    bool is_full = want->path[0] == '/' || link->part[0] == '\0';
    snprintf(path, sizeof path, "%s%s%s", is_full ? "" : link->part, is_full ? "" : "/",
             want->path + (want->path[0] == '/'));
    struct dpl_channel_want full = *want;
    full.path = path;
    full.look = link->look;
    int number = dpl_channel_find(list->descs, list->n, &full, reterr);
    if (number < 0) {
        return number;
    }
    int id = find_known(link, &list->descs[number]);
    if (id >= 0) {
        return id;
    }
    list->pinned = true;
    return add_channel(link, &list->descs[number], list->constants[number], number, reterr);
}

int remote_link_find(struct dpl_link *link, const struct dpl_channel_want *want,
                     struct dpl_channel *ret_channel, struct dpl_diag *reterr)
{
    struct remote_link *self = (struct remote_link *)link;
    const char *address = self->owner->address;
    int known = atomic_load_explicit(&self->known, memory_order_acquire);
    if (known == 0) {
        return dpl_fail(reterr, -EAGAIN, want->place, "%s: no world has answered yet", address);
    }
    if (known < 0) {
        return dpl_fail(reterr, known, want->place, "%s: %s", address, self->error);
    }
    struct dpl_diag why = {0};
    pthread_mutex_lock(&self->owner->lock);
    int id = find_in_list(self, want, &why);
    pthread_mutex_unlock(&self->owner->lock);
    if (id < 0) {
        return dpl_fail(reterr, id, want->place, "%s: %s", address, why.text);
    }
    *ret_channel = (struct dpl_channel){link, (unsigned)id, self->channels[id]->desc};
    return 0;
}
