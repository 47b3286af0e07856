/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a <Modbus> of a mechanism. */
#ifndef DOPPEL_SIM_MODBUS_XML_H
#define DOPPEL_SIM_MODBUS_XML_H

#include <doppel/channel.h>

#include "object_xml.h"

extern const struct dpl_element_table dpl__modbus_table;

/* Reads it once bodies, joints and entries are there; reader->target is the struct
 * dpl__mechanism_target, which gets a struct dpl_sim_modbus. */
void dpl__modbus_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node);

/* What there is of a signal's name in a mechanism. */
struct dpl__signal {
    const char *path; /* from the robot on, in the arena */
    const struct dpl_channel_type *type;
    enum dpl_channel_dir dir;
};

/* Adds all that the mechanism will have as channels to a list of struct dpl__signal. */
void dpl__signals_list(struct dpl_arena *arena, const struct dpl__mechanism_target *target,
                       struct dpl__list *list);

#endif
