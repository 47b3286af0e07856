/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of a graph and their memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "graph_store.h"

static const struct dpl_place nowhere;

const struct dpl_mb_place dpl_mb_place_identity = {
    .rotation = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};

const char *const dpl__mb_kind_words[DPL__MB_KINDS] = {
    [DPL_MB_ASSEMBLY] = "assembly", [DPL_MB_BODY] = "body", [DPL_MB_FRAME] = "frame",
    [DPL_MB_JOINT] = "joint",       [DPL_MB_GEAR] = "gear", [DPL_MB_RESTRAINT] = "restraint",
};

/* ---- memory ---- */

static void *alloc_zeroed(void *user, size_t bytes)
{
    (void)user;
    return calloc(1, bytes);
}

static void give_to_malloc(void *user, void *block)
{
    (void)user;
    free(block);
}

void *dpl__mb_alloc(struct dpl__mb_store *store, size_t bytes)
{
    return store->graph.memory.take(store->graph.memory.user, bytes);
}

void dpl__mb_give(struct dpl__mb_store *store, const void *block)
{
    if (block) { /* names and laws are const for all others */
        store->graph.memory.give(store->graph.memory.user, (void *)(uintptr_t)block);
    }
}

char *dpl__mb_copy_text(struct dpl__mb_store *store, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = dpl__mb_alloc(store, size);
    if (copy) {
        memcpy(copy, text, size);
    }
    return copy;
}

struct dpl__mb_store *dpl__mb_store_of(const struct dpl_mb_graph *graph)
{
    return (struct dpl__mb_store *)(void *)(uintptr_t)graph;
}

/* ---- all kinds alike ---- */

size_t dpl__mb_count(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind)
{
    switch (kind) {
    case DPL_MB_ASSEMBLY: return graph->n_assemblies;
    case DPL_MB_BODY: return graph->n_bodies;
    case DPL_MB_FRAME: return graph->n_frames;
    case DPL_MB_JOINT: return graph->n_joints;
    case DPL_MB_GEAR: return graph->n_gears;
    case DPL_MB_RESTRAINT: break;
    }
    return graph->n_restraints;
}

struct dpl__mb_thing dpl__mb_thing_of(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind,
                                      int number)
{
    switch (kind) {
    case DPL_MB_ASSEMBLY: {
        const struct dpl_mb_assembly *it = &graph->assemblies[number];
        return (struct dpl__mb_thing){it->name, it->parent, it->is_active, it->is_removed};
    }
    case DPL_MB_BODY: {
        const struct dpl_mb_body *it = &graph->bodies[number];
        return (struct dpl__mb_thing){it->name, it->assembly, it->is_active, it->is_removed};
    }
    case DPL_MB_FRAME: {
        const struct dpl_mb_frame *it = &graph->frames[number];
        return (struct dpl__mb_thing){it->name, it->body, true, it->is_removed};
    }
    case DPL_MB_JOINT: {
        const struct dpl_mb_joint *it = &graph->joints[number];
        return (struct dpl__mb_thing){it->name, it->assembly, it->is_active, it->is_removed};
    }
    case DPL_MB_GEAR: {
        const struct dpl_mb_gear *it = &graph->gears[number];
        return (struct dpl__mb_thing){it->name, it->assembly, it->is_active, it->is_removed};
    }
    case DPL_MB_RESTRAINT: break;
    }
    const struct dpl_mb_restraint *it = &graph->restraints[number];
    return (struct dpl__mb_thing){it->name, it->assembly, it->is_active, it->is_removed};
}

bool dpl__mb_is_there(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number)
{
    return number >= 0 && (size_t)number < dpl__mb_count(graph, kind) &&
           !dpl__mb_thing_of(graph, kind, number).is_removed;
}

/* ---- the index ---- */

static void put(struct dpl__mb_slot *slots, size_t n_slots, const struct dpl_mb_graph *graph,
                struct dpl__mb_slot slot)
{
    struct dpl__mb_thing thing = dpl__mb_thing_of(graph, slot.kind, slot.number_plus_1 - 1);
    uint64_t hash = dpl__mb_hash(slot.kind, thing.container, thing.name, strlen(thing.name));
    size_t i = (size_t)hash & (n_slots - 1);
    while (slots[i].number_plus_1 > 0) {
        i = (i + 1) & (n_slots - 1);
    }
    slots[i] = slot;
}

/* Half of the places stay free, so that a search is short. */
static int widen_index(struct dpl__mb_store *store)
{
    if (2 * (store->n_used + 1) <= store->n_slots) {
        return 0;
    }
    size_t n_slots = store->n_slots > 0 ? 2 * store->n_slots : 32, n_used = 0;
    struct dpl__mb_slot *slots = dpl__mb_alloc(store, n_slots * sizeof *slots);
    if (!slots) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < store->n_slots; i++) {
        struct dpl__mb_slot slot = store->slots[i];
        if (slot.number_plus_1 > 0 &&
            dpl__mb_is_there(&store->graph, slot.kind, slot.number_plus_1 - 1)) {
            put(slots, n_slots, &store->graph, slot);
            n_used++;
        }
    }
    dpl__mb_give(store, store->slots);
    store->slots = slots;
    store->n_slots = n_slots;
    store->n_used = n_used;
    return 0;
}

void dpl__mb_enter(struct dpl__mb_store *store, enum dpl_mb_kind kind)
{
    int number_plus_1 = (int)dpl__mb_count(&store->graph, kind);
    put(store->slots, store->n_slots, &store->graph, (struct dpl__mb_slot){kind, number_plus_1});
    store->n_used++;
}

/* ---- room ---- */

/* A block for `room->capacity` items that begins with those of a list, which is given. Where there
 * is no memory: the list as it is, and room->capacity becomes 0. */
struct room {
    struct dpl__mb_store *store;
    size_t n, capacity;
};

static void *larger(struct room *room, void *items, size_t size)
{
    char *block = dpl__mb_alloc(room->store, room->capacity * size);
    if (!block) {
        room->capacity = 0;
        return items;
    }
    if (room->n > 0) {
        memcpy(block, items, room->n * size);
    }
    dpl__mb_give(room->store, items);
    return block;
}

/* False: nothing changed. */
static bool widen_list(struct dpl__mb_store *store, enum dpl_mb_kind kind, size_t capacity)
{
    struct dpl_mb_graph *it = &store->graph;
    struct room room = {store, dpl__mb_count(it, kind), capacity};
    switch (kind) {
    case DPL_MB_ASSEMBLY:
        it->assemblies = larger(&room, it->assemblies, sizeof *it->assemblies);
        break;
    case DPL_MB_BODY: it->bodies = larger(&room, it->bodies, sizeof *it->bodies); break;
    case DPL_MB_FRAME: it->frames = larger(&room, it->frames, sizeof *it->frames); break;
    case DPL_MB_JOINT: it->joints = larger(&room, it->joints, sizeof *it->joints); break;
    case DPL_MB_GEAR: it->gears = larger(&room, it->gears, sizeof *it->gears); break;
    case DPL_MB_RESTRAINT:
        it->restraints = larger(&room, it->restraints, sizeof *it->restraints);
        break;
    }
    return room.capacity > 0;
}

int dpl__mb_make_room(struct dpl__mb_store *store, enum dpl_mb_kind kind, struct dpl_diag *reterr)
{
    size_t n = dpl__mb_count(&store->graph, kind);
    size_t most = kind == DPL_MB_BODY ? DPL_MB_BODIES_MAX + 1 : DPL_MB_OTHERS_MAX;
    if (n >= most) { /* `fixed` is a body, too */
        return dpl_fail(reterr, -ENOSPC, nowhere,
                        "there is no number for one more %s: at most %zu, also removed ones",
                        dpl__mb_kind_words[kind], kind == DPL_MB_BODY ? most - 1 : most);
    }
    if (n == store->capacity[kind]) {
        size_t capacity = n > 0 ? 2 * n : 8;
        if (!widen_list(store, kind, capacity)) {
            return dpl_fail(reterr, -ENOMEM, nowhere, "out of memory");
        }
        store->capacity[kind] = capacity;
    }
    return widen_index(store) ? dpl_fail(reterr, -ENOMEM, nowhere, "out of memory") : 0;
}

/* ---- beginning and end ---- */

/* The root and `fixed`, whose names are no names that could be added. */
static int begin(struct dpl__mb_store *store)
{
    struct dpl_mb_graph *graph = &store->graph;
    int err = dpl__mb_make_room(store, DPL_MB_ASSEMBLY, NULL);
    err = err ? err : dpl__mb_make_room(store, DPL_MB_BODY, NULL);
    err = err ? err : dpl__mb_make_room(store, DPL_MB_FRAME, NULL);
    char *root = dpl__mb_copy_text(store, ""), *fixed = dpl__mb_copy_text(store, "fixed");
    char *origin = dpl__mb_copy_text(store, "origin");
    if (err || !root || !fixed || !origin) {
        dpl__mb_give(store, root);
        dpl__mb_give(store, fixed);
        dpl__mb_give(store, origin);
        return -ENOMEM;
    }
    graph->assemblies[graph->n_assemblies++] =
        (struct dpl_mb_assembly){.name = root, .parent = -1, .is_active = true};
    graph->bodies[graph->n_bodies++] = (struct dpl_mb_body){.name = fixed, .is_active = true};
    graph->frames[graph->n_frames++] =
        (struct dpl_mb_frame){.name = origin, .in_body = dpl_mb_place_identity};
    dpl__mb_enter(store, DPL_MB_FRAME);
    return 0;
}

int dpl_mb_graph_create(const struct dpl_mb_memory *memory, struct dpl_mb_graph **ret_graph)
{
    static const struct dpl_mb_memory malloc_memory = {alloc_zeroed, give_to_malloc, NULL};
    const struct dpl_mb_memory *from = memory ? memory : &malloc_memory;
    struct dpl__mb_store *store = from->take(from->user, sizeof *store);
    if (!store) {
        return -ENOMEM;
    }
    store->graph.memory = *from;
    if (begin(store)) {
        dpl_mb_graph_destroy(&store->graph);
        return -ENOMEM;
    }
    *ret_graph = &store->graph;
    return 0;
}

void dpl_mb_graph_destroy(struct dpl_mb_graph *graph)
{
    if (!graph) {
        return;
    }
    struct dpl__mb_store *store = dpl__mb_store_of(graph);
    for (int kind = 0; kind < DPL__MB_KINDS; kind++) {
        int n = (int)dpl__mb_count(graph, (enum dpl_mb_kind)kind);
        for (int i = 0; i < n; i++) {
            dpl__mb_give(store, dpl__mb_thing_of(graph, (enum dpl_mb_kind)kind, i).name);
        }
    }
    for (size_t i = 0; i < graph->n_restraints; i++) {
        dpl__mb_give(store, graph->restraints[i].law.coefficients);
    }
    dpl__mb_give(store, graph->assemblies);
    dpl__mb_give(store, graph->bodies);
    dpl__mb_give(store, graph->frames);
    dpl__mb_give(store, graph->joints);
    dpl__mb_give(store, graph->gears);
    dpl__mb_give(store, graph->restraints);
    dpl__mb_give(store, store->slots);
    struct dpl_mb_memory memory = graph->memory;
    memory.give(memory.user, store);
}
