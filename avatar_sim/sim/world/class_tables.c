/* SPDX-License-Identifier: Apache-2.0 */
/* doppel/sim/classes.h: the lists that are built in, for who prints them. */
#include <doppel/sim/classes.h>

#include "classes.h"

const struct dpl_subsystem_class *dpl_sim_subsystem_at(size_t i)
{
    size_t n = 0;
    while (dpl__subsystems[n] && n < i) {
        n++;
    }
    return dpl__subsystems[n];
}

const struct dpl_sim_entry_class *dpl_sim_entry_class_at(enum dpl_sim_phase phase, size_t i)
{
    const struct dpl_sim_entry_class *const *list = phase == DPL_SIM_ACTUATOR ? dpl__actuators
                                                    : phase == DPL_SIM_SENSOR ? dpl__sensors
                                                                              : dpl__signals;
    size_t n = 0;
    while (list[n] && n < i) {
        n++;
    }
    return list[n];
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
