/* SPDX-License-Identifier: Apache-2.0 */
/* A world that a test plan is about, with the unit in its loop: from a step that is reset to the
 * next one. */
#ifndef DOPPEL_CLI_TEST_SESSION_H
#define DOPPEL_CLI_TEST_SESSION_H

#include <doppel/output.h>
#include <doppel/sim/hosted.h>

#include "test_run.h"
#include "test_trace.h"
#include "test_unit.h"

struct test_session {
    const struct test_run_options *options;
    size_t first_step, end_step; /* those that are to be done */
    struct test_results *results;
    struct dpl_sim_plan *plan;
    const char *world;                 /* file */
    const char *command;               /* "": there is no unit */
    unsigned n_controllers, n_masters; /* that have to be there */
    double rate;
    struct dpl_sim_hosted *hosted;
    struct dpl_plan_run *run;
    struct test_trace *trace;
    struct test_unit unit;
    size_t n_done;                  /* steps, since it was opened */
    char log[DPL_OUTPUT_PATH_MAX];  /* of the unit; "": it prints where our errors go */
    char broken[256];               /* why no step can go on from here; "": it can */
    bool has_fault;                 /* why it is broken: the results cannot be written */
    struct test_observed *observed; /* NULL: nobody observes it */
    dpl_ns real, begun;             /* rate: real time and the world's when it began */
};

/* What the options and the plan say; the plan was read. */
void test_session_prepare(struct test_session *session);
/* How its worlds are loaded. */
void test_session_load_options(struct test_session *session, struct dpl_sim_load_options *ret_load);

/* A new world and a new unit; waits until it has joined, while time stands still. If it does not,
 * the session is `broken`. -errno with reterr: it cannot be tested. */
int test_session_open(struct test_session *session, struct dpl_diag *reterr);
/* Ends both. -EIO with reterr: what the unit has said cannot be written, or somebody has stopped or
 * killed the process that keeps it. */
int test_session_close(struct test_session *session, struct dpl_diag *reterr);

/* Whether those who are to be there still are; else why not, in `broken`. */
bool test_session_is_whole(struct test_session *session);
/* The same, cheaply, after step number `n`. */
bool test_session_seems_whole(struct test_session *session, unsigned n);

#endif
