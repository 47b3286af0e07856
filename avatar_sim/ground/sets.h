/* SPDX-License-Identifier: Apache-2.0 */
/* Changes to a world that is being read: ENTRY.PROPERTY=VALUE gives an attribute of an element
 * another value, before the element is read. So ranges, units and errors are those of the file. An
 * element is called by its name; where there may be only one of its kind, by its kind; what a
 * robot's file holds, with the robot's name before: avatar.laser, ground, office. */
#ifndef DOPPEL_SIM_SETS_H
#define DOPPEL_SIM_SETS_H

#include <doppel/sim/settings.h>

#include "element.h"

struct dpl__sets {
    struct dpl__list items;   /* of struct dpl__set; private */
    struct dpl__list entries; /* of const char *: names of all elements so far */
    struct dpl__list changed; /* private: the nodes that were changed, and what they were */
    const char *robot;        /* whose file is being read; NULL: a world's */
};

/* Takes the changes apart; errors go to the reader. */
void dpl__sets_parse(struct dpl_element_reader *reader, const struct dpl_sim_load_options *options,
                     struct dpl__sets *sets);

/* The node as it shall be read: itself, or a copy with other attributes. `is_alone`: there may be
 * only one of its kind. */
const struct dpl_xml_node *dpl__sets_change(struct dpl_element_reader *reader,
                                            const struct dpl_xml_node *node,
                                            const struct dpl_element_table *table, bool is_alone);

/* Whether an attribute was given so: then it must be of use. */
bool dpl__sets_gave(const struct dpl_element_reader *reader,
                    const struct dpl_xml_attribute *attribute);

/* The node as the file has it, of one that dpl__sets_change returned; itself, if nothing of it was
 * changed. */
const struct dpl_xml_node *dpl__sets_unchanged(const struct dpl_element_reader *reader,
                                               const struct dpl_xml_node *node);

/* Once all has been read: an error for each change that found no entry, or no such property. */
void dpl__sets_report(struct dpl_element_reader *reader);

#endif
