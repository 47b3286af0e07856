/* SPDX-License-Identifier: Apache-2.0 */
/* Gears, belts and ropes from XML: children of a <Joint>. */
#ifndef DOPPEL_SIM_COUPLING_XML_H
#define DOPPEL_SIM_COUPLING_XML_H

#include "object_xml.h"

/* The target while the children of a joint are read. */
struct dpl__joint_part {
    struct dpl_sim_joint joint;
    struct dpl_pose3 frame[2]; /* in the parent, in the child */
    bool has_child_frame;
    struct dpl_vector3 axis, axis2;
    char sheave[DPL_SIM_NAME_SIZE];
};

extern const struct dpl_element_table dpl__gear_coupling_table, dpl__belt_coupling_table,
    dpl__rope_coupling_table;

/* Reads <gear>, <belt> or <rope>; reader->target is the struct dpl__joint_part. */
void dpl__coupling_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node);

/* Whether the joint has the children that one of its type cannot do without; else an error. */
bool dpl__coupling_has_all(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                           const struct dpl__joint_part *part);

/* Finds the sheave that a rope names, among the joints of the struct dpl__mechanism_target; false
 * after an error. */
bool dpl__coupling_find(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                        struct dpl__joint_part *part);

#endif
