/* SPDX-License-Identifier: Apache-2.0 */
/* Models from XML: worlds (root `world`) and robots (root `robot_model`). Elements Param,
 * Repeat and If and {expressions} are expanded first (docs/worlds.md). Field tables describe the
 * elements and their attributes: those of a world are in world_xml.c, those of a robot in the
 * classes of subsystems, sensors and actuators. Lengths are in metres unless a value names another
 * unit ("35 mm", "90 deg"). */
#ifndef DOPPEL_SIM_LOAD_H
#define DOPPEL_SIM_LOAD_H

#include <doppel/sim/model.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_arena;
struct dpl_catalog;

/* ENTRY.PROPERTY=VALUE in `sets`: another value for an attribute of a world's or a robot's element,
 * e.g. "avatar.laser.noise_m=0.01". `place` is where errors say that they are. */
struct dpl_sim_set {
    const char *text;
    struct dpl_place place;
};

struct dpl_sim_load_options {
    bool has_seed; /* use `seed` in place of the world's own */
    uint64_t seed; /* when it differs from the world's own, robots start where <start> says */
    struct dpl_catalog *catalog; /* where files are found that are not beside it; NULL: nowhere */
    /* Classes of sensors and actuators besides those that are built in; ends with NULL. NULL: none.
     */
    const struct dpl_sim_entry_class *const *entries;
    /* The same for subsystems, whose elements a <robot_model> may have. */
    const struct dpl_subsystem_class *const *subsystems;
    const struct dpl_sim_set *sets; /* [n_sets], in order */
    size_t n_sets;
    /* NAME=VALUE: other values for parameters of the world's file, e.g. "FLOORS=12". */
    const struct dpl_sim_set *params; /* [n_params]; of one name the last counts */
    size_t n_params;
    const char *params_of;  /* the file, in messages about them; NULL: "this file" */
    bool absent_is_warning; /* a file that is not on this machine: warn, leave it out */
    /* Takes the warnings of dpl_sim_load_world_with, which are good during the call. NULL: they are
     * dropped. */
    void (*warn)(const struct dpl_diag *warning);
};

/* Reads a world and the files it names. Looks for those beside the world's file, then in the
 * sibling folders `robots` and `worlds`, then in those of the catalogue. Findings go to `diags`
 * with file, line and column; the names of files in them live in `arena`. 0 with *ret_model (the
 * caller destroys it) when there is no error; else -EINVAL or -ENOMEM. Allocates; opens files.
 * `options` may be NULL. */
int dpl_sim_read_world(struct dpl_arena *arena, const char *file,
                       const struct dpl_sim_load_options *options, struct dpl_sim_model **ret_model,
                       struct dpl_diags *diags);

/* The same from memory; `name` stands for the file, also for finding others beside it. */
int dpl_sim_read_world_text(struct dpl_arena *arena, const char *name, const void *bytes, size_t n,
                            const struct dpl_sim_load_options *options,
                            struct dpl_sim_model **ret_model, struct dpl_diags *diags);

/* Reads a robot's file into *ret_robot (named after its model, start at 0), in the arena: 0 or
 * -EINVAL. */
int dpl_sim_read_robot(struct dpl_arena *arena, const char *file, struct dpl_sim_robot *ret_robot,
                       struct dpl_diags *diags);

/* The same with the parameters of `options` (NULL: none); uses no other option. */
int dpl_sim_read_robot_with(struct dpl_arena *arena, const char *file,
                            const struct dpl_sim_load_options *options,
                            struct dpl_sim_robot *ret_robot, struct dpl_diags *diags);

int dpl_sim_read_robot_text(struct dpl_arena *arena, const char *name, const void *bytes, size_t n,
                            struct dpl_sim_robot *ret_robot, struct dpl_diags *diags);

/* Reads a world for running it. 0 with *ret_model, or -EINVAL or -ENOMEM with the first error in
 * reterr. Its place borrows `file` or that of a set or parameter, or is that in an
 * included file, whose name the catalogue owns; without a catalogue the text names such a place. */
int dpl_sim_load_world_with(const char *file, const struct dpl_sim_load_options *options,
                            struct dpl_sim_model **ret_model, struct dpl_diag *reterr);

/* The same with this seed and catalogue, and no other option. */
int dpl_sim_load_world(const char *file, uint64_t seed, struct dpl_catalog *catalog,
                       struct dpl_sim_model **ret_model, struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
