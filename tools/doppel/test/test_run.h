/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a test plan once: its world in this process, its unit in another one. */
#ifndef DOPPEL_CLI_TEST_RUN_H
#define DOPPEL_CLI_TEST_RUN_H

#include <doppel/host/catalog.h>
#include <doppel/host/runtime.h>
#include <doppel/sim/limits.h>
#include <doppel/sim/plan.h>

#include "arena.h"
#include "observe.h"
#include "options.h"

struct test_run_options {
    const char *file;
    struct dpl_catalog *catalog;
    const struct option_list *param; /* NAME=VALUE each */
    uint64_t seed;
    size_t n_runs_done, n_runs; /* of all: for the status row */
    const char *world;          /* file, in place of the plan's; NULL: that */
    const char *unit;           /* in place of the plan's command; NULL: that */
    const char *step;           /* only this one, and those that it goes on from; NULL: all */
    bool lists;                 /* only prints which steps there are */
    bool fails_fast;            /* after a step that has not passed no other one is begun */
    const char *out;            /* folder; NULL: none */
    double rate;                /* NAN: as the plan says */
    bool controllers;           /* a port for them, also when the unit does not ask for it */
    uint16_t controllers_port;
    bool modbus; /* the same for Modbus masters */
    uint16_t modbus_port;
    const struct observe_wanted *observed; /* NULL: nobody observes it */
    uint64_t *log_bytes; /* so many the units of all runs have printed; NULL: who wants to know */
};

enum test_verdict {
    TEST_SKIPPED,
    TEST_PASSED,
    TEST_BY_HAND, /* passed, but hands of those who look were in its world: no proof */
    TEST_FAILED,
    TEST_ERROR, /* it could not be judged: the test itself has failed, or the user has ended it */
};

enum { TEST_NOTES_MAX = 8 };

struct test_step_result {
    enum test_verdict verdict;
    struct dpl_plan_result result;                  /* names in it are the plan's */
    char notes[TEST_NOTES_MAX][DPL_SIM_LIMIT_TEXT]; /* [n_notes]: no failure, but worth knowing */
    size_t n_notes;
    char trace[64];    /* file in the folder; "": none */
    const char *lacks; /* the step that has not passed, because of which it was skipped; or NULL */
};

/* Whatever it returns, the caller finishes it. */
struct test_results {
    struct dpl_arena arena;
    struct dpl_sim_plan *plan;      /* NULL: it could not be read */
    struct test_step_result *steps; /* [plan->n_steps], in the arena */
    uint64_t seed;
    double real_s;
    char error[256]; /* why there is no plan, or what went wrong after its last step; "": nothing */
};

/* Runs it, prints a line a step. DPL_EXIT_DONE: all that was to be done is in the results, whatever
 * the verdicts are; otherwise the reason was printed. */
enum dpl_exit test_run(const struct test_run_options *options, struct test_results *ret_results);
void test_results_finish(struct test_results *results);

/* For a signal handler: the steps that have not ended are skipped, the unit is ended. */
void test_run_stop(void);
bool test_run_was_stopped(void);

#endif
