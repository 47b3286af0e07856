/* SPDX-License-Identifier: Apache-2.0 */
/* A table of velocities over time, "t v w; t v w; ..." or one row per line: pure logic. */
#ifndef VELOCITY_SCRIPT_SCRIPT_H
#define VELOCITY_SCRIPT_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#define SCRIPT_ROWS_MAX 8192

struct script_row {
    double t_s, linear_m_s, angular_rad_s;
};

struct script {
    size_t n;
    struct script_row rows[SCRIPT_ROWS_MAX];
};

/* An error and its place: offset of the byte in the text, line and column counted from 1. */
struct script_error {
    size_t offset;
    int line, column;
    const char *what; /* static text */
};

/* Rows are separated by ';' or line ends; blank rows, and text from '#' to the end of the line, are
 * skipped. Times are seconds since the start, not negative and strictly increasing; velocities are
 * m/s and rad/s. At least one row. Returns 0, or -EINVAL with *reterr set. */
int script_parse(struct script *script, const char *text, struct script_error *reterr);

/* The velocity at `t_s`: zero before the first row; then the row's, held until the next or, with
 * `interpolate`, on the straight line to it. The last row is held. */
struct script_row script_at(const struct script *script, double t_s, bool interpolate);

/* The time of the last row, seconds. */
double script_end_s(const struct script *script);

#endif
