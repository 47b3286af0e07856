/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a robot's file, and the changes that a world makes to a robot. What a robot is made of is
 * read by its subsystem and by the classes of its entries. */
#ifndef DOPPEL_SIM_ROBOT_XML_H
#define DOPPEL_SIM_ROBOT_XML_H

#include <doppel/sim/subsystem.h>

#include "classes.h"
#include "element.h"

/* A number that was not given where 0 and negative ones are values. */
#define DPL_ROBOT_UNSET (-1e6)

/* The reader's target while the elements of a <robot_model> are read. */
struct dpl__robot_target {
    struct dpl_sim_robot *robot; /* has a name; the subsystem's `finish` makes the rest */
    struct dpl_arena *memory;    /* of all that the robot points to */
    void *draft;                 /* of its subsystem */
    const struct dpl__classes *classes;
    struct dpl__list entries; /* of struct dpl_sim_entry, that have elements of their own */
};

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

/* Adds a copy of an entry to a robot that has been made in `memory`. */
void dpl__robot_add_entry(struct dpl_arena *memory, struct dpl_sim_robot *robot,
                          const struct dpl_sim_entry *entry);

/* For changes: a value that is not negative replaces another. */
void dpl__robot_replace(double *value, double change, double unit);

#endif
