/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of the values of rows to text. The text of each number is stored: most values are
 * equal to those of the row before, and the conversion costs more time than all other work of the
 * run. */
#ifndef DOPPEL_RUNTIME_RECORDER_TEXT_H
#define DOPPEL_RUNTIME_RECORDER_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include "recorder_columns.h"

struct dpl__shown;

struct dpl__texts {
    const struct dpl__columns *columns; /* borrowed */
    struct dpl__shown *shown;           /* of each column */
    char *text;                         /* room for the longest value of a row */
    char *clean;                        /* the same for a string that is cleaned */
    size_t size;
};

/* Allocates from the runtime's arena. */
void dpl__texts_create(struct dpl__texts *texts, struct dpl_runtime *runtime,
                       const struct dpl__columns *columns);

/* The text of a field's value among `values`, a string cleaned (doppel/text.h); valid until the
 * next call. */
const char *dpl__texts_value(struct dpl__texts *texts, const struct dpl_field *field,
                             const uint8_t *values);

/* Prints a column's value in the format of the trace, strings in quotes. */
void dpl__texts_print(struct dpl__texts *texts, size_t column, const uint8_t *values, FILE *stream);

#endif
