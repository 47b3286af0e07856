/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes that were read, as solids: see mesh_shelf.h. */
#include "mesh_shelf.h"

#include <errno.h>
#include <string.h>

#include <doppel/sim/import.h>

#include "arena.h"

/* The mesh of a file, read once. 0 or an errno with reterr. */
static int mesh_of(struct dpl_arena *arena, struct dpl__mesh_shelf *shelf, const char *path,
                   struct dpl__mesh_file *ret_mesh, struct dpl_diag *reterr)
{
    static const struct dpl_place nowhere;
    const struct dpl__mesh_file *known = shelf->files.items;
    struct dpl__mesh_file mesh = {0};
    for (size_t i = 0; i < shelf->files.n; i++) {
        if (strcmp(known[i].path, path) == 0) {
            *ret_mesh = known[i];
            return 0;
        }
    }
    int err = dpl__mesh_read(arena, path, &mesh, reterr);
    if (err) {
        return err;
    }
    shelf->n_points += mesh.n_points;
    if (shelf->n_points > DPL_IMPORT_POINTS_MAX) {
        return dpl_fail(reterr, -EFBIG, nowhere, "with mesh '%s' there are more than %d points",
                        path, DPL_IMPORT_POINTS_MAX);
    }
    *(struct dpl__mesh_file *)dpl__list_add(arena, &shelf->files, sizeof mesh) = mesh;
    *ret_mesh = mesh;
    return 0;
}

static struct dpl_vector3 *scaled(struct dpl_arena *arena, const struct dpl__mesh_file *mesh,
                                  const double scale[3])
{
    struct dpl_vector3 *points = dpl_arena_alloc(arena, (mesh->n_points + 1) * sizeof *points);
    for (size_t i = 0; i < mesh->n_points; i++) {
        struct dpl_vector3 p = mesh->points[i];
        points[i] = (struct dpl_vector3){p.x * scale[0], p.y * scale[1], p.z * scale[2]};
    }
    return points;
}

/* Faces of a mesh that is scaled: a mirror turns them round. */
static const unsigned (*turned(struct dpl_arena *arena, const struct dpl__mesh_file *mesh,
                               const double scale[3]))[3]
{
    if (scale[0] * scale[1] * scale[2] > 0.0) {
        return (const unsigned(*)[3])mesh->faces;
    }
    unsigned(*faces)[3] = dpl_arena_alloc(arena, (mesh->n_faces + 1) * sizeof *faces);
    for (size_t i = 0; i < mesh->n_faces; i++) {
        faces[i][0] = mesh->faces[i][0];
        faces[i][1] = mesh->faces[i][2];
        faces[i][2] = mesh->faces[i][1];
    }
    return (const unsigned(*)[3])faces;
}

int dpl__mesh_take(struct dpl_arena *arena, struct dpl__mesh_shelf *shelf, const char *path,
                   const double scale[3], struct dpl_sim_solid *ret_solid, struct dpl_diag *reterr)
{
    struct dpl__mesh_file mesh = {0};
    int err = mesh_of(arena, shelf, path, &mesh, reterr);
    if (err) {
        return err;
    }
    *ret_solid = (struct dpl_sim_solid){
        .kind = DPL_SOLID_MESH,
        .pose.orientation.w = 1.0,
        .points = scaled(arena, &mesh, scale),
        .n_points = mesh.n_points,
        .faces = turned(arena, &mesh, scale),
        .n_faces = mesh.n_faces,
    };
    return 0;
}
