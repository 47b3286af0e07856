/* SPDX-License-Identifier: Apache-2.0 */
/* Values that files and command lines give: a struct that a table of fields fills, and what changes
 * the reading of a world. */
#ifndef DOPPEL_SIM_SETTINGS_H
#define DOPPEL_SIM_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/field.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_catalog;
struct dpl_sim_entry_class;
struct dpl_subsystem_class;

/* A struct that a field table fills. */
struct dpl_sim_settings {
    const struct dpl_field *fields; /* [n] */
    size_t n, size;
    const void *unset; /* values of members without a default that are not given; NULL: zeros */
};

/* ENTRY.PROPERTY=VALUE in `sets`: another value for an attribute of an element of a world or a
 * robot, e.g. "avatar.laser.noise_m=0.01". `place`: the place that errors name. */
struct dpl_sim_set {
    const char *text;
    struct dpl_place place;
};

struct dpl_sim_load_options {
    bool has_seed; /* use `seed` in place of the world's own */
    uint64_t seed; /* if it differs from the world's own, robots start at the place of <start>, but
                    * for those whose x, y or yaw is in `sets` */
    /* A further place to find files that are not beside the world's file, and further classes in
     * plugins (doppel/part.h); NULL: none. */
    struct dpl_catalog *catalog;
    /* Further classes of sensors and actuators, in addition to the built-in ones; the list ends
     * with NULL. NULL: none. */
    const struct dpl_sim_entry_class *const *entries;
    /* The same for subsystems, whose elements a <robot_model> may have. */
    const struct dpl_subsystem_class *const *subsystems;
    const struct dpl_sim_set *sets; /* [n_sets], in order */
    size_t n_sets;
    /* NAME=VALUE: other values for parameters (Param) of the world's file, e.g. "FLOORS=12". */
    const struct dpl_sim_set
        *params; /* [n_params]; if a name is there twice, the last one is used */
    size_t n_params;
    const char *params_of;  /* name of the file in messages about parameters; NULL: "this file" */
    dpl_ns step;            /* of the world; 0: the step of its file */
    bool absent_is_warning; /* if a file is not on this machine, warn and leave it out */
    /* Gets the warnings of dpl_sim_load_world_with. They are valid during the call. NULL: warnings
     * are dropped. */
    void (*warn)(const struct dpl_diag *warning);
};

#ifdef __cplusplus
}
#endif

#endif
