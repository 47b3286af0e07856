/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing and looking up velocity tables. */
#include "script.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool ends_row(char c)
{
    return c == '\0' || c == ';' || c == '\n' || c == '#';
}

static const char *skip_blanks(const char *at)
{
    while (is_blank(*at)) {
        at++;
    }
    return at;
}

static int fail_at(const char *text, const char *at, const char *what, struct script_error *reterr)
{
    *reterr =
        (struct script_error){.offset = (size_t)(at - text), .line = 1, .column = 1, .what = what};
    for (const char *c = text; c < at; c++) {
        reterr->column++;
        if (*c == '\n') {
            reterr->line++;
            reterr->column = 1;
        }
    }
    return -EINVAL;
}

/* Numbers as profiles have them: decimal, finite, followed by a blank or the row's end. */
static const char *read_number(const char *at, double *ret_value)
{
    at = skip_blanks(at);
    if (!strchr("+-.0123456789", *at) || *at == '\0') {
        return NULL;
    }
    char *end;
    double value = strtod(at, &end);
    bool decimal =
        memchr(at, 'x', (size_t)(end - at)) == NULL && memchr(at, 'X', (size_t)(end - at)) == NULL;
    if (end == at || !decimal || !isfinite(value) || !(is_blank(*end) || ends_row(*end))) {
        return NULL;
    }
    *ret_value = value;
    return end;
}

static int read_row(const char *text, const char **at, struct script_row *ret_row,
                    struct script_error *reterr)
{
    double value[3];
    for (int i = 0; i < 3; i++) {
        const char *end = read_number(*at, &value[i]);
        if (!end) {
            return fail_at(text, skip_blanks(*at),
                           "expected three numbers a row: time in s, linear in m/s, angular in "
                           "rad/s",
                           reterr);
        }
        *at = end;
    }
    *at = skip_blanks(*at);
    if (!ends_row(**at)) {
        return fail_at(text, *at, "expected ';' or the end of the line after three numbers",
                       reterr);
    }
    *ret_row = (struct script_row){value[0], value[1], value[2]};
    return 0;
}

static const char *skip_separator(const char *at)
{
    if (*at == '#') {
        at += strcspn(at, "\n");
    }
    return *at == '\0' ? at : at + 1;
}

int script_parse(struct script *script, const char *text, struct script_error *reterr)
{
    script->n = 0;
    for (const char *at = skip_blanks(text); *at; at = skip_blanks(skip_separator(at))) {
        if (ends_row(*at)) {
            continue;
        }
        const char *begin = at;
        struct script_row row;
        int err = read_row(text, &at, &row, reterr);
        if (err < 0) {
            return err;
        }
        if (row.t_s < 0.0 || (script->n > 0 && row.t_s <= script->rows[script->n - 1].t_s)) {
            return fail_at(text, begin, "times must not be negative and must increase", reterr);
        }
        if (script->n == SCRIPT_ROWS_MAX) {
            return fail_at(text, begin, "too many rows (at most 8192)", reterr);
        }
        script->rows[script->n++] = row;
    }
    return script->n > 0 ? 0 : fail_at(text, text, "expected at least one row: t v w", reterr);
}

/* The last row whose time is not after `t_s`; the caller knows that there is one. */
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
