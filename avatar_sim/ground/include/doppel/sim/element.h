/* SPDX-License-Identifier: Apache-2.0 */
/* What elements of a world's or robot's file may have: field tables and the handlers that read
 * them. A subsystem and an entry bring such tables. Errors and warnings go to the reader's
 * diagnostics; reading continues after an error, so that one run finds all. */
#ifndef DOPPEL_SIM_ELEMENT_PUBLIC_H
#define DOPPEL_SIM_ELEMENT_PUBLIC_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/diag.h>
#include <doppel/field.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_element_reader;
struct dpl_xml_node;

/* A field without a fallback that may be absent: the struct then keeps what it had. */
#define DPL_ELEMENT_OPTIONAL (1u << 16)

/* A text that names the element, besides the field "name". */
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
    bool has_params; /* names a file: its other attributes are parameters of that */
    /* The table of one element, if an attribute selects the others. NULL: `table`. */
    const struct dpl_element_table *(*choose)(const struct dpl_xml_node *node,
                                              const struct dpl_element_table *table);
};

/* Fills `base` with fallbacks, then with the attributes of `node`. Unknown attributes are warnings
 * with the nearest name; bad values and missing required ones are errors. True when no error. */
bool dpl_element_fields(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                        const struct dpl_field *fields, size_t n, void *base);

/* Adds `reterr` as an error at the element, for calls without a place. */
void dpl_element_error(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                       const struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
