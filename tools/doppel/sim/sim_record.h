/* SPDX-License-Identifier: Apache-2.0 */
/* doppel sim --run: channels.csv, all of the run or windows around triggers. */
#ifndef DOPPEL_CLI_SIM_RECORD_H
#define DOPPEL_CLI_SIM_RECORD_H

#include <jansson.h>

#include <doppel/host/runtime.h>
#include <doppel/output.h>
#include <doppel/sim/trigger.h>

#include "sim_loaded.h"

enum { SIM_RECORD_WINDOWS_MAX = 1000 }; /* that the summary lists */

struct sim_record_options {
    const struct option_list *patterns;
    const char *trigger; /* NULL: all rows are written */
    double before_s, after_s;
    dpl_ns every; /* from row to row */
};

struct sim_window {
    dpl_ns time;    /* of the trigger */
    uint64_t again; /* further triggers, each of which made it longer */
};

/* Zero-initialised: nothing is recorded. */
struct sim_record {
    struct sim_loaded *loaded;
    size_t *channels, *offsets; /* [n] their numbers; where they are in a row */
    size_t n, row_bytes;
    unsigned char *newest; /* a row */
    struct dpl_output out;
    uint64_t rows;
    /* Of a trigger: */
    struct dpl_trigger *trigger;
    dpl_ns before, after, until; /* until: of the newest window */
    bool held;                   /* it held after the step before */
    unsigned char *ring;         /* [ring_size] rows that a trigger may want */
    size_t ring_size, ring_first, ring_n;
    struct sim_window *windows; /* [SIM_RECORD_WINDOWS_MAX] */
    uint64_t n_windows;
};

/* 0, or -errno with reterr. Whatever it returns, the caller finishes it. */
int sim_record_prepare(struct sim_record *record, struct sim_loaded *loaded,
                       const struct sim_record_options *options, struct dpl_diag *reterr);

/* Opens channels.csv, which the caller closes. */
int sim_record_open(struct sim_record *record, const char *folder, struct dpl_diag *reterr);

/* At the start and after each step: the trigger, before the row of that time. 0, or -EINVAL with
 * reterr: its expression has no value. */
int sim_record_look(struct sim_record *record, struct dpl_diag *reterr);

/* A row is due. */
void sim_record_row(struct sim_record *record);

/* Adds what it knows of triggers. */
void sim_record_describe(const struct sim_record *record, json_t *inout_summary);
void sim_record_finish(struct sim_record *record);

#endif
