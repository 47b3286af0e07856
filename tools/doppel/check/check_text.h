/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of diagnostics for formats that others read: UTF-8, URIs, codes, and where in its file a
 * diagnostic ends. */
#ifndef DOPPEL_CLI_CHECK_TEXT_H
#define DOPPEL_CLI_CHECK_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/diag.h>

enum { CHECK_CODE_SIZE = 64 };

/* The text as UTF-8: bytes that are not, are written as \x00; control characters too, unless
 * `keeps_control` says that the format escapes them itself. The caller frees it; NULL: no memory.
 */
char *check_text_plain(const char *text, bool keeps_control);

/* The file as an URI by RFC 3986 and RFC 8089: file:///... when `is_absolute` (from the working
 * folder) or its path begins with '/', otherwise relative. Bytes that an URI cannot have are
 * percent-encoded. The caller frees it; NULL: no memory, or there is no working folder. */
char *check_text_uri(const char *file, bool is_absolute);

/* The words of a message without the names and values in it: "unknown-property-of". */
void check_text_code(const char *message, char ret_code[CHECK_CODE_SIZE]);

/* The part of a line that a diagnostic is about, both counted from 0 in units of UTF-16, as LSP
 * does; the end is that of the name, tag or value that begins there, and is not included. */
struct check_span {
    int line, start, end;
};

/* Reads the file to find the end. If that is not possible, the span is one character. */
struct check_span check_text_span(const struct dpl_place *place);

#endif
