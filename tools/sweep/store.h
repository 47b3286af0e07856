/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a study: its text, the runs that it has, and their results, in SQLite. Processes that
 * run a part of it only read it, and add lines to a file of their own (chunk.h); one process
 * collects them. */
#ifndef DOPPEL_SWEEP_STORE_H
#define DOPPEL_SWEEP_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "subject.h"

/* The result of a run, as long as the table. */
struct sweep_result {
    enum sweep_status status;
    const char *verdict, *text;
    double duration_s, wall_s;
    const double *measures; /* [n_measures] */
};

struct sweep_row {
    uint64_t id, point, replicate, seed, identity;
    const char *const *values;         /* [n_varies] */
    const struct sweep_result *result; /* NULL: none yet */
};

/* A study with all its rows. */
struct sweep_table {
    struct dpl_arena arena;
    struct sweep_study study;
    const char *study_file;
    uint64_t closure;
    struct sweep_row *rows; /* [n], by id: row i has id i + 1 */
    size_t n;
};

/* Makes the rows of a study: points, seeds, identities, which are the hash of the closure, of what
 * all runs have in common, of values and seed. 0; -ENOMEM. */
int sweep_table_make(struct sweep_table *table, uint64_t closure);

/* Writes the file, without results; an older one is replaced when the new one is complete. `bytes`
 * [n_bytes]: the study as XML. -errno with reterr. */
int sweep_store_write(const struct sweep_table *table, const void *bytes, size_t n_bytes,
                      const char *file, struct dpl_diag *reterr);

/* Reads a file into *ret_table, which the caller finishes in any case. `diags`: as of the study's
 * text. 0, or -EINVAL with errors. */
int sweep_store_read(const char *file, struct sweep_table *ret_table, struct dpl_diags *diags);
void sweep_table_finish(struct sweep_table *table);

/* Writes all results of the table into its file. -errno with reterr. */
int sweep_store_collect(const struct sweep_table *table, const char *file, struct dpl_diag *reterr);

/* Prints the table as CSV. What depends on the machine's speed is in columns that end in _wall. */
void sweep_table_print(const struct sweep_table *table, FILE *stream);

#endif
