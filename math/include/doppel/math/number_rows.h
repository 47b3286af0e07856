/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of numbers in a text, as properties and small files have them: "1 2 3; 4 5 6" or one row a
 * line. Blank rows and what follows '#' up to the line's end are skipped. Header only, no state, no
 * allocation; anybody may include it. */
#ifndef DOPPEL_MATH_NUMBER_ROWS_H
#define DOPPEL_MATH_NUMBER_ROWS_H

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A reader on its way through a text. */
struct dpl_rows {
    const char *text; /* borrowed */
    const char *at;   /* where it reads on; after an error, what is wrong */
    const char *row;  /* where the newest row begins */
    bool surplus;     /* after an error: a row has too many numbers, or something follows them */
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

/* To the first number of the next row that has one, or to the end of the text. */
static inline void dpl_rows_skip_to_row(struct dpl_rows *rows)
{
    dpl_rows_skip_blanks(rows);
    while (*rows->at != '\0' && dpl_rows_end_of_row(*rows->at)) {
        rows->at += *rows->at == '#' ? strcspn(rows->at, "\n") : 1;
        dpl_rows_skip_blanks(rows);
    }
}

/* A number as profiles have them: decimal, finite, followed by a blank or the row's end; strtod
 * knows more. False leaves `at` where it was. */
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

/* Reads the next row: at least `least` and at most `most` numbers (1 <= least <= most). Returns how
 * many, 0 at the end of the text, or -EINVAL with rows->at at what is wrong; the reader is then of
 * no more use. */
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

/* The one row of a text that has exactly n numbers and nothing beside it; false: something else,
 * and some of ret_values may be written. */
static inline bool dpl_rows_only(const char *text, size_t n, double *ret_values)
{
    double more;
    struct dpl_rows rows = dpl_rows_begin(text);
    return dpl_rows_next(&rows, n, n, ret_values) == (int)n &&
           dpl_rows_next(&rows, 1, 1, &more) == 0;
}

/* Line and column of a place in the text, counted from 1. */
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

#endif
