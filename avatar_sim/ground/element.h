/* SPDX-License-Identifier: Apache-2.0 */
/* Reading an XML element into a struct by its field table: for worlds and robots. Errors and
 * warnings go to the reader's diagnostics; reading continues after an error, so that one run finds
 * all. */
#ifndef DOPPEL_SIM_ELEMENT_H
#define DOPPEL_SIM_ELEMENT_H

#include <doppel/field.h>
#include <doppel/sim/settings.h>

#include "xml_reader.h"

/* A field without a fallback that may be absent: the struct then keeps what it had. */
#define DPL_ELEMENT_OPTIONAL (1u << 16)

/* A text that names the element, besides the field "name" (sets.h). */
#define DPL_ELEMENT_NAME (1u << 17)

/* A number whose unit depends on another attribute, so that a schema knows none. Of an entry's
 * settings: on its joint; `choices` has the units of a turn and of a travel, "rad|m". */
#define DPL_ELEMENT_ANY_UNIT (1u << 18)

/* A text that names channels of the same mechanism, divided by blanks, which are read (a ! before
 * the name of a flag inverts it), or put. */
#define DPL_ELEMENT_READS (1u << 19)
#define DPL_ELEMENT_PUTS  (1u << 20)

#define DPL__CHANNELS(type_, member_, name_, flags_, default_, summary_)                           \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_STRING, .flags = flags_, DPL_MEMBER(type_, member_),      \
        .default_text = default_, .summary = summary_,                                             \
    }
#define DPL__READS(type_, member_, name_, summary_)                                                \
    DPL__CHANNELS(type_, member_, name_, DPL_ELEMENT_READS, "", summary_)
#define DPL__READS_NEEDED(type_, member_, name_, summary_)                                         \
    DPL__CHANNELS(type_, member_, name_, DPL_ELEMENT_READS, NULL, summary_)
#define DPL__PUTS_NEEDED(type_, member_, name_, summary_)                                          \
    DPL__CHANNELS(type_, member_, name_, DPL_ELEMENT_PUTS, NULL, summary_)

/* Rows like DPL_TEXT and DPL_NUMBER (doppel/field.h) for such fields. */
#define DPL_NAME(type, member, name, default_text, summary)                                        \
    {                                                                                              \
        name, NULL, DPL_FIELD_STRING, DPL_ELEMENT_NAME, DPL_MEMBER(type, member), NULL,            \
            default_text, 0.0, 0.0, NULL, summary                                                  \
    }
#define DPL_NUMBER_OPTIONAL(type, member, name, unit, min, max, summary)                           \
    {                                                                                              \
        name, NULL, DPL_FIELD_DOUBLE, DPL_ELEMENT_OPTIONAL, DPL_MEMBER(type, member), unit, NULL,  \
            min, max, NULL, summary                                                                \
    }

#define DPL_NUMBER_OF_JOINT(type_, member_, name_, units_, default_, min_, max_, summary_)         \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_DOUBLE, .flags = DPL_ELEMENT_ANY_UNIT,                    \
        DPL_MEMBER(type_, member_), .default_text = default_, .min = min_, .max = max_,            \
        .choices = units_, .summary = summary_,                                                    \
    }

struct dpl__sets;

struct dpl_element_reader {
    struct dpl_arena *arena;
    struct dpl_diags *diags;
    void *target;           /* what the handlers of children fill */
    struct dpl__sets *sets; /* changes to what is read; NULL: none */
    bool takes_float;       /* a number may end in f: "1.0f" */
    size_t n_said;          /* number of diags that already name their repeat */
};

/* What an element may have: its attributes, and its children if it has any. */
struct dpl_element_table {
    const struct dpl_field *fields;
    size_t n;
    const struct dpl_element_kind *kinds;
    size_t n_kinds;
};

#define DPL_ELEMENT_TABLE(array)                                                                   \
    {                                                                                              \
        array, DPL_COUNT(array), NULL, 0                                                           \
    }
#define DPL_ELEMENT_TABLE_OF(array, kinds)                                                         \
    {                                                                                              \
        array, DPL_COUNT(array), kinds, DPL_COUNT(kinds)                                           \
    }

/* One kind of child: its name, what reads it and what it is. Of more than `max` the
 * rest is refused. */
struct dpl_element_kind {
    const char *name;
    void (*read)(struct dpl_element_reader *reader, const struct dpl_xml_node *node);
    size_t max; /* 0: any number */
    const struct dpl_element_table *table;
    const char *summary;
    bool has_params; /* names a file: its other attributes are parameters of that (params.h) */
    /* The table of one element, if an attribute selects the others. NULL: `table`. */
    const struct dpl_element_table *(*choose)(const struct dpl_xml_node *node,
                                              const struct dpl_element_table *table);
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

/* Fills `base` with fallbacks, then with the attributes of `node`. Unknown attributes are warnings
 * with the nearest name; bad values and missing required ones are errors. True when no error. */
bool dpl__element_fields(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                         const struct dpl_field *fields, size_t n, void *base);

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
 * name. For a node that dpl__element_fields has read with a larger table: reports nothing. */
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

/* Adds `reterr` as an error at the element, for calls without a place. */
void dpl__element_error(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                        const struct dpl_diag *reterr);

#endif
