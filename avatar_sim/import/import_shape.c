/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes as shapes: see import.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "import.h"

/* The mesh of a file, read once. 0 or an errno with reterr. */
static int mesh_of(struct dpl__import *import, const char *path, struct dpl__mesh_file *ret_mesh,
                   struct dpl_diag *reterr)
{
    static const struct dpl_place nowhere;
    const struct dpl__mesh_file *known = import->meshes.items;
    struct dpl__mesh_file mesh = {0};
    for (size_t i = 0; i < import->meshes.n; i++) {
        if (strcmp(known[i].path, path) == 0) {
            *ret_mesh = known[i];
            return 0;
        }
    }
    int err = dpl__mesh_read(import->reader->arena, path, &mesh, reterr);
    if (err) {
        return err;
    }
    import->n_points += mesh.n_points;
    if (import->n_points > DPL_IMPORT_POINTS_MAX) {
        return dpl_fail(reterr, -EFBIG, nowhere, "with mesh '%s' there are more than %d points",
                        path, DPL_IMPORT_POINTS_MAX);
    }
    *(struct dpl__mesh_file *)dpl__list_add(import->reader->arena, &import->meshes, sizeof mesh) =
        mesh;
    *ret_mesh = mesh;
    return 0;
}

static struct dpl_vector3 *scaled(struct dpl__import *import, const struct dpl__mesh_file *mesh,
                                  const double scale[3])
{
    struct dpl_vector3 *points =
        dpl_arena_alloc(import->reader->arena, (mesh->n_points + 1) * sizeof *points);
    for (size_t i = 0; i < mesh->n_points; i++) {
        struct dpl_vector3 p = mesh->points[i];
        points[i] = (struct dpl_vector3){p.x * scale[0], p.y * scale[1], p.z * scale[2]};
    }
    return points;
}

/* Faces of a mesh that is scaled: a mirror turns them round. */
static const unsigned (*turned(struct dpl__import *import, const struct dpl__mesh_file *mesh,
                               const double scale[3]))[3]
{
    if (scale[0] * scale[1] * scale[2] > 0.0) {
        return (const unsigned(*)[3])mesh->faces;
    }
    unsigned(*faces)[3] =
        dpl_arena_alloc(import->reader->arena, (mesh->n_faces + 1) * sizeof *faces);
    for (size_t i = 0; i < mesh->n_faces; i++) {
        faces[i][0] = mesh->faces[i][0];
        faces[i][1] = mesh->faces[i][2];
        faces[i][2] = mesh->faces[i][1];
    }
    return (const unsigned(*)[3])faces;
}

/* A finding about a mesh: of a look a warning, as the robot moves without it. */
static bool refuse(struct dpl__import *import, struct dpl_place place, bool is_look,
                   const char *format, const char *uri, const char *why)
{
    char text[DPL_DIAG_TEXT_MAX];
    snprintf(text, sizeof text, format, uri, why);
    dpl_diags_add(import->reader->diags, is_look ? DPL_SEVERITY_WARNING : DPL_SEVERITY_ERROR, place,
                  "%s%s", text, is_look ? "; it is not drawn" : "");
    return false;
}

bool dpl__import_mesh(struct dpl__import *import, const char *uri, struct dpl_place place,
                      const double scale[3], bool is_look, struct dpl__import_solid *ret_solid)
{
    const char *path = dpl__import_path(import, uri);
    struct dpl__mesh_file mesh = {0};
    struct dpl_diag diag;
    if (scale[0] == 0.0 || scale[1] == 0.0 || scale[2] == 0.0) {
        return dpl__import_fail(import, place, "the mesh is scaled to nothing");
    }
    if (!path) {
        return refuse(import, place, is_look, "mesh '%.200s' is not there, looked %s", uri,
                      dpl__import_places(import, uri));
    }
    if (mesh_of(import, path, &mesh, &diag)) {
        return refuse(import, place, is_look, "%s%.490s", "", diag.text);
    }
    struct dpl_sim_solid solid = {
        .kind = DPL_SOLID_MESH,
        .pose.orientation.w = 1.0,
        .points = scaled(import, &mesh, scale),
        .n_points = mesh.n_points,
        .faces = turned(import, &mesh, scale),
        .n_faces = mesh.n_faces,
    };
    if (is_look && dpl_sim_solid_check(&solid, &diag)) {
        return refuse(import, place, is_look, "mesh '%.150s': %.300s", uri, diag.text);
    }
    *ret_solid = (struct dpl__import_solid){solid, place, uri, -1.0};
    return true;
}

bool dpl__import_hull(struct dpl__import *import, const char *name,
                      struct dpl__import_solid *inout_solid)
{
    struct dpl_sim_solid *solid = &inout_solid->solid;
    struct dpl_vector3 *corners = NULL;
    size_t n = 0;
    struct dpl_diag diag;
    if (dpl__mesh_hull(import->reader->arena, solid->points, solid->n_points, DPL_SOLID_HULL_MAX,
                       &corners, &n, &diag)) {
        return refuse(import, inout_solid->place, false, "mesh '%.150s': %.300s", inout_solid->uri,
                      diag.text);
    }
    dpl__import_note(import, inout_solid->place,
                     "link '%s' moves: of its collision mesh '%.200s' (%zu points) the convex hull "
                     "counts, %zu points%s",
                     name, inout_solid->uri, solid->n_points, n,
                     solid->n_points > DPL_SOLID_HULL_MAX ? " (the furthest in 512 directions)"
                                                          : "");
    solid->kind = DPL_SOLID_HULL;
    solid->points = corners;
    solid->n_points = n;
    solid->faces = NULL;
    solid->n_faces = 0;
    return true;
}
