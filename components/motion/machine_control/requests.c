/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing requests over time. */
#include "requests.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/math/number_rows.h>

#include "machine.h"

#define TIME_MAX_S 1e6

static int fail(const char *text, const char *at, const char *what, struct requests_error *reterr)
{
    *reterr = (struct requests_error){(size_t)(at - text), what};
    return -EINVAL;
}

/* Reads the name of a request; DPL_MACHINE_REQUEST_KIND_N: unknown name. */
static enum dpl_machine_request_kind read_name(struct dpl_rows *rows)
{
    size_t n = strspn(rows->at, "abcdefghijklmnopqrstuvwxyz");
    for (int i = DPL_REQUEST_NONE + 1; i < DPL_MACHINE_REQUEST_KIND_N; i++) {
        const char *name = machine_request_name((enum dpl_machine_request_kind)i);
        if (strlen(name) == n && strncmp(rows->at, name, n) == 0) {
            rows->at += n;
            dpl_rows_skip_blanks(rows);
            return (enum dpl_machine_request_kind)i;
        }
    }
    return DPL_MACHINE_REQUEST_KIND_N;
}

static int read_row(struct dpl_rows *rows, struct request_row *row, struct requests_error *reterr)
{
    const char *begin = rows->at;
    if (!dpl_rows_number(rows, &row->t_s) || row->t_s < 0.0 || row->t_s > TIME_MAX_S) {
        return fail(rows->text, begin, "expected a time in s, not negative", reterr);
    }
    dpl_rows_skip_blanks(rows);
    row->request = read_name(rows);
    if (row->request == DPL_MACHINE_REQUEST_KIND_N) {
        return fail(rows->text, rows->at,
                    "expected reset, enable, disable, home, position, admittance, stop or "
                    "emergency",
                    reterr);
    }
    for (int i = 0; row->request == DPL_REQUEST_POSITION && i < DPL_SIX; i++) {
        const char *number = rows->at;
        if (!dpl_rows_number(rows, &row->target[i])) {
            return fail(rows->text, rows->at, "expected x y z in m and roll pitch yaw in rad",
                        reterr);
        }
        if (fabs(row->target[i]) >= REQUESTS_ABSURD) {
            return fail(rows->text, number, "no machine has such a pose (m, rad)", reterr);
        }
        dpl_rows_skip_blanks(rows);
    }
    return dpl_rows_end_of_row(*rows->at)
               ? 0
               : fail(rows->text, rows->at, "expected ';' or the end of the line", reterr);
}

int requests_parse(struct requests *requests, const char *text, struct requests_error *reterr)
{
    requests->n = 0;
    struct dpl_rows rows = dpl_rows_begin(text);
    dpl_rows_skip_to_row(&rows);
    while (*rows.at != '\0') {
        const char *begin = rows.at;
        struct request_row row = {0};
        int err = read_row(&rows, &row, reterr);
        if (err < 0) {
            return err;
        }
        if (requests->n > 0 && row.t_s < requests->rows[requests->n - 1].t_s) {
            return fail(text, begin, "times must not decrease", reterr);
        }
        if (requests->n == REQUESTS_MAX) {
            return fail(text, begin, "too many rows (at most 256)", reterr);
        }
        requests->rows[requests->n++] = row;
        dpl_rows_skip_to_row(&rows);
    }
    return 0;
}
