/* SPDX-License-Identifier: Apache-2.0 */
/* The results of one run, as its --out folder holds them. */
#ifndef DOPPEL_REPORT_RESULT_H
#define DOPPEL_REPORT_RESULT_H

#include <jansson.h>

#include "svg.h"
#include "table.h"

enum result_end {
    RESULT_ENDED,
    RESULT_FAILED,    /* it ended, and its summary says why it failed */
    RESULT_CUT_SHORT, /* it did not come to its end: the trace is what there is of it */
};

struct result {
    const char *label, *folder;
    json_t *summary; /* empty: the run left none */
    struct table trace;
    struct table scans; /* n_rows 0: none were kept */
    enum result_end end;
    bool is_part; /* the trace's whole rows, from trace.csv.part */
};

/* "LABEL=FOLDER" or "FOLDER" (the label is then its last part); the text is a folder alone when it
 * is the path of one as a whole. Borrows the text. A run that was ended in the middle has no
 * trace.csv and perhaps no summary.json: then trace.csv.part is read, and what the summary would
 * have told of distances and duration comes from its rows. -errno with reterr. */
int result_read(char *spec, struct result *ret_result, struct dpl_diag *reterr);
void result_finish(struct result *result);

/* How the run ended when that was not as it should, as a sentence without its end; "": as it
 * should. Returns ret_text. */
const char *result_trouble(const struct result *result, char *ret_text, size_t size);

/* A number of the summary; NaN when absent or null. */
double result_number(const struct result *result, const char *key);
const char *result_text(const struct result *result, const char *key); /* "" when absent */

/* A copy of a column for plotting: caller frees; NULL when there is none. */
double *result_column(const struct result *result, const char *name);

/* The distance of robot and avatar over time: the true one where it is known, else the measured
 * one. Caller frees. NULL: the run had no synchronizer. */
double *result_distance(const struct result *result, bool *ret_true);

/* The points that the kept scans saw, in the odometry's frame. Caller frees both arrays. */
size_t result_scan_points(const struct result *result, double **ret_x, double **ret_y);

#endif
