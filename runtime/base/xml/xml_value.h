/* SPDX-License-Identifier: Apache-2.0 */
/* The value of one attribute with its expressions in braces: a part of xml_expand.c. */
#ifndef DOPPEL_BASE_XML_VALUE_H
#define DOPPEL_BASE_XML_VALUE_H

#include "expr.h"
#include "xml_reader.h"

/* The place of byte `offset` of an attribute's value, in the text as it was written. If nobody has
 * kept that (a value without braces), references other than &lt; and &amp; are not known. */
struct dpl_place dpl__xml_value_place(const struct dpl_xml_attribute *attribute, size_t offset);

/* Writes the value, each {expression} replaced by its number, {{ and }} by one brace, into the
 * arena. -EINVAL with reterr, whose place is inside of the value. */
int dpl__xml_value_expand(struct dpl_arena *arena, const struct dpl_xml_attribute *attribute,
                          const struct dpl__expr_name *names, size_t n_names,
                          const char **ret_value, struct dpl_diag *reterr);

#endif
