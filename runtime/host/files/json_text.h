/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of the files that a run writes as JSON. */
#ifndef DOPPEL_HOST_JSON_TEXT_H
#define DOPPEL_HOST_JSON_TEXT_H

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/text.h>

/* The text, cleaned (doppel/text.h): names and messages may be of a peer or not be UTF-8. NULL text
 * or no memory: null. Allocates; the caller owns the value. */
static inline json_t *dpl__json_text(const char *text)
{
    size_t size = text ? DPL_TEXT_CLEAN_SIZE(strlen(text)) : 0;
    char *clean = text ? malloc(size) : NULL;
    if (!clean) {
        return json_null();
    }
    dpl_text_clean(text, clean, size);
    json_t *value = json_string(clean);
    free(clean);
    return value ? value : json_null();
}

#endif
