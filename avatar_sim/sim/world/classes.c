/* SPDX-License-Identifier: Apache-2.0 */
/* All classes that a file may use: see classes.h. */
#include "classes.h"

#include <errno.h>
#include <string.h>

#include <doppel/diag.h>
#include <doppel/host/catalog.h>
#include <doppel/sim/channel_rows.h>

#include "arena.h"

static const struct dpl_field model_fields[] = {
    DPL_TEXT(struct dpl__robot_model_spec, name, "name", NULL, "name of the model"),
    DPL_TEXT(struct dpl__robot_model_spec, solver, "solver", "",
             "what moves it in place of the usual subsystem: planar"),
};

const struct dpl_sim_settings dpl__robot_model_settings = {
    model_fields, DPL_COUNT(model_fields), sizeof(struct dpl__robot_model_spec), NULL};

static const struct dpl_field robot_fields[] = {
    DPL_TEXT(struct dpl__robot_spec, name, "name", NULL, "name of the robot"),
    DPL_TEXT(struct dpl__robot_spec, model, "model", "", "file of its model"),
    DPL_TEXT(struct dpl__robot_spec, solver, "solver", "",
             "what moves it in place of the usual subsystem: planar"),
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

const char *const dpl__entry_kinds[] = {
    [DPL_SIM_ACTUATOR] = "actuator", [DPL_SIM_SENSOR] = "sensor", [DPL_SIM_SIGNAL] = "signal"};

/* `file`: its plugin; NULL: none. */
static void add_entry(struct dpl_arena *arena, struct dpl__classes *classes,
                      const struct dpl_sim_entry_class *entry, const char *file)
{
    *(const void **)dpl__list_add(arena, &classes->entries, sizeof entry) = entry;
    *(const char **)dpl__list_add(arena, &classes->entry_files, sizeof file) = file;
    dpl__settings_merge(arena, &classes->robot, &entry->changes);
}

static void add_entries(struct dpl_arena *arena, struct dpl__classes *classes,
                        const struct dpl_sim_entry_class *const *list)
{
    for (; list && *list; list++) {
        add_entry(arena, classes, *list, NULL);
    }
}

static void add_subsystem(struct dpl_arena *arena, struct dpl__classes *classes,
                          const struct dpl_subsystem_class *subsystem, const char *file)
{
    *(const void **)dpl__list_add(arena, &classes->subsystems, sizeof subsystem) = subsystem;
    *(const char **)dpl__list_add(arena, &classes->subsystem_files, sizeof file) = file;
    dpl__settings_merge(arena, &classes->robot_model, &subsystem->root);
    dpl__settings_merge(arena, &classes->robot, &subsystem->changes);
}

static void add_subsystems(struct dpl_arena *arena, struct dpl__classes *classes,
                           const struct dpl_subsystem_class *const *list)
{
    for (; list && *list; list++) {
        add_subsystem(arena, classes, *list, NULL);
    }
}

/* ---- plugins ---- */

/* The plugins of the kind, in the order of their names; `check` their tables. */
static void add_kind(struct dpl_arena *arena, struct dpl_catalog *catalog, const char *kind,
                     struct dpl__classes *classes)
{
    bool is_subsystem = strcmp(kind, "subsystem") == 0;
    size_t size =
        is_subsystem ? sizeof(struct dpl_subsystem_class) : sizeof(struct dpl_sim_entry_class);
    struct dpl_catalog_part part = {0};
    struct dpl_diag diag;
    int err;
    while ((err = dpl_catalog_next_part(catalog, kind, part.name, size, &part, &diag)) != -ENOENT) {
        err = err < 0        ? err
              : is_subsystem ? dpl__check_subsystem(&part, classes, &diag)
                             : dpl__check_entry(&part, classes, &diag);
        if (err < 0) {
            struct dpl__refused *refused = dpl__list_add(arena, &classes->refused, sizeof *refused);
            *refused = (struct dpl__refused){part.kind, part.name, diag};
        } else if (is_subsystem) {
            add_subsystem(arena, classes, part.table, part.file);
        } else {
            add_entry(arena, classes, part.table, part.file);
        }
    }
}

static void add_plugins(struct dpl_arena *arena, struct dpl_catalog *catalog,
                        struct dpl__classes *classes)
{
    add_kind(arena, catalog, "subsystem", classes);
    for (size_t phase = 0; phase < DPL_COUNT(dpl__entry_kinds); phase++) {
        add_kind(arena, catalog, dpl__entry_kinds[phase], classes);
    }
}

/* The list stays one with NULL at its end. */
static void add_table(struct dpl_arena *arena, struct dpl__list *list, const void *table)
{
    const void **items = list->items;
    if (list->n > 0) {
        items[list->n - 1] = table;
    }
    dpl__list_add(arena, list, sizeof table);
}

const void *const *dpl__parts_list(struct dpl_arena *arena, const void *const *built_in,
                                   const struct dpl__part_kind *kind, struct dpl_catalog *catalog,
                                   struct dpl_diags *diags)
{
    struct dpl__list list = {0};
    struct dpl_catalog_part part = {0};
    struct dpl_diag diag;
    int err = catalog ? 0 : -ENOENT;
    dpl__list_add(arena, &list, sizeof *built_in);
    for (; *built_in; built_in++) {
        add_table(arena, &list, *built_in);
    }
    while (err != -ENOENT && (err = dpl_catalog_next_part(catalog, kind->kind, part.name,
                                                          kind->size, &part, &diag)) != -ENOENT) {
        err = err < 0 ? err : kind->check(&part, list.items, &diag);
        if (err == 0) {
            add_table(arena, &list, part.table);
        } else if (diags) {
            dpl_diags_add_diag(diags, &diag);
        }
    }
    return list.items;
}

void dpl__classes_tell_refused(struct dpl_element_reader *reader,
                               const struct dpl__classes *classes, const char *name)
{
    const struct dpl__refused *refused = classes->refused.items;
    for (size_t i = 0; i < classes->refused.n; i++) {
        if (dpl_name_equal(refused[i].name, name)) {
            dpl_diags_add_diag(reader->diags, &refused[i].diag);
        }
    }
}

/* ---- all ---- */

void dpl__classes_make(struct dpl_arena *arena, const struct dpl_sim_load_options *options,
                       struct dpl__classes *ret_classes)
{
    struct dpl__classes made = {.robot_model = dpl__robot_model_settings,
                                .robot = dpl__robot_settings,
                                .catalog = options ? options->catalog : NULL};
    add_subsystems(arena, &made, dpl__subsystems);
    add_subsystems(arena, &made, options ? options->subsystems : NULL);
    add_entries(arena, &made, dpl__sensors);
    add_entries(arena, &made, dpl__actuators);
    add_entries(arena, &made, dpl__signals);
    add_entries(arena, &made, options ? options->entries : NULL);
    if (made.catalog) {
        add_plugins(arena, made.catalog, &made);
    }
    *ret_classes = made;
}

const struct dpl_subsystem_class *dpl__classes_subsystem(const struct dpl__classes *classes,
                                                         const char *element)
{
    const struct dpl_subsystem_class *const *all = classes->subsystems.items;
    for (size_t k = 0; k < classes->subsystems.n; k++) {
        for (size_t i = 0; i < all[k]->n_elements; i++) {
            if (strcmp(all[k]->elements[i].name, element) == 0) {
                return all[k];
            }
        }
    }
    return NULL;
}

/* The class that moves the robot if nothing is said. */
static const struct dpl_subsystem_class *usual_of(const struct dpl_sim_robot *robot)
{
    const struct dpl_subsystem_class *class = robot->subsystem;
    return class->instead_of ? class->instead_of : class;
}

int dpl__classes_choose_solver(const struct dpl__classes *classes, struct dpl_sim_robot *robot,
                               const char *name, struct dpl_diag *reterr)
{
    const struct dpl_subsystem_class *const *all = classes->subsystems.items;
    const struct dpl_subsystem_class *usual = usual_of(robot);
    const char *names[16];
    size_t n = 0;
    if (name[0] == '\0') {
        return 0;
    }
    for (size_t k = 0; k < classes->subsystems.n; k++) {
        bool moves_it = all[k] == usual || all[k]->instead_of == usual;
        if (moves_it && strcmp(all[k]->name, name) == 0) {
            robot->subsystem = all[k];
            return 0;
        }
        if (moves_it && n < DPL_COUNT(names)) {
            names[n++] = all[k]->name;
        }
    }
    const char *near = dpl_nearest(name, names, n);
    return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "solver: '%s' does not move a %s%s%s%s",
                    name, usual->noun, near ? ", did you mean '" : "", near ? near : "",
                    near ? "'?" : "");
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

/* ---- what a subsystem makes a robot of ---- */

struct dpl_sim_robot *dpl_reader_robot(const struct dpl_element_reader *reader)
{
    const struct dpl__robot_target *target = reader->target;
    return target->robot;
}

void *dpl_reader_draft(const struct dpl_element_reader *reader)
{
    const struct dpl__robot_target *target = reader->target;
    return target->draft;
}

void *dpl_reader_alloc(const struct dpl_element_reader *reader, size_t size)
{
    const struct dpl__robot_target *target = reader->target;
    return dpl_arena_alloc(target->memory, size);
}

void dpl__robot_add_entry(struct dpl_arena *memory, struct dpl_sim_robot *robot,
                          const struct dpl_sim_entry *entry)
{
    struct dpl__list list = {robot->entries, robot->n_entries};
    *(struct dpl_sim_entry *)dpl__list_add(memory, &list, sizeof *entry) = *entry;
    robot->entries = list.items;
    robot->n_entries = list.n;
}

void dpl__robot_replace(double *value, double change, double unit)
{
    if (change >= 0.0) {
        *value = change * unit;
    }
}
