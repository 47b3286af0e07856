/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies, frames and lights of the document that is written. */
#include <string.h>

#include "units.h"
#include "writer.h"

static json_t *json_of(const struct dpl__star_writer *writer, enum dpl_mb_kind kind, int number)
{
    const struct dpl__star_said *said = dpl__star_said(writer->source, kind, number);
    return said ? said->json : NULL;
}

/* ---- frames ---- */

static json_t *write_frame(struct dpl__star_writer *writer, int number)
{
    const struct dpl_mb_frame *frame = &writer->graph->frames[number];
    const struct dpl__star_said *said = dpl__star_said(writer->source, DPL_MB_FRAME, number);
    json_t *source = said ? said->json : NULL;
    json_t *object = dpl__star_new_thing(writer, frame->name);
    if (source && memcmp(&said->place, &frame->in_body, sizeof said->place) == 0) {
        for (const char *const *key = dpl__star_frame_keys + 1; *key; key++) {
            dpl__star_put_said(writer, object, *key, source);
        }
    } else {
        dpl__star_put_place(writer, object, &frame->in_body);
    }
    dpl__star_put_kept(writer, object, source, dpl__star_frame_keys);
    return object;
}

json_t *dpl__star_write_frames(struct dpl__star_writer *writer, int body)
{
    const struct dpl__star_groups *groups = &writer->in_assembly[DPL_MB_FRAME];
    json_t *list = dpl__star_new_list(writer);
    for (size_t i = groups->starts[body]; i < groups->starts[body + 1]; i++) {
        int number = groups->numbers[i];
        const struct dpl_mb_frame *frame = &writer->graph->frames[number];
        const struct dpl__star_said *said = dpl__star_said(writer->source, DPL_MB_FRAME, number);
        bool is_of_axis = writer->keeps_axes && said && said->is_of_axis;
        if (!frame->is_removed && number != writer->graph->bodies[body].origin && !is_of_axis) {
            dpl__star_put_thing(writer, list, frame->name, write_frame(writer, number));
        }
    }
    return list;
}

/* ---- looks ---- */

/* The files of a "geometry" of one mesh without a place and other keys, or NULL. */
static json_t *files_of(json_t *geometry)
{
    json_t *mesh = json_array_get(geometry, 0);
    json_t *files = json_object_get(mesh, "filename");
    bool is_plain = json_array_size(geometry) == 1 && json_object_size(mesh) == 2 &&
                    json_object_get(mesh, "type") && json_is_array(files);
    return is_plain ? files : NULL;
}

static void put_geometry(struct dpl__star_writer *writer, json_t *object, json_t *source)
{
    json_t *geometry = json_object_get(source, "geometry");
    json_t *files = json_object_get(source, "body_def");
    files = files && !json_is_null(files) ? files : json_object_get(source, "definition");
    files = files && !json_is_null(files) ? files : files_of(geometry);
    if (!writer->is_c && files) {
        dpl__star_put(writer, object, "body_def", json_incref(files));
    } else if (json_is_array(geometry)) {
        dpl__star_put(writer, object, "geometry", json_incref(geometry));
    } else if (files && !json_is_null(files)) {
        json_t *mesh = json_object(), *list = json_array();
        dpl__star_put(writer, mesh, "type", json_string("mesh"));
        dpl__star_put(writer, mesh, "filename", json_incref(files));
        dpl__star_append(writer, list, mesh);
        dpl__star_put(writer, object, "geometry", list);
    }
}

/* ---- masses ---- */

static const char *const entries[6] = {"Ixx", "Iyy", "Izz", "Ixy", "Iyz", "Izx"};

/* What a file did not say, and what is still as it would be read then, is not written. */
static void put_mass(struct dpl__star_writer *writer, json_t *object,
                     const struct dpl_mb_body *body, json_t *source)
{
    json_t *tensor = json_object_get(source, "moment_of_inertia");
    tensor = json_is_object(tensor) ? tensor : json_object_get(source, "inertia");
    bool is_said = !source || json_object_get(source, "mass") || json_object_get(tensor, "mass");
    json_t *inertia = json_object();
    if (is_said || body->mass != writer->units->mass) {
        dpl__star_put(writer, writer->is_c ? inertia : object, "mass",
                      dpl__star_write_number(body->mass, writer->units->mass));
    }
    double unit = dpl__star_inertia(writer->units);
    for (int i = 0; i < 6; i++) {
        double usual = i < 3 ? unit : 0.0;
        if (json_object_get(tensor, entries[i]) || body->inertia[i] != usual ||
            (!source && i < 3)) {
            dpl__star_put(writer, inertia, entries[i],
                          dpl__star_write_number(body->inertia[i], unit));
        }
    }
    dpl__star_put_kept(writer, inertia, tensor, dpl__star_inertia_keys);
    bool is_empty_said = json_is_object(tensor) && json_object_size(inertia) == 0;
    if (is_empty_said) {
        dpl__star_put(writer, object, "moment_of_inertia", inertia);
    } else {
        dpl__star_put_list(writer, object, writer->is_c ? "inertia" : "moment_of_inertia", inertia);
    }
}

static json_t *write_body(struct dpl__star_writer *writer, int number)
{
    const struct dpl_mb_body *body = &writer->graph->bodies[number];
    json_t *source = json_of(writer, DPL_MB_BODY, number);
    json_t *object = dpl__star_new_thing(writer, body->name);
    dpl__star_put_active(writer, object, body->is_active, source);
    put_geometry(writer, object, source);
    put_mass(writer, object, body, source);
    const double *centre = body->centre;
    if (json_object_get(source, "center_of_mass") || centre[0] != 0.0 || centre[1] != 0.0 ||
        centre[2] != 0.0) {
        dpl__star_put(writer, object, "center_of_mass",
                      dpl__star_write_numbers(writer, centre, 3, writer->units->length));
    }
    dpl__star_put_said(writer, object, "shapes", source); /* the units are those of the file */
    dpl__star_put_list(writer, object, "frames", dpl__star_write_frames(writer, number));
    dpl__star_put_kept(writer, object, source, dpl__star_body_keys);
    return object;
}

json_t *dpl__star_write_bodies(struct dpl__star_writer *writer, int assembly)
{
    const struct dpl__star_groups *groups = &writer->in_assembly[DPL_MB_BODY];
    json_t *list = dpl__star_new_list(writer);
    for (size_t i = groups->starts[assembly]; i < groups->starts[assembly + 1]; i++) {
        const struct dpl_mb_body *body = &writer->graph->bodies[groups->numbers[i]];
        if (!body->is_removed && groups->numbers[i] != 0) {
            dpl__star_put_thing(writer, list, body->name, write_body(writer, groups->numbers[i]));
        }
    }
    return list;
}

/* ---- lights ---- */

json_t *dpl__star_write_lights(struct dpl__star_writer *writer)
{
    const struct dpl_star_world *world = writer->world;
    json_t *list = dpl__star_new_list(writer);
    for (size_t i = 0; writer->source->lights && i < world->n_lights; i++) {
        const struct dpl_star_light *light = &world->lights[i];
        if (light->frame < 0 || writer->graph->frames[light->frame].is_removed) {
            continue;
        }
        static const char *const own[] = {"name", "parent", NULL};
        json_t *object = dpl__star_new_thing(writer, light->name);
        dpl__star_put(writer, object, "parent",
                      dpl__star_write_end(writer, light->frame, 0, writer->is_c));
        dpl__star_put_kept(writer, object, writer->source->lights[i], own);
        dpl__star_put_thing(writer, list, light->name, object);
    }
    return list;
}
