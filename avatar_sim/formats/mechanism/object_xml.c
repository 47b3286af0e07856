/* SPDX-License-Identifier: Apache-2.0 */
/* The roots of files with mechanisms, and the order in which their parts are read: see
 * object_xml.h. */
#include "object_xml.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <doppel/sim/load.h>
#include <doppel/sim/modbus.h>

#include "entry_xml.h"
#include "modbus_xml.h"
#include "params.h"
#include "shape_files.h"

void dpl__node_keep(struct dpl_element_reader *reader, struct dpl__list *list,
                    const struct dpl_xml_node *node)
{
    *(const struct dpl_xml_node **)dpl__list_add(reader->arena, list, sizeof node) = node;
}

static void keep_material(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    dpl__node_keep(reader, &((struct dpl__mechanism_target *)reader->target)->materials, node);
}

static void keep_object(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    dpl__node_keep(reader, &((struct dpl__mechanism_target *)reader->target)->bodies, node);
}

static void keep_joint(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    dpl__node_keep(reader, &((struct dpl__mechanism_target *)reader->target)->joints, node);
}

static void keep_entry(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    dpl__node_keep(reader, &((struct dpl__mechanism_target *)reader->target)->entries, node);
}

static void keep_unit(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    dpl__node_keep(reader, &((struct dpl__mechanism_target *)reader->target)->units, node);
}

struct root_spec {
    char name[DPL_SIM_NAME_SIZE];
    int extents; /* 1: half */
    double step_ms;
    bool allow_mass_ratio;
};

static const struct dpl_field root_fields[] = {
    DPL_TEXT(struct root_spec, name, "name", "", "name of the mechanism"),
    DPL_CHOICE(struct root_spec, extents, "extents", "full", "full|half",
               "whether the edges of boxes are full or half edges"),
    DPL_NUMBER(struct root_spec, step_ms, "step_ms", "ms", "1", 0.01, 100.0,
               "step of the solver for which the mechanism is checked"),
    DPL_BOOL(struct root_spec, allow_mass_ratio, "allow_mass_ratio", "false",
             "a mass ratio that no contact carries is a warning, not an error"),
};

static const struct dpl_element_kind root_kinds[] = {
    {"Material", keep_material, DPL_MECHANISM_MATERIALS_MAX, &dpl__material_table,
     "what shapes are made of; the first has the number 0"},
    {"RigidObject", keep_object, DPL_MECHANISM_BODIES_MAX, &dpl__object_root.table, "a body"},
    {"Joint", keep_joint, DPL_MECHANISM_JOINTS_MAX, &dpl__joint_table, "between two bodies"},
    {"Modbus", keep_unit, DPL_MODBUS_UNITS_MAX, &dpl__modbus_table,
     "a Modbus unit: addresses that stand for channels"},
};

static const char mechanism_name[] = "mechanism";

struct dpl_element_root dpl__mechanism_root(struct dpl_arena *arena,
                                            const struct dpl__classes *classes)
{
    struct dpl_element_table *tables = dpl_arena_alloc(arena, 3 * sizeof *tables);
    struct dpl__list kinds = {0};
    tables[0] = dpl__entry_table(arena, classes, DPL_SIM_ACTUATOR);
    tables[1] = dpl__entry_table(arena, classes, DPL_SIM_SENSOR);
    tables[2] = dpl__entry_table(arena, classes, DPL_SIM_SIGNAL);
    const struct dpl_element_kind entries[] = {
        {"Motor", keep_entry, DPL_MECHANISM_ENTRIES_MAX, &tables[0], "drives or holds a joint"},
        {"Sensor", keep_entry, DPL_MECHANISM_ENTRIES_MAX, &tables[1], "measures a joint or a body"},
        {"Signal", keep_entry, DPL_MECHANISM_ENTRIES_MAX, &tables[2], "works on channels"},
    };
    dpl__element_add_kinds(arena, &kinds, root_kinds, DPL_COUNT(root_kinds));
    dpl__element_add_kinds(arena, &kinds, entries, DPL_COUNT(entries));
    return (struct dpl_element_root){
        .name = mechanism_name,
        .table = {root_fields, DPL_COUNT(root_fields), kinds.items, kinds.n},
        .summary = "bodies, the joints between them, motors, sensors and signals",
        .takes_float = true,
    };
}

bool dpl_sim_is_objects(const struct dpl_xml_node *root)
{
    return strcmp(root->name, mechanism_name) == 0 ||
           strcmp(root->name, dpl__object_root.name) == 0 ||
           dpl_xml_child(root, dpl__object_root.name);
}

/* Reads what was kept, unless there were errors before: they would cause others. */
static void read_kept(struct dpl_element_reader *reader, const struct dpl__list *list,
                      void (*read)(struct dpl_element_reader *, const struct dpl_xml_node *),
                      size_t errors)
{
    const struct dpl_xml_node *const *nodes = list->items;
    bool is_good = reader->diags->n_errors == errors;
    for (size_t i = 0; i < list->n && is_good; i++) {
        dpl__element_read(reader, nodes[i], read);
    }
}

struct places {
    struct dpl_element_reader *reader;
    const struct dpl__mechanism_target *target;
};

static void report(void *user, const struct dpl_mechanism_finding *finding)
{
    const struct places *places = user;
    bool is_body = finding->body >= 0;
    const struct dpl_xml_node *const *nodes =
        is_body ? places->target->body_nodes.items : places->target->joint_nodes.items;
    const struct dpl_xml_node *node = nodes[is_body ? finding->body : finding->joint];
    size_t first = places->reader->diags->n;
    dpl_diags_add(places->reader->diags, finding->severity, node->place, "%s", finding->text);
    dpl_xml_say_within(node, places->reader->diags, first);
}

static void read_root(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                      struct root_spec *ret_spec)
{
    const struct dpl__mechanism_target *target = reader->target;
    if (strcmp(root->name, dpl__object_root.name) == 0) {
        dpl_fields_set_defaults(root_fields, DPL_COUNT(root_fields), ret_spec);
        keep_object(reader, root);
        return;
    }
    struct dpl_element_root mechanism = dpl__mechanism_root(reader->arena, target->classes);
    dpl_element_fields(reader, root, root_fields, DPL_COUNT(root_fields), ret_spec);
    dpl__element_children(reader, root, &mechanism.table);
}

static void read_parts(struct dpl_element_reader *reader, struct dpl__mechanism_target *target)
{
    size_t errors = reader->diags->n_errors;
    target->default_materials = target->materials.n == 0;
    read_kept(reader, &target->materials, dpl__material_read, errors);
    read_kept(reader, &target->bodies, dpl__body_read, errors);
    read_kept(reader, &target->joints, dpl__joint_read, errors);
    read_kept(reader, &target->entries, dpl__entry_read, errors);
    if (reader->diags->n_errors == errors) {
        dpl__entries_check_channels(reader);
    }
    read_kept(reader, &target->units, dpl__modbus_read, errors);
}

/* Reads all into `target`, and finds what is wrong with it. */
static void read_and_check(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                           const struct dpl__objects_how *how, struct dpl__mechanism_target *target,
                           struct dpl_sim_objects *inout)
{
    size_t errors = reader->diags->n_errors;
    struct root_spec spec = {0};
    read_root(reader, root, &spec);
    target->half_extents = spec.extents == 1;
    if (reader->diags->n_errors == errors) {
        read_parts(reader, target);
    }
    snprintf(inout->name, sizeof inout->name, "%s", spec.name);
    inout->step_s = how->step_s > 0.0 ? how->step_s : spec.step_ms * 1e-3;
    inout->mechanism.allows_mass_ratios = spec.allow_mass_ratio;
    if (reader->diags->n_errors > errors) {
        return;
    }
    struct places places = {reader, target};
    dpl_mechanism_check(&inout->mechanism, inout->step_s, report, &places);
    if (how->check) {
        how->check(&inout->mechanism, report, &places);
    }
}

bool dpl__objects_read(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                       const struct dpl__objects_how *how, struct dpl_sim_objects *ret_objects)
{
    struct dpl_sim_objects objects = {.mechanism.memory = reader->arena};
    struct dpl__mechanism_target target = {
        .mechanism = &objects.mechanism, .file = how->file, .classes = how->classes};
    size_t errors = reader->diags->n_errors;
    void *outer = reader->target;
    bool took_float = reader->takes_float;
    reader->target = &target;
    reader->takes_float = true;
    read_and_check(reader, root, how, &target, &objects);
    reader->target = outer;
    reader->takes_float = took_float;
    objects.entries = target.made.items;
    objects.n_entries = target.made.n;
    objects.modbus = target.modbus.items;
    objects.n_modbus = target.modbus.n;
    objects.default_materials = target.default_materials;
    objects.notes = dpl__notes_text(reader->arena, &target.notes);
    *ret_objects = objects;
    return reader->diags->n_errors == errors;
}

static int read_objects(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                        const char *file, const struct dpl_sim_load_options *options,
                        struct dpl_sim_objects *ret_objects)
{
    struct dpl_sim_objects objects;
    struct dpl__classes classes;
    const struct dpl__objects_how how = {.file = file, .classes = &classes};
    dpl__classes_make(reader->arena, options, &classes);
    root = dpl__params_expand(reader, root, options, NULL);
    if (!root || !dpl__objects_read(reader, root, &how, &objects)) {
        return -EINVAL;
    }
    *ret_objects = objects;
    return 0;
}

int dpl_sim_read_objects(struct dpl_arena *arena, const char *file,
                         const struct dpl_sim_load_options *options,
                         struct dpl_sim_objects *ret_objects, struct dpl_diags *diags)
{
    struct dpl_element_reader reader = {.arena = arena, .diags = diags};
    const struct dpl_xml_node *root = dpl__root_of_file(&reader, file);
    return root ? read_objects(&reader, root, file, options, ret_objects) : -EINVAL;
}

int dpl_sim_read_objects_text(struct dpl_arena *arena, const char *name, const void *bytes,
                              size_t n, const struct dpl_sim_load_options *options,
                              struct dpl_sim_objects *ret_objects, struct dpl_diags *diags)
{
    struct dpl_element_reader reader = {.arena = arena, .diags = diags};
    const struct dpl_xml_node *root = dpl__root_of_text(&reader, name, bytes, n);
    return root ? read_objects(&reader, root, name, options, ret_objects) : -EINVAL;
}
