/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a world: the document of its graph, and the file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/output.h>

#include "dump.h"
#include "writer.h"

/* ---- what is in what ---- */

static int container_of(const struct dpl__star_writer *writer, int kind, size_t i)
{
    const struct dpl_mb_graph *graph = writer->graph;
    switch (kind) {
    case DPL_MB_ASSEMBLY: return i > 0 ? graph->assemblies[i].parent : -1;
    case DPL_MB_BODY: return graph->bodies[i].assembly;
    case DPL_MB_FRAME: return graph->frames[i].body;
    case DPL_MB_JOINT: return graph->joints[i].assembly;
    case DPL_MB_GEAR: return graph->gears[i].assembly;
    case DPL_MB_RESTRAINT: return graph->restraints[i].assembly;
    default: return writer->world->devices[i].assembly;
    }
}

static void group(struct dpl__star_writer *writer, int kind, size_t n, size_t n_containers,
                  struct dpl__star_groups *ret_groups)
{
    size_t *starts = calloc(n_containers + 2, sizeof *starts);
    int *numbers = malloc((n + 1) * sizeof *numbers);
    *ret_groups = (struct dpl__star_groups){starts, numbers};
    if (!starts || !numbers) {
        writer->is_out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < n; i++) { /* the root is in nothing: -1 */
        starts[container_of(writer, kind, i) + 2] += container_of(writer, kind, i) >= 0;
    }
    for (size_t i = 1; i < n_containers + 2; i++) {
        starts[i] += starts[i - 1];
    }
    for (size_t i = 0; i < n; i++) {
        int container = container_of(writer, kind, i);
        if (container >= 0) {
            numbers[starts[container + 1]++] = (int)i;
        }
    }
}

static void group_all(struct dpl__star_writer *writer)
{
    const struct dpl_mb_graph *graph = writer->graph;
    const size_t counts[DPL_STAR_KINDS] = {
        [DPL_MB_ASSEMBLY] = graph->n_assemblies, [DPL_MB_BODY] = graph->n_bodies,
        [DPL_MB_FRAME] = graph->n_frames,        [DPL_MB_JOINT] = graph->n_joints,
        [DPL_MB_GEAR] = graph->n_gears,          [DPL_MB_RESTRAINT] = graph->n_restraints,
    };
    for (int kind = 0; kind < DPL_STAR_KINDS; kind++) {
        group(writer, kind, counts[kind],
              kind == DPL_MB_FRAME ? graph->n_bodies : graph->n_assemblies,
              &writer->in_assembly[kind]);
    }
    group(writer, DPL_STAR_KINDS, writer->world->n_devices, graph->n_assemblies, &writer->devices);
}

static void finish(struct dpl__star_writer *writer)
{
    for (int kind = 0; kind < DPL_STAR_KINDS; kind++) {
        free(writer->in_assembly[kind].starts);
        free(writer->in_assembly[kind].numbers);
    }
    free(writer->devices.starts);
    free(writer->devices.numbers);
    free(writer->joint_restraints);
}

/* ---- how it is written ---- */

static bool is_of_axis(const struct dpl__star_writer *writer, int frame)
{
    const struct dpl__star_said *said = dpl__star_said(writer->source, DPL_MB_FRAME, frame);
    return said && said->is_of_axis;
}

/* Frames of axes can only be left out where nothing else names them. */
static bool can_keep_axes(const struct dpl__star_writer *writer)
{
    const struct dpl_mb_graph *graph = writer->graph;
    for (size_t i = 0; i < graph->n_joints; i++) {
        const struct dpl__star_said *said = dpl__star_said(writer->source, DPL_MB_JOINT, (int)i);
        const int *frames = graph->joints[i].frames;
        if (!graph->joints[i].is_removed && !(said && said->has_axis) &&
            (is_of_axis(writer, frames[0]) || is_of_axis(writer, frames[1]))) {
            return false;
        }
    }
    for (size_t i = 0; i < graph->n_restraints; i++) {
        const int *frames = graph->restraints[i].frames;
        if (!graph->restraints[i].is_removed && graph->restraints[i].joint < 0 &&
            (is_of_axis(writer, frames[0]) || is_of_axis(writer, frames[1]))) {
            return false;
        }
    }
    return writer->is_c;
}

static void find_joint_restraints(struct dpl__star_writer *writer)
{
    const struct dpl_mb_graph *graph = writer->graph;
    writer->joint_restraints = malloc((2 * graph->n_joints + 1) * sizeof *writer->joint_restraints);
    if (!writer->joint_restraints) {
        writer->is_out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < 2 * graph->n_joints; i++) {
        writer->joint_restraints[i] = -1;
    }
    for (size_t i = 0; i < graph->n_restraints; i++) {
        const struct dpl_mb_restraint *restraint = &graph->restraints[i];
        if (dpl__star_joint_key(writer, (int)i)) {
            int kind = restraint->type == DPL_MB_SPRING ? 0 : 1;
            writer->joint_restraints[2 * restraint->joint + kind] = (int)i;
        }
    }
}

/* What is in the root itself is written as an assembly of its own, since files have no root. */
static void name_root(struct dpl__star_writer *writer, char *name, size_t size)
{
    const struct dpl_mb_graph *graph = writer->graph;
    bool is_needed = graph->n_joints + graph->n_gears + graph->n_restraints > 0 &&
                     (writer->in_assembly[DPL_MB_JOINT].starts[1] > 0 ||
                      writer->in_assembly[DPL_MB_GEAR].starts[1] > 0 ||
                      writer->in_assembly[DPL_MB_RESTRAINT].starts[1] > 0);
    is_needed = is_needed || writer->in_assembly[DPL_MB_BODY].starts[1] > 1;
    snprintf(name, size, "world");
    for (int i = 2; dpl_mb_find(graph, DPL_MB_ASSEMBLY, 0, name) >= 0; i++) {
        snprintf(name, size, "world_%d", i);
    }
    writer->root_name = is_needed ? name : NULL;
}

/* ---- the document ---- */

static json_t *write_assemblies(struct dpl__star_writer *writer, int parent);

static json_t *write_assembly(struct dpl__star_writer *writer, int number, const char *name)
{
    const struct dpl_mb_assembly *assembly = &writer->graph->assemblies[number];
    const struct dpl__star_said *said = dpl__star_said(writer->source, DPL_MB_ASSEMBLY, number);
    json_t *source = said ? said->json : NULL, *object = dpl__star_new_thing(writer, name);
    dpl__star_put_active(writer, object, assembly->is_active, source);
    dpl__star_put_list(writer, object, "bodies", dpl__star_write_bodies(writer, number));
    dpl__star_put_list(writer, object, "joints", dpl__star_write_joints(writer, number));
    dpl__star_put_list(writer, object, "gears", dpl__star_write_gears(writer, number));
    dpl__star_put_list(writer, object, "restraints", dpl__star_write_restraints(writer, number));
    dpl__star_put_list(writer, object, "devices", dpl__star_write_devices(writer, number));
    dpl__star_put_kept(writer, object, source, dpl__star_assembly_keys);
    if (number > 0) {
        dpl__star_put_list(writer, object, writer->is_c ? "assemblies" : "assembly",
                           write_assemblies(writer, number));
    }
    return object;
}

static json_t *write_assemblies(struct dpl__star_writer *writer, int parent)
{
    const struct dpl__star_groups *groups = &writer->in_assembly[DPL_MB_ASSEMBLY];
    json_t *list = dpl__star_new_list(writer);
    for (size_t i = groups->starts[parent]; i < groups->starts[parent + 1]; i++) {
        int number = groups->numbers[i];
        const struct dpl_mb_assembly *assembly = &writer->graph->assemblies[number];
        if (!assembly->is_removed) {
            dpl__star_put_thing(writer, list, assembly->name,
                                write_assembly(writer, number, assembly->name));
        }
    }
    return list;
}

static void put_fixed(struct dpl__star_writer *writer, json_t *root)
{
    json_t *source = json_object_get(writer->source->root, "fixed");
    json_t *fixed = json_object(), *into = writer->is_c ? root : fixed;
    dpl__star_put_list(writer, into, "frames", dpl__star_write_frames(writer, 0));
    dpl__star_put_list(writer, into, "lights", dpl__star_write_lights(writer));
    dpl__star_put_kept(writer, fixed, source, dpl__star_fixed_keys);
    dpl__star_put_list(writer, root, "fixed", fixed);
}

static json_t *write_root(struct dpl__star_writer *writer)
{
    json_t *root = json_object();
    dpl__star_put(writer, root, "model_parameters", dpl__star_write_parameters(writer));
    put_fixed(writer, root);
    dpl__star_put_kept(writer, root, writer->source->root, dpl__star_root_keys);
    json_t *assemblies = write_assemblies(writer, 0);
    if (writer->root_name) {
        dpl__star_put_thing(writer, assemblies, writer->root_name,
                            write_assembly(writer, 0, writer->root_name));
    }
    dpl__star_put(writer, root, writer->is_c ? "assemblies" : "assembly", assemblies);
    return root;
}

int dpl_star_write_text(const struct dpl_star_world *world, enum dpl_star_dialect dialect,
                        char **ret_text, size_t *ret_n)
{
    if (dialect != DPL_STAR_A && dialect != DPL_STAR_C) {
        return -EINVAL;
    }
    char root_name[DPL_MB_NAME_MAX + 1];
    struct dpl__star_writer writer = {.world = world,
                                      .graph = world->graph,
                                      .source = world->source,
                                      .units = &world->units,
                                      .is_c = dialect == DPL_STAR_C};
    group_all(&writer);
    find_joint_restraints(&writer);
    json_t *root = NULL;
    int err = -ENOMEM;
    if (!writer.is_out_of_memory) {
        writer.keeps_axes = can_keep_axes(&writer);
        name_root(&writer, root_name, sizeof root_name);
        root = write_root(&writer);
    }
    if (!writer.is_out_of_memory) {
        err = dpl__star_dump(root, ret_text, ret_n);
    }
    json_decref(root);
    finish(&writer);
    return err;
}

int dpl_star_write(const struct dpl_star_world *world, enum dpl_star_dialect dialect,
                   const char *path, struct dpl_diag *reterr)
{
    const struct dpl_place nowhere = {.file = path};
    char *text;
    size_t n;
    int err = dpl_star_write_text(world, dialect, &text, &n);
    if (err) {
        return dpl_fail(reterr, err, nowhere, "%s",
                        err == -EINVAL ? "this dialect is not written" : "out of memory");
    }
    struct dpl_output output = {0};
    err = dpl_output_open(&output, path, reterr);
    if (!err) {
        fwrite(text, 1, n, output.stream);
        err = dpl_output_close(&output, reterr);
    }
    free(text);
    return err;
}
