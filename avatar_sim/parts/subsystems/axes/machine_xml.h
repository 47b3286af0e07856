/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a <robot_model> that make it a machine, and the attributes of a world's <robot>
 * that change one. */
#ifndef DOPPEL_SIM_MACHINE_XML_H
#define DOPPEL_SIM_MACHINE_XML_H

#include <doppel/sim/axes.h>
#include <doppel/sim/machine.h>
#include <doppel/sim/subsystem.h>

#include "element.h"

enum { DPL_MACHINE_DRIVES_MAX = DPL_AXES_N + 1 }; /* for all axes, and one for each */

struct dpl__machine_drive {
    char axis[DPL_SIM_NAME_SIZE]; /* "": all others */
    struct dpl_sim_drive drive;
    const struct dpl_xml_node *node;
};

/* What has been read of a machine; zeroed before. */
struct dpl__machine_draft {
    struct dpl_sim_machine machine;
    double link; /* of legs that give none */
    const struct dpl_xml_node *hexaslide, *home, *half_range, *legs[DPL_AXES_N];
    size_t n_legs;
    struct dpl__machine_drive drives[DPL_MACHINE_DRIVES_MAX];
    size_t n_drives;
    const struct dpl_xml_node *driven_by[DPL_AXES_N];
};

/* How a machine in a world differs from its model: factors, and values that replace the model's. */
struct dpl__axes_changes {
    double mass_scale, torque_scale, friction_scale, screw_scale;
    double lag_ms;        /* negative: the model's */
    double pose[DPL_SIX]; /* DPL_ROBOT_UNSET: home's */
};

enum { DPL_AXES_ELEMENTS = 6, DPL_AXES_CHANGE_FIELDS = 11 };
extern const struct dpl_element_kind dpl__axes_elements[DPL_AXES_ELEMENTS];
extern const struct dpl_field dpl__axes_change_fields[DPL_AXES_CHANGE_FIELDS];
extern const struct dpl__axes_changes dpl__axes_changes_unset;

/* See struct dpl_subsystem_class. */
void dpl__machine_finish(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                         const void *root_values);
void dpl__axes_change(struct dpl_sim_robot *robot, const void *changes);

/* `name` is cut to its size. */
void dpl__machine_describe(const char *name, const struct dpl_sim_machine *machine,
                           struct dpl_machine *ret_machine);

extern const struct dpl_subsystem_class dpl_axes_subsystem;

#endif
