/* SPDX-License-Identifier: Apache-2.0 */
/* Assemblies, bodies, their frames and what they look like. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "reader.h"
#include "units.h"

/* Says why the graph did not take a thing of a kind. Returns -1. */
static int refused(struct dpl__star_reader *reader, struct dpl__star_node node, int code,
                   const struct dpl_diag *diag, const char *what, const char *name)
{
    char quoted[160];
    if (code == -EEXIST) {
        dpl__star_error_name(reader, node, "there is already %s '%s'", what,
                             dpl_diag_quote(name, strlen(name), quoted, sizeof quoted));
        return -1;
    }
    return dpl__star_refused(reader, node, code, diag);
}

static void said(struct dpl__star_reader *reader, enum dpl_mb_kind kind, int number,
                 struct dpl__star_node node)
{
    struct dpl__star_said *entry = dpl__star_say(reader->source, kind, number);
    if (entry) {
        entry->json = node.json;
        entry->value = node.value;
    }
}

/* ---- frames ---- */

static void read_frame(struct dpl__star_reader *reader, struct dpl__star_node node,
                       const char *name, void *user)
{
    if (strcmp(name, "origin") == 0) {
        dpl__star_error_name(reader, node, "'origin' is the frame that every body has by itself");
        return;
    }
    dpl__star_check_keys(reader, node, dpl__star_frame_keys);
    struct dpl_mb_frame frame = {.name = name, .body = *(const int *)user};
    if (!dpl__star_read_place(reader, node, &frame.in_body)) {
        frame.in_body = dpl_mb_place_identity; /* others may name it */
    }
    struct dpl_diag diag;
    int number = dpl_mb_add_frame(reader->graph, &frame, &diag);
    if (number < 0) {
        refused(reader, node, number, &diag, "a frame", name);
        return;
    }
    said(reader, DPL_MB_FRAME, number, node);
    struct dpl__star_said *entry = dpl__star_say(reader->source, DPL_MB_FRAME, number);
    if (entry) {
        entry->place = reader->graph->frames[number].in_body;
    }
}

void dpl__star_read_frames(struct dpl__star_reader *reader, struct dpl__star_node frames, int body)
{
    dpl__star_each(reader, frames, read_frame, &body);
}

/* ---- looks ---- */

/* `files`: where they are named. */
static struct dpl_star_geometry *add_geometry(struct dpl__star_reader *reader, int body,
                                              struct dpl__star_node files)
{
    const struct dpl__star_value *at = &reader->places.values[files.value];
    struct dpl_star_world *world = reader->world;
    size_t n = world->n_geometries;
    struct dpl_star_geometry *all = reader->geometries;
    if (n == reader->geometry_capacity) {
        size_t capacity = 2 * n + 16;
        all = dpl_arena_alloc(reader->arena, capacity * sizeof *all);
        if (n > 0) {
            memcpy(all, reader->geometries, n * sizeof *all);
        }
        reader->geometries = all;
        reader->geometry_capacity = capacity;
        world->geometries = all;
    }
    all[n] = (struct dpl_star_geometry){
        .body = body, .place = dpl_mb_place_identity, .line = at->line, .column = at->column};
    world->n_geometries++;
    return &all[n];
}

/* One element of "geometry". */
static void read_mesh(struct dpl__star_reader *reader, struct dpl__star_node node, int body)
{
    if (!dpl__star_is_object(reader, node)) {
        return;
    }
    static const char *const known[] = {"type", "filename",   "name",       "T",
                                        "R",    "axis_angle", "quaternion", NULL};
    static const char *const types[] = {"mesh"};
    struct dpl__star_node type = dpl__star_get(reader, node, "type");
    struct dpl__star_node files = dpl__star_get(reader, node, "filename");
    dpl__star_check_keys(reader, node, known);
    if (type.json && dpl__star_word(reader, type, types, 1) < 0) {
        return;
    }
    if (!files.json) {
        dpl__star_error(reader, node, "this has no \"filename\"");
        return;
    }
    struct dpl_star_geometry *geometry = add_geometry(reader, body, files);
    geometry->n_files = dpl__star_strings(reader, files, &geometry->files);
    dpl__star_read_place(reader, node, &geometry->place);
}

void dpl__star_read_geometry(struct dpl__star_reader *reader, struct dpl__star_node node, int body)
{
    static const char *const keys[] = {"body_def", "definition", "geometry", NULL};
    struct dpl__star_node list = dpl__star_get_any(reader, node, keys);
    if (!list.json) {
        return;
    }
    bool is_new = list.json == dpl__star_get(reader, node, "geometry").json;
    if (!is_new) {
        const char *const *files = NULL;
        size_t n = dpl__star_strings(reader, list, &files);
        if (n > 0) {
            struct dpl_star_geometry *geometry = add_geometry(reader, body, list);
            geometry->files = files;
            geometry->n_files = n;
        }
        return;
    }
    if (!json_is_array(list.json)) {
        dpl__star_error(reader, list, "an array of objects is expected");
        return;
    }
    struct dpl__star_node element = {.value = list.value + 1};
    for (size_t i = 0; i < json_array_size(list.json); i++) {
        element.json = json_array_get(list.json, i);
        read_mesh(reader, element, body);
        element.value = reader->places.values[element.value].next;
    }
}

/* ---- masses ---- */

static const char *const entries[6] = {"Ixx", "Iyy", "Izz", "Ixy", "Iyz", "Izx"};

/* What is not said of a tensor is that of 1 1 1 0 0 0 in the file's units. */
static void read_tensor(struct dpl__star_reader *reader, struct dpl__star_node node,
                        double ret_inertia[6])
{
    double unit = dpl__star_inertia(reader->units);
    for (int i = 0; i < 6; i++) {
        ret_inertia[i] = i < 3 ? unit : 0.0;
        struct dpl__star_node entry = dpl__star_get(reader, node, entries[i]);
        if (entry.json) {
            dpl__star_number(reader, entry, unit, &ret_inertia[i]);
        } else if (i < 3 && node.json) {
            dpl__star_warn(reader, node, "there is no %s: it is 1", entries[i]);
        }
    }
}

static void read_mass(struct dpl__star_reader *reader, struct dpl__star_node node,
                      struct dpl_mb_body *body)
{
    static const char *const tensors[] = {"moment_of_inertia", "inertia", NULL};
    struct dpl__star_node tensor = dpl__star_get_any(reader, node, tensors);
    if (tensor.json && !dpl__star_is_object(reader, tensor)) {
        tensor.json = NULL;
    } else if (tensor.json) {
        dpl__star_check_keys(reader, tensor, dpl__star_inertia_keys);
    }
    struct dpl__star_node mass = dpl__star_get(reader, node, "mass");
    struct dpl__star_node inner = dpl__star_get(reader, tensor, "mass");
    if (mass.json && inner.json) {
        dpl__star_error(reader, inner, "a second mass: 'mass' of the body is there too");
    }
    mass = mass.json ? mass : inner;
    body->mass = reader->units->mass;
    body->is_mass_default = !mass.json && !tensor.json;
    if (body->is_mass_default) {
        dpl__star_warn(reader, node,
                       "neither mass nor inertia: the mass is 1, Ixx, Iyy and Izz "
                       "are 1, in units of the file");
    } else if (!mass.json) {
        dpl__star_warn(reader, node, "there is no mass: it is 1 in units of the file");
    } else if (!tensor.json) {
        dpl__star_warn(reader, node,
                       "there is no inertia: Ixx, Iyy and Izz are 1 in units of the "
                       "file");
    }
    if (mass.json) {
        dpl__star_number(reader, mass, reader->units->mass, &body->mass);
    }
    if (body->mass < 0.0) {
        dpl__star_error(reader, mass, "a mass is 0 or more");
        body->mass = 0.0;
    }
    read_tensor(reader, tensor, body->inertia);
    struct dpl__star_node centre = dpl__star_get(reader, node, "center_of_mass");
    if (centre.json) {
        dpl__star_numbers(reader, centre, 3, reader->units->length, body->centre);
    }
}

/* ---- bodies ---- */

/* Where the inertia of a body stands. */
static struct dpl__star_node inertia_of(struct dpl__star_reader *reader, struct dpl__star_node node)
{
    struct dpl__star_node tensor = dpl__star_get(reader, node, "moment_of_inertia");
    tensor = tensor.json ? tensor : dpl__star_get(reader, node, "inertia");
    return tensor.json ? tensor : node;
}

/* Adds a body; one with an impossible inertia without it, so that others can name it. */
static int add_body(struct dpl__star_reader *reader, struct dpl__star_node node,
                    struct dpl_mb_body *body)
{
    struct dpl_diag diag;
    int number = dpl_mb_add_body(reader->graph, body, &diag);
    if (number == -EINVAL) {
        dpl__star_refused(reader, inertia_of(reader, node), number, &diag);
        memset(body->inertia, 0, sizeof body->inertia);
        return dpl_mb_add_body(reader->graph, body, &diag);
    }
    if (number < 0) {
        return refused(reader, node, number, &diag, "a body", body->name);
    }
    if (dpl_mb_body_is_flat(&reader->graph->bodies[number])) {
        dpl__star_warn(reader, inertia_of(reader, node),
                       "one principal moment is more than the sum of the others, which no body "
                       "has");
    }
    return number;
}

static void read_body(struct dpl__star_reader *reader, struct dpl__star_node node, const char *name,
                      void *user)
{
    if (strcmp(name, "fixed") == 0) {
        dpl__star_error_name(reader, node, "'fixed' is the body that stands still");
        return;
    }
    dpl__star_check_keys(reader, node, dpl__star_body_keys);
    struct dpl_mb_body body = {.name = name,
                               .assembly = *(const int *)user,
                               .is_active = dpl__star_bool(reader, node, "active", true)};
    read_mass(reader, node, &body);
    int number = add_body(reader, node, &body);
    if (number >= 0) {
        said(reader, DPL_MB_BODY, number, node);
        dpl__star_read_frames(reader, dpl__star_get(reader, node, "frames"), number);
        dpl__star_read_geometry(reader, node, number);
        dpl__star_read_shapes(reader, node, number);
    }
}

/* ---- assemblies ---- */

static struct dpl__star_node assemblies_of(struct dpl__star_reader *reader,
                                           struct dpl__star_node node)
{
    static const char *const keys[] = {"assembly", "assemblies", NULL};
    return dpl__star_get_any(reader, node, keys);
}

static void read_assembly(struct dpl__star_reader *reader, struct dpl__star_node node,
                          const char *name, void *user)
{
    dpl__star_check_keys(reader, node, dpl__star_assembly_keys);
    struct dpl_mb_assembly assembly = {.name = name,
                                       .parent = *(const int *)user,
                                       .is_active = dpl__star_bool(reader, node, "active", true)};
    struct dpl_diag diag;
    int number = dpl_mb_add_assembly(reader->graph, &assembly, &diag);
    if (number < 0) {
        refused(reader, node, number, &diag, "an assembly", name);
        return;
    }
    said(reader, DPL_MB_ASSEMBLY, number, node);
    dpl__star_each(reader, dpl__star_get(reader, node, "bodies"), read_body, &number);
    dpl__star_each(reader, assemblies_of(reader, node), read_assembly, &number);
}

void dpl__star_read_assemblies(struct dpl__star_reader *reader, struct dpl__star_node root)
{
    struct dpl__star_node assemblies = assemblies_of(reader, root);
    int of_root = 0;
    if (!assemblies.json) {
        dpl__star_error(reader, root, "this has no \"assembly\"");
    }
    dpl__star_each(reader, assemblies, read_assembly, &of_root);
}
