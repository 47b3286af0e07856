/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a <robot_model> that make it a machine. */
#ifndef DOPPEL_SIM_MACHINE_XML_H
#define DOPPEL_SIM_MACHINE_XML_H

#include <doppel/sim/model.h>

#include "element.h"

enum { DPL_MACHINE_DRIVES_MAX = DPL_SIM_AXES + 1 }; /* for all axes, and one for each */

struct dpl__machine_drive {
    char axis[DPL_SIM_NAME_SIZE]; /* "": all others */
    struct dpl_sim_drive drive;
    const struct dpl_xml_node *node;
};

/* What has been read of a machine; zeroed before. */
struct dpl__machine_draft {
    struct dpl_sim_machine machine;
    double link; /* of legs that give none */
    const struct dpl_xml_node *hexaslide, *home, *half_range, *legs[DPL_SIM_AXES];
    size_t n_legs;
    struct dpl__machine_drive drives[DPL_MACHINE_DRIVES_MAX];
    size_t n_drives;
    const struct dpl_xml_node *driven_by[DPL_SIM_AXES];
};

/* What the handlers of a robot's parts fill. */
struct dpl__robot_target {
    struct dpl_sim_robot *robot;
    double moment[3]; /* sum of mass times centre */
    struct dpl__machine_draft machine;
};

extern const struct dpl_element_table dpl__hexaslide_table, dpl__home_table, dpl__half_range_table,
    dpl__leg_table, dpl__drive_table, dpl__platform_table;

/* Handlers; reader->target is a struct dpl__robot_target. */
void dpl__machine_read_hexaslide(struct dpl_element_reader *reader,
                                 const struct dpl_xml_node *node);
void dpl__machine_read_home(struct dpl_element_reader *reader, const struct dpl_xml_node *node);
void dpl__machine_read_half_range(struct dpl_element_reader *reader,
                                  const struct dpl_xml_node *node);
void dpl__machine_read_leg(struct dpl_element_reader *reader, const struct dpl_xml_node *node);
void dpl__machine_read_drive(struct dpl_element_reader *reader, const struct dpl_xml_node *node);
void dpl__machine_read_platform(struct dpl_element_reader *reader, const struct dpl_xml_node *node);

/* Whether `name` is an element of machines only. */
bool dpl__machine_is_part(const char *name);

/* Puts together what was read: the machine of target->robot, or errors at the elements. */
void dpl__machine_finish(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                         struct dpl__robot_target *target);

#endif
