/* SPDX-License-Identifier: Apache-2.0 */
/* What the verbs of `doppel sweep` share. */
#ifndef DOPPEL_CLI_SWEEP_H
#define DOPPEL_CLI_SWEEP_H

#include <doppel/host/catalog.h>

#include "options.h"
#include "store.h"

struct sweep_values {
    struct option_list bind;
    const char *output, *chunk, *csv, *out, *record;
    int view;
    double limit_s;
    uint64_t jobs;
    bool shuffle, fresh, quiet;
};

/* The verbs: each returns the exit code, after printing an error. */
int sweep_plan(const char *study, const struct sweep_values *values);
int sweep_run(const char *store, const struct sweep_values *values);
int sweep_rerun(const char *store, const char *id, const struct sweep_values *values);

/* Reads a store with the results that there are: false after printing the errors. The caller
 * finishes the table in any case. `ret_stale` (NULL: no matter): lines of other identities. */
bool sweep_read(const char *store, struct sweep_table *ret_table, long *ret_stale);

/* Opens what the study of a table is about, and whether it is what it was when it was planned. */
bool sweep_open(const struct sweep_table *table, struct dpl_catalog *catalog,
                struct sweep_subject *ret_subject);

#endif
