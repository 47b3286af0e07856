/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes as shapes: see import.h. */
#include <stdio.h>
#include <string.h>

#include "import.h"

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

bool dpl__import_size(struct dpl__import *import, const struct dpl_xml_node *node, bool is_look,
                      const struct dpl_sim_solid *solid)
{
    struct dpl_diag diag;
    char what[24];
    if (solid->kind == DPL_SOLID_MESH || dpl_sim_solid_check(solid, &diag) == 0) {
        return true;
    }
    snprintf(what, sizeof what, "<%.16s>", node->name);
    return refuse(import, node->place, is_look, "%s: %.450s", what, diag.text);
}

bool dpl__import_mesh(struct dpl__import *import, const char *uri, struct dpl_place place,
                      const double scale[3], bool is_look, struct dpl__import_solid *ret_solid)
{
    const char *path = dpl__import_path(import, uri);
    struct dpl_sim_solid solid;
    struct dpl_diag diag;
    if (scale[0] == 0.0 || scale[1] == 0.0 || scale[2] == 0.0) {
        return dpl__import_fail(import, place, "the mesh is scaled to nothing");
    }
    if (!path) {
        dpl_diags_add(import->reader->diags, DPL_SEVERITY_WARNING, place,
                      "mesh '%.200s' is not there, looked %s; %s", uri,
                      dpl__import_places(import, uri),
                      is_look ? "it is not drawn" : "nothing touches it");
        return false;
    }
    if (dpl__mesh_take(import->reader->arena, &import->meshes, path, scale, &solid, &diag)) {
        return refuse(import, place, is_look, "%s%.490s", "", diag.text);
    }
    if (is_look && dpl_sim_solid_check(&solid, &diag)) {
        return refuse(import, place, is_look, "mesh '%.150s': %.300s", uri, diag.text);
    }
    *ret_solid = (struct dpl__import_solid){solid, place, uri, -1.0};
    return true;
}

/* One hull of all of the mesh. */
static bool add_whole(struct dpl__import *import, const char *name,
                      const struct dpl__import_solid *from, struct dpl__list *inout)
{
    struct dpl_sim_solid solid = from->solid;
    struct dpl_vector3 *corners = NULL;
    struct dpl_diag diag;
    if (dpl__mesh_hull(import->reader->arena, solid.points, solid.n_points, DPL_SOLID_HULL_MAX,
                       &corners, &solid.n_points, &diag)) {
        return refuse(import, from->place, false, "mesh '%.150s': %.300s", from->uri, diag.text);
    }
    dpl__import_note(import, from->place,
                     "link '%s' moves: of its collision mesh '%.200s' (%zu points) the convex hull "
                     "counts, %zu points%s",
                     name, from->uri, from->solid.n_points, solid.n_points,
                     from->solid.n_points > DPL_SOLID_HULL_MAX ? " (the furthest in 512 directions)"
                                                               : "");
    solid.kind = DPL_SOLID_HULL;
    solid.points = corners;
    solid.faces = NULL;
    solid.n_faces = 0;
    *(struct dpl_sim_solid *)dpl__list_add(import->reader->arena, inout, sizeof solid) = solid;
    return true;
}

bool dpl__import_hulls(struct dpl__import *import, const char *name,
                       const struct dpl__import_solid *from, struct dpl__list *inout)
{
    size_t before = inout->n, n_flat;
    struct dpl_diag diag;
    if (!import->options->mesh_parts) {
        return add_whole(import, name, from, inout);
    }
    if (dpl__mesh_hulls(import->reader->arena, &from->solid, true, inout, &n_flat, &diag)) {
        return refuse(import, from->place, false, "mesh '%.150s': %.300s", from->uri, diag.text);
    }
    dpl__import_note(
        import, from->place,
        "link '%s' moves: of its collision mesh '%.200s' (%zu points) the convex hulls "
        "of %zu parts count; %zu flat parts are left out",
        name, from->uri, from->solid.n_points, inout->n - before, n_flat);
    return true;
}
