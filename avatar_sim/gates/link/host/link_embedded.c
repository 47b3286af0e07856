/* SPDX-License-Identifier: Apache-2.0 */
/* The link to a world in this process, as its user calls it. */
#include "link_embedded.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "hosted_link.h"

static struct hosted_link *self_of(struct dpl_link *link)
{
    return (struct hosted_link *)link;
}

/* A path from the world's root on. */
static void full_path(const struct hosted_link *self, const char *path, char *ret, size_t size)
{
    bool is_full = path[0] == '/' || self->under[0] == '\0';
    snprintf(ret, size, "%s%s%s", is_full ? "" : self->under, is_full ? "" : "/",
             path + (path[0] == '/'));
}

static int find(struct dpl_link *link, const struct dpl_channel_want *want,
                struct dpl_channel *ret_channel, struct dpl_diag *reterr)
{
    struct hosted_link *self = self_of(link);
    struct hosted_world *world = self->owner;
    char path[DPL_CHANNEL_PATH_MAX];
    full_path(self, want->path, path, sizeof path);
    struct dpl_channel_want full = *want;
    full.path = path;
    full.look = self->look;
    if (!full.place.file) {
        full.place.file = world->file;
    }
    int channel = dpl_world_channels_find(world->channels, &full, reterr);
    if (channel < 0) {
        return channel;
    }
    int id = hosted_link_add(self, (size_t)channel, &full, reterr);
    if (id < 0) {
        return id;
    }
    if (self->before_start) {
        hosted_link_give(self); /* can be read at once */
    }
    size_t n;
    *ret_channel = (struct dpl_channel){link, (unsigned)id,
                                        &dpl_world_channels_describe(world->channels, &n)[channel]};
    return 0;
}

static int refresh(struct dpl_link *link, dpl_ns *ret_stamp)
{
    struct hosted_link *self = self_of(link);
    self->has_frame |= dpl_latest_update(&self->frames.sync);
    if (!self->has_frame) {
        return -EAGAIN;
    }
    if (ret_stamp) {
        *ret_stamp = ((const struct hosted_value *)hosted_slots_front(&self->frames))->stamp;
    }
    return 0;
}

static int put(struct dpl_link *link, unsigned id, const void *value)
{
    struct hosted_link *self = self_of(link);
    if (self->found[id].kind != HOSTED_INPUT) {
        return -EINVAL;
    }
    struct hosted_input *input = &self->inputs[self->found[id].index];
    struct hosted_value *slot = hosted_slots_back(&input->slots);
    input->n_put = (uint64_t)self->n_releases << 32 | (uint32_t)(input->n_put + 1);
    slot->number = input->n_put;
    memcpy(slot->bytes, value, input->bytes);
    dpl_latest_publish(&input->slots.sync);
    return 0;
}

/* Gives the value, unless there is none. */
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

static int get_output(struct hosted_link *self, struct hosted_output *output, void *ret_value,
                      dpl_ns *ret_stamp)
{
    if (output->is_block) {
        return dpl_latest_update(&output->block.sync)
                   ? copy_value(hosted_slots_front(&output->block), output->bytes, ret_value,
                                ret_stamp)
                   : -EAGAIN;
    }
    if (!self->has_frame) {
        return -EAGAIN;
    }
    const unsigned char *frame = hosted_slots_front(&self->frames);
    return copy_value((const struct hosted_value *)(frame + output->at), output->bytes, ret_value,
                      ret_stamp);
}

static int get(struct dpl_link *link, unsigned id, void *ret_value, dpl_ns *ret_stamp)
{
    struct hosted_link *self = self_of(link);
    const struct hosted_found *found = &self->found[id];
    if (found->kind == HOSTED_INPUT) {
        return -EINVAL;
    }
    if (found->kind == HOSTED_OUTPUT) {
        return get_output(self, &self->outputs[found->index], ret_value, ret_stamp);
    }
    dpl_ns stamp;
    int err = dpl_world_channels_get(self->owner->channels, found->index, ret_value, &stamp);
    if (err == 0 && ret_stamp) {
        *ret_stamp = 0;
    }
    return err;
}

static int answer(struct dpl_link *link, unsigned id)
{
    struct hosted_link *self = self_of(link);
    size_t index = self->found[id].index;
    if (self->inputs[index].n_put == 0) {
        return 0;
    }
    if (!self->has_frame) {
        return -EINPROGRESS;
    }
    const struct hosted_value *head = hosted_slots_front(&self->frames);
    const struct hosted_answer *answers = (const struct hosted_answer *)head->bytes;
    return answers[index].number == self->inputs[index].n_put ? (int)answers[index].result
                                                              : -EINPROGRESS;
}

static uint32_t restarts(struct dpl_link *link)
{
    (void)link;
    return 0;
}

static size_t describe(struct dpl_link *link, size_t first, struct dpl_channel_desc *ret_descs,
                       size_t n)
{
    size_t all;
    const struct dpl_channel_desc *descs =
        dpl_world_channels_describe(self_of(link)->owner->channels, &all);
    for (size_t i = 0; i < n && first + i < all; i++) {
        ret_descs[i] = descs[first + i];
    }
    return all;
}

static bool alive(struct dpl_link *link)
{
    (void)link;
    return true;
}

static void release(struct dpl_link *link)
{
    struct hosted_link *self = self_of(link);
    atomic_store_explicit(&self->released, ++self->n_releases, memory_order_release);
}

/* The world frees the link, now or with itself: it may live longer than the link's user. */
static void close_link(struct dpl_link *link)
{
    struct hosted_link *self = self_of(link);
    atomic_store_explicit(&self->device, NULL, memory_order_relaxed);
    for (size_t i = 0; i < self->n_inputs; i++) {
        if (self->before_start && self->inputs[i].desc->dir == DPL_CHANNEL_IN) {
            hosted_channel_leave(self->owner, self->inputs[i].channel, HOSTED_DEVICE);
        }
    }
    if (self->owns) {
        self->owns = false;
        hosted_part_leave(self->owner, self->part);
    }
    /* release: the world takes what was put before */
    atomic_store_explicit(&self->closed, true, memory_order_release);
}

static int open_ahead(struct dpl_link *link, const struct dpl_ahead_setup *setup,
                      struct dpl_ahead **ret_ahead, struct dpl_diag *reterr)
{
    return hosted_world_open_ahead(self_of(link)->owner, setup, ret_ahead, reterr);
}

static const struct dpl_link_ops ops = {
    .find = find,
    .refresh = refresh,
    .put = put,
    .get = get,
    .answer = answer,
    .release = release,
    .restarts = restarts,
    .describe = describe,
    .alive = alive,
    .close = close_link,
    .open_ahead = open_ahead,
};

int link_embedded_prepare(struct hosted_world *world, const struct dpl_link_config *config,
                          struct dpl_link **ret_link, struct dpl_diag *reterr)
{
    struct hosted_link *self;
    int err = hosted_link_create(world, config, &self, reterr);
    if (err == 0) {
        self->link.ops = &ops;
        *ret_link = &self->link;
    }
    return err;
}

void link_embedded_join(struct dpl_link *link)
{
    hosted_link_join(self_of(link));
}

int link_embedded_open(struct hosted_world *world, const struct dpl_link_config *config,
                       struct dpl_device *device, struct dpl_link **ret_link,
                       struct dpl_diag *reterr)
{
    int err = link_embedded_prepare(world, config, ret_link, reterr);
    if (err == 0) {
        struct hosted_link *self = self_of(*ret_link);
        atomic_init(&self->device, device);
        self->before_start = true;
        hosted_link_join(self);
        hosted_world_publish(world); /* there is a frame before the first step */
    }
    return err;
}
