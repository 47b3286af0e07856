/* SPDX-License-Identifier: Apache-2.0 */
/* The list of a served world's channels. */
#include "remote_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link_codec.h"

struct remote_list *remote_list_create(size_t n, uint64_t fingerprint)
{
    struct remote_list *list = calloc(1, sizeof *list);
    if (!list) {
        return NULL;
    }
    list->n = n;
    list->fingerprint = fingerprint;
    list->descs = calloc(n + 1, sizeof *list->descs);
    list->constants = calloc(n + 1, sizeof *list->constants);
    if (!list->descs || !list->constants) {
        remote_list_destroy(list);
        return NULL;
    }
    return list;
}

void remote_list_destroy(struct remote_list *list)
{
    if (list) {
        dpl_arena_finish(&list->arena);
        free(list->descs);
        free(list->constants);
        free(list);
    }
}

static const void *keep_constant(struct remote_list *list, const struct dpl_channel_desc *desc,
                                 ProtobufCBinaryData bytes)
{
    if (dpl_channel_bytes(desc) == 0) {
        return list; /* no element: there is nothing to read there */
    }
    if (bytes.len == 0 || bytes.len > LINK_CONSTANTS_MAX - list->n_constant_bytes) {
        return NULL;
    }
    void *value = dpl_arena_alloc(&list->arena, bytes.len);
    list->n_constant_bytes += bytes.len;
    return link_value_read(desc, bytes, value) || !link_value_is_finite(desc, value) ? NULL : value;
}

static void add(struct remote_list *list, const Doppel__Link__Channel *channel)
{
    struct dpl_channel_desc *desc = &list->descs[list->n_got];
    (void)link_desc_read(channel, desc); /* the codec has checked it */
    desc->path = dpl_arena_strdup(&list->arena, desc->path);
    desc->unit = dpl_arena_strdup(&list->arena, desc->unit);
    desc->summary = dpl_arena_strdup(&list->arena, desc->summary);
    list->constants[list->n_got] = keep_constant(list, desc, channel->value);
    list->n_got++;
}

void remote_list_add(struct remote_list *list, const Doppel__Link__Channels *page)
{
    if (page->first != list->n_got || page->n_channels > list->n - list->n_got) {
        return;
    }
    for (size_t i = 0; i < page->n_channels; i++) {
        add(list, page->channels[i]);
    }
}

bool remote_list_is_complete(const struct remote_list *list)
{
    return list->n_got == list->n;
}

int remote_list_find_same(const struct remote_list *list, const struct dpl_channel_desc *desc)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct dpl_channel_desc *at = &list->descs[i];
        if (strcmp(at->path, desc->path) == 0) {
            bool same = at->type == desc->type && at->dir == desc->dir && at->size == desc->size &&
                        strcmp(at->unit, desc->unit) == 0;
            return same ? (int)i : -1;
        }
    }
    return -1;
}

/* Whether the channel begins the part: none before it is of the same one. */
static bool begins_part(const struct remote_list *list, size_t channel)
{
    const char *path = list->descs[channel].path;
    size_t length = dpl_channel_part(path);
    if (length == 0 || list->descs[channel].dir == DPL_CHANNEL_CONSTANT) {
        return false;
    }
    for (size_t i = 0; i < channel; i++) {
        if (list->descs[i].dir != DPL_CHANNEL_CONSTANT &&
            dpl_channel_part(list->descs[i].path) == length &&
            strncmp(list->descs[i].path, path, length) == 0) {
            return false;
        }
    }
    return true;
}

static void list_parts(const struct remote_list *list, char *text, size_t size)
{
    size_t at = 0;
    snprintf(text, size, "none");
    for (size_t i = 0; i < list->n && at < size; i++) {
        const char *path = list->descs[i].path;
        if (begins_part(list, i)) {
            int n = snprintf(text + at, size - at, "%s%.*s", at ? ", " : "",
                             (int)dpl_channel_part(path), path);
            at += n > 0 ? (size_t)n : 0;
        }
    }
}

bool remote_list_find_part(const struct remote_list *list, const char *part, char *ret_name,
                           size_t size)
{
    for (size_t i = 0; i < list->n; i++) {
        const char *path = list->descs[i].path;
        size_t length = dpl_channel_part(path);
        if (length == 0 || list->descs[i].dir == DPL_CHANNEL_CONSTANT) {
            continue;
        }
        snprintf(ret_name, size, "%.*s", (int)length, path);
        if (dpl_name_equal(ret_name, part)) {
            return true;
        }
    }
    list_parts(list, ret_name, size);
    return false;
}
