/* SPDX-License-Identifier: Apache-2.0 */
/* Drives of joints, as far as the file says what they can: the most effort and speed. They are
 * entries of the classes that mechanisms use, with the name of their joint. */
#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "import.h"

static const struct dpl_sim_entry_class *class_of(const struct dpl__classes *classes,
                                                  const char *type)
{
    const struct dpl_sim_entry_class *const *all = classes->entries.items;
    for (size_t i = 0; i < classes->entries.n; i++) {
        if (all[i]->type && strcmp(all[i]->type, type) == 0 && all[i]->phase == DPL_SIM_ACTUATOR) {
            return all[i];
        }
    }
    return NULL;
}

/* Sets one field of settings by its name. */
static void set(const struct dpl_sim_entry_class *class, void *settings, const char *name,
                const char *value)
{
    const struct dpl_field *field = dpl_field_find(class->settings.fields, class->settings.n, name);
    struct dpl_field_text text = {.text = value};
    if (field) {
        (void)dpl_field_parse(field, &text, settings, NULL); /* in range: the reader has checked */
    }
}

static const char *number(struct dpl__import *import, double value)
{
    return dpl_arena_printf(import->reader->arena, "%.17g", value);
}

static enum dpl_sim_import_drive drive_of(const struct dpl__import *import,
                                          const struct dpl__import_joint *joint)
{
    if (import->options->drive != DPL_IMPORT_DRIVE_AUTO) {
        return import->options->drive;
    }
    return joint->type == DPL__IMPORT_CONTINUOUS ? DPL_IMPORT_DRIVE_SPEED
                                                 : DPL_IMPORT_DRIVE_POSITION;
}

static bool add(struct dpl__import *import, const struct dpl__import_joint *joint,
                struct dpl__list *inout)
{
    struct dpl_arena *arena = import->reader->arena;
    const struct dpl_sim_mechanism *mechanism = &import->objects->mechanism;
    const struct dpl_sim_joint *made = &mechanism->joints[joint->made];
    enum dpl_sim_import_drive drive = drive_of(import, joint);
    bool is_effort = drive == DPL_IMPORT_DRIVE_EFFORT;
    const struct dpl_sim_entry_class *class =
        class_of(import->classes, is_effort ? "force" : "servo");
    if (!class) {
        return dpl__import_fail(import, joint->node->place, "there is no class of drives for it");
    }
    void *settings = dpl__settings_make(arena, &class->settings);
    dpl_fields_set_defaults(class->settings.fields, class->settings.n, settings);
    if (is_effort) {
        set(class, settings, "limit", number(import, joint->effort));
    } else {
        set(class, settings, "control", drive == DPL_IMPORT_DRIVE_SPEED ? "speed" : "position");
        set(class, settings, "max_effort", number(import, joint->effort));
        set(class, settings, "max_speed", number(import, joint->velocity));
    }
    if (class->complete) {
        class->complete(settings);
    }
    struct dpl_sim_entry entry = {
        .class_ = class,
        .settings = settings,
        .body = (unsigned)(made->child >= 0 ? made->child : made->parent),
        .joint = dpl_mechanism_slot(mechanism, (size_t)joint->made),
        .turns = dpl_sim_joint_turns(made->type, 0),
        .every = 1,
    };
    snprintf(entry.name, sizeof entry.name, "%s", joint->name);
    *(struct dpl_sim_entry *)dpl__list_add(arena, inout, sizeof entry) = entry;
    return true;
}

bool dpl__import_drive(struct dpl__import *import)
{
    struct dpl__list entries = {0};
    for (size_t i = 0; i < import->joints.n; i++) {
        const struct dpl__import_joint *joint = dpl__import_joint(import, (int)i);
        bool may_drive =
            joint->made >= 0 &&
            dpl_mechanism_slot(&import->objects->mechanism, (size_t)joint->made) >= 0 &&
            joint->mimics < 0 && import->options->drive != DPL_IMPORT_DRIVE_NONE;
        if (may_drive && !joint->has_drive) {
            dpl__import_note(import, joint->node->place,
                             "joint '%s' has no drive: its <limit> gives no finite effort and "
                             "velocity above 0",
                             joint->own_name);
        } else if (may_drive && !add(import, joint, &entries)) {
            return false;
        }
    }
    import->objects->entries = entries.items;
    import->objects->n_entries = entries.n;
    return true;
}
