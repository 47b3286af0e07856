/* SPDX-License-Identifier: Apache-2.0 */
/* Converts a profile to UTF-8 before it is parsed, so that one character is one column for every
 * encoding. */
#ifndef DOPPEL_BASE_XML_ENCODING_H
#define DOPPEL_BASE_XML_ENCODING_H

#include <stddef.h>

#include <doppel/diag.h>

#include "arena.h"

struct dpl__text {
    const char *bytes;
    size_t n;
};

/* Counts lines and characters from the start of a UTF-8 text. Call it for increasing positions
 * (otherwise it starts again). */
struct dpl__text_cursor {
    struct dpl__text text;
    size_t offset;
    struct dpl_place place;
};

/* The text as UTF-8 without byte order mark: the input itself if it already is, otherwise a copy in
 * the arena. -EINVAL with reterr for an unknown encoding or for bytes that are invalid in the
 * encoding. */
int dpl__xml_to_utf8(struct dpl_arena *arena, const char *file, struct dpl__text input,
                     struct dpl__text *ret_text, struct dpl_diag *reterr);

void dpl__text_cursor_start(struct dpl__text_cursor *cursor, const char *file,
                            struct dpl__text text);
struct dpl_place dpl__text_place(struct dpl__text_cursor *cursor, size_t offset);

#endif
