/* SPDX-License-Identifier: Apache-2.0 */
/* Detects a profile's encoding (byte order mark, XML declaration) and converts it with iconv. */
#include "xml_encoding.h"

#include <errno.h>
#include <iconv.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 40 };

/* Names used in profiles. Many EUC-KR files have characters that are only in cp949, which contains
 * EUC-KR. */
static const struct {
    const char *name, *iconv; /* NULL: already UTF-8 */
} encodings[] = {
    {"UTF-8", NULL},
    {"US-ASCII", NULL},
    {"ASCII", NULL},
    {"UTF-16", NULL}, /* declared, but the file is UTF-8: .NET writes this */
    {"ISO-8859-1", "ISO-8859-1"},
    {"latin1", "ISO-8859-1"},
    {"windows-1252", "CP1252"},
    {"EUC-KR", "UHC"},
    {"cp949", "UHC"},
    {"ms949", "UHC"},
    {"UHC", "UHC"},
    {"windows-949", "UHC"},
    {"x-windows-949", "UHC"},
    {"ks_c_5601-1987", "UHC"},
};

/* ---- places ---------------------------------------------------------------------------------- */

void dpl__text_cursor_start(struct dpl__text_cursor *cursor, const char *file,
                            struct dpl__text text)
{
    *cursor = (struct dpl__text_cursor){.text = text, .place = {file, 1, 1}};
}

static void advance(struct dpl__text_cursor *cursor)
{
    const char *bytes = cursor->text.bytes;
    size_t i = cursor->offset++;
    bool crlf = bytes[i] == '\r' && i + 1 < cursor->text.n && bytes[i + 1] == '\n';
    if (bytes[i] == '\n' || (bytes[i] == '\r' && !crlf)) {
        cursor->place.line++;
        cursor->place.column = 1;
        return;
    }
    cursor->place.column += ((unsigned char)bytes[i] & 0xc0) != 0x80;
}

struct dpl_place dpl__text_place(struct dpl__text_cursor *cursor, size_t offset)
{
    if (offset < cursor->offset) {
        dpl__text_cursor_start(cursor, cursor->place.file, cursor->text);
    }
    while (cursor->offset < offset && cursor->offset < cursor->text.n) {
        advance(cursor);
    }
    return cursor->place;
}

static struct dpl_place place_at(const char *file, struct dpl__text text, size_t offset)
{
    struct dpl__text_cursor cursor;
    dpl__text_cursor_start(&cursor, file, text);
    return dpl__text_place(&cursor, offset);
}

/* ---- recognition ----------------------------------------------------------------------------- */

static bool starts_with(struct dpl__text text, const char *bytes, size_t n)
{
    return text.n >= n && memcmp(text.bytes, bytes, n) == 0;
}

static const char *utf16_name(struct dpl__text text)
{
    if (starts_with(text, "\xff\xfe", 2) || starts_with(text, "<\0", 2)) {
        return "UTF-16LE";
    }
    if (starts_with(text, "\xfe\xff", 2) || starts_with(text, "\0<", 2)) {
        return "UTF-16BE";
    }
    return NULL;
}

static size_t bom_length(struct dpl__text text)
{
    if (starts_with(text, "\xef\xbb\xbf", 3)) {
        return 3;
    }
    return starts_with(text, "\xff\xfe", 2) || starts_with(text, "\xfe\xff", 2) ? 2 : 0;
}

/* Finds the value of encoding="..." in an XML declaration of any length; false: none. A name that
 * is too long is truncated. */
static bool declared_encoding(struct dpl__text text, char ret_name[NAME_MAX_LENGTH],
                              size_t *ret_offset)
{
    static const char start[] = "<?xml", word[] = "encoding";
    const char *end = memmem(text.bytes, text.n, "?>", 2);
    if (!starts_with(text, start, sizeof start - 1) || !end) {
        return false;
    }
    const char *at = memmem(text.bytes, (size_t)(end - text.bytes), word, sizeof word - 1);
    while (at && at < end && *at != '\'' && *at != '"') {
        at++;
    }
    if (!at || at == end) {
        return false;
    }
    size_t length = 0;
    for (at++; at + length < end && at[length] != '\'' && at[length] != '"';) {
        length++;
    }
    snprintf(ret_name, NAME_MAX_LENGTH, "%.*s", (int)length, at);
    *ret_offset = (size_t)(at - text.bytes);
    return true;
}

/* ---- conversion ------------------------------------------------------------------------------ */

static int convert(struct dpl_arena *arena, const char *from, struct dpl__text input,
                   struct dpl__text *ret_text, size_t *ret_bad_offset)
{
    iconv_t converter = iconv_open("UTF-8", from);
    if (converter == (iconv_t)-1) {
        return -ENOENT;
    }
    size_t capacity = input.n * 3 + 4;
    char *output = dpl_arena_alloc(arena, capacity + 1);
    char *in = (char *)(uintptr_t)input.bytes;
    char *out = output;
    size_t in_left = input.n, out_left = capacity;
    size_t result = iconv(converter, &in, &in_left, &out, &out_left);
    iconv_close(converter);
    *ret_text = (struct dpl__text){output, capacity - out_left};
    *ret_bad_offset = ret_text->n;
    return result == (size_t)-1 ? -EILSEQ : 0;
}

static int convert_from(struct dpl_arena *arena, const char *file, const char *from,
                        struct dpl__text *inout_text, struct dpl_diag *reterr)
{
    struct dpl__text converted;
    size_t bad_offset;
    int error = convert(arena, from, *inout_text, &converted, &bad_offset);
    if (error == -ENOENT) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){file, 1, 1},
                        "this system cannot convert the encoding %s", from);
    }
    if (error != 0) {
        return dpl_fail(reterr, -EINVAL, place_at(file, converted, bad_offset),
                        "these bytes are no character of the encoding %s", from);
    }
    *inout_text = converted;
    return 0;
}

int dpl__xml_to_utf8(struct dpl_arena *arena, const char *file, struct dpl__text input,
                     struct dpl__text *ret_text, struct dpl_diag *reterr)
{
    size_t bom = bom_length(input);
    const char *utf16 = utf16_name(input);
    struct dpl__text text = {input.bytes + bom, input.n - bom};
    char name[NAME_MAX_LENGTH];
    size_t offset;
    int error = 0;
    if (utf16) {
        error = convert_from(arena, file, utf16, &text, reterr);
    } else if (bom == 0 && declared_encoding(text, name, &offset)) {
        size_t i = 0;
        const size_t n = sizeof(encodings) / sizeof(encodings[0]);
        while (i < n && !dpl_name_equal(encodings[i].name, name)) {
            i++;
        }
        if (i == n) {
            return dpl_fail(reterr, -EINVAL, place_at(file, text, offset),
                            "unknown encoding '%s'; known are UTF-8, UTF-16, ISO-8859-1, "
                            "windows-1252, EUC-KR, cp949",
                            name);
        }
        if (encodings[i].iconv) {
            error = convert_from(arena, file, encodings[i].iconv, &text, reterr);
        }
    }
    if (error == 0) {
        *ret_text = text;
    }
    return error;
}
