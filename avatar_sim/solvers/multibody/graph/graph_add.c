/* SPDX-License-Identifier: Apache-2.0 */
/* Adding: checks first, then all memory that is needed, then the change, which cannot fail. */
#include <errno.h>
#include <string.h>

#include "graph_store.h"

static const struct dpl_place nowhere;

static int no_memory(struct dpl_diag *reterr)
{
    return dpl_fail(reterr, -ENOMEM, nowhere, "out of memory");
}

/* Room for one more, and a copy of its name. */
static int prepare(struct dpl__mb_store *store, enum dpl_mb_kind kind, const char *name,
                   const char **ret_name, struct dpl_diag *reterr)
{
    int err = dpl__mb_make_room(store, kind, reterr);
    if (err) {
        return err;
    }
    char *copy = dpl__mb_copy_text(store, name);
    if (!copy) {
        return no_memory(reterr);
    }
    *ret_name = copy;
    return 0;
}

/* What was put behind the end of its list is in the graph from now on. */
static int finish(struct dpl__mb_store *store, enum dpl_mb_kind kind, size_t *inout_n)
{
    ++*inout_n;
    dpl__mb_enter(store, kind);
    store->graph.changes++;
    return (int)(*inout_n - 1);
}

static int check_depth(const struct dpl_mb_graph *graph, int parent, struct dpl_diag *reterr)
{
    int depth = 1;
    for (int at = parent; at > 0; at = graph->assemblies[at].parent) {
        depth++;
    }
    return depth <= DPL_MB_DEPTH_MAX
               ? 0
               : dpl_fail(reterr, -ENOSPC, nowhere, "more than %d assemblies are in each other",
                          DPL_MB_DEPTH_MAX);
}

int dpl_mb_add_assembly(struct dpl_mb_graph *graph, const struct dpl_mb_assembly *assembly,
                        struct dpl_diag *reterr)
{
    struct dpl__mb_store *store = dpl__mb_store_of(graph);
    struct dpl_mb_assembly added = *assembly;
    int err = dpl__mb_check_new(graph, DPL_MB_ASSEMBLY, added.parent, added.name, reterr);
    err = err ? err : check_depth(graph, added.parent, reterr);
    err = err ? err : prepare(store, DPL_MB_ASSEMBLY, assembly->name, &added.name, reterr);
    if (err) {
        return err;
    }
    added.is_removed = false;
    graph->assemblies[graph->n_assemblies] = added;
    return finish(store, DPL_MB_ASSEMBLY, &graph->n_assemblies);
}

int dpl_mb_add_body(struct dpl_mb_graph *graph, const struct dpl_mb_body *body,
                    struct dpl_diag *reterr)
{
    struct dpl__mb_store *store = dpl__mb_store_of(graph);
    struct dpl_mb_body added = *body;
    struct dpl_mb_frame origin = {.body = (int)graph->n_bodies, .in_body = dpl_mb_place_identity};
    int err = dpl__mb_check_new(graph, DPL_MB_BODY, added.assembly, added.name, reterr);
    err = err ? err : dpl__mb_check_mass(added.mass, added.centre, added.inertia, reterr);
    err = err ? err : prepare(store, DPL_MB_FRAME, "origin", &origin.name, reterr);
    if (err) {
        return err;
    }
    err = prepare(store, DPL_MB_BODY, body->name, &added.name, reterr);
    if (err) {
        dpl__mb_give(store, origin.name);
        return err;
    }
    added.is_removed = false;
    added.origin = (int)graph->n_frames;
    graph->bodies[graph->n_bodies] = added;
    graph->frames[graph->n_frames] = origin;
    finish(store, DPL_MB_FRAME, &graph->n_frames);
    return finish(store, DPL_MB_BODY, &graph->n_bodies);
}

int dpl_mb_add_frame(struct dpl_mb_graph *graph, const struct dpl_mb_frame *frame,
                     struct dpl_diag *reterr)
{
    struct dpl__mb_store *store = dpl__mb_store_of(graph);
    struct dpl_mb_frame added = *frame;
    int err = dpl__mb_check_new(graph, DPL_MB_FRAME, added.body, added.name, reterr);
    err = err ? err : dpl__mb_check_place(&added.in_body, reterr);
    err = err ? err : prepare(store, DPL_MB_FRAME, frame->name, &added.name, reterr);
    if (err) {
        return err;
    }
    added.is_removed = false;
    graph->frames[graph->n_frames] = added;
    return finish(store, DPL_MB_FRAME, &graph->n_frames);
}

int dpl_mb_add_joint(struct dpl_mb_graph *graph, const struct dpl_mb_joint *joint,
                     struct dpl_diag *reterr)
{
    struct dpl__mb_store *store = dpl__mb_store_of(graph);
    struct dpl_mb_joint added = *joint;
    int err = dpl__mb_check_joint(graph, &added, reterr);
    err = err ? err : prepare(store, DPL_MB_JOINT, joint->name, &added.name, reterr);
    if (err) {
        return err;
    }
    added.is_removed = false;
    graph->joints[graph->n_joints] = added;
    return finish(store, DPL_MB_JOINT, &graph->n_joints);
}

int dpl_mb_add_gear(struct dpl_mb_graph *graph, const struct dpl_mb_gear *gear,
                    struct dpl_diag *reterr)
{
    struct dpl__mb_store *store = dpl__mb_store_of(graph);
    struct dpl_mb_gear added = *gear;
    int err = dpl__mb_check_gear(graph, gear, reterr);
    err = err ? err : prepare(store, DPL_MB_GEAR, gear->name, &added.name, reterr);
    if (err) {
        return err;
    }
    added.is_removed = false;
    graph->gears[graph->n_gears] = added;
    return finish(store, DPL_MB_GEAR, &graph->n_gears);
}

int dpl_mb_add_restraint(struct dpl_mb_graph *graph, const struct dpl_mb_restraint *restraint,
                         struct dpl_diag *reterr)
{
    struct dpl__mb_store *store = dpl__mb_store_of(graph);
    struct dpl_mb_restraint added = *restraint;
    int err = dpl__mb_check_restraint(graph, restraint, reterr);
    err = err ? err : prepare(store, DPL_MB_RESTRAINT, restraint->name, &added.name, reterr);
    if (err) {
        return err;
    }
    if (!dpl__mb_law_copy(store, &restraint->law, &added.law)) {
        dpl__mb_give(store, added.name);
        return no_memory(reterr);
    }
    added.is_removed = false;
    graph->restraints[graph->n_restraints] = added;
    return finish(store, DPL_MB_RESTRAINT, &graph->n_restraints);
}
