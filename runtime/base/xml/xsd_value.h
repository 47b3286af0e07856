/* SPDX-License-Identifier: Apache-2.0 */
/* Types of values in XML schemas, from the rows of field tables: what the field parser takes. A
 * number is either plain, then the schema knows its range, or one with a unit of its dimension.
 * Words may be written in any case: the list is for the editor's completion, a pattern beside it
 * accepts the rest. */
#ifndef DOPPEL_BASE_XSD_VALUE_H
#define DOPPEL_BASE_XSD_VALUE_H

#include <stdbool.h>
#include <stdio.h>

#include <doppel/field.h>

struct dpl__xsd_value {
    const struct dpl_field *field;
    const char *also; /* a simple type of the schema that every value may be, too; NULL: none */
    bool takes_float; /* a number may end in f */
    bool any_unit;    /* a number may have any unit */
};

/* Writes an anonymous simple type; its children are what the value may be. */
void dpl__xsd_write_value(FILE *stream, const struct dpl__xsd_value *value);

/* What an editor shows: the summary, the unit of a plain number, the range, the default. Text that
 * is escaped, without an element. */
void dpl__xsd_describe(FILE *stream, const struct dpl_field *field);

/* A text in an element or in an attribute between quotation marks. */
void dpl__xsd_write_escaped(FILE *stream, const char *text);

/* A literal in a pattern: what the syntax of patterns gives a meaning is escaped. */
void dpl__xsd_write_literal(FILE *stream, const char *text);

#endif
