/* SPDX-License-Identifier: Apache-2.0 */
/* All classes that a file may use: see classes.h. */
#include "classes.h"

#include <string.h>

#include "arena.h"

static const struct dpl_field model_fields[] = {
    {.name = "name",
     .type = DPL_FIELD_STRING,
     .offset = 0,
     .size = DPL_SIM_NAME_SIZE,
     .summary = "name of the model"},
};

const struct dpl_sim_settings dpl__robot_model_settings = {model_fields, DPL_COUNT(model_fields),
                                                           DPL_SIM_NAME_SIZE, NULL};

static const struct dpl_field robot_fields[] = {
    DPL_TEXT(struct dpl__robot_spec, name, "name", NULL, "name of the robot"),
    DPL_TEXT(struct dpl__robot_spec, model, "model", NULL, "file of its model"),
    DPL_NUMBER(struct dpl__robot_spec, start.x, "x", "m", "0", -10000.0, 10000.0, "start"),
    DPL_NUMBER(struct dpl__robot_spec, start.y, "y", "m", "0", -10000.0, 10000.0, "start"),
    DPL_NUMBER(struct dpl__robot_spec, start.theta, "yaw", "rad", "0", -10.0, 10.0, "start"),
};

const struct dpl_sim_settings dpl__robot_settings = {robot_fields, DPL_COUNT(robot_fields),
                                                     sizeof(struct dpl__robot_spec), NULL};

static size_t aligned(size_t size)
{
    size_t mask = _Alignof(max_align_t) - 1;
    return (size + mask) & ~mask;
}

size_t dpl__settings_merge(struct dpl_arena *arena, struct dpl_sim_settings *all,
                           const struct dpl_sim_settings *more)
{
    size_t behind = aligned(all->size), n = all->n;
    struct dpl_field *fields = dpl_arena_alloc(arena, (all->n + more->n) * sizeof *fields);
    char *unset = dpl_arena_alloc(arena, behind + more->size);
    for (size_t i = 0; i < all->n; i++) {
        fields[i] = all->fields[i];
    }
    for (size_t i = 0; i < more->n; i++) {
        if (!dpl_field_find(fields, n, more->fields[i].name)) {
            fields[n] = more->fields[i];
            fields[n++].offset += behind;
        }
    }
    if (all->unset) {
        memcpy(unset, all->unset, all->size);
    }
    if (more->unset) {
        memcpy(unset + behind, more->unset, more->size);
    }
    *all = (struct dpl_sim_settings){fields, n, behind + more->size, unset};
    return behind;
}

static void add_entries(struct dpl_arena *arena, struct dpl__classes *classes,
                        const struct dpl_sim_entry_class *const *list)
{
    for (; list && *list; list++) {
        const struct dpl_sim_entry_class **class =
            dpl__list_add(arena, &classes->entries, sizeof *class);
        *class = *list;
        dpl__settings_merge(arena, &classes->robot, &(*list)->changes);
    }
}

void dpl__classes_make(struct dpl_arena *arena, const struct dpl_sim_entry_class *const *more,
                       struct dpl__classes *ret_classes)
{
    struct dpl__classes made = {.robot_model = dpl__robot_model_settings,
                                .robot = dpl__robot_settings};
    for (const struct dpl_subsystem_class *const *class = dpl__subsystems; *class; class ++) {
        dpl__settings_merge(arena, &made.robot_model, &(*class)->root);
        dpl__settings_merge(arena, &made.robot, &(*class)->changes);
    }
    add_entries(arena, &made, dpl__sensors);
    add_entries(arena, &made, dpl__actuators);
    add_entries(arena, &made, more);
    *ret_classes = made;
}

const struct dpl_subsystem_class *dpl__classes_subsystem(const char *element)
{
    for (const struct dpl_subsystem_class *const *class = dpl__subsystems; *class; class ++) {
        for (size_t i = 0; i < (*class)->n_elements; i++) {
            if (strcmp((*class)->elements[i].name, element) == 0) {
                return *class;
            }
        }
    }
    return NULL;
}

const struct dpl_sim_entry_class *dpl__classes_entry(const struct dpl__classes *classes,
                                                     const char *element)
{
    const struct dpl_sim_entry_class *const *all = classes->entries.items;
    for (size_t i = 0; i < classes->entries.n; i++) {
        if (all[i]->element && strcmp(all[i]->element, element) == 0) {
            return all[i];
        }
    }
    return NULL;
}
