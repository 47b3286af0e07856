/* SPDX-License-Identifier: Apache-2.0 */
/* The channels of a world for those who observe it. */
#include <string.h>

#include "world_scene.h"

#define AGAIN_EVERY DPL_S /* what has not changed: for those who come later */

void scene_list_channels(struct world_scene *scene)
{
    size_t most = 0;
    struct dpl_scene *self = &scene->self;
    if (!scene->live.channels) {
        return;
    }
    self->channels = dpl_world_channels_describe(scene->live.channels, &self->n_channels);
    scene->of_channels =
        dpl_arena_alloc(&scene->arena, (self->n_channels + 1) * sizeof *scene->of_channels);
    for (size_t i = 0; i < self->n_channels; i++) {
        size_t n = dpl_channel_bytes(&self->channels[i]);
        scene->of_channels[i].last = dpl_arena_alloc(&scene->arena, n + 1);
        most = n > most ? n : most;
    }
    scene->value = dpl_arena_alloc(&scene->arena, most + 1);
}

void scene_watch_channel(struct dpl_scene *scene, size_t i, const struct dpl_scene_tap *tap)
{
    scene_of(scene)->of_channels[i].tap = *tap;
}

static bool is_constant(const struct world_scene *scene, size_t i)
{
    return scene->self.channels[i].dir == DPL_CHANNEL_CONSTANT;
}

/* Whether there is a value that is not known yet: then it is in scene->value. */
static bool has_news(const struct world_scene *scene, size_t i, dpl_ns now, dpl_ns *ret_stamp)
{
    const struct dpl_channel_desc *desc = &scene->self.channels[i];
    const struct scene_channel *channel = &scene->of_channels[i];
    bool is_block = desc->type == &dpl_channel_block;
    if (channel->is_sent && is_constant(scene, i)) {
        return false;
    }
    if (is_block && (dpl_world_channels_get(scene->live.channels, i, NULL, ret_stamp) < 0 ||
                     (channel->is_sent && *ret_stamp == channel->stamp))) {
        return false;
    }
    if (dpl_world_channels_get(scene->live.channels, i, scene->value, ret_stamp) < 0) {
        return false;
    }
    bool is_old = now >= channel->sent + AGAIN_EVERY || now < channel->sent;
    return is_block || !channel->is_sent || is_old ||
           memcmp(scene->value, channel->last, dpl_channel_bytes(desc)) != 0;
}

void scene_look_at_channels(struct world_scene *scene, dpl_ns now, bool only_to_welcome)
{
    for (size_t i = 0; i < scene->self.n_channels; i++) {
        struct scene_channel *channel = &scene->of_channels[i];
        dpl_ns stamp;
        unsigned wanted = channel->tap.wants ? channel->tap.wants(channel->tap.self) : 0;
        bool has_come = wanted != channel->wanted;
        channel->is_sent = channel->is_sent && (!has_come || is_constant(scene, i));
        void *row = wanted > 0 && (has_come || !only_to_welcome) && has_news(scene, i, now, &stamp)
                        ? channel->tap.open(channel->tap.self)
                        : NULL;
        if (row) {
            size_t n = dpl_channel_bytes(&scene->self.channels[i]);
            memcpy(row, scene->value, n);
            memcpy(channel->last, scene->value, n);
            channel->sent = now;
            channel->stamp = stamp;
            channel->is_sent = true;
            channel->wanted = wanted;
            channel->tap.send(channel->tap.self, scene_stamp(scene, stamp));
        }
    }
}
