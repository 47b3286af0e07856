/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a robot's file, and the changes that a world makes to a robot. What a robot is made of is
 * read by its subsystem and by the classes of its entries. */
#ifndef DOPPEL_SIM_ROBOT_XML_H
#define DOPPEL_SIM_ROBOT_XML_H

#include <doppel/sim/subsystem.h>

#include "classes.h"
#include "element.h"

/* The root of a robot's file with all that may be in it; lives in the arena. */
struct dpl_element_root dpl__robot_root(struct dpl_arena *arena,
                                        const struct dpl__classes *classes);

/* Fills *ret_robot from a <robot_model>, in `memory`; errors go to the reader. True when there was
 * none. */
bool dpl__robot_read(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                     const struct dpl__classes *classes, struct dpl_arena *memory,
                     struct dpl_sim_robot *ret_robot);

/* Changes a robot as the attributes of a world's <robot> say. Warns of those that this robot has no
 * use for; for those of dpl_sim_load_options.sets that is an error. */
void dpl__robot_change(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                       const struct dpl__classes *classes, struct dpl_sim_robot *robot);

#endif
