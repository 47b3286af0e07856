/* SPDX-License-Identifier: Apache-2.0 */
/* Expands an XML tree before anything reads it:
 *   <Param name="FLOORS" value="12"/>   a number with a name; `unit`, `min`, `max` and `summary`
 * may tell what it is, and a value out of its range is an error <Repeat count="{FLOORS}" index="i">
 * its contents so many times, i = 0, 1, ... (`first`: from) <If test="{i > 0}"> its contents,
 * unless the number is 0 name="door{i}" z="{3.2*i}"            {expression} in any attribute
 * (expr.h); {{ and }} are braces A Param is known from its place to the end of the element that
 * holds it, those directly in the root also in the attributes of the root. A name has one meaning:
 * it cannot be given again where it is known. The Params directly in the root are the parameters of
 * the file: whoever reads the file may give them other values. */
#ifndef DOPPEL_BASE_XML_EXPAND_H
#define DOPPEL_BASE_XML_EXPAND_H

#include <stdbool.h>

#include "xml_reader.h"

#define DPL_XML_PARAMS_MAX       128
/* Bytes of values that are copied and expanded; an expression counts for more than its bytes. */
#define DPL_XML_EXPAND_BYTES_MAX (8 * DPL_XML_BYTES_MAX)

/* What expansions have cost, for a limit on all files of a world together. Zero-initialise. */
struct dpl_xml_work {
    size_t n_nodes, n_bytes; /* elements and rounds of repeats; bytes of values */
};

/* A value of a parameter from outside: a number as text. */
struct dpl_xml_given {
    const char *name, *value;
    struct dpl_place place, value_place;
};

/* Writes the expanded tree, or the tree itself if there is nothing to expand in it. Its places are
 * those of what was written; nodes of a repeat say which copy they are (`within`). Nodes, values
 * and texts live in the arena, or are those of the tree. `noun` names the file in messages ("this
 * world").
 * -EINVAL, with at least one error in diags: an expression without a value, a wrong or unknown
 * attribute of Param, Repeat or If, an unknown name in `given`, more than DPL_XML_NODES_MAX
 * elements, DPL_XML_EXPAND_BYTES_MAX bytes, or DPL_XML_PARAMS_MAX names at one place. `work` may be
 * NULL. */
int dpl_xml_expand(struct dpl_arena *arena, const struct dpl_xml_node *root,
                   const struct dpl_xml_given *given, size_t n_given, const char *noun,
                   struct dpl_xml_work *work, struct dpl_diags *diags,
                   const struct dpl_xml_node **ret_root);

/* Whether a file has parameters. */
bool dpl_xml_has_params(const struct dpl_xml_node *root);

/* Appends " (in repeat i=3)" to each of the diagnostics from number `first` on, if the node is of a
 * repeat. */
void dpl_xml_say_within(const struct dpl_xml_node *node, struct dpl_diags *diags, size_t first);

/* The name of element `i` of those that are expanded; NULL: there are no more. */
const char *dpl_xml_expand_element(size_t i);

#endif
