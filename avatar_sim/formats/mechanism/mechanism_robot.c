/* SPDX-License-Identifier: Apache-2.0 */
/* A mechanism as a robot of a world: see mechanism_robot.h. */
#include "mechanism_robot.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "bullet_state.h"
#include "import.h"
#include "object_xml.h"

static void check_parts(const struct dpl_sim_mechanism *mechanism,
                        void (*report)(void *user, const struct dpl_mechanism_finding *finding),
                        void *user)
{
    dpl__bullet_check_parts(mechanism, DPL_SEVERITY_ERROR, report, user);
}

struct first {
    bool found;
    struct dpl_diag *diag;
};

static void keep_first(void *user, const struct dpl_mechanism_finding *finding)
{
    static const struct dpl_place nowhere;
    struct first *first = user;
    if (!first->found) {
        first->found = true;
        dpl_fail(first->diag, -EINVAL, nowhere, "%s", finding->text);
    }
}

static struct dpl_sim_robot robot_of(struct dpl_sim_objects *objects)
{
    return (struct dpl_sim_robot){
        .subsystem = &dpl_bullet_subsystem,
        .part = &objects->mechanism,
        .entries = objects->entries,
        .n_entries = objects->n_entries,
        .modbus = objects->modbus,
        .n_modbus = objects->n_modbus,
    };
}

int dpl_sim_model_add_objects(struct dpl_sim_model *model, const char *name, struct dpl_pose2 start,
                              struct dpl_sim_objects *objects, struct dpl_diag *reterr)
{
    struct first first = {.diag = reterr};
    check_parts(&objects->mechanism, keep_first, &first);
    if (first.found) {
        return -EINVAL;
    }
    struct dpl_sim_robot robot = robot_of(objects);
    robot.start = start;
    snprintf(robot.name, sizeof robot.name, "%s", name);
    return dpl_sim_model_add_robot(model, &robot, reterr);
}

/* Messages outlive a model that is not made: their files are to be the reader's. */
static void keep_files(struct dpl_element_reader *reader, size_t first)
{
    for (size_t i = first; i < reader->diags->n; i++) {
        struct dpl_place *place = &reader->diags->items[i].place;
        if (place->file) {
            place->file = dpl_arena_printf(reader->arena, "%s", place->file);
        }
    }
}

bool dpl__mechanism_robot_read(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                               const char *file, const struct dpl__classes *classes,
                               struct dpl_sim_model *model, struct dpl_sim_robot *ret_robot)
{
    const struct dpl__objects_how how = {
        .file = file,
        .classes = classes,
        .step_s = dpl_ns_to_s(model->step),
        .check = check_parts,
    };
    struct dpl_sim_objects *objects = dpl_arena_alloc(model->memory, sizeof *objects);
    struct dpl_arena *outer = reader->arena;
    size_t first = reader->diags->n;
    reader->arena = model->memory; /* what is made is the model's */
    bool good = dpl__objects_read(reader, root, &how, objects);
    reader->arena = outer;
    keep_files(reader, first);
    if (good) {
        *ret_robot = robot_of(objects);
    }
    return good;
}

struct whole_file {
    struct dpl_element_reader *reader;
    const char *path;
};

static void report_of_file(void *user, const struct dpl_mechanism_finding *finding)
{
    const struct whole_file *whole = user;
    dpl_diags_add(whole->reader->diags, finding->severity, (struct dpl_place){.file = whole->path},
                  "%s", finding->text);
}

bool dpl__format_read(struct dpl_element_reader *reader, const struct dpl_format *format,
                      const struct dpl_format_file *file, double step_s, struct dpl_arena *memory,
                      struct dpl_sim_objects *ret_objects)
{
    size_t errors = reader->diags->n_errors;
    struct whole_file whole = {reader, file->path};
    *ret_objects = (struct dpl_sim_objects){.mechanism.memory = memory, .step_s = step_s};
    int err = format->read(file, ret_objects, reader->diags);
    if (err != 0 && reader->diags->n_errors == errors) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, (struct dpl_place){.file = file->path},
                      "cannot be read: %s",
                      err < 0 && err != -EINVAL ? strerror(-err) : "its format gives no reason");
    }
    if (reader->diags->n_errors == errors) {
        dpl_mechanism_check(&ret_objects->mechanism, step_s, report_of_file, &whole);
        check_parts(&ret_objects->mechanism, report_of_file, &whole);
    }
    return reader->diags->n_errors == errors;
}

bool dpl__format_robot_read(struct dpl_element_reader *reader, const struct dpl_format *format,
                            const struct dpl_format_file *file, struct dpl_sim_model *model,
                            struct dpl_sim_robot *ret_robot)
{
    struct dpl_sim_objects *objects = dpl_arena_alloc(model->memory, sizeof *objects);
    bool good =
        dpl__format_read(reader, format, file, dpl_ns_to_s(model->step), model->memory, objects);
    *ret_robot = robot_of(objects);
    return good;
}

bool dpl__import_robot_read(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                            const char *file, const struct dpl__classes *classes,
                            const struct dpl_sim_import_options *options,
                            struct dpl_sim_model *model, struct dpl_sim_robot *ret_robot)
{
    const struct dpl__import_how how = {
        .file = file,
        .options = options,
        .classes = classes,
        .step_s = dpl_ns_to_s(model->step),
        .check = check_parts,
    };
    struct dpl_sim_objects *objects = dpl_arena_alloc(model->memory, sizeof *objects);
    struct dpl_arena *outer = reader->arena;
    size_t first = reader->diags->n;
    reader->arena = model->memory;
    bool good = dpl__import_read(reader, root, &how, objects);
    reader->arena = outer;
    keep_files(reader, first);
    if (good) {
        *ret_robot = robot_of(objects);
    }
    return good;
}
