/* SPDX-License-Identifier: Apache-2.0 */
/* The classes of parts that this library has for worlds: for documentation and tools. The tables
 * are const; any thread may read them. */
#ifndef DOPPEL_SIM_CLASSES_PUBLIC_H
#define DOPPEL_SIM_CLASSES_PUBLIC_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/sim/entry.h>
#include <doppel/sim/subsystem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Built-in subsystem `i`; NULL: there are no more. */
const struct dpl_subsystem_class *dpl_sim_subsystem_at(size_t i);

/* Built-in class `i` of sensors, actuators or signals; NULL: there are no more. */
const struct dpl_sim_entry_class *dpl_sim_entry_class_at(enum dpl_sim_phase phase, size_t i);

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
