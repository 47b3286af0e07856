/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of the values of rows to text, on the control thread. */
#include "recorder_text.h"

#include <string.h>

#include <doppel/text.h>

#include "runtime.h"

/* A number of the newest row and its text. */
struct dpl__shown {
    uint8_t value[8];
    char text[40]; /* "": none yet, or the text is longer */
};

void dpl__texts_create(struct dpl__texts *texts, struct dpl_runtime *runtime,
                       const struct dpl__columns *columns)
{
    texts->columns = columns;
    texts->size = dpl__columns_text_size(columns);
    texts->text = dpl_arena_alloc(&runtime->arena, texts->size);
    texts->clean = dpl_arena_alloc(&runtime->arena, DPL_TEXT_CLEAN_SIZE(texts->size));
    texts->shown = dpl_arena_alloc(&runtime->arena, columns->n * sizeof texts->shown[0]);
}

const char *dpl__texts_value(struct dpl__texts *texts, const struct dpl_field *field,
                             const uint8_t *values)
{
    dpl_field_format(field, values, texts->text, texts->size);
    if (field->type != DPL_FIELD_STRING) {
        return texts->text;
    }
    dpl_text_clean(texts->text, texts->clean, DPL_TEXT_CLEAN_SIZE(texts->size));
    return texts->clean;
}

static void print_quoted(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"') {
            fputc('"', stream);
        }
        fputc(*c, stream);
    }
    fputc('"', stream);
}

static const char *number_text(struct dpl__texts *texts, size_t column, const uint8_t *values)
{
    const struct dpl_field *field = &texts->columns->items[column].field;
    struct dpl__shown *shown = &texts->shown[column];
    const uint8_t *value = values + field->offset;
    if (field->size > sizeof shown->value) {
        return dpl__texts_value(texts, field, values);
    }
    if (shown->text[0] != '\0' && memcmp(value, shown->value, field->size) == 0) {
        return shown->text;
    }
    const char *text = dpl__texts_value(texts, field, values);
    size_t n = strlen(text);
    bool fits = n < sizeof shown->text;
    memcpy(shown->value, value, field->size);
    memcpy(shown->text, fits ? text : "", fits ? n + 1 : 1);
    return text;
}

void dpl__texts_print(struct dpl__texts *texts, size_t column, const uint8_t *values, FILE *stream)
{
    const struct dpl_field *field = &texts->columns->items[column].field;
    if (field->type == DPL_FIELD_STRING) {
        print_quoted(stream, dpl__texts_value(texts, field, values));
    } else {
        fputs(number_text(texts, column, values), stream);
    }
}
