/* SPDX-License-Identifier: Apache-2.0 */
/* A second graph with the same numbers. */
#include <errno.h>

#include "graph_store.h"

/* Appends a copy of one thing of a list, with a name of its own. */
#define COPY(kind_, list_, n_)                                                                     \
    for (size_t i = copy->n_; i < graph->n_ && !err; i++) {                                        \
        err = dpl__mb_make_room(store, kind_, NULL);                                               \
        const char *name = err ? NULL : dpl__mb_copy_text(store, graph->list_[i].name);            \
        err = name ? 0 : -ENOMEM;                                                                  \
        if (!err) {                                                                                \
            copy->list_[copy->n_] = graph->list_[i];                                               \
            copy->list_[copy->n_++].name = name;                                                   \
            dpl__mb_enter(store, kind_);                                                           \
        }                                                                                          \
    }

/* Laws are copied before anything owns them. */
static int copy_restraints(const struct dpl_mb_graph *graph, struct dpl__mb_store *store)
{
    struct dpl_mb_graph *copy = &store->graph;
    int err = 0;
    COPY(DPL_MB_RESTRAINT, restraints, n_restraints)
    for (size_t i = 0; i < copy->n_restraints; i++) {
        struct dpl_mb_restraint *restraint = &copy->restraints[i];
        restraint->law = (struct dpl_mb_piecewise){0};
        if (!err && !dpl__mb_law_copy(store, &graph->restraints[i].law, &restraint->law)) {
            err = -ENOMEM;
        }
    }
    return err;
}

int dpl_mb_graph_copy(const struct dpl_mb_graph *graph, const struct dpl_mb_memory *memory,
                      struct dpl_mb_graph **ret_copy)
{
    struct dpl_mb_graph *copy = NULL;
    int err = dpl_mb_graph_create(memory, &copy);
    if (err) {
        return err;
    }
    struct dpl__mb_store *store = dpl__mb_store_of(copy);
    for (int i = 0; i < 3; i++) {
        copy->gravity[i] = graph->gravity[i];
    }
    COPY(DPL_MB_ASSEMBLY, assemblies, n_assemblies)
    COPY(DPL_MB_BODY, bodies, n_bodies)
    COPY(DPL_MB_FRAME, frames, n_frames)
    COPY(DPL_MB_JOINT, joints, n_joints)
    COPY(DPL_MB_GEAR, gears, n_gears)
    err = err ? err : copy_restraints(graph, store);
    if (err) {
        dpl_mb_graph_destroy(copy);
        return err;
    }
    copy->changes = graph->changes;
    *ret_copy = copy;
    return 0;
}
