/* SPDX-License-Identifier: Apache-2.0 */
/* Parses CSV. */
#include "table.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file_bytes.h"

#define BYTES_MAX ((size_t)1 << 30)

static int read_text(const char *path, char **ret_text, struct dpl_diag *reterr)
{
    struct dpl_place place = {.file = path};
    char *bytes = NULL;
    size_t n = 0;
    int opened, err = dpl_file_bytes(path, BYTES_MAX, &bytes, &n, &opened);
    if (err < 0) {
        return dpl_fail(reterr, err, place, "cannot %s it: %s", opened ? "read" : "open",
                        strerror(-err));
    }
    char *text = n <= BYTES_MAX ? realloc(bytes, n + 1) : NULL;
    if (!text) {
        free(bytes);
        return dpl_fail(reterr, -EFBIG, place, "too large, or no memory");
    }
    text[n] = '\0';
    *ret_text = text;
    return 0;
}

static size_t count(const char *text, char wanted)
{
    size_t n = 0;
    for (; *text; text++) {
        n += *text == wanted;
    }
    return n;
}

/* A column without a name gets the name "", so that the others keep their numbers. */
static bool read_header(const char *line, struct table *table)
{
    for (const char *c = line; *c;) {
        size_t length = strcspn(c, ",");
        char *name = strndup(c, length);
        if (!name) {
            return false;
        }
        table->names[table->n_names++] = name;
        c += length;
        c += *c == ',';
    }
    return true;
}

/* One line of cells; advances *at to the end of the line. */
static size_t read_row(const char **at, double *cells)
{
    size_t n = 0;
    const char *c = *at;
    while (*c && *c != '\n') {
        char *end;
        double value = strtod(c, &end);
        size_t length = strcspn(c, ",\n");
        cells[n++] = end == c + length && length > 0 ? value : (double)NAN;
        c += length;
        c += *c == ',';
    }
    *at = c + (*c == '\n');
    return n;
}

int table_parse(char *text, struct table *ret_table)
{
    struct table t = {0};
    size_t lines = count(text, '\n') + 1, commas = count(text, ',');
    t.names = calloc(commas + 2, sizeof *t.names);
    t.cells = malloc((commas + lines + 1) * sizeof *t.cells);
    t.start = calloc(lines + 1, sizeof *t.start);
    t.line = calloc(lines + 1, sizeof *t.line);
    if (!t.names || !t.cells || !t.start || !t.line) {
        table_finish(&t);
        return -ENOMEM;
    }
    size_t header = strcspn(text, "\n");
    const char *at = text + header + (text[header] == '\n');
    text[header] = '\0';
    if (!read_header(text, &t)) {
        table_finish(&t);
        return -ENOMEM;
    }
    size_t n = 0;
    while (*at) {
        t.line[t.n_rows] = (size_t)(at - text);
        t.start[t.n_rows++] = n;
        n += read_row(&at, t.cells + n);
    }
    t.start[t.n_rows] = n;
    *ret_table = t;
    return 0;
}

int table_take(char *text, struct table *ret_table)
{
    int err = table_parse(text, ret_table);
    if (err < 0) {
        free(text);
        return err;
    }
    ret_table->text = text;
    return 0;
}

static void cut_behind_last_line(char *text)
{
    char *end = strrchr(text, '\n');
    *(end ? end + 1 : text) = '\0';
}

/* Both texts in *text, which is replaced, with one header; unchanged if the headers differ. */
static void put_before(const char *before, char **text)
{
    char *first = NULL;
    struct dpl_diag unused;
    if (access(before, F_OK) < 0 || read_text(before, &first, &unused) < 0) {
        return;
    }
    size_t header = strcspn(*text, "\n"), n = strlen(first), more = strlen(*text + header);
    char *both = strncmp(first, *text, header + 1) == 0 ? realloc(first, n + more + 1) : NULL;
    if (both) {
        const char *rows = *text + header;
        strcpy(both + n, *rows == '\n' ? rows + 1 : rows);
        free(*text);
        *text = both;
    } else {
        free(first);
    }
}

int table_read_after(const char *before, const char *file, bool is_part, struct table *ret_table,
                     struct dpl_diag *reterr)
{
    char *text = NULL;
    int err = read_text(file, &text, reterr);
    if (err < 0 || !text) {
        return err;
    }
    if (is_part) {
        cut_behind_last_line(text);
    }
    if (before) {
        put_before(before, &text);
    }
    err = table_take(text, ret_table);
    return err < 0 ? dpl_fail(reterr, err, (struct dpl_place){.file = file}, "no memory") : 0;
}

int table_read(const char *file, struct table *ret_table, struct dpl_diag *reterr)
{
    return table_read_after(NULL, file, false, ret_table, reterr);
}

void table_finish(struct table *table)
{
    for (size_t i = 0; i < table->n_names; i++) {
        free(table->names[i]);
    }
    free(table->names);
    free(table->cells);
    free(table->start);
    free(table->line);
    free(table->text);
    *table = (struct table){0};
}

int table_column(const struct table *table, const char *name)
{
    for (size_t i = 0; i < table->n_names; i++) {
        if (strcmp(table->names[i], name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

double table_at(const struct table *table, size_t row, int column)
{
    size_t at = table->start[row] + (size_t)column;
    return column >= 0 && at < table->start[row + 1] ? table->cells[at] : (double)NAN;
}

void table_word(const struct table *table, size_t row, int column, char *ret_word, size_t size)
{
    const char *at = table->text && column >= 0 ? table->text + table->line[row] : "";
    for (int i = 0; i < column && *at; i++) {
        at += strcspn(at, ",\n");
        at = *at == ',' ? at + 1 : "";
    }
    size_t length = strcspn(at, ",\r\n");
    length = length < size - 1 ? length : size - 1;
    memcpy(ret_word, at, length);
    ret_word[length] = '\0';
}
