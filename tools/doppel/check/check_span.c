/* SPDX-License-Identifier: Apache-2.0 */
/* Where in its file a diagnostic begins and ends, in the units of LSP. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_text.h"
#include <doppel/text.h>

enum { LINE_BYTES_MAX = 1 << 16 };

/* Line `number` (from 1) of a file, ended by LF, CR LF or CR, without its end and a byte order
 * mark: its length, or -1. */
static long read_line(const char *file, int number, char *ret_line)
{
    FILE *stream = fopen(file, "rb");
    if (!stream) {
        return -1;
    }
    long n = 0;
    int line = 1, c, last = 0;
    while (line <= number && n < LINE_BYTES_MAX - 1 && (c = getc(stream)) != EOF) {
        if (c == '\n' && last == '\r') {
            last = c;
            continue;
        }
        last = c;
        line += c == '\n' || c == '\r';
        if (line == number && c != '\n' && c != '\r') {
            ret_line[n++] = (char)c;
        }
    }
    bool failed = ferror(stream) != 0;
    fclose(stream);
    ret_line[n] = '\0';
    if (failed || line < number || memchr(ret_line, '\0', (size_t)n)) {
        return -1;
    }
    if (number == 1 && n >= 3 && memcmp(ret_line, "\xef\xbb\xbf", 3) == 0) {
        memmove(ret_line, ret_line + 3, (size_t)n - 2);
        n -= 3;
    }
    return n;
}

/* The place of column `column` (from 1) in a line; NULL: the line is no UTF-8 or is shorter. XML
 * counts characters, JSON bytes. ret_start: units of UTF-16 before it. */
static const char *at_column(const char *line, int column, bool counts_bytes, int *ret_start)
{
    const char *at = line;
    int units = 0;
    for (int left = column - 1; left > 0;) {
        uint32_t code;
        size_t n = *at == '\0' ? 0 : dpl_text_next(at, &code);
        if (n == 0) {
            return NULL;
        }
        at += n;
        left -= counts_bytes ? (int)n : 1;
        units += code >= 0x10000 ? 2 : 1;
    }
    *ret_start = units;
    return at;
}

static bool is_name_byte(char c)
{
    unsigned char byte = (unsigned char)c;
    return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= 'a' && byte <= 'z') || strchr("_-.:", c);
}

/* The bytes of what begins here: the name of a tag with its '<', a value up to its quotation mark,
 * text up to the next tag, a name before '=' or ':'. */
static size_t token(const char *line, const char *at)
{
    size_t n = 1;
    if (*at == '<') {
        n += strspn(at + 1, "/!?");
        while (at[n] != '\0' && is_name_byte(at[n])) {
            n++;
        }
        return n;
    }
    char before = at > line ? at[-1] : '\0';
    const char ends[] = {before, '\0'};
    if ((before == '"' || before == '\'') && strcspn(at, ends) > 0) {
        return strcspn(at, ends);
    }
    if (*at == '"') {
        const char *end = strchr(at + 1, '"');
        return end ? (size_t)(end + 1 - at) : strlen(at);
    }
    for (n = 0; at[n] != '\0' && is_name_byte(at[n]);) {
        n++;
    }
    n = at[n] == '=' ? n : strcspn(at, "<>,]}");
    return n > 0 ? n : dpl_text_next(at, &(uint32_t){0});
}

static int units_of(const char *at, size_t n)
{
    int units = 0;
    for (const char *end = at + n; at < end;) {
        uint32_t code;
        size_t bytes = dpl_text_next(at, &code);
        units += bytes == 4 ? 2 : 1;
        at += bytes > 0 ? bytes : 1;
    }
    return units;
}

struct check_span check_text_span(const struct dpl_place *place)
{
    int line = place->line > 0 ? place->line - 1 : 0;
    int column = place->column > 0 ? place->column : 1;
    struct check_span span = {.line = line, .start = column - 1, .end = column};
    if (!place->file || place->line <= 0) {
        span.end = span.start; /* the whole file is meant, and the start stands for it */
        return span;
    }
    char *text = malloc(LINE_BYTES_MAX);
    size_t length = strlen(place->file);
    bool is_json = length > 5 && strcmp(place->file + length - 5, ".json") == 0;
    if (text && read_line(place->file, place->line, text) >= 0) {
        int start;
        const char *at = at_column(text, column, is_json, &start);
        int units = at && *at != '\0' ? units_of(at, token(text, at)) : 0;
        if (at) {
            span.start = start;
            span.end = start + units;
        }
    }
    free(text);
    return span;
}
