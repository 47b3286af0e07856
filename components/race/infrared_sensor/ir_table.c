/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing and searching the table of an infrared sensor. */
#include "ir_table.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

struct cursor {
    const char *at, *line_begin;
    int line;
};

static int fail_at(const struct cursor *c, const char *what, struct ir_error *reterr)
{
    *reterr = (struct ir_error){c->line, (int)(c->at - c->line_begin) + 1, what};
    return -EINVAL;
}

static void skip_blanks(struct cursor *c)
{
    c->at += strspn(c->at, " \t\r");
}

static bool at_end_of_row(const struct cursor *c)
{
    return *c->at == '\0' || *c->at == '\n' || *c->at == '#';
}

static void next_line(struct cursor *c)
{
    c->at += strcspn(c->at, "\n");
    if (*c->at == '\n') {
        c->at++;
        c->line++;
    }
    c->line_begin = c->at;
}

static int read_number(struct cursor *c, int max, const char *what, int *ret_value,
                       struct ir_error *reterr)
{
    skip_blanks(c);
    size_t digits = strspn(c->at, "0123456789");
    int value = 0;
    for (size_t i = 0; i < digits && value <= max; i++) {
        value = value * 10 + (c->at[i] - '0');
    }
    if (digits == 0 || value < 1 || value > max || !strchr(" \t\r\n#", c->at[digits])) {
        return fail_at(c, what, reterr);
    }
    c->at += digits;
    *ret_value = value;
    return 0;
}

static int read_row(struct cursor *c, struct ir_row *ret_row, struct ir_error *reterr)
{
    struct ir_row row = {0};
    int err = read_number(c, IR_MM_MAX, "expected a distance in mm, 1 to 100000", &row.mm, reterr);
    if (err == 0) {
        err = read_number(c, IR_DUTY_MAX, "expected a duty in 0.1 %, 1 to 1000", &row.duty, reterr);
    }
    if (err < 0) {
        return err;
    }
    skip_blanks(c);
    if (!at_end_of_row(c)) {
        return fail_at(c, "expected the end of the line after distance and duty", reterr);
    }
    *ret_row = row;
    return 0;
}

int ir_table_parse(const char *text, struct ir_row *ret_rows, size_t *ret_n,
                   struct ir_error *reterr)
{
    struct cursor c = {text, text, 1};
    size_t n = 0;
    for (; *c.at; next_line(&c)) {
        skip_blanks(&c);
        if (at_end_of_row(&c)) {
            continue;
        }
        struct cursor begin = c;
        struct ir_row row;
        int err = read_row(&c, &row, reterr);
        if (err < 0) {
            return err;
        }
        if (n == IR_ROWS_MAX) {
            return fail_at(&begin, "too many rows (at most 4096)", reterr);
        }
        if (n > 0 && (row.mm <= ret_rows[n - 1].mm || row.duty < ret_rows[n - 1].duty)) {
            return fail_at(&begin, "distances must rise and duties must not fall", reterr);
        }
        ret_rows[n++] = row;
    }
    if (n == 0) {
        return fail_at(&c, "expected at least one row: distance in mm, duty in 0.1 %", reterr);
    }
    *ret_n = n;
    return 0;
}

/* Number of rows whose distance (or duty) is at most `value`. */
static size_t count_until(const struct ir_table *table, double value, bool by_duty)
{
    size_t low = 0, high = table->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct ir_row *row = &table->rows[middle];
        if ((by_duty ? row->duty : row->mm) <= value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int ir_table_duty(const struct ir_table *table, int mm)
{
    size_t n = count_until(table, mm, false);
    if (n == 0) {
        return 0;
    }
    const struct ir_row *row = &table->rows[n - 1];
    if (row->mm == mm) {
        return row->duty;
    }
    if (n == table->n) {
        return 0;
    }
    return row->duty + (row[1].duty - row->duty) * (mm - row->mm) / (row[1].mm - row->mm);
}

int ir_table_distance(const struct ir_table *table, double duty)
{
    size_t above = count_until(table, duty, true); /* the first row above the duty */
    if (above == 0) {
        return 0;
    }
    size_t last = above - 1;
    int found = table->rows[last].duty;
    if (duty > found) {
        return above == table->n ? 0 : (table->rows[last].mm + table->rows[above].mm) / 2;
    }
    size_t first = count_until(table, found - 0.5, true);
    return (table->rows[first].mm + table->rows[last].mm) / 2;
}
