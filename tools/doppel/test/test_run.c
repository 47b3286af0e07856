/* SPDX-License-Identifier: Apache-2.0 */
/* See test_run.h. A step that is reset begins with a world and a unit that are new, so it does not
 * depend on what was before. */
#include "test_run.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <doppel/output.h>
#include <doppel/system_clock.h>

#include "common.h"
#include "sim_loaded.h"
#include "sim_world.h"
#include "status_row.h"
#include "test_observed.h"
#include "test_session.h"

/* ---- a step of the plan ---- */

static dpl_ns world_now(const struct test_session *session)
{
    return dpl_world_now(dpl_sim_hosted_world(session->hosted));
}

/* Follows the clock. */
static void pace(struct test_session *session)
{
    dpl_ns since = world_now(session) - session->begun;
    dpl_ns due = session->real + (dpl_ns)((double)since / session->rate);
    struct timespec at = {due / DPL_S, due % DPL_S};
    while (!test_run_was_stopped() &&
           clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {
    }
}

#define AFTERWARDS_MS 20

/* A world whose master or controller is gone runs on at once, so a step may be over before its end
 * is seen; then the reason is that. */
static void look_again(struct test_session *session, enum dpl_plan_state state)
{
    if (state == DPL_PLAN_FAILED && session->command[0] != '\0') {
        poll(NULL, 0, AFTERWARDS_MS);
    }
    if (!test_session_is_whole(session)) {
        dpl_plan_run_fail(session->run, session->broken);
    }
}

/* "step 3 of 15: NAME  12.3 s" */
static void show_progress(const struct test_session *session, size_t index, dpl_ns began)
{
    const struct test_run_options *options = session->options;
    char text[STATUS_ROW_BYTES], most[24];
    size_t n = session->end_step - session->first_step, done = index - session->first_step;
    if (!status_row_is_on() || n == 0 || options->n_runs == 0) {
        return;
    }
    int width = snprintf(most, sizeof most, "%zu", n);
    snprintf(text, sizeof text, "step %*zu of %s  %5.1f s  %s", width, done + 1, most,
             dpl_ns_to_s(world_now(session) - began), session->plan->steps[index].name);
    double of_run = (double)done / (double)n;
    status_row_show(((double)options->n_runs_done + of_run) / (double)options->n_runs, text);
}

static void run_step(struct test_session *session, size_t index)
{
    dpl_ns began = world_now(session);
    dpl_world_limits_clear(dpl_sim_hosted_world(session->hosted));
    enum dpl_plan_state state = dpl_plan_run_begin(session->run, index, world_now(session));
    test_trace_take(session->trace, session->run, world_now(session));
    for (unsigned n = 0; state == DPL_PLAN_RUNNING && test_observed_go(session); n++) {
        show_progress(session, index, began);
        dpl_sim_hosted_step(session->hosted);
        test_observed_look(session);
        state = dpl_plan_run_look(session->run, world_now(session));
        test_trace_take(session->trace, session->run, world_now(session));
        if (state == DPL_PLAN_RUNNING && !test_session_seems_whole(session, n)) {
            dpl_plan_run_fail(session->run, session->broken);
            state = DPL_PLAN_FAILED;
        }
        if (session->rate > 0.0) {
            pace(session);
        }
    }
    if (state != DPL_PLAN_RUNNING && session->broken[0] == '\0') {
        look_again(session, state);
    }
}

static void write_trace(struct test_session *session, size_t index, dpl_ns began)
{
    struct test_step_result *result = &session->results->steps[index];
    struct dpl_output output = {0};
    struct dpl_diag error = {0};
    snprintf(result->trace, sizeof result->trace, "trace-%llu-%02zu.csv",
             (unsigned long long)session->options->seed, index + 1);
    int err = dpl_results_open(session->options->out, result->trace, &output, &error);
    if (err == 0) {
        test_trace_write(session->trace, output.stream, began);
        err = dpl_output_close(&output, &error);
    }
    if (err < 0) {
        dpl_diag_print(stderr, &error);
        result->trace[0] = '\0';
    }
}

static void print_step(const struct dpl_plan_step *step, const struct test_step_result *result)
{
    static const char *const words[] = {[TEST_PASSED] = "ok",
                                        [TEST_BY_HAND] = "hand",
                                        [TEST_FAILED] = "FAIL",
                                        [TEST_ERROR] = "ERR"};
    status_row_hide();
    bool is_empty = result->verdict == TEST_PASSED && !result->result.judges;
    printf("%-4s %s (%.3f s)%s\n", words[result->verdict], step->name, result->result.duration_s,
           is_empty                          ? ": nothing is judged"
           : result->verdict == TEST_BY_HAND ? ": touched by hand"
                                             : "");
    for (size_t i = 0; i < result->result.n_failures && i < DPL_PLAN_FAILURES_MAX; i++) {
        printf("     %s\n", result->result.failures[i]);
    }
    for (size_t i = 0; i < result->n_notes; i++) {
        printf("     note: %s\n", result->notes[i]);
    }
    fflush(stdout);
}

/* The result of a step that was never begun. */
static void fail_unbegun(struct dpl_plan_result *result, const char *why)
{
    *result = (struct dpl_plan_result){.state = DPL_PLAN_FAILED, .n_failures = 1};
    snprintf(result->failures[0], sizeof result->failures[0], "%s", why);
}

/* A step that cannot be judged. It is no failure of what is tested, but whoever reads the results
 * must not take it for one that was left out on purpose. */
static void note_error(struct test_session *session, size_t index, const char *why)
{
    struct test_step_result *result = &session->results->steps[index];
    double duration_s = result->result.duration_s;
    result->verdict = TEST_ERROR;
    fail_unbegun(&result->result, why);
    result->result.duration_s = duration_s;
    print_step(&session->plan->steps[index], result);
    test_observed_tell(session, index);
}

static void note_stop(struct test_session *session, size_t index, dpl_ns began)
{
    struct dpl_plan_result *result = &session->results->steps[index].result;
    result->duration_s = dpl_ns_to_s(world_now(session) - began);
    note_error(session, index, "the user has ended the test");
}

static void do_step(struct test_session *session, size_t index)
{
    struct test_step_result *result = &session->results->steps[index];
    dpl_ns began = world_now(session);
    bool begins = session->broken[0] == '\0';
    test_observed_tell(session, index);
    if (begins) {
        run_step(session, index);
        result->result = *dpl_plan_run_result(session->run);
        result->n_notes =
            sim_limits_note(dpl_sim_hosted_world(session->hosted), result->notes, TEST_NOTES_MAX);
    } else {
        char why[sizeof session->broken];
        snprintf(why, sizeof why, "not begun: %.240s", session->broken);
        fail_unbegun(&result->result, session->n_done > 0 ? why : session->broken);
    }
    session->n_done++;
    if (result->result.state == DPL_PLAN_RUNNING) {
        note_stop(session, index, began);
        return;
    }
    if (session->has_fault) {
        note_error(session, index, session->broken);
        return;
    }
    result->verdict = result->result.state != DPL_PLAN_PASSED ? TEST_FAILED
                      : test_observed_is_touched(session)     ? TEST_BY_HAND
                                                              : TEST_PASSED;
    if (result->verdict == TEST_FAILED && begins && session->options->out) {
        write_trace(session, index, began);
    }
    print_step(&session->plan->steps[index], result);
    test_observed_tell(session, index);
}

/* ---- the plan ---- */

/* The steps to be done: from the newest reset before the wanted one on. */
static int choose_steps(const struct test_session *session, size_t *ret_first, size_t *ret_end,
                        struct dpl_diag *reterr)
{
    const struct dpl_sim_plan *plan = session->plan;
    const char *wanted = session->options->step, *names[256];
    size_t i = 0;
    *ret_first = 0;
    *ret_end = plan->n_steps;
    if (!wanted) {
        return 0;
    }
    while (i < plan->n_steps && strcmp(plan->steps[i].name, wanted) != 0) {
        if (i < 256) {
            names[i] = plan->steps[i].name;
        }
        i++;
    }
    if (i == plan->n_steps) {
        const char *near = dpl_nearest(wanted, names, i < 256 ? i : 256);
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = plan->file},
                        "there is no step '%s'%s%s%s", wanted, near ? ", did you mean '" : "",
                        near ? near : "", near ? "'?" : ": --list prints them");
    }
    *ret_end = i + 1;
    while (i > 0 && !plan->steps[i].reset) {
        i--;
    }
    *ret_first = i;
    return 0;
}

/* Where an error is, if not in the plan, by folder and name: there may be another file of the same
 * name. All of the path is printed, too. */
static void note_error_at(struct test_session *session, size_t index, const struct dpl_diag *error)
{
    char why[DPL_DIAG_TEXT_MAX + 300];
    const char *file = error->place.file;
    if (!file || error->place.line == 0 || strcmp(file, session->plan->file) == 0) {
        note_error(session, index, error->text);
        return;
    }
    const char *name = file;
    size_t n_slashes = 0;
    for (const char *at = file + strlen(file); at > file && n_slashes < 2; at--) {
        n_slashes += at[-1] == '/';
        name = n_slashes < 2 ? at - 1 : at;
    }
    snprintf(why, sizeof why, "%.200s:%d:%d: %s", name, error->place.line, error->place.column,
             error->text);
    note_error(session, index, why);
}

/* The session in which a step is done: the one of the step before, or a new one. */
static int open_for(struct test_session *session, size_t index, bool is_first,
                    struct dpl_diag *reterr)
{
    if (!is_first && !session->plan->steps[index].reset) {
        return 0;
    }
    int err = test_session_close(session, reterr);
    err = err < 0 ? err : test_session_open(session, reterr);
    if (err < 0) {
        note_error_at(session, index, reterr);
    }
    return err;
}

/* 0, or -errno with reterr: the plan cannot go on. */
static int do_next(struct test_session *session, size_t index, bool is_first,
                   struct dpl_diag *reterr)
{
    if (test_run_was_stopped()) {
        note_error(session, index, "the user has ended the test");
        return 0;
    }
    int err = open_for(session, index, is_first, reterr);
    if (err == 0) {
        do_step(session, index);
    }
    return session->has_fault ? -EIO : err;
}

/* The step without which this one says nothing, and that has not passed; or NULL. One that goes on
 * from a skipped step lacks what that one lacks. */
static const char *lacking(const struct test_session *session, size_t index, size_t first)
{
    const struct dpl_plan_step *steps = session->plan->steps, *step = &steps[index];
    const struct test_step_result *results = session->results->steps;
    if (!step->reset && index > first && results[index - 1].lacks) {
        return results[index - 1].lacks;
    }
    for (size_t i = first; i < index && step->needs[0] != '\0'; i++) {
        if (strcmp(steps[i].name, step->needs) == 0 && results[i].verdict != TEST_PASSED &&
            results[i].verdict != TEST_BY_HAND) {
            return results[i].lacks ? results[i].lacks : steps[i].name;
        }
    }
    return NULL;
}

static bool skip(struct test_session *session, size_t index, size_t first)
{
    const char *lacks = lacking(session, index, first);
    session->results->steps[index].lacks = lacks;
    if (lacks) {
        printf("skip %s: '%s' has not passed\n", session->plan->steps[index].name, lacks);
        fflush(stdout);
    }
    return lacks;
}

static int do_plan(struct test_session *session, struct dpl_diag *reterr)
{
    size_t first, end;
    int err = choose_steps(session, &first, &end, reterr);
    session->first_step = err < 0 ? 0 : first;
    session->end_step = err < 0 ? 0 : end;
    bool goes_on = true;
    for (size_t i = first; i < end && err == 0 && goes_on; i++) {
        if (skip(session, i, first)) {
            continue;
        }
        err = do_next(session, i, i == first, reterr);
        enum test_verdict verdict = session->results->steps[i].verdict;
        goes_on = verdict == TEST_PASSED || verdict == TEST_BY_HAND ||
                  (verdict == TEST_FAILED && !session->options->fails_fast);
    }
    int closing = test_session_close(session, err < 0 && !session->has_fault ? NULL : reterr);
    if (closing < 0 && err == 0) { /* the steps were judged: they keep their verdicts */
        snprintf(session->results->error, sizeof session->results->error, "%.200s", reterr->text);
    }
    return err < 0 ? err : closing;
}

static int read_plan(struct test_session *session, struct dpl_diag *reterr)
{
    const struct test_run_options *options = session->options;
    struct test_results *results = session->results;
    struct dpl_plan_options plan = {
        .seed = options->seed,
        .params = sim_sets(&results->arena, "param", options->param),
        .n_params = options->param->n,
    };
    struct dpl_diags diags = {0};
    int err = dpl_sim_read_plan(&results->arena, options->file, &plan, &results->plan, &diags);
    cli_print_diags(&diags);
    dpl_diags_finish(&diags);
    if (err < 0) {
        results->plan = NULL;
        return err; /* why was printed */
    }
    session->plan = results->plan;
    if (options->world) {
        snprintf(session->plan->world, sizeof session->plan->world, "%s", options->world);
        session->world = cli_find(options->catalog, "worlds", options->world, reterr);
        return session->world ? 0 : -ENOENT;
    }
    session->world = dpl_sim_plan_world(&results->arena, session->plan, options->catalog, reterr);
    return session->world ? 0 : -ENOENT;
}

/* What is wrong with the plan itself was printed, and said nowhere else. */
static void note_unread(struct test_results *results, const struct dpl_diag *error)
{
    results->plan = NULL;
    snprintf(results->error, sizeof results->error, "%.200s",
             error->text[0] != '\0' ? error->text : "the plan has errors: see the messages above");
}

static bool has_errors(const struct test_results *results)
{
    for (size_t i = 0; results->plan && results->steps && i < results->plan->n_steps; i++) {
        if (results->steps[i].verdict != TEST_SKIPPED) {
            return true;
        }
    }
    return results->error[0] != '\0';
}

static void list_steps(const struct test_run_options *options, const struct dpl_sim_plan *plan)
{
    for (size_t i = 0; options->lists && i < plan->n_steps; i++) {
        const struct dpl_plan_step *step = &plan->steps[i];
        printf("%s%s\n", step->name, step->reset || i == 0 ? "" : " (goes on)");
    }
}

enum dpl_exit test_run(const struct test_run_options *options, struct test_results *ret_results)
{
    struct dpl_diag error = {0};
    *ret_results = (struct test_results){.seed = options->seed};
    struct test_session session = {.options = options, .results = ret_results};
    dpl_ns began = dpl_monotonic_now();
    int err = read_plan(&session, &error);
    if (err < 0) {
        note_unread(ret_results, &error);
    } else {
        list_steps(options, session.plan);
        ret_results->steps = dpl_arena_alloc(&ret_results->arena,
                                             session.plan->n_steps * sizeof *ret_results->steps);
        test_session_prepare(&session);
        err = options->lists      ? 0
              : options->observed ? test_observed_run(&session, do_plan, &error)
                                  : do_plan(&session, &error);
    }
    if (err < 0 && session.plan && !has_errors(ret_results)) {
        note_unread(ret_results, &error); /* no step was begun */
    }
    ret_results->real_s = dpl_ns_to_s(dpl_monotonic_now() - began);
    if (err < 0 && error.text[0] != '\0') {
        dpl_diag_print(stderr, &error);
    }
    return err == -EIO ? DPL_EXIT_FAULT : err < 0 ? DPL_EXIT_BAD_INPUT : DPL_EXIT_DONE;
}

void test_results_finish(struct test_results *results)
{
    dpl_arena_finish(&results->arena);
}
