/* SPDX-License-Identifier: Apache-2.0 */
/* The classes of parts of worlds, built in and of plugins: for documentation and tools. The tables
 * are const; any thread may read them. */
#ifndef DOPPEL_SIM_CLASSES_PUBLIC_H
#define DOPPEL_SIM_CLASSES_PUBLIC_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/sim/entry.h>
#include <doppel/sim/settings.h>
#include <doppel/sim/subsystem.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_arena;

/* The files are those of plugins; NULL: the class is in this library or in the program. */
struct dpl_sim_classes {
    const struct dpl_subsystem_class *const *subsystems; /* [n_subsystems] */
    const char *const *subsystem_files;
    size_t n_subsystems;
    const struct dpl_sim_entry_class *const *entries; /* [n_entries] */
    const char *const *entry_files;
    size_t n_entries;
};

/* Lists the built-in classes, those of the options, and the plugins of their catalogue by name. The
 * lists live in the arena. `diags` (NULL: not wanted) has the plugins that cannot be used. Loads
 * plugins; not thread-safe. */
void dpl_sim_classes_list(struct dpl_arena *arena, const struct dpl_sim_load_options *options,
                          struct dpl_sim_classes *ret_classes, struct dpl_diags *diags);

/* An element of a file that a class reads. */
struct dpl_sim_element {
    const char *name;
    const char *summary;            /* NULL: none */
    const struct dpl_field *fields; /* [n] its attributes */
    size_t n;
    const struct dpl_element_kind *children; /* [n_children] */
    size_t n_children;
};

/* Returns element `i` of a list of elements, which belongs to a class or to another element. */
struct dpl_sim_element dpl_sim_element_at(const struct dpl_element_kind *elements, size_t i);

#ifdef __cplusplus
}
#endif

#endif
