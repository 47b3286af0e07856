/* SPDX-License-Identifier: Apache-2.0 */
/* A mechanism in words, for `doppel check`: dpl_sim_describe_objects. */
#include <doppel/sim/objects.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <doppel/sim/entry.h>
#include <doppel/sim/import.h>
#include <doppel/sim/load.h>
#include <doppel/sim/modbus.h>

#include "arena.h"
#include "closure.h"
#include "formats.h"
#include "mechanism_robot.h"
#include "object_xml.h"

enum { ROWS_MAX = 40 }; /* of each kind; more are counted */

static const char *plural(size_t n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}

static void write_sums(FILE *stream, const struct dpl_sim_objects *objects)
{
    const struct dpl_sim_mechanism *mechanism = &objects->mechanism;
    size_t n_moving = 0;
    double mass = 0.0;
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        n_moving += !mechanism->bodies[i].is_static;
        mass += mechanism->bodies[i].mass.mass;
    }
    fprintf(stream, "%s%s%zu %s (%zu %s, %g kg in all), %zu %s, %zu %s%s\n", objects->name,
            objects->name[0] != '\0' ? ": " : "", mechanism->n_bodies,
            plural(mechanism->n_bodies, "body", "bodies"), n_moving,
            plural(n_moving, "moves", "move"), mass, mechanism->n_joints,
            plural(mechanism->n_joints, "joint", "joints"), mechanism->n_materials,
            plural(mechanism->n_materials, "material", "materials"),
            objects->default_materials ? " (the file has none: defaults)" : "");
}

static void write_body(FILE *stream, const struct dpl_sim_body *body)
{
    const struct dpl_vector3 *centre = &body->mass.centre;
    double moments[3];
    struct dpl_quaternion axes;
    fprintf(stream, "  body %s: ", body->name);
    if (body->is_static) {
        fprintf(stream, "static");
    } else {
        dpl_inertia_principal(body->mass.inertia, moments, &axes);
        fprintf(stream, "%g kg, centre of mass %g %g %g m, principal moments %.6g %.6g %.6g kg m^2",
                body->mass.mass, centre->x, centre->y, centre->z, moments[0], moments[1],
                moments[2]);
    }
    for (size_t i = 0; i < body->n_solids; i++) {
        const struct dpl_sim_solid *solid = &body->solids[i];
        fprintf(stream, "%s%s of material %zu", i == 0 ? "; " : ", ",
                dpl_sim_solid_words[solid->kind], solid->material);
        if (i == 3 && body->n_solids > 5) {
            fprintf(stream, " and %zu more", body->n_solids - 4);
            break;
        }
    }
    fputc('\n', stream);
}

static void write_joint(FILE *stream, const struct dpl_sim_objects *objects, size_t number,
                        int repeated)
{
    const struct dpl_sim_joint *joint = &objects->mechanism.joints[number];
    const struct dpl_sim_body *bodies = objects->mechanism.bodies;
    double rate = dpl_mechanism_spring_rate(&objects->mechanism, number, 0.0);
    fprintf(stream, "  joint %s: %s from %s to %s", joint->name, dpl_sim_joint_words[joint->type],
            joint->parent < 0 ? "world" : bodies[joint->parent].name,
            joint->child < 0 ? "world" : bodies[joint->child].name);
    if (rate > 0.0) {
        fprintf(stream, ", springs w dt %.3g with steps of %g ms%s", rate * objects->step_s,
                objects->step_s * 1e3,
                dpl_mechanism_is_condensed(&objects->mechanism, number, objects->step_s)
                    ? ", solved with the step"
                    : "");
    }
    if (repeated > 0) {
        fprintf(stream, ", %d of its constraints %s others", repeated,
                repeated == 1 ? "repeats" : "repeat");
    }
    fputc('\n', stream);
}

static void write_joints(FILE *stream, const struct dpl_sim_objects *objects)
{
    const struct dpl_sim_mechanism *mechanism = &objects->mechanism;
    struct dpl_arena scratch = {0};
    int *repeated = dpl_arena_alloc(&scratch, (mechanism->n_joints + 1) * sizeof *repeated);
    dpl__closure_repeated(mechanism, &scratch, repeated);
    for (size_t i = 0; i < mechanism->n_joints && i < ROWS_MAX; i++) {
        write_joint(stream, objects, i, repeated[i]);
    }
    dpl_arena_finish(&scratch);
}

static void write_entry(FILE *stream, const struct dpl_sim_objects *objects, size_t number)
{
    const struct dpl_sim_mechanism *mechanism = &objects->mechanism;
    const struct dpl_sim_entry *entry = &objects->entries[number];
    static const char *const words[] = {"motor", "sensor", "signal"};
    const char *what = words[entry->class_->phase];
    fprintf(stream, "  %s %s: %s", what, entry->name, entry->class_->type);
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        int slot = dpl_mechanism_slot(mechanism, i);
        int end = slot + dpl_sim_joint_freedoms(mechanism->joints[i].type);
        if (!entry->class_->is_at_whole_joint && slot >= 0 && entry->joint >= slot &&
            entry->joint < end) {
            fprintf(stream, " at joint %s", mechanism->joints[i].name);
        }
    }
    if (entry->class_->is_at_whole_joint) {
        fprintf(stream, " at joint %s", mechanism->joints[entry->whole_joint].name);
    } else if (entry->joint < 0 && entry->class_->phase != DPL_SIM_SIGNAL) {
        fprintf(stream, " at body %s", mechanism->bodies[entry->body].name);
    }
    fputc('\n', stream);
}

static void write_rest(FILE *stream, size_t n, const char *what)
{
    if (n > ROWS_MAX) {
        fprintf(stream, "  and %zu more %s\n", n - ROWS_MAX, what);
    }
}

const char *dpl_sim_describe_objects(struct dpl_arena *arena, const struct dpl_sim_objects *objects)
{
    const struct dpl_sim_mechanism *mechanism = &objects->mechanism;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream) {
        return "";
    }
    write_sums(stream, objects);
    for (size_t i = 0; i < mechanism->n_bodies && i < ROWS_MAX; i++) {
        write_body(stream, &mechanism->bodies[i]);
    }
    write_rest(stream, mechanism->n_bodies, "bodies");
    write_joints(stream, objects);
    write_rest(stream, mechanism->n_joints, "joints");
    for (size_t i = 0; i < objects->n_entries && i < ROWS_MAX; i++) {
        write_entry(stream, objects, i);
    }
    write_rest(stream, objects->n_entries, "motors, sensors and signals");
    for (size_t i = 0; i < objects->n_modbus; i++) {
        const struct dpl_sim_modbus *unit = &objects->modbus[i];
        fprintf(stream, "  modbus %s: unit %d, %zu %s\n", unit->name, unit->unit, unit->n_maps,
                plural(unit->n_maps, "map", "maps"));
    }
    if (objects->notes) {
        fputs(objects->notes, stream);
    }
    if (fclose(stream) != 0) {
        free(text);
        return "";
    }
    const char *kept = dpl_arena_strdup(arena, text);
    free(text);
    return kept;
}

/* ---- the formats ---- */

static bool is_objects(const char *file, const char *root, const struct dpl_xml_node *node)
{
    (void)file, (void)root;
    return node && dpl_sim_is_objects(node);
}

static int check_objects(struct dpl_arena *arena, const char *file,
                         const struct dpl_sim_load_options *options, struct dpl_diags *diags,
                         const char **ret_about)
{
    struct dpl_sim_objects objects;
    int err = dpl_sim_read_objects(arena, file, options, &objects, diags);
    *ret_about = err ? NULL : dpl_sim_describe_objects(arena, &objects);
    return err;
}

static struct dpl_element_root object_root(struct dpl_arena *arena,
                                           const struct dpl__classes *classes)
{
    (void)arena, (void)classes;
    return dpl__object_root;
}

const struct dpl_format dpl__mechanism_format = {.name = "mechanism",
                                                 .is_mine = is_objects,
                                                 .check = check_objects,
                                                 .schema = dpl__mechanism_root};
const struct dpl_format dpl__object_format = {
    .name = "RigidObject", .is_mine = is_objects, .check = check_objects, .schema = object_root};

int dpl__format_check(const struct dpl_format *format, struct dpl_arena *arena, const char *file,
                      struct dpl_diags *diags, const char **ret_about)
{
    struct dpl_element_reader reader = {.arena = arena, .diags = diags};
    struct dpl_sim_objects objects;
    void *settings = dpl__settings_make(arena, &format->settings);
    const struct dpl_format_file given = {dpl_arena_strdup(arena, file), settings};
    dpl_fields_set_defaults(format->settings.fields, format->settings.n, settings);
    if (!dpl__format_read(&reader, format, &given, 1e-3, arena, &objects)) {
        return -EINVAL;
    }
    *ret_about = dpl_sim_describe_objects(arena, &objects);
    return 0;
}
