/* SPDX-License-Identifier: Apache-2.0 */
/* Motors, sensors and signals of a mechanism from XML: entry_table.c what they may have,
 * entry_xml.c reading them, entry_names.c the names of their channels. The attribute `type` says
 * which class of entries an element is of; the class has the other attributes and the children. */
#ifndef DOPPEL_SIM_ENTRY_XML_H
#define DOPPEL_SIM_ENTRY_XML_H

#include "object_xml.h"

/* What all entries have. */
struct dpl__entry_spec {
    char name[DPL_SIM_NAME_SIZE], joint[DPL_SIM_NAME_SIZE], body[DPL_SIM_NAME_SIZE];
    int type;
    int64_t freedom, every, phase;
};

enum { ENTRY_TYPE_FIELD, ENTRY_SIGNAL_FIELDS = 4, ENTRY_COMMON_FIELDS = 7 };

/* The attributes that all motors, sensors, or signals have: of struct dpl__entry_spec, in the
 * arena. */
struct dpl_sim_settings dpl__entry_common(struct dpl_arena *arena,
                                          const struct dpl__classes *classes,
                                          enum dpl_sim_phase phase);

/* The class whose word of `type` has this number; NULL: there are not so many. */
const struct dpl_sim_entry_class *dpl__entry_class(const struct dpl__classes *classes,
                                                   enum dpl_sim_phase phase, int number);

/* False, and an error, when its channels have names that others have. */
bool dpl__entry_check_names(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                            const struct dpl_sim_entry *entry);

/* Looks up all channels that entries name, when all of the mechanism is read. */
void dpl__entries_check_channels(struct dpl_element_reader *reader);

#endif
