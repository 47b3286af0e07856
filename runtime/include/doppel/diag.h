/* SPDX-License-Identifier: Apache-2.0 */
/* Errors, warnings and notes with a place. A function that stops at the first error takes a `struct
 * dpl_diag *reterr` (written only on failure, NULL allowed); a checker that continues after an
 * error takes a `struct dpl_diags *`. Only dpl_diag_print prints. */
#ifndef DOPPEL_DIAG_H
#define DOPPEL_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_DIAG_TEXT_MAX 512

enum dpl_severity {
    DPL_SEVERITY_ERROR,
    DPL_SEVERITY_WARNING,
    DPL_SEVERITY_NOTE, /* nothing is wrong: for example, something was not checked */
};

/* The place of an error. `file` is borrowed and must outlive the diagnostics (NULL: no file, e.g.
 * for a device; then the text names it). Lines and columns count from 1; 0 means unknown. */
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
 * `return dpl_fail(reterr, -EINVAL, place, "...")`. The text is cleaned (doppel/text.h) and
 * truncated at DPL_DIAG_TEXT_MAX. */
int dpl_fail(struct dpl_diag *reterr, int code, struct dpl_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Writes "file:line:column: error: text", without the unknown parts and with the file's name
 * cleaned; returns the length as snprintf does. */
int dpl_diag_format(const struct dpl_diag *diag, char *ret_text, size_t size);
/* As dpl_diag_format, but without a leading "error: " when no file is known. */
int dpl_diag_format_cause(const struct dpl_diag *diag, char *ret_text, size_t size);
/* Prints dpl_diag_format as a line. */
void dpl_diag_print(FILE *stream, const struct dpl_diag *diag);

/* Copies bytes of an input into a message: bytes that are not printable ASCII are written as \xNN,
 * and text that does not fit into `size` is left out. Returns ret_text. */
const char *dpl_diag_quote(const char *bytes, size_t n, char *ret_text, size_t size);

/* A growing list, in the order of insertion. Zero-initialise; allocates; not thread-safe. After
 * DPL_DIAGS_MAX entries only the counts increase. */
#define DPL_DIAGS_MAX 1000
struct dpl_diags {
    struct dpl_diag *items;
    size_t n, capacity;
    size_t n_errors, n_warnings; /* notes are in `n` alone */
};

void dpl_diags_add(struct dpl_diags *diags, enum dpl_severity severity, struct dpl_place place,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));
void dpl_diags_add_diag(struct dpl_diags *diags, const struct dpl_diag *diag);
/* Sorts by file (order of first appearance), line, column; stable. */
void dpl_diags_sort(struct dpl_diags *diags);
void dpl_diags_finish(struct dpl_diags *diags);

/* The candidate that is most similar to `word` by Damerau-Levenshtein distance, ignoring case, if
 * the distance is at most max(1, length / 3); otherwise NULL. With equal distances: the first
 * candidate. */
const char *dpl_nearest(const char *word, const char *const *candidates, size_t n);

/* Whether two names are equal in a profile: only letters and digits count, ignoring case ("L._Motor
 * Name" = "L_Motor_Name", "APIName" = "ApiName"). */
bool dpl_name_equal(const char *a, const char *b);

#ifdef __cplusplus
}
#endif

#endif
