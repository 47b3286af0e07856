/* SPDX-License-Identifier: Apache-2.0 */
/* <robot_model>: its elements belong to a subsystem, or add an entry each. */
#include "robot_xml.h"

#include <stdio.h>
#include <string.h>

#include <doppel/sim/mechanism.h>

#include "arena.h"
#include "class_calls.h"
#include "sets.h"

/* ---- entries ---- */

static void read_entry(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__robot_target *target = reader->target;
    const struct dpl_sim_entry_class *class = dpl__classes_entry(target->classes, node->name);
    const struct dpl_sim_settings *table = &class->settings;
    struct dpl_sim_entry entry = {.class_ = class, .joint = -1};
    entry.settings = dpl__settings_make(target->memory, table);
    if (!dpl_element_fields(reader, node, table->fields, table->n, entry.settings)) {
        return;
    }
    if (class->complete) {
        class->complete(entry.settings);
    }
    static const struct dpl_sim_mechanism no_mechanism; /* whose bodies could be named */
    struct dpl_diag diag;
    const struct dpl_field *name = dpl_field_find(table->fields, table->n, "name");
    if (name) {
        snprintf(entry.name, sizeof entry.name, "%s", (char *)entry.settings + name->offset);
    }
    if (dpl__entry_check(&entry, &no_mechanism, &diag)) {
        dpl_element_error(reader, node, &diag);
        return;
    }
    *(struct dpl_sim_entry *)dpl__list_add(target->memory, &target->entries, sizeof entry) = entry;
}

/* ---- the root ---- */

struct dpl_element_root dpl__robot_root(struct dpl_arena *arena, const struct dpl__classes *classes)
{
    struct dpl__list kinds = {0};
    const struct dpl_sim_entry_class *const *entries = classes->entries.items;
    const struct dpl_subsystem_class *const *subsystems = classes->subsystems.items;
    for (size_t i = 0; i < classes->subsystems.n; i++) {
        dpl__element_add_kinds(arena, &kinds, subsystems[i]->elements, subsystems[i]->n_elements);
    }
    for (size_t i = 0; i < classes->entries.n; i++) {
        if (entries[i]->element) {
            struct dpl_element_table *table = dpl_arena_alloc(arena, sizeof *table);
            table->fields = entries[i]->settings.fields;
            table->n = entries[i]->settings.n;
            struct dpl_element_kind kind = {entries[i]->element, read_entry, 0, table,
                                            entries[i]->summary};
            dpl__element_add_kinds(arena, &kinds, &kind, 1);
        }
    }
    return (struct dpl_element_root){
        .name = "robot_model",
        .table = {classes->robot_model.fields, classes->robot_model.n, kinds.items, kinds.n},
        .summary = "a robot",
    };
}

/* The subsystem of a model. The first element that belongs to one tells; one of another is an
 * error: NULL. */
static const struct dpl_subsystem_class *subsystem_of(struct dpl_element_reader *reader,
                                                      const struct dpl_xml_node *root,
                                                      const struct dpl__classes *classes)
{
    const struct dpl_xml_node *first = NULL;
    const struct dpl_subsystem_class *found = dpl__subsystems[0];
    for (const struct dpl_xml_node *node = root->children; node; node = node->next) {
        const struct dpl_subsystem_class *class = dpl__classes_subsystem(classes, node->name);
        dpl__classes_tell_refused(reader, classes, node->name);
        if (class && first && class != found) {
            dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                          "<%s> makes this model a %s, but <%s> at line %d makes it a %s",
                          node->name, class->noun, first->name, first->place.line, found->noun);
            return NULL;
        }
        if (class && !first) {
            first = node;
            found = class;
        }
    }
    return found;
}

/* Makes the robot of what has been read. */
static void finish(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                   const struct dpl_subsystem_class *subsystem, const char *solver)
{
    struct dpl__robot_target *target = reader->target;
    struct dpl_diag diag;
    size_t errors = reader->diags->n_errors;
    void *values = dpl__settings_make(reader->arena, &subsystem->root);
    dpl__element_values(root, &subsystem->root, values);
    target->robot->subsystem = subsystem;
    subsystem->finish(reader, root, values);
    if (dpl__classes_choose_solver(target->classes, target->robot, solver, &diag)) {
        dpl_element_error(reader, root, &diag);
        return;
    }
    const struct dpl_sim_entry *entries = target->entries.items;
    for (size_t i = 0; i < target->entries.n; i++) {
        dpl__robot_add_entry(target->memory, target->robot, &entries[i]);
    }
    if (reader->diags->n_errors == errors && dpl_sim_robot_check(target->robot, &diag)) {
        dpl_element_error(reader, root, &diag);
    }
}

bool dpl__robot_read(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                     const struct dpl__classes *classes, struct dpl_arena *memory,
                     struct dpl_sim_robot *ret_robot)
{
    size_t errors = reader->diags->n_errors;
    struct dpl_sim_robot robot = {0};
    struct dpl__robot_target target = {.robot = &robot, .memory = memory, .classes = classes};
    struct dpl_element_root kinds = dpl__robot_root(reader->arena, classes);
    if (!dpl__element_is(reader, root, kinds.name)) {
        return false;
    }
    root = dpl__sets_change(reader, root, &kinds.table, true);
    struct dpl__robot_model_spec *spec = dpl__settings_make(reader->arena, &classes->robot_model);
    dpl_element_fields(reader, root, kinds.table.fields, kinds.table.n, spec);
    snprintf(robot.name, sizeof robot.name, "%s", spec->name);
    const struct dpl_subsystem_class *subsystem = subsystem_of(reader, root, classes);
    if (!subsystem) {
        return false;
    }
    target.draft = dpl_arena_alloc(reader->arena, subsystem->draft_size + 1);
    void *outer = reader->target;
    reader->target = &target;
    reader->draft = target.draft;
    reader->draft_size = subsystem->draft_size;
    dpl__element_children(reader, root, &kinds.table);
    reader->draft = NULL;
    if (reader->diags->n_errors == errors) {
        finish(reader, root, subsystem, spec->solver);
    }
    reader->target = outer;
    if (reader->diags->n_errors > errors) {
        return false;
    }
    *ret_robot = robot;
    return true;
}
