/* SPDX-License-Identifier: Apache-2.0 */
/* What `doppel check` has found, as text for people and in the formats of editors and tools. */
#ifndef DOPPEL_CLI_CHECK_OUTPUT_H
#define DOPPEL_CLI_CHECK_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include <doppel/diag.h>

enum check_format {
    CHECK_TEXT,  /* errors and warnings to stderr, what is said about a file to stdout */
    CHECK_GCC,   /* "file:line:column: error: text", a line each, to stdout */
    CHECK_JSON,  /* LSP: a list of PublishDiagnosticsParams */
    CHECK_SARIF, /* SARIF 2.1.0 */
};

/* The names of the formats, ended by NULL; the index is the format. */
extern const char *const check_format_names[];

/* Zero-initialise and set `format`. */
struct check_output {
    enum check_format format;
    json_t *files;   /* JSON: by file; SARIF: artifacts */
    json_t *results; /* SARIF */
    json_t *rules;   /* SARIF */
    bool failed;     /* there was no memory */
};

/* Adds what was found in one file of the command line; sorts `diags`. `name` is the place of what
 * has no other. Text and gcc are printed at once. */
void check_output_add(struct check_output *output, const char *name, struct dpl_diags *diags);

/* Prints what is not printed yet and releases all. 0; -ENOMEM: the output is not complete. Whether
 * it could be written is for the caller to ask stdout. */
int check_output_finish(struct check_output *output, int exit_code);

/* ---- the formats of tools -------------------------------------------------------------------- */

void check_json_add(struct check_output *output, const char *name, const struct dpl_diags *diags);
void check_sarif_add(struct check_output *output, const char *name, const struct dpl_diags *diags);

/* The whole document, which the caller releases; NULL: no memory. */
json_t *check_sarif_document(struct check_output *output, int exit_code);

#endif
