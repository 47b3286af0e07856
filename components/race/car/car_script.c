/* SPDX-License-Identifier: Apache-2.0 */
/* Parses properties of the car that are rows of numbers. */
#include "car_script.h"

#include <errno.h>
#include <math.h>

#include <doppel/math/number_rows.h>

#define TICK_MAX     1000000.0
#define HEADING_MAX  36000.0
#define VELOCITY_MAX 100000.0

static int fail_at(const struct dpl_rows *rows, const char *at, const char *what,
                   struct car_text_error *reterr)
{
    *reterr = (struct car_text_error){.offset = (size_t)(at - rows->text), .what = what};
    return -EINVAL;
}

static const char *check_row(const double value[3], const struct car_script *script)
{
    if (value[0] < 0.0 || value[0] > TICK_MAX || value[0] != floor(value[0])) {
        return "the tick must be a whole number from 0 to 1000000";
    }
    if (script->n > 0 && value[0] <= script->rows[script->n - 1].tick) {
        return "ticks must increase";
    }
    if (fabs(value[1]) > HEADING_MAX) {
        return "the heading must be within +-36000 deg";
    }
    if (fabs(value[2]) > VELOCITY_MAX) {
        return "the velocity must be within +-100000 mm/s";
    }
    return script->n == CAR_SCRIPT_ROWS_MAX ? "too many rows (at most 512)" : NULL;
}

int car_script_parse(struct car_script *script, const char *text, struct car_text_error *reterr)
{
    script->n = 0;
    struct dpl_rows rows = dpl_rows_begin(text);
    double value[3];
    int n;
    while ((n = dpl_rows_next(&rows, 3, 3, value)) > 0) {
        const char *wrong = check_row(value, script);
        if (wrong) {
            return fail_at(&rows, rows.row, wrong, reterr);
        }
        script->rows[script->n++] = (struct car_script_row){(uint32_t)value[0], value[1], value[2]};
    }
    return n == 0 ? 0
                  : fail_at(&rows, rows.at,
                            rows.surplus
                                ? "expected ';' after three numbers"
                                : "expected three numbers a row: tick, heading in deg, velocity "
                                  "in mm/s",
                            reterr);
}

const struct car_script_row *car_script_at(const struct car_script *script, uint32_t tick)
{
    /* rows below `low` have begun, rows from `high` on have not */
    size_t low = 0, high = script->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (script->rows[middle].tick <= tick) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 ? &script->rows[low - 1] : NULL;
}

int car_script_numbers(const char *text, size_t most, double limit, double *ret_values,
                       size_t *ret_n, struct car_text_error *reterr)
{
    struct dpl_rows rows = dpl_rows_begin(text);
    int n = dpl_rows_next(&rows, 1, most, ret_values);
    if (n < 0) {
        return fail_at(&rows, rows.at, rows.surplus ? "too many numbers" : "expected a number",
                       reterr);
    }
    dpl_rows_skip_to_row(&rows);
    if (*rows.at) {
        return fail_at(&rows, rows.at, "expected one row of numbers", reterr);
    }
    for (int i = 0; i < n; i++) {
        if (fabs(ret_values[i]) > limit) {
            return fail_at(&rows, rows.row, "a number of this row is out of range", reterr);
        }
    }
    *ret_n = (size_t)n;
    return 0;
}

int car_script_points(const char *text, size_t most, double limit, double *ret_xy, size_t *ret_n,
                      struct car_text_error *reterr)
{
    struct dpl_rows rows = dpl_rows_begin(text);
    double xy[2];
    size_t count = 0;
    int n;
    while ((n = dpl_rows_next(&rows, 2, 2, xy)) > 0) {
        if (count == most) {
            return fail_at(&rows, rows.row, "too many rows", reterr);
        }
        if (fabs(xy[0]) > limit || fabs(xy[1]) > limit) {
            return fail_at(&rows, rows.row, "a number of this row is out of range", reterr);
        }
        ret_xy[2 * count] = xy[0];
        ret_xy[2 * count + 1] = xy[1];
        count++;
    }
    if (n < 0) {
        return fail_at(&rows, rows.at, "expected two numbers a row: x and y", reterr);
    }
    *ret_n = count;
    return 0;
}
