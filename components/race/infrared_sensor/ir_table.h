/* SPDX-License-Identifier: Apache-2.0 */
/* The characteristic of an infrared distance sensor as a table: distance in mm, duty in 0.1 %;
 * parsed from text and searched in both directions. Pure. */
#ifndef INFRARED_SENSOR_IR_TABLE_H
#define INFRARED_SENSOR_IR_TABLE_H

#include <stddef.h>

#define IR_ROWS_MAX 4096
#define IR_MM_MAX   100000
#define IR_DUTY_MAX 1000

struct ir_row {
    int mm, duty;
};

/* Borrowed rows, at least one: distances increase, duties never decrease. */
struct ir_table {
    const struct ir_row *rows;
    size_t n;
};

/* The built-in table: profiles/tables/gp2y0a21.txt at build time. */
extern const struct ir_table ir_table_shipped;

/* An error and its place: line and column counted from 1. */
struct ir_error {
    int line, column;
    const char *what; /* static text */
};

/* Rows "mm duty", one per line; empty lines, and text from '#' to the end of the line, are skipped.
 * Whole numbers; mm from 1 to IR_MM_MAX, increasing; duty from 1 to IR_DUTY_MAX, not decreasing.
 * Writes at most IR_ROWS_MAX rows. Returns 0, or -EINVAL with *reterr set. */
int ir_table_parse(const char *text, struct ir_row *ret_rows, size_t *ret_n,
                   struct ir_error *reterr);

/* The duty for a distance, by linear interpolation between rows (truncated); 0 outside the
 * table. */
int ir_table_duty(const struct ir_table *table, int mm);

/* The distance for a duty, mm: the middle of the distances that have it, or of the two neighbouring
 * rows; 0 outside the table. */
int ir_table_distance(const struct ir_table *table, double duty);

#endif
