/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing and searching velocity tables. */
#include "script.h"

#include <errno.h>

#include <doppel/math/number_rows.h>

static int fail_at(const char *text, const char *at, const char *what, struct script_error *reterr)
{
    *reterr = (struct script_error){.offset = (size_t)(at - text), .what = what};
    dpl_rows_place(text, at, &reterr->line, &reterr->column);
    return -EINVAL;
}

static int fail_row(const struct dpl_rows *rows, struct script_error *reterr)
{
    const char *what =
        rows->surplus ? "expected ';' or the end of the line after three numbers"
                      : "expected three numbers a row: time in s, linear in m/s, angular in rad/s";
    return fail_at(rows->text, rows->at, what, reterr);
}

int script_parse(struct script *script, const char *text, struct script_error *reterr)
{
    script->n = 0;
    struct dpl_rows rows = dpl_rows_begin(text);
    double value[3];
    int n;
    while ((n = dpl_rows_next(&rows, 3, 3, value)) > 0) {
        if (value[0] < 0.0 || (script->n > 0 && value[0] <= script->rows[script->n - 1].t_s)) {
            return fail_at(text, rows.row, "times must not be negative and must increase", reterr);
        }
        if (script->n == SCRIPT_ROWS_MAX) {
            return fail_at(text, rows.row, "too many rows (at most 8192)", reterr);
        }
        script->rows[script->n++] = (struct script_row){value[0], value[1], value[2]};
    }
    if (n < 0) {
        return fail_row(&rows, reterr);
    }
    return script->n > 0 ? 0 : fail_at(text, text, "expected at least one row: t v w", reterr);
}

/* The last row whose time is not after `t_s`; such a row must exist. */
static size_t find_row(const struct script *script, double t_s)
{
    size_t low = 0, high = script->n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (script->rows[middle].t_s <= t_s) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

struct script_row script_at(const struct script *script, double t_s, bool interpolate)
{
    if (script->n == 0 || t_s < script->rows[0].t_s) {
        return (struct script_row){.t_s = t_s};
    }
    size_t i = find_row(script, t_s);
    struct script_row row = script->rows[i];
    if (interpolate && i + 1 < script->n) {
        const struct script_row *next = &script->rows[i + 1];
        double part = (t_s - row.t_s) / (next->t_s - row.t_s);
        row.linear_m_s += part * (next->linear_m_s - row.linear_m_s);
        row.angular_rad_s += part * (next->angular_rad_s - row.angular_rad_s);
    }
    row.t_s = t_s;
    return row;
}

double script_end_s(const struct script *script)
{
    return script->n > 0 ? script->rows[script->n - 1].t_s : 0.0;
}
