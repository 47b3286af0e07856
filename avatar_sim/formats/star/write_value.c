/* SPDX-License-Identifier: Apache-2.0 */
/* Values of the document that is written: see writer.h. */
#include <math.h>
#include <string.h>

#include "units.h"
#include "writer.h"

void dpl__star_put(struct dpl__star_writer *writer, json_t *object, const char *key, json_t *value)
{
    if (!value || json_object_set_new_nocheck(object, key, value)) {
        writer->is_out_of_memory = true;
    }
}

void dpl__star_append(struct dpl__star_writer *writer, json_t *array, json_t *value)
{
    if (!value || json_array_append_new(array, value)) {
        writer->is_out_of_memory = true;
    }
}

bool dpl__star_put_said(struct dpl__star_writer *writer, json_t *object, const char *key,
                        json_t *source)
{
    json_t *value = json_object_get(source, key);
    if (!value || json_is_null(value)) {
        return false;
    }
    dpl__star_put(writer, object, key, json_incref(value));
    return true;
}

static bool is_known(const char *key, const char *const *known)
{
    while (*known && strcmp(*known, key) != 0) {
        known++;
    }
    return *known != NULL;
}

void dpl__star_put_kept(struct dpl__star_writer *writer, json_t *object, json_t *source,
                        const char *const *known)
{
    const char *key;
    json_t *value;
    json_object_foreach(source, key, value)
    {
        if (!is_known(key, known)) {
            dpl__star_put(writer, object, key, json_incref(value));
        }
    }
}

void dpl__star_put_active(struct dpl__star_writer *writer, json_t *object, bool is_active,
                          json_t *source)
{
    if (!is_active || json_object_get(source, "active")) {
        dpl__star_put(writer, object, "active", json_boolean(is_active));
    }
}

/* ---- numbers ---- */

json_t *dpl__star_write_number(double si, double scale)
{
    double value = dpl__star_in_file(si, scale);
    bool is_whole =
        fabs(value) < 1e15 && value == trunc(value) && !(value == 0.0 && signbit(value));
    return is_whole ? json_integer((json_int_t)value) : json_real(value);
}

json_t *dpl__star_write_numbers(struct dpl__star_writer *writer, const double *si, size_t n,
                                double scale)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) {
        dpl__star_append(writer, array, dpl__star_write_number(si[i], scale));
    }
    return array;
}

void dpl__star_put_place(struct dpl__star_writer *writer, json_t *object,
                         const struct dpl_mb_place *place)
{
    const double *t = place->position;
    if (memcmp(t, dpl_mb_place_identity.position, sizeof place->position) != 0) {
        dpl__star_put(writer, object, "T",
                      dpl__star_write_numbers(writer, t, 3, writer->units->length));
    }
    if (memcmp(place->rotation, dpl_mb_place_identity.rotation, sizeof place->rotation) != 0) {
        json_t *rows = json_array();
        for (int i = 0; i < 3; i++) {
            dpl__star_append(writer, rows,
                             dpl__star_write_numbers(writer, place->rotation + 3 * i, 3, 1.0));
        }
        dpl__star_put(writer, object, "R", rows);
    }
}

/* ---- things with names ---- */

json_t *dpl__star_new_list(const struct dpl__star_writer *writer)
{
    return writer->is_c ? json_array() : json_object();
}

json_t *dpl__star_new_thing(struct dpl__star_writer *writer, const char *name)
{
    json_t *thing = json_object();
    if (writer->is_c) {
        dpl__star_put(writer, thing, "name", json_string_nocheck(name));
    }
    return thing;
}

void dpl__star_put_thing(struct dpl__star_writer *writer, json_t *list, const char *name,
                         json_t *thing)
{
    if (writer->is_c) {
        dpl__star_append(writer, list, thing);
    } else {
        dpl__star_put(writer, list, name, thing);
    }
}

void dpl__star_put_list(struct dpl__star_writer *writer, json_t *object, const char *key,
                        json_t *list)
{
    if (!list || json_array_size(list) + json_object_size(list) > 0) {
        dpl__star_put(writer, object, key, list);
    } else {
        json_decref(list);
    }
}

/* ---- paths ---- */

static int assembly_of(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number)
{
    return kind == DPL_MB_JOINT ? graph->joints[number].assembly : graph->bodies[number].assembly;
}

static const char *name_of(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number)
{
    return kind == DPL_MB_JOINT ? graph->joints[number].name : graph->bodies[number].name;
}

json_t *dpl__star_write_path(struct dpl__star_writer *writer, enum dpl_mb_kind kind, int number,
                             int assembly, bool is_list)
{
    const struct dpl_mb_graph *graph = writer->graph;
    const char *parts[DPL_MB_DEPTH_MAX + 2];
    int n = 0, at = assembly_of(graph, kind, number);
    parts[n++] = name_of(graph, kind, number);
    bool is_local = at == assembly || (kind == DPL_MB_BODY && number == 0);
    if (!is_local && at == 0) {
        parts[n++] = writer->root_name;
    }
    for (; !is_local && at > 0; at = graph->assemblies[at].parent) {
        parts[n++] = graph->assemblies[at].name;
    }
    json_t *list = json_array();
    char text[(DPL_MB_DEPTH_MAX + 2) * (DPL_MB_NAME_MAX + 1)] = "", *end = text;
    while (n-- > 0) {
        dpl__star_append(writer, list, json_string_nocheck(parts[n]));
        size_t length = strlen(parts[n]);
        memcpy(end, parts[n], length);
        end += length;
        *end++ = n > 0 ? ':' : '\0';
    }
    if (is_list) {
        return list;
    }
    json_decref(list);
    return json_string_nocheck(text);
}

json_t *dpl__star_write_end(struct dpl__star_writer *writer, int frame, int assembly, bool is_list)
{
    const struct dpl_mb_frame *of = &writer->graph->frames[frame];
    json_t *end = json_array();
    dpl__star_append(writer, end,
                     dpl__star_write_path(writer, DPL_MB_BODY, of->body, assembly, is_list));
    dpl__star_append(writer, end, json_string_nocheck(of->name));
    return end;
}
