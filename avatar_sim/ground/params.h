/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of files that are being read (xml_expand.h): from the options of whoever loads a
 * world, and from the attributes of the element that names another file. */
#ifndef DOPPEL_SIM_PARAMS_H
#define DOPPEL_SIM_PARAMS_H

#include <doppel/sim/settings.h>

#include "element.h"
#include "xml_expand.h"

/* Expands the root of the file that is loaded, with options->params (options NULL: none). NULL
 * after an error, which the reader has. */
const struct dpl_xml_node *dpl__params_expand(struct dpl_element_reader *reader,
                                              const struct dpl_xml_node *root,
                                              const struct dpl_sim_load_options *options,
                                              struct dpl_xml_work *work);

/* The element with the attributes of its table only: what dpl_element_fields reads of an element
 * that names a file. */
const struct dpl_xml_node *dpl__params_without(struct dpl_element_reader *reader,
                                               const struct dpl_xml_node *node,
                                               const struct dpl_element_table *table);

/* Expands the root of the file `file` that `node` names; the attributes that the table does not
 * have are its parameters. NULL after an error. A file without parameters, or none at all (root:
 * NULL): such an attribute is a warning. */
const struct dpl_xml_node *dpl__params_pass(struct dpl_element_reader *reader,
                                            const struct dpl_xml_node *node,
                                            const struct dpl_element_table *table,
                                            const struct dpl_xml_node *root, const char *file,
                                            struct dpl_xml_work *work);

#endif
