/* SPDX-License-Identifier: Apache-2.0 */
/* See trace_check.h. */
#include "trace_check.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define END_TOLERANCE_S 1.0

struct lines {
    const char *file;
    size_t n_columns;
    unsigned n;
    double last_s;
};

static size_t count_columns(const char *line)
{
    size_t n = 1;
    for (; *line; line++) {
        n += *line == ',';
    }
    return n;
}

static int check_row(struct lines *lines, const char *line, struct dpl_diag *reterr)
{
    struct dpl_place place = {.file = lines->file, .line = (int)lines->n};
    size_t n = count_columns(line);
    char *end;
    double time_s = strtod(line, &end);
    if (n != lines->n_columns) {
        return dpl_fail(reterr, -EINVAL, place, "the row has %zu values, the first line %zu names",
                        n, lines->n_columns);
    }
    if (end == line || *end != ',' || !isfinite(time_s)) {
        return dpl_fail(reterr, -EINVAL, place, "the row begins with no time");
    }
    lines->last_s = time_s;
    return 0;
}

static int check_line(struct lines *lines, const char *line, struct dpl_diag *reterr)
{
    lines->n++;
    if (!strchr(line, '\n')) {
        return dpl_fail(reterr, -EINVAL,
                        (struct dpl_place){.file = lines->file, .line = (int)lines->n},
                        "the line has no end: the file was cut");
    }
    if (lines->n == 1) {
        lines->n_columns = count_columns(line);
        return 0;
    }
    return check_row(lines, line, reterr);
}

static int check_end(const struct lines *lines, double duration_s, struct dpl_diag *reterr)
{
    return lines->last_s < duration_s - END_TOLERANCE_S
               ? dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = lines->file},
                          "it ends at %.1f s, the run at %.1f s: the file was cut", lines->last_s,
                          duration_s)
               : 0;
}

int trace_check(const char *file, double duration_s, struct dpl_diag *reterr)
{
    struct lines lines = {.file = file, .last_s = 0.0};
    FILE *stream = fopen(file, "re");
    char *line = NULL;
    size_t size = 0;
    int err = 0;
    while (stream && err == 0 && getline(&line, &size, stream) >= 0) {
        err = check_line(&lines, line, reterr);
    }
    err = stream && err == 0 ? check_end(&lines, duration_s, reterr) : err;
    free(line);
    if (stream) {
        fclose(stream);
    }
    return err;
}
