/* SPDX-License-Identifier: Apache-2.0 */
/* Names, paths, and what takes part. */
#include <string.h>

#include <doppel/math/hash.h>

#include "graph_store.h"

uint64_t dpl__mb_hash(enum dpl_mb_kind kind, int container, const char *name, size_t length)
{
    const unsigned char where[5] = {
        (unsigned char)kind, (unsigned char)container, (unsigned char)(container >> 8),
        (unsigned char)(container >> 16), (unsigned char)(container >> 24)};
    uint64_t hash = dpl_hash_more(dpl_hash_more(DPL_HASH_NONE, where, sizeof where), name, length);
    return hash ^ hash >> 32; /* its low bits alone choose the place */
}

/* The frame of a body, or what is in an assembly. */
static enum dpl_mb_kind container_kind(enum dpl_mb_kind kind)
{
    return kind == DPL_MB_FRAME ? DPL_MB_BODY : DPL_MB_ASSEMBLY;
}

static bool is_text(const char *text, const char *bytes, size_t length)
{
    return strlen(text) == length && memcmp(text, bytes, length) == 0;
}

int dpl__mb_find_bytes(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int container,
                       const char *name, size_t length)
{
    if (!dpl__mb_is_there(graph, container_kind(kind), container)) {
        return -1;
    }
    if (kind == DPL_MB_BODY && is_text("fixed", name, length)) {
        return 0;
    }
    const struct dpl__mb_store *store = dpl__mb_store_of(graph);
    size_t mask = store->n_slots - 1, i = (size_t)dpl__mb_hash(kind, container, name, length);
    for (i &= mask; store->slots[i].number_plus_1 > 0; i = (i + 1) & mask) {
        if (store->slots[i].kind != kind) {
            continue;
        }
        int number = store->slots[i].number_plus_1 - 1;
        struct dpl__mb_thing thing = dpl__mb_thing_of(graph, kind, number);
        if (!thing.is_removed && thing.container == container &&
            is_text(thing.name, name, length)) {
            return number;
        }
    }
    return -1;
}

int dpl_mb_find(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int container,
                const char *name)
{
    return dpl__mb_find_bytes(graph, kind, container, name, strlen(name));
}

int dpl_mb_find_path(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int assembly,
                     const char *path)
{
    const char *colon = strchr(path, ':');
    if (!colon) { /* a frame is in a body, which nobody named */
        return kind == DPL_MB_FRAME ? -1 : dpl_mb_find(graph, kind, assembly, path);
    }
    int container = 0;
    const char *name = path;
    for (; colon; name = colon + 1, colon = strchr(name, ':')) {
        bool is_body = kind == DPL_MB_FRAME && !strchr(colon + 1, ':');
        container = dpl__mb_find_bytes(graph, is_body ? DPL_MB_BODY : DPL_MB_ASSEMBLY, container,
                                       name, (size_t)(colon - name));
        if (container < 0) {
            return -1;
        }
    }
    return dpl_mb_find(graph, kind, container, name);
}

/* Writes what fits of a text, with an end. Returns the length of the whole so far. */
static size_t append(char *text, size_t size, size_t length, const char *more)
{
    size_t n = strlen(more);
    if (length + 1 < size) {
        size_t fits = n < size - length - 1 ? n : size - length - 1;
        memcpy(&text[length], more, fits);
        text[length + fits] = '\0';
    }
    return length + n;
}

size_t dpl_mb_path(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number,
                   char *ret_text, size_t size)
{
    const char *names[DPL_MB_DEPTH_MAX + 3]; /* and a body and its frame; the innermost is first */
    size_t n_names = 0, length = 0;
    if (size > 0) {
        ret_text[0] = '\0';
    }
    if (number < 0 || (size_t)number >= dpl__mb_count(graph, kind)) {
        return 0;
    }
    while (kind != DPL_MB_ASSEMBLY || number > 0) { /* up to the root, which has no name */
        struct dpl__mb_thing thing = dpl__mb_thing_of(graph, kind, number);
        names[n_names++] = thing.name;
        kind = container_kind(kind);
        number = thing.container;
    }
    while (n_names-- > 0) {
        length = append(ret_text, size, length, names[n_names]);
        length = append(ret_text, size, length, n_names > 0 ? ":" : "");
    }
    return length;
}

/* ---- what takes part ---- */

static bool is_end_active(const struct dpl_mb_graph *graph, int frame)
{
    return dpl_mb_is_active(graph, DPL_MB_FRAME, frame);
}

static bool is_connected(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number)
{
    if (kind == DPL_MB_JOINT) {
        const int *frames = graph->joints[number].frames;
        return is_end_active(graph, frames[0]) && is_end_active(graph, frames[1]);
    }
    if (kind == DPL_MB_GEAR) {
        const int *joints = graph->gears[number].joints;
        return dpl_mb_is_active(graph, DPL_MB_JOINT, joints[0]) &&
               dpl_mb_is_active(graph, DPL_MB_JOINT, joints[1]);
    }
    if (kind == DPL_MB_RESTRAINT) {
        const struct dpl_mb_restraint *it = &graph->restraints[number];
        return it->joint >= 0
                   ? dpl_mb_is_active(graph, DPL_MB_JOINT, it->joint)
                   : is_end_active(graph, it->frames[0]) && is_end_active(graph, it->frames[1]);
    }
    return true;
}

bool dpl_mb_is_active(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number)
{
    if (!dpl__mb_is_there(graph, kind, number) || !is_connected(graph, kind, number)) {
        return false;
    }
    while (number >= 0) { /* out to the root, whose parent is -1 */
        struct dpl__mb_thing thing = dpl__mb_thing_of(graph, kind, number);
        if (!thing.is_active) {
            return false;
        }
        kind = container_kind(kind);
        number = thing.container;
    }
    return true;
}
