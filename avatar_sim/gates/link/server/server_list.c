/* SPDX-License-Identifier: Apache-2.0 */
/* The list of a served world's channels, as it goes over the network. */
#include <errno.h>
#include <stdlib.h>

#include "link_embedded.h"
#include "server.h"

#define PAGE_MAX 60000 /* bytes of the channels of a page */

struct server_list {
    const struct dpl_channel_desc *descs; /* [n], the world's */
    Doppel__Link__Channel *channels;      /* [n] */
    Doppel__Link__Channel **page;         /* [n], pointers to them */
    size_t n, n_constant_bytes;
    uint64_t fingerprint;
};

/* FNV-1a */
static uint64_t add_bytes(uint64_t hash, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static int add_fingerprint(struct server_list *list)
{
    list->fingerprint = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < list->n; i++) {
        size_t size = doppel__link__channel__get_packed_size(&list->channels[i]);
        uint8_t *bytes = malloc(size ? size : 1);
        if (!bytes) {
            return -ENOMEM;
        }
        doppel__link__channel__pack(&list->channels[i], bytes);
        list->fingerprint = add_bytes(list->fingerprint, bytes, size);
        free(bytes);
    }
    return 0;
}

/* Those that are too large, or not finite, are listed without their value. */
static int add_constant(struct server_list *list, struct dpl_link *link, size_t channel)
{
    const struct dpl_channel_desc *desc = &list->descs[channel];
    size_t size = dpl_channel_bytes(desc);
    char path[DPL_CHANNEL_PATH_MAX + 1];
    snprintf(path, sizeof path, "/%s", desc->path);
    struct dpl_channel_want want = {.path = path};
    struct dpl_channel found;
    if (desc->dir != DPL_CHANNEL_CONSTANT || size > LINK_CONSTANT_MAX ||
        size > LINK_CONSTANTS_MAX - list->n_constant_bytes ||
        dpl_link_find(link, &want, &found, NULL) < 0) {
        return 0;
    }
    void *value = malloc(size ? size : 1);
    uint8_t *bytes = malloc(size ? size : 1);
    if (!value || !bytes) {
        free(value);
        free(bytes);
        return -ENOMEM;
    }
    if (dpl_channel_get(found, value, NULL) == 0 && link_value_is_finite(desc, value)) {
        link_value_write(desc, value, bytes);
        list->channels[channel].value = (ProtobufCBinaryData){.len = size, .data = bytes};
        list->n_constant_bytes += size;
    } else {
        free(bytes);
    }
    free(value);
    return 0;
}

static int fill(struct server_list *list, struct dpl_link *link, struct dpl_diag *reterr)
{
    int err = 0;
    for (size_t i = 0; i < list->n && err == 0; i++) {
        if (!link_desc_write(&list->descs[i], &list->channels[i])) {
            return dpl_fail(reterr, -EMSGSIZE, (struct dpl_place){0},
                            "channel '%s' cannot be served: a text or its size is too large",
                            list->descs[i].path);
        }
        list->page[i] = &list->channels[i];
        err = add_constant(list, link, i);
    }
    err = err < 0 ? err : add_fingerprint(list);
    return err < 0 ? dpl_fail(reterr, err, (struct dpl_place){0}, "out of memory") : 0;
}

static int make_room(struct server_list *list, struct dpl_diag *reterr)
{
    if (list->n > LINK_CHANNELS_MAX) {
        return dpl_fail(reterr, -ENOSPC, (struct dpl_place){0},
                        "the world has %zu channels, one that is served has at most %d", list->n,
                        LINK_CHANNELS_MAX);
    }
    list->channels = calloc(list->n + 1, sizeof *list->channels);
    list->page = calloc(list->n + 1, sizeof(Doppel__Link__Channel *));
    return list->channels && list->page
               ? 0
               : dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
}

int server_list_create(struct hosted_world *world, struct server_list **ret_list,
                       struct dpl_diag *reterr)
{
    struct server_list *list = calloc(1, sizeof *list);
    struct dpl_link_config config = {0};
    struct dpl_link *link;
    if (!list || link_embedded_prepare(world, &config, &link, reterr) < 0) {
        free(list);
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    list->descs = dpl_world_channels_describe(world->channels, &list->n);
    int err = make_room(list, reterr);
    err = err < 0 ? err : fill(list, link, reterr);
    link_embedded_join(link); /* so that the world frees it */
    dpl_link_close(link);
    if (err < 0) {
        server_list_destroy(list);
        return err;
    }
    *ret_list = list;
    return 0;
}

void server_list_destroy(struct server_list *list)
{
    if (!list) {
        return;
    }
    for (size_t i = 0; list->channels && i < list->n; i++) {
        free(list->channels[i].value.data);
    }
    free(list->channels);
    free(list->page);
    free(list);
}

size_t server_list_size(const struct server_list *list)
{
    return list->n;
}

uint64_t server_list_fingerprint(const struct server_list *list)
{
    return list->fingerprint;
}

const struct dpl_channel_desc *server_list_at(const struct server_list *list, size_t channel)
{
    return channel < list->n ? &list->descs[channel] : NULL;
}

void server_list_page(const struct server_list *list, size_t first,
                      Doppel__Link__Channels *ret_page)
{
    const size_t frame = 8; /* tag and length of one of them */
    size_t begin = first < list->n ? first : list->n, end = begin, bytes = 0;
    while (end < list->n) {
        size_t size = doppel__link__channel__get_packed_size(&list->channels[end]) + frame;
        if (bytes + size > PAGE_MAX) {
            break;
        }
        bytes += size;
        end++;
    }
    doppel__link__channels__init(ret_page);
    ret_page->first = (uint32_t)begin;
    ret_page->channels = list->page + begin;
    ret_page->n_channels = end - begin;
}
