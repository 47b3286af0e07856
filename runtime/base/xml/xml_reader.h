/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an XML file into a tree with the position of every element and attribute. Used for
 * profiles, worlds and robots. Encodings: UTF-8 with and without BOM, UTF-16, ISO-8859-1, EUC-KR,
 * cp949; the resulting text is UTF-8. No external entities; depth, size and count have limits. */
#ifndef DOPPEL_BASE_XML_READER_H
#define DOPPEL_BASE_XML_READER_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/diag.h>

#include "arena.h"

#define DPL_XML_BYTES_MAX (8u << 20)
#define DPL_XML_DEPTH_MAX 64
#define DPL_XML_NODES_MAX 100000

struct dpl_xml_attribute {
    const char *name, *value;
    struct dpl_place place;       /* of the name */
    struct dpl_place value_place; /* of the first character of the value */
    /* The value as the file has it, with references such as &lt;: for places inside of it. NULL:
     * the value has no brace, so there is nothing to expand (xml_expand.h). */
    const char *written;
    /* The same of a value without a brace that has references or line ends. NULL: the value is what
     * was written; "": what was written is not known. */
    const char *raw;
};

struct dpl_xml_node {
    const char *name;
    const char *text;            /* character data of the element itself, trimmed; "" when none */
    struct dpl_place place;      /* of the '<' */
    struct dpl_place text_place; /* of the first character of text; `place` when none */
    const struct dpl_xml_attribute *attributes;
    size_t n_attributes;
    /* For messages: which copy of a <Repeat> it is, such as "in repeat i=3"; NULL: none. */
    const char *within;
    const struct dpl_xml_node *children; /* first child */
    const struct dpl_xml_node *next;     /* next sibling */
};

/* The arena owns the tree and the copy of `file` in its positions. -EINVAL for XML that is not
 * well-formed or exceeds a limit, or the errno of opening; both with reterr. */
int dpl_xml_read_file(struct dpl_arena *arena, const char *file,
                      const struct dpl_xml_node **ret_root, struct dpl_diag *reterr);
int dpl_xml_read_memory(struct dpl_arena *arena, const char *name, const void *bytes, size_t n,
                        const struct dpl_xml_node **ret_root, struct dpl_diag *reterr);

/* Names are compared exactly. NULL when absent. */
const struct dpl_xml_node *dpl_xml_child(const struct dpl_xml_node *node, const char *name);
const struct dpl_xml_node *dpl_xml_next(const struct dpl_xml_node *node, const char *name);
const struct dpl_xml_attribute *dpl_xml_attribute(const struct dpl_xml_node *node,
                                                  const char *name);

/* The first attribute of this name in any spelling (dpl_name_equal); NULL when absent. */
const struct dpl_xml_attribute *dpl_xml_attribute_like(const struct dpl_xml_node *node,
                                                       const char *name);

/* Whether an attribute is for editors and parsers, not for the reader of the file: a declaration of
 * a namespace, xml:lang, xsi:noNamespaceSchemaLocation. */
bool dpl_xml_is_for_editors(const char *attribute_name);

#endif
