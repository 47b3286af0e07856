/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of numbers from CSV files of a run (trace.csv, channels.csv, scans.csv). */
#ifndef DOPPEL_REPORT_TABLE_H
#define DOPPEL_REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/diag.h>

/* Rows may differ in length (scans.csv): row r holds cells[start[r]] to cells[start[r + 1]]. Text
 * cells and empty ones are NaN. */
struct table {
    char **names; /* [n_names] of the header */
    size_t n_names;
    double *cells;
    size_t *start; /* [n_rows + 1] */
    size_t *line;  /* [n_rows] where each row begins in `text` */
    size_t n_rows;
    char *text; /* of the file, for table_word; NULL: the table is of a text of the caller */
};

/* -errno with reterr when the file cannot be read or is larger than 1 GiB. Allocates. */
int table_read(const char *file, struct table *ret_table, struct dpl_diag *reterr);
/* The same for a file that may be incomplete: only complete rows, with their end of line. Before
 * its rows come those of another file, `before`, if that one is there and has the same columns;
 * NULL: none. */
int table_read_after(const char *before, const char *file, bool is_part, struct table *ret_table,
                     struct dpl_diag *reterr);
/* The same from a text, which it takes over (malloc), also when it fails. -ENOMEM. */
int table_take(char *text, struct table *ret_table);
/* The same from a text of the caller, which is modified. -ENOMEM. */
int table_parse(char *text, struct table *ret_table);
void table_finish(struct table *table);

/* The column's number, or -1. */
int table_column(const struct table *table, const char *name);

/* Copies the text of a cell, cut at size - 1 bytes; "" if the row has no such cell, or the table
 * was not read from a file. */
void table_word(const struct table *table, size_t row, int column, char *ret_word, size_t size);

/* NaN if the row has no such cell. */
double table_at(const struct table *table, size_t row, int column);

#endif
