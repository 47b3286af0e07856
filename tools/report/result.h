/* SPDX-License-Identifier: Apache-2.0 */
/* The results of one run, from its --out folder or a recording of it. */
#ifndef DOPPEL_REPORT_RESULT_H
#define DOPPEL_REPORT_RESULT_H

#include <jansson.h>

#include "robots.h"
#include "table.h"

enum result_end {
    RESULT_ENDED,
    RESULT_FAILED,    /* it ended, and its summary has the reason of a failure */
    RESULT_CUT_SHORT, /* it did not reach its end: the trace is incomplete */
    RESULT_GOES_ON,   /* it has not ended yet */
    RESULT_DAMAGED,   /* rows or files of its recording are missing */
};

/* The recorded scans of one robot. */
struct scans {
    struct table table;
    size_t robot; /* number of the robot */
};

struct result {
    const char *label, *folder; /* or the file of a recording */
    json_t *summary;            /* empty: the run has none */
    json_t *record;             /* run.json; empty: the run has none */
    struct table trace;         /* no columns: the run has none, as a test plan */
    bool is_world;              /* the trace is channels.csv, of a world that ran alone */
    struct robot robots[ROBOTS_MAX];
    size_t n_robots;
    struct scans scans[ROBOTS_MAX];
    size_t n_scans;
    enum result_end end;
    bool is_part;       /* complete rows from trace.csv.part */
    bool is_recording;  /* read from a recording (bag.h) */
    char damage[128];   /* ": summary.json in it ..."; "": none of its files */
    bool lacks_summary; /* it is that one */
};

/* What the record says about a column of the trace or a value of the summary: its unit and what it
 * is. "" when unknown. Borrowed. */
const char *result_unit(const struct result *result, const char *column);
const char *result_meaning(const struct result *result, const char *column);

/* A number of the summary that the component with this tag has given; NaN when absent. */
double result_number_of(const struct result *result, const char *tag, const char *leaf);
/* A column of the trace of the component with this tag, as result_column. */
double *result_column_of(const struct result *result, const char *tag, const char *leaf);

/* A recording stands wherever a folder does. Reads "LABEL=FOLDER" or "FOLDER" (the label is then
 * its last part); if the whole text is the path of a folder, it is a folder without label. Borrows
 * the text. A run that goes on holds the lock of its folder; what it has written until now is read.
 * An interrupted run has no trace.csv and perhaps no summary.json: then trace.csv.part is read, and
 * distances and duration are computed from its rows. -errno with reterr. */
int result_read(char *spec, struct result *ret_result, struct dpl_diag *reterr);
void result_finish(struct result *result);

/* Describes the end of a run that failed or was interrupted, as a sentence without its end; "": a
 * normal end. Returns ret_text. */
const char *result_trouble(const struct result *result, char *ret_text, size_t size);

/* The user ended the run (Ctrl-C, SIGTERM) before its end. */
bool result_was_interrupted(const struct result *result);

/* A number of the summary; NaN when absent or null. */
double result_number(const struct result *result, const char *key);
const char *result_text(const struct result *result, const char *key); /* "" when absent */

/* A copy of a column for plotting: the caller frees it; NULL when there is none. */
double *result_column(const struct result *result, const char *name);

/* The first robot that is compared with its avatar, or the first; NULL: there is none. */
const struct robot *result_main_robot(const struct result *result);

/* The distance of robot and avatar over time: the true one if it is known, otherwise the measured
 * one. The caller frees it. NULL: the run had no synchronizer. */
double *result_distance(const struct result *result, bool *ret_true);

/* The points of the recorded scans of all robots, in the avatar's world if the trace tells where
 * the odometry's frame is in it (ways.h), else in the odometry's frame. The caller frees both
 * arrays. */
size_t result_scan_points(const struct result *result, double **ret_x, double **ret_y);

#endif
