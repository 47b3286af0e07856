/* SPDX-License-Identifier: Apache-2.0 */
/* Values of fields as text and as numbers. */
#include <doppel/field.h>

#include <math.h>
#include <stdio.h>

#include "number.h"
#include "words.h"

static int format_choice(const struct dpl_field *field, int index, char *ret_text, size_t size)
{
    char word[DPL__WORD_MAX];
    const char *rest = field->choices;
    for (int i = 0; (rest = dpl__word_next(rest, word)); i++) {
        if (i == index) {
            return snprintf(ret_text, size, "%s", word);
        }
    }
    return snprintf(ret_text, size, "%d", index);
}

int dpl_field_format(const struct dpl_field *field, const void *base, char *ret_text, size_t size)
{
    const void *member = (const char *)base + field->offset;
    switch (field->type) {
    case DPL_FIELD_BOOL:
        return snprintf(ret_text, size, "%s", *(const bool *)member ? "true" : "false");
    case DPL_FIELD_INT:
        return snprintf(ret_text, size, "%lld", (long long)*(const int64_t *)member);
    case DPL_FIELD_DOUBLE: return dpl__number_write(*(const double *)member, ret_text, size);
    case DPL_FIELD_STRING:
        return snprintf(ret_text, size, "%.*s", (int)field->size, (const char *)member);
    case DPL_FIELD_CHOICE: return format_choice(field, *(const int *)member, ret_text, size);
    }
    return 0;
}

double dpl_field_number(const struct dpl_field *field, const void *base)
{
    const void *member = (const char *)base + field->offset;
    switch (field->type) {
    case DPL_FIELD_BOOL: return *(const bool *)member ? 1.0 : 0.0;
    case DPL_FIELD_INT: return (double)*(const int64_t *)member;
    case DPL_FIELD_DOUBLE: return *(const double *)member;
    case DPL_FIELD_CHOICE: return (double)*(const int *)member;
    case DPL_FIELD_STRING: break;
    }
    return (double)NAN;
}
