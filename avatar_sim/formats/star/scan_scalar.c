/* SPDX-License-Identifier: Apache-2.0 */
/* Strings, numbers and words of JSON, and the scanner's errors: see scan.h. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "number.h"
#include "scan.h"

struct dpl_place dpl__star_scan_place(const struct dpl__star_scanner *scanner, size_t at)
{
    return (struct dpl_place){.file = scanner->file,
                              .line = scanner->line,
                              .column = (int)(at - scanner->line_start) + 1};
}

/* The error that ends the text is told, also when the list is full of keys that are there twice. */
static void make_room(struct dpl__star_scanner *scanner)
{
    struct dpl_diags *diags = scanner->diags;
    if (diags->n_errors >= DPL_STAR_ERRORS_MAX) {
        diags->n--;
        diags->n_errors--;
        scanner->places->left_errors = true;
    }
}

bool dpl__star_fail(struct dpl__star_scanner *scanner, size_t at, const char *text)
{
    make_room(scanner);
    dpl_diags_add(scanner->diags, DPL_SEVERITY_ERROR, dpl__star_scan_place(scanner, at), "%s",
                  text);
    scanner->error = -EINVAL;
    return false;
}

bool dpl__star_fail_here(struct dpl__star_scanner *scanner, const char *expected)
{
    char c = dpl__star_peek(scanner), text[120], found[16];
    if (scanner->at >= scanner->n) {
        snprintf(text, sizeof text, "the text ends where %s is expected", expected);
    } else if (c == '/') {
        snprintf(text, sizeof text, "a comment: JSON has none");
    } else {
        snprintf(text, sizeof text, "'%s' where %s is expected",
                 dpl_diag_quote(&c, 1, found, sizeof found), expected);
    }
    return dpl__star_fail(scanner, scanner->at, text);
}

/* ---- scalars ---- */

static bool is_hexadecimal(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* The length of an escape at `at`, 0: it is none. */
static size_t escape_length(const struct dpl__star_scanner *scanner, size_t at)
{
    if (at + 1 >= scanner->n) {
        return 0;
    }
    if (scanner->text[at + 1] != 'u') {
        return scanner->text[at + 1] != '\0' && strchr("\"\\/bfnrt", scanner->text[at + 1]) ? 2 : 0;
    }
    for (size_t i = 2; i < 6; i++) {
        if (at + i >= scanner->n || !is_hexadecimal(scanner->text[at + i])) {
            return 0;
        }
    }
    return 6;
}

/* The length of a character of UTF-8 (RFC 3629) at `at`, 0: it is none. */
static size_t character_length(const struct dpl__star_scanner *scanner, size_t at)
{
    const unsigned char *text = (const unsigned char *)scanner->text; /* a 0 follows it */
    unsigned char first = text[at], second = first >= 0xc2 ? text[at + 1] : 0;
    size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (length == 1) {
        return 1;
    }
    bool is_too_long = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    bool is_too_large = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
    if (first < 0xc2 || first > 0xf4 || is_too_long || is_too_large) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((text[at + i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

bool dpl__star_scan_string(struct dpl__star_scanner *scanner)
{
    size_t start = scanner->at++;
    while (scanner->at < scanner->n && scanner->text[scanner->at] != '"') {
        unsigned char c = (unsigned char)scanner->text[scanner->at];
        if (c == '\n') {
            break;
        }
        if (c < 0x20) {
            return dpl__star_fail(scanner, scanner->at, "a control character in a string");
        }
        bool is_escape = c == '\\';
        size_t length = is_escape ? escape_length(scanner, scanner->at)
                                  : character_length(scanner, scanner->at);
        if (length == 0) {
            return dpl__star_fail(scanner, scanner->at,
                                  is_escape ? "JSON does not know this escape"
                                            : "this is no UTF-8");
        }
        scanner->at += length;
    }
    if (dpl__star_peek(scanner) != '"') {
        return dpl__star_fail(scanner, start, "this string has no end in its line");
    }
    scanner->at++;
    return true;
}

static size_t count_digits(const struct dpl__star_scanner *scanner, size_t at)
{
    size_t n = 0;
    while (at + n < scanner->n && scanner->text[at + n] >= '0' && scanner->text[at + n] <= '9') {
        n++;
    }
    return n;
}

/* The length of a number as JSON writes them, 0: it is none. */
static size_t number_length(const struct dpl__star_scanner *scanner, size_t start, bool *ret_whole)
{
    size_t at = start + (scanner->text[start] == '-' ? 1 : 0);
    size_t digits = count_digits(scanner, at);
    if (digits == 0 || (digits > 1 && scanner->text[at] == '0')) {
        return 0;
    }
    at += digits;
    *ret_whole = true;
    if (at < scanner->n && scanner->text[at] == '.') {
        digits = count_digits(scanner, at + 1);
        *ret_whole = false;
        at += 1 + digits;
    }
    if (digits > 0 && at < scanner->n && (scanner->text[at] == 'e' || scanner->text[at] == 'E')) {
        at++;
        at += at < scanner->n && (scanner->text[at] == '+' || scanner->text[at] == '-');
        digits = count_digits(scanner, at);
        *ret_whole = false;
        at += digits;
    }
    bool ends = at >= scanner->n || !strchr("+-.0123456789xXeE", scanner->text[at]);
    return digits > 0 && ends ? at - start : 0;
}

bool dpl__star_scan_number(struct dpl__star_scanner *scanner)
{
    bool is_whole;
    size_t length = number_length(scanner, scanner->at, &is_whole);
    if (length == 0) {
        return dpl__star_fail(scanner, scanner->at, "this is no number of JSON");
    }
    double value;
    int64_t whole;
    if (!dpl__number_read(scanner->text + scanner->at, &value)) {
        return dpl__star_fail(scanner, scanner->at, "this number is too large");
    }
    if (is_whole && !dpl__whole_read(scanner->text + scanner->at, &whole)) {
        return dpl__star_fail(scanner, scanner->at,
                              "a whole number of more than 64 bits: write it with an exponent");
    }
    scanner->at += length;
    return true;
}

bool dpl__star_scan_word(struct dpl__star_scanner *scanner)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if (scanner->n - scanner->at >= length &&
            memcmp(scanner->text + scanner->at, words[i], length) == 0) {
            scanner->at += length;
            return true;
        }
    }
    return dpl__star_fail_here(scanner, "a value");
}
