/* SPDX-License-Identifier: Apache-2.0 */
/* The results of one run, as its --out folder holds them. */
#ifndef DOPPEL_REPORT_RESULT_H
#define DOPPEL_REPORT_RESULT_H

#include <jansson.h>

#include "svg.h"
#include "table.h"

struct result {
    const char *label, *folder;
    json_t *summary;
    struct table trace;
    struct table scans; /* n_rows 0: none were kept */
};

/* "LABEL=FOLDER" or "FOLDER" (the label is then its last part); the text is a folder alone when it
 * is the path of one as a whole. Borrows the text. -errno with reterr. */
int result_read(char *spec, struct result *ret_result, struct dpl_diag *reterr);
void result_finish(struct result *result);

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
