/* SPDX-License-Identifier: Apache-2.0 */
/* Convex solids of a mesh: see mesh_shelf.h. */
#include <errno.h>
#include <string.h>

#include "arena.h"
#include "mesh_shelf.h"

static const struct dpl_place nowhere;

/* The point that stands for all that are connected with it. */
static unsigned root_of(unsigned *leads_to, unsigned point)
{
    while (leads_to[point] != point) {
        leads_to[point] = leads_to[leads_to[point]];
        point = leads_to[point];
    }
    return point;
}

/* The part of each point, by the least number of its points; in the arena. */
static unsigned *parts_of(struct dpl_arena *arena, const struct dpl_sim_solid *mesh)
{
    unsigned *leads_to = dpl_arena_alloc(arena, (mesh->n_points + 1) * sizeof *leads_to);
    for (size_t i = 0; i < mesh->n_points; i++) {
        leads_to[i] = (unsigned)i;
    }
    for (size_t i = 0; i < mesh->n_faces; i++) {
        for (int k = 1; k < 3; k++) {
            unsigned a = root_of(leads_to, mesh->faces[i][0]);
            unsigned b = root_of(leads_to, mesh->faces[i][k]);
            leads_to[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (size_t i = 0; i < mesh->n_points; i++) {
        leads_to[i] = root_of(leads_to, (unsigned)i);
    }
    return leads_to;
}

/* Adds the hull of points; one that is flat is counted. */
static void add_hull(struct dpl_arena *arena, const struct dpl_sim_solid *mesh,
                     const struct dpl_vector3 *points, size_t n, struct dpl__list *inout_solids,
                     size_t *inout_flat)
{
    struct dpl_vector3 *corners;
    size_t n_corners;
    if (dpl__mesh_hull(arena, points, n, DPL_SOLID_HULL_MAX, &corners, &n_corners, NULL)) {
        ++*inout_flat;
        return;
    }
    struct dpl_sim_solid *hull = dpl__list_add(arena, inout_solids, sizeof *hull);
    *hull = *mesh;
    hull->kind = DPL_SOLID_HULL;
    hull->points = corners;
    hull->n_points = n_corners;
    hull->faces = NULL;
    hull->n_faces = 0;
}

/* A part is a point that leads to itself and is in a face: points that no face has are none. */
static size_t mark_parts(const struct dpl_sim_solid *mesh, const unsigned *part, bool *ret_is_part)
{
    size_t n = 0;
    for (size_t i = 0; i < mesh->n_faces; i++) {
        unsigned number = part[mesh->faces[i][0]];
        n += !ret_is_part[number];
        ret_is_part[number] = true;
    }
    return n;
}

static int add_parts(struct dpl_arena *arena, const struct dpl_sim_solid *mesh,
                     struct dpl__list *inout_solids, size_t *inout_flat, struct dpl_diag *reterr)
{
    struct dpl_vector3 *points = dpl_arena_alloc(arena, (mesh->n_points + 1) * sizeof *points);
    bool *is_part = dpl_arena_alloc(arena, mesh->n_points + 1);
    const unsigned *part = parts_of(arena, mesh);
    size_t n_parts = mark_parts(mesh, part, is_part);
    if (n_parts > DPL__MESH_PARTS_MAX) {
        return dpl_fail(
            reterr, -EINVAL, nowhere,
            "it has %zu parts that are not connected, at most %d are taken; its hull as "
            "a whole would be one",
            n_parts, DPL__MESH_PARTS_MAX);
    }
    for (size_t i = 0; i < mesh->n_points; i++) {
        size_t n = 0;
        if (!is_part[i]) {
            continue;
        }
        for (size_t k = i; k < mesh->n_points; k++) {
            if (part[k] == i) {
                points[n++] = mesh->points[k];
            }
        }
        add_hull(arena, mesh, points, n, inout_solids, inout_flat);
    }
    return 0;
}

int dpl__mesh_hulls(struct dpl_arena *arena, const struct dpl_sim_solid *mesh, bool by_parts,
                    struct dpl__list *inout_solids, size_t *ret_flat, struct dpl_diag *reterr)
{
    size_t before = inout_solids->n, n_flat = 0;
    int err = 0;
    if (by_parts) {
        err = add_parts(arena, mesh, inout_solids, &n_flat, reterr);
    } else {
        add_hull(arena, mesh, mesh->points, mesh->n_points, inout_solids, &n_flat);
    }
    if (err == 0 && inout_solids->n == before) {
        err = dpl_fail(reterr, -EINVAL, nowhere, "its points are in one plane: it has no hull");
    }
    *ret_flat = n_flat;
    return err;
}
