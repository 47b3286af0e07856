/* SPDX-License-Identifier: Apache-2.0 */
/* doppel/sim/classes.h: what a file may use, for who prints it. */
#include <doppel/sim/classes.h>

#include "classes.h"

void dpl_sim_classes_list(struct dpl_arena *arena, const struct dpl_sim_load_options *options,
                          struct dpl_sim_classes *ret_classes, struct dpl_diags *diags)
{
    struct dpl__classes classes;
    dpl__classes_make(arena, options, &classes);
    *ret_classes = (struct dpl_sim_classes){
        classes.subsystems.items, classes.subsystem_files.items, classes.subsystems.n,
        classes.entries.items,    classes.entry_files.items,     classes.entries.n};
    const struct dpl__refused *refused = classes.refused.items;
    for (size_t i = 0; diags && i < classes.refused.n; i++) {
        dpl_diags_add_diag(diags, &refused[i].diag);
    }
}

struct dpl_sim_element dpl_sim_element_at(const struct dpl_element_kind *elements, size_t i)
{
    const struct dpl_element_kind *kind = &elements[i];
    struct dpl_sim_element element = {.name = kind->name, .summary = kind->summary};
    if (kind->table) {
        element.fields = kind->table->fields;
        element.n = kind->table->n;
        element.children = kind->table->kinds;
        element.n_children = kind->table->n_kinds;
    }
    return element;
}
