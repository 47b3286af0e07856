/* SPDX-License-Identifier: Apache-2.0 */
/* A trace.csv in memory, for tests that check numbers of a whole run. */
#ifndef TESTS_MOTION_TRACE_H
#define TESTS_MOTION_TRACE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#define TRACE_COLUMNS_MAX 64

struct trace {
    char *text; /* owned; cut into fields */
    size_t n_columns, n_rows;
    char *names[TRACE_COLUMNS_MAX];
    double *values; /* owned; row by row; true is 1, false 0 */
};

static inline char *trace_read_file(const char *folder, size_t *ret_bytes)
{
    char path[512];
    snprintf(path, sizeof path, "%s/trace.csv", folder);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    cr_assert(text && fread(text, 1, (size_t)size, file) == (size_t)size);
    text[size] = '\0';
    fclose(file);
    *ret_bytes = (size_t)size;
    return text;
}

static inline double trace_number(const char *field)
{
    return strcmp(field, "true") == 0    ? 1.0
           : strcmp(field, "false") == 0 ? 0.0
                                         : strtod(field, NULL);
}

static inline void trace_load(struct trace *trace, const char *folder)
{
    size_t bytes, lines = 0;
    *trace = (struct trace){.text = trace_read_file(folder, &bytes)};
    for (const char *c = trace->text; *c; c++) {
        lines += *c == '\n';
    }
    char *rest, *line = strtok_r(trace->text, "\n", &rest), *more;
    for (char *name = strtok_r(line, ",", &more); name; name = strtok_r(NULL, ",", &more)) {
        cr_assert(trace->n_columns < TRACE_COLUMNS_MAX);
        trace->names[trace->n_columns++] = name;
    }
    trace->values = calloc(lines * trace->n_columns, sizeof trace->values[0]);
    cr_assert_not_null(trace->values);
    while ((line = strtok_r(NULL, "\n", &rest))) {
        size_t column = 0;
        for (char *field = strtok_r(line, ",", &more); field; field = strtok_r(NULL, ",", &more)) {
            cr_assert(column < trace->n_columns);
            trace->values[trace->n_rows * trace->n_columns + column++] = trace_number(field);
        }
        cr_assert_eq(column, trace->n_columns);
        trace->n_rows++;
    }
}

static inline void trace_free(struct trace *trace)
{
    free(trace->text);
    free(trace->values);
}

static inline size_t trace_column(const struct trace *trace, const char *name)
{
    for (size_t i = 0; i < trace->n_columns; i++) {
        if (strcmp(trace->names[i], name) == 0) {
            return i;
        }
    }
    cr_assert_fail("no column %s", name);
    return 0;
}

static inline double trace_at(const struct trace *trace, size_t row, size_t column)
{
    cr_assert(row < trace->n_rows && column < trace->n_columns);
    return trace->values[row * trace->n_columns + column];
}

#endif
