/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays and objects of JSON: see scan.h. */
#include "scan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

static void skip_blanks(struct dpl__star_scanner *scanner)
{
    while (scanner->at < scanner->n && dpl__is_blank(scanner->text[scanner->at])) {
        if (scanner->text[scanner->at++] == '\n') {
            scanner->line++;
            scanner->line_start = scanner->at;
        }
    }
}

static bool add_value(struct dpl__star_scanner *scanner, const struct dpl__star_value *named)
{
    struct dpl__star_places *places = scanner->places;
    if (places->n == places->capacity) {
        if ((unsigned)places->n >= DPL_STAR_VALUES_MAX) {
            return dpl__star_fail(scanner, scanner->at, "more than 8000000 values");
        }
        int capacity = places->capacity > 0 ? 2 * places->capacity : 256;
        struct dpl__star_value *values = realloc(places->values, (size_t)capacity * sizeof *values);
        if (!values) {
            scanner->error = -ENOMEM;
            return false;
        }
        places->values = values;
        places->capacity = capacity;
    }
    struct dpl_place place = dpl__star_scan_place(scanner, scanner->at);
    struct dpl__star_value *value = &places->values[places->n++];
    *value = *named;
    value->parent = scanner->depth > 0 ? scanner->open[scanner->depth - 1].value : -1;
    value->next = places->n;
    value->line = place.line;
    value->column = place.column;
    return true;
}

/* ---- keys that are there twice ---- */

struct key {
    const char *text;
    int length;
    int value;
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *one = a, *two = b;
    int shorter = one->length < two->length ? one->length : two->length;
    int order = memcmp(one->text, two->text, (size_t)shorter);
    if (order == 0) {
        order = one->length - two->length;
    }
    return order != 0 ? order : one->value - two->value;
}

static void report_twice(struct dpl__star_scanner *scanner, int first, int second)
{
    const struct dpl__star_value *values = scanner->places->values;
    char path[256], key[128];
    scanner->error = -EINVAL;
    if (scanner->diags->n_errors >= DPL_STAR_ERRORS_MAX) {
        scanner->places->left_errors = true;
        return;
    }
    dpl_diags_add(scanner->diags, DPL_SEVERITY_ERROR,
                  (struct dpl_place){.file = scanner->file,
                                     .line = values[second].key_line,
                                     .column = values[second].key_column},
                  "%s: '%s' is there twice, for the first time in line %d",
                  dpl__star_path(scanner->places, values[second].parent, path, sizeof path),
                  dpl_diag_quote(scanner->text + values[second].key,
                                 (size_t)values[second].key_length, key, sizeof key),
                  values[first].key_line);
}

static bool check_keys(struct dpl__star_scanner *scanner, int object, int n)
{
    if (n < 2) {
        return true;
    }
    struct key *keys = malloc((size_t)n * sizeof *keys);
    if (!keys) {
        scanner->error = -ENOMEM;
        return false;
    }
    const struct dpl__star_value *values = scanner->places->values;
    int value = object + 1;
    for (int i = 0; i < n; i++, value = values[value].next) {
        keys[i] = (struct key){.text = scanner->text + values[value].key,
                               .length = values[value].key_length,
                               .value = value};
    }
    qsort(keys, (size_t)n, sizeof *keys, compare_keys);
    for (int i = 1; i < n; i++) {
        if (keys[i].length == keys[i - 1].length &&
            memcmp(keys[i].text, keys[i - 1].text, (size_t)keys[i].length) == 0) {
            report_twice(scanner, keys[i - 1].value, keys[i].value);
        }
    }
    free(keys);
    return true;
}

/* ---- arrays and objects ---- */

static bool scan_key(struct dpl__star_scanner *scanner, struct dpl__star_value *ret_key)
{
    if (dpl__star_peek(scanner) != '"') {
        return dpl__star_fail_here(scanner, "a name in quotation marks");
    }
    struct dpl_place place = dpl__star_scan_place(scanner, scanner->at);
    size_t start = scanner->at + 1;
    if (!dpl__star_scan_string(scanner)) {
        return false;
    }
    ret_key->key = (int)start;
    ret_key->key_length = (int)(scanner->at - 1 - start);
    ret_key->key_line = place.line;
    ret_key->key_column = place.column;
    skip_blanks(scanner);
    if (dpl__star_peek(scanner) != ':') {
        return dpl__star_fail_here(scanner, "':'");
    }
    scanner->at++;
    skip_blanks(scanner);
    return true;
}

/* Opens an array or object, or scans another value. `named`: its key and index. */
static bool scan_start(struct dpl__star_scanner *scanner, const struct dpl__star_value *named)
{
    char c = dpl__star_peek(scanner);
    bool opens = c == '{' || c == '[';
    if (opens && scanner->depth == DPL_STAR_DEPTH_MAX) {
        return dpl__star_fail(scanner, scanner->at, "arrays and objects are more than 256 deep");
    }
    if (!add_value(scanner, named)) {
        return false;
    }
    if (opens) {
        scanner->open[scanner->depth++] =
            (struct dpl__star_level){.value = scanner->places->n - 1, .is_object = c == '{'};
        scanner->at++;
        return true;
    }
    if (c == '"') {
        return dpl__star_scan_string(scanner);
    }
    return c == '-' || (c >= '0' && c <= '9') ? dpl__star_scan_number(scanner)
                                              : dpl__star_scan_word(scanner);
}

/* Behind the last element: a comma, and no end after it. */
static bool scan_comma(struct dpl__star_scanner *scanner, const struct dpl__star_level *level,
                       char end)
{
    if (dpl__star_peek(scanner) != ',') {
        return dpl__star_fail_here(scanner, level->is_object ? "',' or '}'" : "',' or ']'");
    }
    size_t comma = scanner->at++;
    int line = scanner->line;
    size_t line_start = scanner->line_start;
    skip_blanks(scanner);
    if (dpl__star_peek(scanner) == end) {
        scanner->line = line;
        scanner->line_start = line_start;
        return dpl__star_fail(scanner, comma, "a comma behind the last element");
    }
    return true;
}

/* Goes on in the innermost array or object: its end, or its next element. */
static bool scan_next(struct dpl__star_scanner *scanner)
{
    struct dpl__star_level *level = &scanner->open[scanner->depth - 1];
    char end = level->is_object ? '}' : ']';
    skip_blanks(scanner);
    if (dpl__star_peek(scanner) == end) {
        scanner->at++;
        scanner->places->values[level->value].next = scanner->places->n;
        scanner->depth--;
        return !level->is_object || check_keys(scanner, level->value, level->count);
    }
    if (level->count > 0 && !scan_comma(scanner, level, end)) {
        return false;
    }
    struct dpl__star_value named = {.key = -1};
    if (level->is_object && !scan_key(scanner, &named)) {
        return false;
    }
    named.index = level->count++;
    return scan_start(scanner, &named);
}

int dpl__star_scan(const char *file, const char *text, size_t n,
                   struct dpl__star_places *ret_places, struct dpl_diags *diags)
{
    struct dpl__star_scanner scanner = {
        .file = file, .text = text, .n = n, .line = 1, .places = ret_places, .diags = diags};
    *ret_places = (struct dpl__star_places){.text = text};
    skip_blanks(&scanner);
    const struct dpl__star_value root = {.key = -1};
    bool goes_on = scan_start(&scanner, &root);
    while (goes_on && scanner.depth > 0) {
        goes_on = scan_next(&scanner);
    }
    if (goes_on) {
        skip_blanks(&scanner);
        if (scanner.at < n) {
            dpl__star_fail_here(&scanner, "the end of the text");
        }
    }
    return scanner.error;
}
