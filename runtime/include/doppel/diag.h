/* SPDX-License-Identifier: Apache-2.0 */
/* Errors and warnings that carry a place. A function that can fail for one reason takes a
 * `struct dpl_diag *reterr` (written only on failure, NULL allowed); a checker that goes on after a
 * finding takes a `struct dpl_diags *`. Nothing here prints except dpl_diag_print. */
#ifndef DOPPEL_DIAG_H
#define DOPPEL_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define DPL_DIAG_TEXT_MAX 512

enum dpl_severity {
    DPL_SEVERITY_ERROR,
    DPL_SEVERITY_WARNING,
};

/* Where something was found. `file` is borrowed and outlives the diagnostics (NULL: no file, e.g. a
 * device; the text then names it). Lines and columns count from 1; 0 means unknown. */
struct dpl_place {
    const char *file;
    int line, column;
};

struct dpl_diag {
    enum dpl_severity severity;
    struct dpl_place place;
    char text[DPL_DIAG_TEXT_MAX];
};

/* Writes an error into *reterr (NULL: nothing) and returns `code`, so that a caller can write
 * `return dpl_fail(reterr, -EINVAL, place, "...")`. Truncates at DPL_DIAG_TEXT_MAX. */
int dpl_fail(struct dpl_diag *reterr, int code, struct dpl_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* "file:line:column: error: text", leaving out what is unknown; returns the length as snprintf
 * does.
 */
int dpl_diag_format(const struct dpl_diag *diag, char *ret_text, size_t size);
/* The same where it is known what it is: it does not begin with "error: " when no file is known. */
int dpl_diag_format_cause(const struct dpl_diag *diag, char *ret_text, size_t size);
/* dpl_diag_format, as a line. */
void dpl_diag_print(FILE *stream, const struct dpl_diag *diag);

/* A growing list, in order of finding. Zero-initialise; allocates; not thread-safe. Beyond
 * DPL_DIAGS_MAX entries only the counts go on. */
#define DPL_DIAGS_MAX 1000
struct dpl_diags {
    struct dpl_diag *items;
    size_t n, capacity;
    size_t n_errors, n_warnings;
};

void dpl_diags_add(struct dpl_diags *diags, enum dpl_severity severity, struct dpl_place place,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));
void dpl_diags_add_diag(struct dpl_diags *diags, const struct dpl_diag *diag);
/* Sorts by file (order of first appearance), line, column; stable. */
void dpl_diags_sort(struct dpl_diags *diags);
void dpl_diags_finish(struct dpl_diags *diags);

/* The candidate nearest to `word` by Damerau-Levenshtein distance, ignoring case, if it is near
 * enough to be a misspelling (distance <= max(1, length / 3)); else NULL. Ties: the first. */
const char *dpl_nearest(const char *word, const char *const *candidates, size_t n);

/* Whether two names are the same to a profile: letters and digits only, case ignored
 * ("L._Motor Name" = "L_Motor_Name", "APIName" = "ApiName"). */
bool dpl_name_equal(const char *a, const char *b);

#endif
