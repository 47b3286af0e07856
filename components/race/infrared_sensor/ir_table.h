/* SPDX-License-Identifier: Apache-2.0 */
/* The characteristic of an infrared distance sensor as a table: distance in mm, duty in 0.1 %; read
 * from text and looked up both ways. Pure. */
#ifndef INFRARED_SENSOR_IR_TABLE_H
#define INFRARED_SENSOR_IR_TABLE_H

#include <stddef.h>

#define IR_ROWS_MAX 4096
#define IR_MM_MAX   100000
#define IR_DUTY_MAX 1000

struct ir_row {
    int mm, duty;
};

/* Borrowed rows, at least one: distances rise, duties never fall. */
struct ir_table {
    const struct ir_row *rows;
    size_t n;
};

/* The shipped table, profiles/tables/gp2y0a21.txt, as it was when this was built. */
extern const struct ir_table ir_table_shipped;

/* What is wrong, and where: line and column counted from 1. */
struct ir_error {
    int line, column;
    const char *what; /* static text */
};

/* Rows "mm duty", one a line; blank lines and what follows '#' are skipped. Whole numbers, mm from
 * 1 to IR_MM_MAX and rising, duty from 1 to IR_DUTY_MAX and not falling. Writes at most
 * IR_ROWS_MAX rows. Returns 0, or -EINVAL with *reterr set. */
int ir_table_parse(const char *text, struct ir_row *ret_rows, size_t *ret_n,
                   struct ir_error *reterr);

/* The duty for a distance, on the straight line between rows (truncated); 0 outside the table. */
int ir_table_duty(const struct ir_table *table, int mm);

/* The distance for a duty, mm: the middle of the distances that have it, or of the two rows around
 * it; 0 outside the table. */
int ir_table_distance(const struct ir_table *table, double duty);

#endif
