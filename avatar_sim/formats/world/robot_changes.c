/* SPDX-License-Identifier: Apache-2.0 */
/* The changes that a world's <robot> makes to the robot that its model describes. */
#include <string.h>

#include "arena.h"
#include "robot_xml.h"
#include "sets.h"

static bool has(const struct dpl_sim_settings *settings, const char *name)
{
    return dpl_field_find(settings->fields, settings->n, name) != NULL;
}

static bool is_of_use(const struct dpl_sim_robot *robot, const char *name)
{
    bool found = has(&dpl__robot_settings, name) || has(&robot->subsystem->changes, name);
    for (size_t i = 0; i < robot->n_entries && !found; i++) {
        found = has(&robot->entries[i].class_->changes, name);
    }
    return found;
}

static void warn_idle(struct dpl_element_reader *reader, const struct dpl_xml_attribute *attribute,
                      const struct dpl__classes *classes, const struct dpl_sim_robot *robot)
{
    enum dpl_severity severity =
        dpl__sets_gave(reader, attribute) ? DPL_SEVERITY_ERROR : DPL_SEVERITY_WARNING;
    const struct dpl_subsystem_class *const *all = classes->subsystems.items;
    for (size_t i = 0; i < classes->subsystems.n; i++) {
        const struct dpl_sim_settings *changes = &all[i]->changes;
        const struct dpl_field *field =
            dpl_field_find(changes->fields, changes->n, attribute->name);
        if (field) {
            dpl_diags_add(reader->diags, severity, attribute->place,
                          "'%s' is for %ss, this robot is a %s: ignored", field->name, all[i]->noun,
                          robot->subsystem->noun);
            return;
        }
    }
    const struct dpl_sim_entry_class *const *entries = classes->entries.items;
    for (size_t i = 0; i < classes->entries.n; i++) {
        if (has(&entries[i]->changes, attribute->name)) {
            dpl_diags_add(reader->diags, severity, attribute->place,
                          "'%s' is for robots with a %s, this one has none: ignored",
                          attribute->name, entries[i]->name);
            return;
        }
    }
}

void dpl__robot_change(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                       const struct dpl__classes *classes, struct dpl_sim_robot *robot)
{
    for (size_t i = 0; i < node->n_attributes; i++) {
        if (!is_of_use(robot, node->attributes[i].name)) {
            warn_idle(reader, &node->attributes[i], classes, robot);
        }
    }
    const struct dpl_sim_settings *table = &robot->subsystem->changes;
    void *values = dpl__settings_make(reader->arena, table);
    dpl__element_values(node, table, values);
    if (robot->subsystem->change) {
        robot->subsystem->change(robot, values);
    }
    for (size_t i = 0; i < robot->n_entries; i++) {
        const struct dpl_sim_entry *entry = &robot->entries[i];
        if (entry->class_->change) {
            values = dpl__settings_make(reader->arena, &entry->class_->changes);
            dpl__element_values(node, &entry->class_->changes, values);
            entry->class_->change(entry->settings, values);
        }
    }
}
