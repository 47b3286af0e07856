/* SPDX-License-Identifier: Apache-2.0 */
/* See shape_files.h. */
#include "shape_files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "height_map.h"

enum { NOTES_MAX = 200 };

static void add_note(struct dpl_element_reader *reader, struct dpl__mechanism_target *all,
                     const struct dpl_xml_node *node, const char *text)
{
    if (all->notes.n < NOTES_MAX) {
        *(const char **)dpl__list_add(reader->arena, &all->notes, sizeof text) =
            dpl_arena_printf(reader->arena, "%s:%d:%d: note: %s", node->place.file,
                             node->place.line, node->place.column, text);
    }
}

const char *dpl__notes_text(struct dpl_arena *arena, const struct dpl__list *notes)
{
    const char *const *lines = notes->items, *text = notes->n > 0 ? "" : NULL;
    for (size_t i = 0; i < notes->n; i++) {
        text = dpl_arena_printf(arena, "%s  %s\n", text, lines[i]);
    }
    return text;
}

/* A file beside that which is being read; in the arena. */
static const char *beside(struct dpl_arena *arena, const struct dpl__mechanism_target *all,
                          const char *name)
{
    const char *slash = strrchr(all->file, '/');
    int folder = slash && name[0] != '/' ? (int)(slash + 1 - all->file) : 0;
    return dpl_arena_printf(arena, "%.*s%s", folder, all->file, name);
}

static struct dpl_place place_of_file(const struct dpl_xml_node *node)
{
    const struct dpl_xml_attribute *given = dpl_xml_attribute_like(node, "file");
    return given ? given->value_place : node->place;
}

static bool fail(struct dpl_element_reader *reader, struct dpl_place place, const char *what,
                 const char *path, const char *why)
{
    dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, place, "%s '%.200s'%s%.300s", what, path,
                  why[0] == ' ' ? "" : ": ", why);
    return false;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static bool take_field(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                       const char *path, double height, struct dpl_sim_solid *inout)
{
    struct dpl__height_map map;
    struct dpl_diag diag;
    if (dpl__height_map_read(reader->arena, path, &map, &diag)) {
        /* Of a place in the picture: that is where to look. */
        return fail(reader, diag.place.line > 0 ? diag.place : place_of_file(node), "height field",
                    path, diag.text);
    }
    size_t n = (size_t)map.columns * map.rows;
    for (size_t i = 0; i < n; i++) {
        map.values[i] *= height;
    }
    inout->field.columns = map.columns;
    inout->field.rows = map.rows;
    inout->field.heights = map.values;
    dpl_sim_field_span(&inout->field);
    return true;
}

bool dpl__shape_file_take(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                          struct dpl__mechanism_target *all, const struct dpl__shape_file *from,
                          struct dpl_sim_solid *inout_solid)
{
    struct dpl_place place = place_of_file(node);
    const double scale[3] = {from->scale, from->scale, from->scale};
    struct dpl_sim_solid mesh;
    struct dpl_diag diag;
    if (from->file[0] == '\0') {
        return true;
    }
    if (inout_solid->n_points + inout_solid->n_faces > 0) {
        return fail(reader, place, node->name, from->file,
                    "its shape is given twice: by a file and by points");
    }
    const char *path = beside(reader->arena, all, from->file);
    if (access(path, F_OK) != 0) {
        return fail(reader, place, "the file", path, " is not there");
    }
    if (inout_solid->kind == DPL_SOLID_FIELD) {
        return take_field(reader, node, path, from->height, inout_solid);
    }
    if (dpl__mesh_take(reader->arena, &all->meshes, path, scale, &mesh, &diag)) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, place, "%s", diag.text);
        return false;
    }
    if (inout_solid->kind == DPL_SOLID_HULL) {
        struct dpl_vector3 *corners;
        if (dpl__mesh_hull(reader->arena, mesh.points, mesh.n_points, DPL_SOLID_HULL_MAX, &corners,
                           &inout_solid->n_points, &diag)) {
            return fail(reader, place, "mesh", path, diag.text);
        }
        inout_solid->points = corners;
        return true;
    }
    inout_solid->points = mesh.points;
    inout_solid->n_points = mesh.n_points;
    inout_solid->faces = mesh.faces;
    inout_solid->n_faces = mesh.n_faces;
    return true;
}

static void keep_solid(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                       struct dpl__list *solids, struct dpl__list *nodes,
                       const struct dpl_sim_solid *solid)
{
    *(struct dpl_sim_solid *)dpl__list_add(reader->arena, solids, sizeof *solid) = *solid;
    dpl__node_keep(reader, nodes, node);
}

/* What became of a mesh. */
static void say_hulls(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                      const struct dpl__part *body, const struct dpl_sim_solid *mesh, size_t n,
                      size_t n_flat, const char *why_hulls_have_mass)
{
    char flat[64] = "", text[DPL_DIAG_TEXT_MAX];
    if (n_flat > 0) {
        snprintf(flat, sizeof flat, ", %zu flat %s left out", n_flat,
                 n_flat == 1 ? "part is" : "parts are");
    }
    snprintf(text, sizeof text, "of this mesh (%zu points) %zu convex %s%s%s%.300s", mesh->n_points,
             n, n == 1 ? "hull counts" : "hulls count", flat,
             why_hulls_have_mass ? "; they make its mass: " : "",
             why_hulls_have_mass ? why_hulls_have_mass : "");
    add_note(reader, body->all, node, text);
}

/* Replaces a mesh by convex hulls. */
static bool add_hulls(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                      struct dpl__part *body, bool by_parts, const struct dpl_sim_solid *mesh)
{
    struct dpl__list hulls = {0};
    size_t n_flat;
    struct dpl_mass mass;
    struct dpl_diag diag;
    if (dpl__mesh_hulls(reader->arena, mesh, by_parts, &hulls, &n_flat, &diag)) {
        dpl_element_error(reader, node, &diag);
        return false;
    }
    bool is_closed = dpl_mass_of_solid(mesh, 1.0, &mass, &diag) == 0;
    const struct dpl_sim_solid *hull = hulls.items;
    for (size_t i = 0; i < hulls.n; i++) {
        keep_solid(reader, node, &body->solids, &body->solid_nodes, &hull[i]);
        if (!is_closed) {
            keep_solid(reader, node, &body->weights, &body->weight_nodes, &hull[i]);
        }
    }
    if (is_closed) {
        keep_solid(reader, node, &body->weights, &body->weight_nodes, mesh);
        body->has_mesh_mass = true;
    }
    say_hulls(reader, node, body, mesh, hulls.n, n_flat, is_closed ? NULL : diag.text);
    return true;
}

bool dpl__shape_add(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                    struct dpl__part *body, const struct dpl__shape_file *from,
                    const struct dpl_sim_solid *solid)
{
    bool is_convex =
        solid->kind == DPL_SOLID_MESH && (from->convex != DPL__CONVEX_AUTO || !body->is_static);
    struct dpl_diag diag;
    /* A mesh of a file may be larger than one that is simulated as it is, if its hulls count. */
    if ((!is_convex || from->file[0] == '\0') && dpl_sim_solid_check(solid, &diag)) {
        dpl_element_error(reader, node, &diag);
        return false;
    }
    if (is_convex) {
        return add_hulls(reader, node, body, from->convex != DPL__CONVEX_WHOLE, solid);
    }
    keep_solid(reader, node, &body->solids, &body->solid_nodes, solid);
    keep_solid(reader, node, &body->weights, &body->weight_nodes, solid);
    return true;
}

/* ---- pictures of bodies ---------------------------------------------------------------------- */

static const struct dpl_field visual_fields[] = {
    DPL_TEXT(struct dpl__shape_file, file, "file", NULL, "a mesh (STL, OBJ, DAE) beside this file"),
    DPL_NUMBER(struct dpl__shape_file, scale, "scale", NULL, "1", 1e-9, 1e9,
               "m for each unit of the file"),
};
const struct dpl_element_table dpl__visual_table = {visual_fields, DPL_COUNT(visual_fields),
                                                    dpl__look_kinds, DPL_LOOK_KINDS};

static void warn(struct dpl_element_reader *reader, struct dpl_place place, const char *why)
{
    dpl_diags_add(reader->diags, DPL_SEVERITY_WARNING, place,
                  "%.460s; the shapes of its body are drawn", why);
}

void dpl__visual_add(struct dpl_element_reader *reader, struct dpl_place place,
                     struct dpl__part *body, const char *file, const struct dpl_sim_solid *look,
                     double scale)
{
    const char *path = beside(reader->arena, body->all, file);
    const double scales[3] = {scale, scale, scale};
    struct dpl_sim_solid mesh;
    struct dpl_diag diag;
    if (access(path, R_OK) != 0) {
        warn(reader, place, dpl_arena_printf(reader->arena, "the mesh '%s' is not there", path));
        return;
    }
    if (dpl__mesh_take(reader->arena, &body->all->meshes, path, scales, &mesh, &diag) ||
        dpl_sim_solid_check(&mesh, &diag)) {
        warn(reader, place, diag.text);
        return;
    }
    mesh.pose = look->pose;
    memcpy(mesh.color, look->color, sizeof mesh.color);
    mesh.has_color = look->has_color;
    *(struct dpl_sim_solid *)dpl__list_add(reader->arena, &body->looks, sizeof mesh) = mesh;
    *(struct dpl_sim_visual *)dpl__list_add(reader->arena, &body->visuals,
                                            sizeof(struct dpl_sim_visual)) =
        (struct dpl_sim_visual){path, mesh.pose, {scale, scale, scale}};
}

void dpl__visual_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__part *body = reader->target;
    struct dpl__part part = {.all = body->all, .pose.orientation.w = 1.0};
    struct dpl__shape_file spec = {0};
    size_t errors = reader->diags->n_errors;
    dpl_element_fields(reader, node, visual_fields, DPL_COUNT(visual_fields), &spec);
    dpl__element_children_into(reader, node, &dpl__visual_table, &part);
    if (reader->diags->n_errors > errors) {
        return;
    }
    struct dpl_sim_solid look = {.pose = part.pose, .has_color = part.has_color};
    memcpy(look.color, part.color, sizeof look.color);
    dpl__visual_add(reader, place_of_file(node), body, spec.file, &look, spec.scale);
}
