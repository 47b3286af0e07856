/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a <Modbus> of a mechanism. */
#ifndef DOPPEL_SIM_MODBUS_XML_H
#define DOPPEL_SIM_MODBUS_XML_H

#include "channel_names.h"

extern const struct dpl_element_table dpl__modbus_table;

/* Reads it once bodies, joints and entries are there; reader->target is the struct
 * dpl__mechanism_target, which gets a struct dpl_sim_modbus. */
void dpl__modbus_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node);

#endif
