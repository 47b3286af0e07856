/* SPDX-License-Identifier: Apache-2.0 */
/* Edits of what is in a graph: removal, activation, masses. */
#include <errno.h>
#include <string.h>

#include "graph_store.h"

static const struct dpl_place nowhere;

/* ---- who needs what ---- */

static bool uses_frame(const struct dpl_mb_graph *graph, const int frames[2], enum dpl_mb_kind kind,
                       int number)
{
    return kind == DPL_MB_FRAME ? frames[0] == number || frames[1] == number
           : kind == DPL_MB_BODY
               ? graph->frames[frames[0]].body == number || graph->frames[frames[1]].body == number
               : false;
}

/* Whether thing `user` keeps a thing from being removed. The frames of a body go with it. */
static bool needs(const struct dpl_mb_graph *graph, enum dpl_mb_kind user_kind, int user,
                  enum dpl_mb_kind kind, int number)
{
    if (kind == DPL_MB_ASSEMBLY) {
        return user_kind != DPL_MB_FRAME &&
               dpl__mb_thing_of(graph, user_kind, user).container == number;
    }
    if (user_kind == DPL_MB_JOINT) {
        return uses_frame(graph, graph->joints[user].frames, kind, number);
    }
    if (user_kind == DPL_MB_GEAR) {
        const int *joints = graph->gears[user].joints;
        return kind == DPL_MB_JOINT && (joints[0] == number || joints[1] == number);
    }
    if (user_kind == DPL_MB_RESTRAINT) {
        const struct dpl_mb_restraint *it = &graph->restraints[user];
        return it->joint >= 0 ? kind == DPL_MB_JOINT && it->joint == number
                              : uses_frame(graph, it->frames, kind, number);
    }
    return false;
}

static int check_unused(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number,
                        struct dpl_diag *reterr)
{
    /* All kinds may be in an assembly; the others are needed by what connects. */
    for (int k = kind == DPL_MB_ASSEMBLY ? 0 : DPL_MB_JOINT; k < DPL__MB_KINDS; k++) {
        enum dpl_mb_kind user_kind = (enum dpl_mb_kind)k;
        int n = (int)dpl__mb_count(graph, user_kind);
        for (int i = 0; i < n; i++) {
            bool is_fixed = user_kind == DPL_MB_BODY && i == 0; /* in no assembly really */
            if (is_fixed || !dpl__mb_is_there(graph, user_kind, i) ||
                !needs(graph, user_kind, i, kind, number)) {
                continue;
            }
            char path[256];
            dpl_mb_path(graph, user_kind, i, path, sizeof path);
            return dpl_fail(reterr, -EBUSY, nowhere, "the %s \"%s\" %s the %s \"%s\"",
                            dpl__mb_kind_words[kind], dpl__mb_thing_of(graph, kind, number).name,
                            kind == DPL_MB_ASSEMBLY ? "still has" : "is still needed by",
                            dpl__mb_kind_words[user_kind], path);
        }
    }
    return 0;
}

/* ---- removal ---- */

/* What is there from the beginning. */
static int check_own(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number,
                     const char *what, struct dpl_diag *reterr)
{
    if (kind == DPL_MB_ASSEMBLY && number == 0) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the root %s", what);
    }
    if (kind == DPL_MB_BODY && number == 0) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the body \"fixed\" %s", what);
    }
    if (kind == DPL_MB_FRAME && graph->bodies[graph->frames[number].body].origin == number) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the frame \"origin\" of the body \"%s\" %s",
                        graph->bodies[graph->frames[number].body].name, what);
    }
    return 0;
}

static void remove_frames(struct dpl_mb_graph *graph, int body)
{
    for (size_t i = 0; i < graph->n_frames; i++) {
        graph->frames[i].is_removed |= graph->frames[i].body == body;
    }
}

int dpl_mb_remove(struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number,
                  struct dpl_diag *reterr)
{
    int err = dpl__mb_check_there(graph, kind, number, reterr);
    err = err ? err : check_own(graph, kind, number, "cannot be removed", reterr);
    err = err ? err : check_unused(graph, kind, number, reterr);
    if (err) {
        return err;
    }
    switch (kind) {
    case DPL_MB_ASSEMBLY: graph->assemblies[number].is_removed = true; break;
    case DPL_MB_BODY:
        graph->bodies[number].is_removed = true;
        remove_frames(graph, number);
        break;
    case DPL_MB_FRAME: graph->frames[number].is_removed = true; break;
    case DPL_MB_JOINT: graph->joints[number].is_removed = true; break;
    case DPL_MB_GEAR: graph->gears[number].is_removed = true; break;
    case DPL_MB_RESTRAINT: graph->restraints[number].is_removed = true; break;
    }
    graph->changes++;
    return 0;
}

/* ---- activation and masses ---- */

static bool *active_of(struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number)
{
    switch (kind) {
    case DPL_MB_ASSEMBLY: return &graph->assemblies[number].is_active;
    case DPL_MB_BODY: return &graph->bodies[number].is_active;
    case DPL_MB_JOINT: return &graph->joints[number].is_active;
    case DPL_MB_GEAR: return &graph->gears[number].is_active;
    case DPL_MB_RESTRAINT: return &graph->restraints[number].is_active;
    case DPL_MB_FRAME: break;
    }
    return NULL;
}

int dpl_mb_activate(struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number, bool is_active,
                    struct dpl_diag *reterr)
{
    int err = dpl__mb_check_there(graph, kind, number, reterr);
    if (err) {
        return err;
    }
    bool *place = active_of(graph, kind, number);
    if (!place) {
        return dpl_fail(reterr, -EINVAL, nowhere, "a frame is not switched on or off, its body is");
    }
    err = is_active ? 0 : check_own(graph, kind, number, "cannot be switched off", reterr);
    if (err) {
        return err;
    }
    graph->changes += *place != is_active;
    *place = is_active;
    return 0;
}

int dpl_mb_set_mass(struct dpl_mb_graph *graph, int body, double mass, const double centre[3],
                    const double inertia[6], struct dpl_diag *reterr)
{
    int err = dpl__mb_check_there(graph, DPL_MB_BODY, body, reterr);
    err = err ? err : check_own(graph, DPL_MB_BODY, body, "has no mass", reterr);
    err = err ? err : dpl__mb_check_mass(mass, centre, inertia, reterr);
    if (err) {
        return err;
    }
    struct dpl_mb_body *it = &graph->bodies[body];
    it->mass = mass;
    memcpy(it->centre, centre, sizeof it->centre);
    memcpy(it->inertia, inertia, sizeof it->inertia);
    it->is_mass_default = false;
    graph->changes++;
    return 0;
}
