/* SPDX-License-Identifier: Apache-2.0 */
/* Parses rows of numbers in a text of a property or small file: "1 2 3; 4 5 6" or one row per line.
 * Empty rows, and text from '#' to the end of the line, are skipped. Header only, no state, no
 * allocation; every folder may include it. */
#ifndef DOPPEL_MATH_NUMBER_ROWS_H
#define DOPPEL_MATH_NUMBER_ROWS_H

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A reader and its position in a text. */
struct dpl_rows {
    const char *text; /* borrowed */
    const char *at;   /* the next character to read; after an error, the position of the error */
    const char *row;  /* start of the newest row */
    bool surplus;     /* after an error: the row has too many numbers, or other text after them */
};

static inline struct dpl_rows dpl_rows_begin(const char *text)
{
    return (struct dpl_rows){.text = text, .at = text, .row = text};
}

static inline bool dpl_rows_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline bool dpl_rows_end_of_row(char c)
{
    return c == '\0' || c == ';' || c == '\n' || c == '#';
}

static inline void dpl_rows_skip_blanks(struct dpl_rows *rows)
{
    while (dpl_rows_blank(*rows->at)) {
        rows->at++;
    }
}

/* Moves to the first number of the next non-empty row, or to the end of the text. */
static inline void dpl_rows_skip_to_row(struct dpl_rows *rows)
{
    dpl_rows_skip_blanks(rows);
    while (*rows->at != '\0' && dpl_rows_end_of_row(*rows->at)) {
        rows->at += *rows->at == '#' ? strcspn(rows->at, "\n") : 1;
        dpl_rows_skip_blanks(rows);
    }
}

/* Reads a number in the format of profiles: decimal, finite, followed by a blank or the end of the
 * row. strtod accepts more formats. False leaves `at` unchanged. */
static inline bool dpl_rows_number(struct dpl_rows *rows, double *ret_value)
{
    const char *at = rows->at;
    if (*at == '\0' || !strchr("+-.0123456789", *at)) {
        return false;
    }
    char *end;
    double value = strtod(at, &end);
    size_t n = (size_t)(end - at);
    bool decimal = strspn(at, "+-.0123456789eE") >= n;
    if (n == 0 || !decimal || !isfinite(value) ||
        !(dpl_rows_blank(*end) || dpl_rows_end_of_row(*end))) {
        return false;
    }
    rows->at = end;
    *ret_value = value;
    return true;
}

/* Reads the next row: at least `least` and at most `most` numbers (1 <= least <= most). Returns
 * their count, 0 at the end of the text, or -EINVAL with rows->at at the error; after an error the
 * reader cannot be used. */
static inline int dpl_rows_next(struct dpl_rows *rows, size_t least, size_t most,
                                double *ret_values)
{
    dpl_rows_skip_to_row(rows);
    rows->row = rows->at;
    if (*rows->at == '\0') {
        return 0;
    }
    size_t n = 0;
    while (n < most && (n < least || !dpl_rows_end_of_row(*rows->at))) {
        if (!dpl_rows_number(rows, &ret_values[n])) {
            return -EINVAL;
        }
        n++;
        dpl_rows_skip_blanks(rows);
    }
    rows->surplus = !dpl_rows_end_of_row(*rows->at);
    return rows->surplus ? -EINVAL : (int)n;
}

/* Reads a text that has exactly one row with exactly n numbers and nothing else; false: the text is
 * different, and some of ret_values may be written. */
static inline bool dpl_rows_only(const char *text, size_t n, double *ret_values)
{
    double more;
    struct dpl_rows rows = dpl_rows_begin(text);
    return dpl_rows_next(&rows, n, n, ret_values) == (int)n &&
           dpl_rows_next(&rows, 1, 1, &more) == 0;
}

/* Line and column of a position in the text, counted from 1. */
static inline void dpl_rows_place(const char *text, const char *at, int *ret_line, int *ret_column)
{
    int line = 1, column = 1;
    for (const char *c = text; c < at; c++) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    *ret_line = line;
    *ret_column = column;
}

#ifdef __cplusplus
}
#endif

#endif
