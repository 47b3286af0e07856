/* SPDX-License-Identifier: Apache-2.0 */
/* All classes that a file may use, and what they add to the tables of its elements. */
#ifndef DOPPEL_SIM_CLASSES_H
#define DOPPEL_SIM_CLASSES_H

#include <doppel/host/catalog.h>
#include <doppel/sim/subsystem.h>

#include "element.h"

/* What is built in; each list ends with NULL. */
extern const struct dpl_subsystem_class *const dpl__subsystems[];
extern const struct dpl_sim_entry_class *const dpl__sensors[], *const dpl__actuators[],
                                                                   *const dpl__signals[];

/* A world's <robot>, but for what changes it. */
struct dpl__robot_spec {
    char name[DPL_SIM_NAME_SIZE], model[256], solver[DPL_SIM_NAME_SIZE];
    struct dpl_pose2 start;
};

/* Attributes of a <robot_model>, but for those of its subsystem. */
struct dpl__robot_model_spec {
    char name[DPL_SIM_NAME_SIZE], solver[DPL_SIM_NAME_SIZE];
};

/* Attributes that every robot's file, and every <robot> of a world, has. */
extern const struct dpl_sim_settings dpl__robot_model_settings, dpl__robot_settings;

/* A plugin that is not used, and why. */
struct dpl__refused {
    const char *kind, *name;
    struct dpl_diag diag;
};

struct dpl__classes {
    struct dpl__list subsystems;      /* of const struct dpl_subsystem_class * */
    struct dpl__list entries;         /* of const struct dpl_sim_entry_class * */
    struct dpl__list subsystem_files; /* const char *, of each: its plugin; NULL: none */
    struct dpl__list entry_files;
    struct dpl__list refused;            /* of struct dpl__refused */
    struct dpl_sim_settings robot_model; /* attributes of the root of a robot's file */
    struct dpl_sim_settings robot;       /* attributes of a world's <robot> */
    struct dpl_catalog *catalog;         /* NULL: none */
};

/* Adds to `all` the fields of `more` that it does not have. A struct of `all` then ends with one of
 * `more`; returns where that begins. In the arena. */
size_t dpl__settings_merge(struct dpl_arena *arena, struct dpl_sim_settings *all,
                           const struct dpl_sim_settings *more);

/* Lists what is built in, what the options bring (NULL: nothing), and the plugins of their
 * catalogue. The list lives in the arena. */
void dpl__classes_make(struct dpl_arena *arena, const struct dpl_sim_load_options *options,
                       struct dpl__classes *ret_classes);

/* The subsystem that an element of a robot's file belongs to; NULL: none. */
const struct dpl_subsystem_class *dpl__classes_subsystem(const struct dpl__classes *classes,
                                                         const char *element);

/* Another subsystem for a robot: the one of that name, which must move such robots; "" leaves it.
 * 0, or -EINVAL with reterr, which has no place. */
int dpl__classes_choose_solver(const struct dpl__classes *classes, struct dpl_sim_robot *robot,
                               const char *name, struct dpl_diag *reterr);

/* The class of entries that an element adds one of; NULL: none. */
const struct dpl_sim_entry_class *dpl__classes_entry(const struct dpl__classes *classes,
                                                     const char *element);

/* Whether the class of a plugin is complete, and its name and words are not those of another class
 * of the list: 0, or -ENOEXEC with the table, its row and what is wrong. */
int dpl__check_entry(const struct dpl_catalog_part *part, const struct dpl__classes *classes,
                     struct dpl_diag *reterr);
int dpl__check_subsystem(const struct dpl_catalog_part *part, const struct dpl__classes *classes,
                         struct dpl_diag *reterr);

/* A kind of plugins whose tables are in one list. `check`: a table, and those before it, which end
 * with NULL; 0, or -ENOEXEC with reterr. */
struct dpl__part_kind {
    const char *kind;
    size_t size;
    int (*check)(const struct dpl_catalog_part *part, const void *const *all,
                 struct dpl_diag *reterr);
};

/* What is built in (ends with NULL) and the plugins of the catalogue (NULL: none), by name; ends
 * with NULL. In the arena. `diags` (NULL: not wanted) has the plugins that cannot be used. */
const void *const *dpl__parts_list(struct dpl_arena *arena, const void *const *built_in,
                                   const struct dpl__part_kind *kind, struct dpl_catalog *catalog,
                                   struct dpl_diags *diags);

/* Says why the plugin of this name is not used, if there is one: after an unknown name. */
void dpl__classes_tell_refused(struct dpl_element_reader *reader,
                               const struct dpl__classes *classes, const char *name);

/* The word for entries of a phase: "sensor". */
extern const char *const dpl__entry_kinds[];

/* ---- what a subsystem makes a robot of ---- */

/* A number that was not given where 0 and negative ones are values. */
#define DPL_ROBOT_UNSET (-1e6)

/* The reader's target while the elements of a <robot_model> are read. */
struct dpl__robot_target {
    struct dpl_sim_robot *robot; /* has a name; the subsystem's `finish` makes the rest */
    struct dpl_arena *memory;    /* of all that the robot points to */
    void *draft;                 /* of its subsystem */
    const struct dpl__classes *classes;
    struct dpl__list entries; /* of struct dpl_sim_entry, that have elements of their own */
};

/* Adds a copy of an entry to a robot that has been made in `memory`. */
void dpl__robot_add_entry(struct dpl_arena *memory, struct dpl_sim_robot *robot,
                          const struct dpl_sim_entry *entry);

/* For changes: a value that is not negative replaces another. */
void dpl__robot_replace(double *value, double change, double unit);

#endif
