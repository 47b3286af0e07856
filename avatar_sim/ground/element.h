/* SPDX-License-Identifier: Apache-2.0 */
/* Reading an XML element into a struct by its field table: for worlds and robots. Errors and
 * warnings go to the reader's diagnostics; reading continues after an error, so that one run finds
 * all. */
#ifndef DOPPEL_SIM_ELEMENT_H
#define DOPPEL_SIM_ELEMENT_H

#include <doppel/sim/element.h>
#include <doppel/sim/settings.h>

#include "xml_reader.h"

struct dpl__sets;

struct dpl_element_reader {
    struct dpl_arena *arena;
    struct dpl_diags *diags;
    void *target;           /* what the handlers of children fill */
    struct dpl__sets *sets; /* changes to what is read; NULL: none */
    bool takes_float;       /* a number may end in f: "1.0f" */
    size_t n_said;          /* number of diags that already name their repeat */
    const void *draft;      /* a struct whose size is known: fields beyond it are errors */
    size_t draft_size;
};

/* A root with all that may be in it. */
struct dpl_element_root {
    const char *name;
    struct dpl_element_table table;
    const char *summary;
    bool takes_float; /* numbers may end in f */
};

/* The root of a file, or of a text of which `name` stands for the file; NULL after an error, which
 * the reader has. */
const struct dpl_xml_node *dpl__root_of_file(struct dpl_element_reader *reader, const char *file);
const struct dpl_xml_node *dpl__root_of_text(struct dpl_element_reader *reader, const char *name,
                                             const void *bytes, size_t n);

/* Hands each child to its kind; an unknown one is a warning with the nearest name, as is what a
 * child holds whose table has no children. A kind whose table has some calls this for them. */
void dpl__element_children(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                           const struct dpl_element_table *table);

/* Reads an element that its kind has only stored; errors name its repeat. */
void dpl__element_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                       void (*read)(struct dpl_element_reader *, const struct dpl_xml_node *));

/* The same as dpl__element_children, while reader->target is `target`. */
void dpl__element_children_into(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                                const struct dpl_element_table *table, void *target);

/* A struct for these settings in the arena, with their defaults. */
void *dpl__settings_make(struct dpl_arena *arena, const struct dpl_sim_settings *settings);

/* Fills a struct that dpl__settings_make has made with those attributes of `node` that its fields
 * name. For a node that dpl_element_fields has read with a larger table: reports nothing. */
void dpl__element_values(const struct dpl_xml_node *node, const struct dpl_sim_settings *settings,
                         void *values);

/* A list that grows. Zero-initialise. */
struct dpl__list {
    void *items;
    size_t n;
};

/* A new element of zeroes at the end of a list whose memory comes from the arena. */
void *dpl__list_add(struct dpl_arena *arena, struct dpl__list *list, size_t size);

/* Adds to a list of struct dpl_element_kind. */
void dpl__element_add_kinds(struct dpl_arena *arena, struct dpl__list *list,
                            const struct dpl_element_kind *kinds, size_t n);

/* True, or an error at `node` that names the found and the expected text. */
bool dpl__element_is(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                     const char *name);

/* The field whose name is nearest to `name`, if it is near enough; NULL. */
const char *dpl__element_nearest(const struct dpl_field *fields, size_t n, const char *name);

/* The number of names of a table that are compared to find the nearest one. */
enum { DPL_ELEMENT_NAMES_MAX = 64 };

/* A warning that there is no such attribute, with the name that was probably meant (`nearest`;
 * NULL: none). */
void dpl__element_unknown(struct dpl_element_reader *reader, struct dpl_place place,
                          const char *name, const char *nearest);

#endif
