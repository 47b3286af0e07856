/* SPDX-License-Identifier: Apache-2.0 */
/* Parses scans.csv: a header, then rows of
 * t,x,y,theta,mount_x,mount_y,mount_theta,start_angle,step_angle and the ranges. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

#define HEADER      "t,x,y,theta,mount_x,mount_y,mount_theta,start_angle,step_angle,ranges..."
#define NUMBERS     9   /* before the ranges */
#define CELL_MAX    63  /* characters of a number */
#define FARTHEST_M  1e4 /* worlds end there */
#define RANGE_MAX_M 1000.0
#define FOUND_BYTES 40 /* of a cell, in messages */

struct csv {
    const char *file, *at, *end, *line_begin;
    int line;
    struct recording *recording;
    struct dpl_diag *reterr;
};

static int fail_at(const struct csv *csv, const char *at, const char *expected)
{
    struct dpl_place place = {csv->file, csv->line, (int)(at - csv->line_begin) + 1};
    char found[4 * FOUND_BYTES + 1];
    size_t length = 0;
    while (at + length < csv->end && length < FOUND_BYTES && at[length] != ',' &&
           at[length] != '\r' && at[length] != '\n') {
        length++;
    }
    dpl_diag_quote(at, length, found, sizeof found);
    return dpl_fail(csv->reterr, -EINVAL, place, "found '%s', expected %s", found, expected);
}

/* Reads the cell at *at up to ',' or `row_end` and steps over the comma. */
static int read_number(const struct csv *csv, const char **at, const char *row_end, double *ret)
{
    char text[CELL_MAX + 1];
    const char *comma = memchr(*at, ',', (size_t)(row_end - *at));
    size_t length = (size_t)((comma ? comma : row_end) - *at);
    if (length == 0 || length > CELL_MAX) {
        return fail_at(csv, *at, "a number");
    }
    memcpy(text, *at, length);
    text[length] = '\0';
    char *end;
    *ret = strtod(text, &end);
    if (end != text + length) {
        return fail_at(csv, *at, "a number");
    }
    *at += length + (comma != NULL);
    return 0;
}

/* Limits of the numbers before the ranges, beside those of the angles between beams and of time. */
static const struct {
    double most;
    const char *expected;
} limits[NUMBERS] = {
    {1e9, "a finite time of at most 1e9 s"},
    {FARTHEST_M, "a finite pose of at most 10000 m"},
    {FARTHEST_M, "a finite pose of at most 10000 m"},
    {1e9, "a finite direction in rad"},
    {10.0, "a finite mount: a laser at most 10 m from its base"},
    {10.0, "a finite mount: a laser at most 10 m from its base"},
    {1e9, "a finite mount: a direction in rad"},
    {10.0, "a finite start angle of at most 10 rad"},
    {1.0, "a finite step between beams of 1e-6 to 1 rad"},
};

static int check_numbers(const struct csv *csv, const char *const cells[NUMBERS],
                         const double v[NUMBERS])
{
    const struct recording *recording = csv->recording;
    for (size_t i = 0; i < NUMBERS; i++) {
        if (!isfinite(v[i]) || fabs(v[i]) > limits[i].most) {
            return fail_at(csv, cells[i], limits[i].expected);
        }
    }
    if (fabs(v[8]) < 1e-6) {
        return fail_at(csv, cells[8], limits[8].expected);
    }
    if (recording->n > 0 && v[0] <= recording->scans[recording->n - 1].time_s) {
        return fail_at(csv, cells[0], "a time later than that of the row before");
    }
    return 0;
}

static int no_room(const struct csv *csv, const char *at, int err)
{
    if (err == -ENOSPC) {
        return fail_at(csv, at, "at most 50000 scans of at most 8192 beams, 50 million in all");
    }
    return err < 0 ? dpl_fail(csv->reterr, err, (struct dpl_place){.file = csv->file}, "no memory")
                   : 0;
}

static int read_ranges(const struct csv *csv, const char *at, const char *row_end)
{
    while (at < row_end) {
        const char *cell = at;
        double range;
        int err = read_number(csv, &at, row_end, &range);
        if (err < 0) {
            return err;
        }
        if (isfinite(range) && range > RANGE_MAX_M) {
            return fail_at(csv, cell, "a range of at most 1000 m");
        }
        err = no_room(csv, cell, recording_add_range(csv->recording, range));
        if (err < 0) {
            return err;
        }
    }
    return 0;
}

static int read_row(const struct csv *csv, const char *row_end)
{
    double v[NUMBERS];
    const char *cells[NUMBERS], *at = csv->at;
    for (size_t i = 0; i < NUMBERS; i++) {
        if (at >= row_end) {
            return fail_at(csv, row_end, "9 numbers and ranges: the row ends too early");
        }
        cells[i] = at;
        int err = read_number(csv, &at, row_end, &v[i]);
        if (err < 0) {
            return err;
        }
    }
    struct recorded_scan scan = {
        .time_s = v[0],
        .odometry = {v[1], v[2], dpl_wrap_angle(v[3])},
        .mount = {v[4], v[5], dpl_wrap_angle(v[6])},
        .start_angle = v[7],
        .step_angle = v[8],
    };
    int err = check_numbers(csv, cells, v);
    err = err < 0 ? err : no_room(csv, csv->at, recording_add_scan(csv->recording, &scan));
    return err < 0 ? err : read_ranges(csv, at, row_end);
}

/* The end of the line at csv->at; NULL: the file ends inside of it. */
static const char *line_end(const struct csv *csv)
{
    return memchr(csv->at, '\n', (size_t)(csv->end - csv->at));
}

static int read_header(struct csv *csv)
{
    const char *end = line_end(csv);
    size_t length = strlen(HEADER);
    if (!end || (size_t)(end - csv->at) < length || memcmp(csv->at, HEADER, length) != 0) {
        return fail_at(csv, csv->at, "the header of a scans.csv: " HEADER);
    }
    csv->at = csv->line_begin = end + 1;
    csv->line++;
    return 0;
}

static int read_rows(struct csv *csv, bool is_part)
{
    while (csv->at < csv->end) {
        const char *end = line_end(csv);
        if (!end && is_part) {
            break;
        }
        if (!end) {
            return fail_at(csv, csv->end, "an end of the last row: the file was cut short");
        }
        const char *row_end = end > csv->at && end[-1] == '\r' ? end - 1 : end;
        int err = row_end > csv->at ? read_row(csv, row_end) : 0;
        if (err < 0) {
            return err;
        }
        csv->at = csv->line_begin = end + 1;
        csv->line++;
    }
    return csv->recording->n > 0
               ? 0
               : dpl_fail(csv->reterr, -EINVAL, (struct dpl_place){csv->file, csv->line, 0},
                          "found no scan, expected at least one");
}

int recording_parse_csv(const char *file, const char *text, size_t size, bool is_part,
                        struct recording *ret_recording, struct dpl_diag *reterr)
{
    struct recording recording = {0};
    struct csv csv = {file, text, text + size, text, 1, &recording, reterr};
    int err = read_header(&csv);
    err = err < 0 ? err : read_rows(&csv, is_part);
    if (err < 0) {
        recording_finish(&recording);
        return err;
    }
    *ret_recording = recording;
    return 0;
}
