/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a file: text, places, document, graph. */
#include "reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_bytes.h"
#include "units.h"

/* ---- worlds ---- */

static struct dpl_star_world *create_world(void)
{
    struct dpl_star_world *world = calloc(1, sizeof *world);
    if (world) {
        world->units = dpl__star_si;
        world->source = dpl__star_source_create();
    }
    if (!world || !world->source) {
        free(world);
        return NULL;
    }
    return world;
}

void dpl_star_destroy(struct dpl_star_world *world)
{
    if (!world) {
        return;
    }
    dpl_mb_graph_destroy(world->graph);
    dpl__star_source_destroy(world->source);
    free(world);
}

int dpl_star_create(struct dpl_mb_graph *graph, struct dpl_star_world **ret_world)
{
    struct dpl_star_world *world = create_world();
    if (!world) {
        return -ENOMEM;
    }
    world->graph = graph;
    world->lights = dpl__star_default_light(&world->source->arena, graph->gravity);
    world->n_lights = 1;
    *ret_world = world;
    return 0;
}

/* ---- the document ---- */

/* Bytes that the scanner takes and jansson does not: no UTF-8, half characters in escapes. */
static void report_json(struct dpl__star_reader *reader, const json_error_t *error)
{
    char text[JSON_ERROR_TEXT_LENGTH * 4];
    dpl_diags_add(
        &reader->diags, DPL_SEVERITY_ERROR,
        (struct dpl_place){reader->file, error->line, error->column > 0 ? error->column : 1}, "%s",
        dpl_diag_quote(error->text, strlen(error->text), text, sizeof text));
}

static int parse(struct dpl__star_reader *reader, const char *text, size_t n)
{
    int err = dpl__star_scan(reader->file, text, n, &reader->places, &reader->diags);
    reader->left_errors = reader->places.left_errors;
    if (err) {
        return err;
    }
    json_error_t error;
    reader->source->root = json_loadb(text, n, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (!reader->source->root) {
        report_json(reader, &error);
        return json_error_code(&error) == json_error_out_of_memory ? -ENOMEM : -EINVAL;
    }
    return 0;
}

static void read_fixed(struct dpl__star_reader *reader, struct dpl__star_node root)
{
    struct dpl__star_node fixed = dpl__star_get(reader, root, "fixed");
    if (fixed.json && dpl__star_is_object(reader, fixed)) {
        dpl__star_check_keys(reader, fixed, dpl__star_fixed_keys);
        dpl__star_read_frames(reader, dpl__star_get(reader, fixed, "frames"), 0);
    }
    dpl__star_read_frames(reader, dpl__star_get(reader, root, "frames"), 0);
}

/* What is not active only because of what it refers to. */
static void note_inactive(struct dpl__star_reader *reader, struct dpl__star_node root)
{
    const struct dpl_mb_graph *graph = reader->graph;
    size_t joints = 0, restraints = 0, devices = 0;
    for (size_t i = 0; i < graph->n_joints; i++) {
        joints += graph->joints[i].is_active &&
                  dpl_mb_is_active(graph, DPL_MB_ASSEMBLY, graph->joints[i].assembly) &&
                  !dpl_mb_is_active(graph, DPL_MB_JOINT, (int)i);
    }
    for (size_t i = 0; i < graph->n_restraints; i++) {
        restraints += graph->restraints[i].is_active &&
                      dpl_mb_is_active(graph, DPL_MB_ASSEMBLY, graph->restraints[i].assembly) &&
                      !dpl_mb_is_active(graph, DPL_MB_RESTRAINT, (int)i);
    }
    for (size_t i = 0; i < reader->world->n_devices; i++) {
        const struct dpl_star_device *device = &reader->world->devices[i];
        devices += device->is_active &&
                   dpl_mb_is_active(graph, DPL_MB_ASSEMBLY, device->assembly) &&
                   !dpl_star_device_is_active(reader->world, i);
    }
    if (joints + restraints + devices > 0) {
        dpl__star_note(reader, root,
                       "not active because of what they refer to: %zu joints, %zu restraints, "
                       "%zu devices",
                       joints, restraints, devices);
    }
}

static void read_all(struct dpl__star_reader *reader)
{
    struct dpl__star_node root = {.json = reader->source->root, .value = 0};
    if (!dpl__star_is_object(reader, root)) {
        return;
    }
    dpl__star_check_keys(reader, root, dpl__star_root_keys);
    dpl__star_read_parameters(reader, root);
    read_fixed(reader, root);
    dpl__star_read_assemblies(reader, root);
    dpl__star_read_joints(reader);
    dpl__star_read_gears(reader);
    dpl__star_read_restraints(reader);
    dpl__star_read_lights(reader, root);
    dpl__star_read_devices(reader);
    if (reader->diags.n_errors == 0) {
        note_inactive(reader, root);
    }
}

/* Hands the diagnostics over, in the order of their places. */
static void hand_over(struct dpl__star_reader *reader, struct dpl_diags *diags)
{
    dpl_diags_sort(&reader->diags);
    for (size_t i = 0; i < reader->diags.n; i++) {
        dpl_diags_add_diag(diags, &reader->diags.items[i]);
    }
    if (reader->left_warnings) {
        dpl_diags_add(diags, DPL_SEVERITY_NOTE, (struct dpl_place){.file = reader->file},
                      "there are more warnings than %d; the others are not listed",
                      DPL_STAR_WARNINGS_MAX);
    }
    if (reader->left_errors) {
        dpl_diags_add(diags, DPL_SEVERITY_NOTE, (struct dpl_place){.file = reader->file},
                      "there are more errors than %d; the others are not listed",
                      DPL_STAR_ERRORS_MAX);
    }
}

static int read_world(struct dpl__star_reader *reader, const char *text, size_t n,
                      const struct dpl_mb_memory *memory)
{
    int err = dpl_mb_graph_create(memory, &reader->world->graph);
    if (err) {
        return err;
    }
    reader->graph = reader->world->graph;
    err = parse(reader, text, n);
    if (err) {
        return err;
    }
    read_all(reader);
    if (reader->source->is_out_of_memory) {
        return -ENOMEM;
    }
    return reader->diags.n_errors > 0 ? -EINVAL : 0;
}

static int read_owned(const char *name, char *text, size_t n,
                      const struct dpl_star_options *options, struct dpl_star_world **ret_world,
                      struct dpl_diags *diags)
{
    struct dpl_diag diag;
    if (options->allow_comments && dpl__star_strip_comments(name, text, n, &diag)) {
        dpl_diags_add_diag(diags, &diag);
        return -EINVAL;
    }
    struct dpl_star_world *world = create_world();
    if (!world) {
        return -ENOMEM;
    }
    struct dpl__star_reader reader = {.file = name,
                                      .world = world,
                                      .source = world->source,
                                      .arena = &world->source->arena,
                                      .units = &world->units};
    int err = read_world(&reader, text, n, options->memory);
    if (err != -ENOMEM) {
        hand_over(&reader, diags); /* without memory much seems to be missing */
    }
    dpl_diags_finish(&reader.diags);
    dpl__star_places_finish(&reader.places);
    if (err) {
        dpl_star_destroy(world);
        return err;
    }
    *ret_world = world;
    return 0;
}

int dpl_star_read_text(const char *name, const char *bytes, size_t n,
                       const struct dpl_star_options *options, struct dpl_star_world **ret_world,
                       struct dpl_diags *diags)
{
    static const struct dpl_star_options usual;
    if (n > DPL_STAR_BYTES_MAX) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, (struct dpl_place){.file = name},
                      "more than %u bytes", DPL_STAR_BYTES_MAX);
        return -EINVAL;
    }
    char *text = malloc(n + 1);
    if (!text) {
        return -ENOMEM;
    }
    if (n > 0) {
        memcpy(text, bytes, n);
    }
    text[n] = '\0';
    int err = read_owned(name, text, n, options ? options : &usual, ret_world, diags);
    free(text);
    return err;
}

/* ---- files ---- */

int dpl_star_read(const char *path, const struct dpl_star_options *options,
                  struct dpl_star_world **ret_world, struct dpl_diags *diags)
{
    char *bytes = NULL;
    size_t n = 0;
    int opened;
    int err = dpl_file_bytes(path, DPL_STAR_BYTES_MAX, &bytes, &n, &opened);
    if (err) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, (struct dpl_place){.file = path},
                      "cannot be read: %s", strerror(-err));
        return err;
    }
    err = dpl_star_read_text(path, bytes, n, options, ret_world, diags);
    free(bytes);
    return err;
}
