/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing and searching the mock's plan of faults. */
#include "mock_faults.h"

#include <errno.h>
#include <math.h>

#include <doppel/math/six_axes.h>

#define TIME_MAX_S   1e6
#define OFFSET_MAX_M 1.0

static const char *const kinds[MOCK_FAULT_KINDS] = {
    [MOCK_FAULT_LOST] = "lost",         [MOCK_FAULT_SILENT] = "silent",
    [MOCK_FAULT_DRIVE] = "drive_fault", [MOCK_FAULT_STUCK] = "stuck",
    [MOCK_FAULT_OFFSET] = "offset",
};

static int fail(const struct dpl_rows *rows, const char *at, const char *what,
                struct mock_faults_error *reterr)
{
    *reterr = (struct mock_faults_error){(size_t)(at - rows->text), what};
    return -EINVAL;
}

/* Reads a number from `low` to `high`; on error rows->at is its position. */
static bool read_number(struct dpl_rows *rows, double low, double high, double *ret)
{
    const char *begin = rows->at;
    if (!dpl_rows_number(rows, ret) || *ret < low || *ret > high) {
        rows->at = begin;
        return false;
    }
    dpl_rows_skip_blanks(rows);
    return true;
}

static int read_row(struct dpl_rows *rows, struct mock_fault *row, struct mock_faults_error *reterr)
{
    double axis, duration_s;
    size_t kind;
    if (!read_number(rows, 0.0, TIME_MAX_S, &row->from_s)) {
        return fail(rows, rows->at, "expected a time in s, not negative", reterr);
    }
    if (!dpl_rows_word(rows, kinds, MOCK_FAULT_KINDS, &kind)) {
        return fail(rows, rows->at, "expected lost, silent, drive_fault, stuck or offset", reterr);
    }
    row->kind = (enum mock_fault_kind)kind;
    if (!read_number(rows, 0.0, DPL_AXES_N, &axis) || axis != floor(axis)) {
        return fail(rows, rows->at, "expected an axis, 1 to 6, or 0 for all", reterr);
    }
    row->axis = (int)axis - 1;
    if (!read_number(rows, 0.0, TIME_MAX_S, &duration_s)) {
        return fail(rows, rows->at, "expected a duration in s; 0: for good", reterr);
    }
    row->to_s = duration_s > 0.0 ? row->from_s + duration_s : (double)INFINITY;
    if (row->kind == MOCK_FAULT_OFFSET &&
        !read_number(rows, -OFFSET_MAX_M, OFFSET_MAX_M, &row->value)) {
        return fail(rows, rows->at, "expected an offset in m, at most 1", reterr);
    }
    return dpl_rows_end_of_row(*rows->at)
               ? 0
               : fail(rows, rows->at, "expected ';' or the end of the line", reterr);
}

int mock_faults_parse(struct mock_faults *faults, const char *text,
                      struct mock_faults_error *reterr)
{
    faults->n = 0;
    struct dpl_rows rows = dpl_rows_begin(text);
    dpl_rows_skip_to_row(&rows);
    while (*rows.at != '\0') {
        struct mock_fault row = {0};
        if (faults->n == MOCK_FAULTS_MAX) {
            return fail(&rows, rows.at, "too many rows (at most 64)", reterr);
        }
        int err = read_row(&rows, &row, reterr);
        if (err < 0) {
            return err;
        }
        faults->rows[faults->n++] = row;
        dpl_rows_skip_to_row(&rows);
    }
    return 0;
}

static void apply(const struct mock_fault *row, bool begins, struct mock_faults_now *ret)
{
    ret->lost |= row->kind == MOCK_FAULT_LOST;
    ret->silent |= row->kind == MOCK_FAULT_SILENT;
    if (row->kind == MOCK_FAULT_DRIVE && begins) {
        ret->drive = row->axis < 0 ? 0 : row->axis;
    }
    for (int i = 0; i < DPL_AXES_N; i++) {
        bool mine = row->axis < 0 || row->axis == i;
        ret->stuck[i] |= mine && row->kind == MOCK_FAULT_STUCK;
        ret->offset_m[i] += mine && row->kind == MOCK_FAULT_OFFSET ? row->value : 0.0;
    }
}

void mock_faults_at(const struct mock_faults *faults, double before_s, double now_s,
                    struct mock_faults_now *ret)
{
    *ret = (struct mock_faults_now){.drive = -1};
    for (size_t i = 0; i < faults->n; i++) {
        const struct mock_fault *row = &faults->rows[i];
        if (now_s >= row->from_s && now_s < row->to_s) {
            apply(row, before_s < row->from_s, ret);
        }
    }
}
