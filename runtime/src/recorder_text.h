/* SPDX-License-Identifier: Apache-2.0 */
/* Values of rows as text. A number's text is kept with it: most of a row is what the row before
 * was, and text costs more than all that runs. */
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
    size_t size;
};

/* Allocates from the runtime's arena. */
void dpl__texts_create(struct dpl__texts *texts, struct dpl_runtime *runtime,
                       const struct dpl__columns *columns);

/* The value of a field among `values`; until the next call. */
const char *dpl__texts_value(struct dpl__texts *texts, const struct dpl_field *field,
                             const uint8_t *values);

/* A column's value as a row of the trace has it, strings in quotes. */
void dpl__texts_print(struct dpl__texts *texts, size_t column, const uint8_t *values, FILE *stream);

#endif
