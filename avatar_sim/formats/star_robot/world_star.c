/* SPDX-License-Identifier: Apache-2.0 */
/* A world's <robot> whose file is in STAR's format, and such a file as a whole world. */
#include <errno.h>
#include <string.h>

#include <doppel/sim/multibody_world.h>

#include "formats.h"
#include "multibody_state.h"
#include "star_robot.h"
#include "world_xml.h"

struct star_spec {
    char name[DPL_SIM_NAME_SIZE], star[256];
    struct dpl_pose2 start;
    double z, relative, absolute, repartition;
    int integrator, correction, singular;
    bool is_root;
};

/* The choices are in the order of enum dpl_mb_integrator and dpl_mb_correction, after "file". */
static const struct dpl_field star_fields[] = {
    DPL_TEXT(struct star_spec, name, "name", NULL, "name of the robot"),
    DPL_TEXT(struct star_spec, star, "star", NULL, "file in STAR's format"),
    DPL_NUMBER(struct star_spec, start.x, "x", "m", "0", -10000.0, 10000.0, "of its frame"),
    DPL_NUMBER(struct star_spec, start.y, "y", "m", "0", -10000.0, 10000.0, "of its frame"),
    DPL_NUMBER(struct star_spec, z, "z", "m", "0", -10000.0, 10000.0, "of its frame"),
    DPL_NUMBER(struct star_spec, start.theta, "yaw", "rad", "0", -10.0, 10.0, "of its frame"),
    DPL_CHOICE(struct star_spec, integrator, "integrator", "file",
               "file|semi_implicit|rk4|dopri5|gragg", "how it moves; file: as it says, else rk4"),
    DPL_CHOICE(struct star_spec, correction, "correction", "file", "file|projected|lagged",
               "when loops are closed again: in the step, or with the next one"),
    DPL_NUMBER(struct star_spec, relative, "relative", NULL, "0", 0.0, 0.1,
               "tolerance of integrators with steps of their own; 0: as the file says, else 1e-8"),
    DPL_NUMBER(struct star_spec, absolute, "absolute", NULL, "0", 0.0, 0.1, "the same"),
    DPL_NUMBER(struct star_spec, repartition, "repartition", NULL, "0", 0.0, 10.0,
               "a loop chooses its coordinates anew when the others move so many times as much"),
    DPL_CHOICE(struct star_spec, singular, "singular", "stop", "stop|damp",
               "what a loop in a singular pose does"),
    DPL_BOOL(struct star_spec, is_root, "root", "false",
             "names of channels do not begin with its name"),
};

static const struct dpl_element_table star_table = DPL_ELEMENT_TABLE(star_fields);

static void settle(const struct star_spec *spec, struct dpl_mb_settings *inout)
{
    if (spec->integrator > 0) {
        inout->integrator = (enum dpl_mb_integrator)(spec->integrator - 1);
    }
    if (spec->correction > 0) {
        inout->correction = (enum dpl_mb_correction)(spec->correction - 1);
    }
    inout->relative = spec->relative > 0.0 ? spec->relative : inout->relative;
    inout->absolute = spec->absolute > 0.0 ? spec->absolute : inout->absolute;
    inout->repartition = spec->repartition > 0.0 ? spec->repartition : inout->repartition;
    inout->damps_singular |= spec->singular == 1;
}

/* Worlds in XML that the file names: beside it, or where worlds are. */
static void include_worlds(struct dpl_element_reader *reader, const struct dpl_star_world *star,
                           const char *path)
{
    struct dpl__world_target *target = reader->target;
    const char *outer = target->file;
    target->file = path;
    for (size_t i = 0; i < star->n_include_worlds; i++) {
        const struct dpl_star_include *one = &star->include_worlds[i];
        const struct dpl_place place = {path, one->line, one->column};
        if (strpbrk(one->file, "<>&\"{}")) {
            dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, place,
                          "include_worlds: '%s' is no name of a file: without <>&\"{}", one->file);
            continue;
        }
        const char *text = dpl_arena_printf(reader->arena, "<include file=\"%s\"/>", one->file);
        const struct dpl_xml_node *include = dpl__root_of_text(reader, path, text, strlen(text));
        if (include) {
            struct dpl_xml_node placed = *include;
            placed.place = place;
            dpl__world_include(reader, &placed);
        }
    }
    target->file = outer;
}

/* Nothing that was not read is passed over: without memory there is no diagnostic. */
static bool read_file(struct dpl_element_reader *reader, const char *path,
                      struct dpl_star_world **ret_star)
{
    size_t errors = reader->diags->n_errors;
    int err = dpl_star_read(path, NULL, ret_star, reader->diags);
    if (err && reader->diags->n_errors == errors) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, (struct dpl_place){.file = path},
                      "cannot be read: %s", strerror(-err));
    }
    return err == 0;
}

/* The step of the file, if it says one. */
static bool take_step(struct dpl_element_reader *reader, const char *path, double step_s,
                      struct dpl_sim_model *model)
{
    if (step_s == 0.0) {
        return true;
    }
    if (step_s < 1e-5 || step_s > 0.1) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, (struct dpl_place){.file = path},
                      "time_step: %g s is not a step of a world, expected 1e-05 to 0.1 s", step_s);
        return false;
    }
    model->step = dpl_ns_from_s(step_s);
    return true;
}

static void read_robot(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__world_target *target = reader->target;
    struct dpl_sim_model *model = target->model;
    struct star_spec spec = {0};
    struct dpl_multibody_part *part = NULL;
    struct dpl_star_world *star = NULL;
    struct dpl_diag diag;
    if (!dpl_element_fields(reader, node, star_fields, DPL_COUNT(star_fields), &spec)) {
        return;
    }
    /* A file that is the world itself has this element in `world`. */
    const char *path = spec.star[0] ? dpl__world_find(reader, node, spec.star) : target->file;
    if (!path || !read_file(reader, path, &star)) {
        return;
    }
    if (dpl__multibody_part_make(model, star, path, &part, &diag)) {
        dpl_element_error(reader, node, &diag);
        return;
    }
    dpl__multibody_say(part, DPL_SEVERITY_WARNING, path, reader->diags);
    dpl__multibody_say(part, DPL_SEVERITY_ERROR, path, reader->diags);
    settle(&spec, &part->settings);
    part->z = spec.z;
    part->is_root = spec.is_root;
    if (spec.is_root && !take_step(reader, path, star->settings.time_step, model)) {
        return;
    }
    struct dpl_sim_robot robot = {.subsystem = &dpl_multibody_subsystem,
                                  .part = part,
                                  .entries = part->entries,
                                  .n_entries = part->n_entries};
    struct dpl__robot_spec named = {.start = spec.start};
    memcpy(named.name, spec.name, sizeof named.name);
    dpl__world_add_robot(reader, node, &named, &robot);
    include_worlds(reader, star, path);
}

/* ---- a file as a world ---- */

static bool is_star(const char *file, const char *root, const struct dpl_xml_node *node)
{
    size_t n = strlen(file);
    (void)root, (void)node;
    return n > 5 && strcmp(file + n - 5, ".json") == 0;
}

const struct dpl_format dpl__star_format = {
    .name = "star",
    .is_mine = is_star,
    .attribute = "star",
    .summary = "in place of model: a file in STAR's format",
    .check = dpl__world_check,
    .read_robot = read_robot,
    .table = &star_table,
    .world = "<world name=\"star\"><robot name=\"multibody\" star=\"\" root=\"true\"/></world>",
};

/* ---- a world as a file ---- */

int dpl_world_save_star(const struct dpl_world *world, int robot, const char *file,
                        struct dpl_diag *reterr)
{
    const struct dpl_multibody_robot *found = dpl__multibody_robot(world, robot);
    struct dpl_mb_graph *graph = NULL;
    if (!found) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "robot %d is not in STAR's format",
                        robot);
    }
    if (dpl_mb_graph_copy(found->graph, NULL, &graph) != 0) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    struct dpl_star_world now = *found->part->star; /* the same file with another graph */
    now.graph = graph;
    dpl_mb_store(found->system, graph);
    int err =
        dpl_star_write(&now, now.dialect == DPL_STAR_C ? DPL_STAR_C : DPL_STAR_A, file, reterr);
    dpl_mb_graph_destroy(graph);
    return err;
}
