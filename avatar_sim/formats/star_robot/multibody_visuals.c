/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes that show bodies: see multibody_part.h. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "mesh_shelf.h"
#include "star_robot.h"

enum { NOTES_MAX = 200 };

struct gallery {
    struct dpl_arena *arena;
    struct dpl_multibody_part *part;
    struct dpl__mesh_shelf shelf;
    struct dpl__list notes; /* of struct dpl_diag */
};

__attribute__((format(printf, 4, 5))) static void note(struct gallery *gallery,
                                                       enum dpl_severity severity,
                                                       const struct dpl_star_geometry *geometry,
                                                       const char *format, ...)
{
    if (gallery->notes.n >= NOTES_MAX) {
        return;
    }
    struct dpl_diag *diag = dpl__list_add(gallery->arena, &gallery->notes, sizeof *diag);
    *diag = (struct dpl_diag){
        .severity = severity,
        .place = {gallery->part->file, geometry->line, geometry->column},
    };
    va_list args;
    va_start(args, format);
    vsnprintf(diag->text, sizeof diag->text, format, args);
    va_end(args);
}

/* ---- where files are ---- */

/* A name as seen from a folder, which ends with "/" or is "". */
static const char *in_folder(struct dpl_arena *arena, const char *folder, const char *name)
{
    return dpl_arena_printf(arena, "%s%s", name[0] == '/' ? "" : folder, name);
}

/* In the first include directory that has it, else beside the file; NULL: it is nowhere. */
static const char *find(const struct gallery *gallery, const char *name)
{
    const struct dpl_star_world *star = gallery->part->star;
    const char *file = gallery->part->file, *slash = strrchr(file, '/');
    const char *beside =
        dpl_arena_printf(gallery->arena, "%.*s", slash ? (int)(slash + 1 - file) : 0, file);
    for (size_t i = 0; i <= star->n_include_directories; i++) {
        const char *folder = beside;
        if (i < star->n_include_directories) {
            folder = in_folder(gallery->arena, beside, star->include_directories[i]);
            folder = dpl_arena_printf(gallery->arena, "%s/", folder);
        }
        const char *path = in_folder(gallery->arena, folder, name);
        if (access(path, R_OK) == 0) {
            return path;
        }
    }
    return NULL;
}

static bool is_material(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && strcasecmp(dot, ".mtl") == 0;
}

/* ---- what they show ---- */

/* A mesh in the frame of the body. False: there is none, and a note. */
static bool take(struct gallery *gallery, const struct dpl_star_geometry *geometry,
                 const char *name, struct dpl_sim_solid *ret_mesh,
                 struct dpl_sim_visual *ret_visual)
{
    const double unit = gallery->part->star->units.length, scale[3] = {unit, unit, unit};
    const char *path = dpl__mesh_is_format(name) ? find(gallery, name) : NULL;
    struct dpl_diag diag;
    if (is_material(name)) {
        return false; /* the meshes name them */
    }
    if (!dpl__mesh_is_format(name)) {
        note(gallery, DPL_SEVERITY_NOTE, geometry,
             "'%.200s' is not shown: it is no file .stl, .obj or .dae", name);
        return false;
    }
    if (!path) {
        note(gallery, DPL_SEVERITY_NOTE, geometry,
             "'%.200s' is neither in an include directory nor beside this file", name);
        return false;
    }
    if (dpl__mesh_take(gallery->arena, &gallery->shelf, path, scale, ret_mesh, &diag) ||
        dpl_sim_solid_check(ret_mesh, &diag)) {
        note(gallery, DPL_SEVERITY_WARNING, geometry, "%.460s; it is not shown", diag.text);
        return false;
    }
    ret_mesh->pose = dpl__multibody_pose(&geometry->place);
    *ret_visual = (struct dpl_sim_visual){path, ret_mesh->pose, {unit, unit, unit}};
    return true;
}

/* Meshes in place of bars; sensors go on to see the bars. */
static void show(struct gallery *gallery, const struct dpl_star_geometry *geometries, size_t n,
                 struct dpl_sim_body *body)
{
    struct dpl__list looks = {0}, visuals = {0};
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < geometries[i].n_files; k++) {
            struct dpl_sim_solid mesh;
            struct dpl_sim_visual visual;
            if (take(gallery, &geometries[i], geometries[i].files[k], &mesh, &visual)) {
                *(struct dpl_sim_solid *)dpl__list_add(gallery->arena, &looks, sizeof mesh) = mesh;
                *(struct dpl_sim_visual *)dpl__list_add(gallery->arena, &visuals, sizeof visual) =
                    visual;
            }
        }
    }
    if (looks.n > 0) {
        body->solids = body->looks;
        body->n_solids = body->n_looks;
        body->looks = looks.items;
        body->n_looks = looks.n;
        body->visuals = visuals.items;
        body->n_visuals = visuals.n;
    }
}

void dpl__multibody_visuals(struct dpl_arena *arena, struct dpl_multibody_part *part,
                            const int *shown_as)
{
    const struct dpl_star_world *star = part->star;
    struct gallery gallery = {.arena = arena, .part = part};
    size_t n;
    for (size_t first = 0; first < star->n_geometries; first += n) {
        int body = star->geometries[first].body;
        for (n = 1; first + n < star->n_geometries && star->geometries[first + n].body == body;) {
            n++;
        }
        if (!star->graph->bodies[body].is_removed) {
            show(&gallery, &star->geometries[first], n, &part->mechanism.bodies[shown_as[body]]);
        }
    }
    part->notes = gallery.notes.items;
    part->n_notes = gallery.notes.n;
}
