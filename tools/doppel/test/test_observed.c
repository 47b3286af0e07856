/* SPDX-License-Identifier: Apache-2.0 */
#include "test_observed.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <doppel/sim/shown.h>

#include "common.h"
#include "status_row.h"

struct test_observed {
    struct dpl_runtime *runtime;
    struct dpl_sim_shown *shown;
    /* What is described. It does not move: those of the sessions come and go. */
    struct dpl_sim_model *model;
    struct dpl_world *world;
    struct dpl_world_channels *channels;
    unsigned touched; /* before the session's world */
    dpl_ns offset;    /* of the run when the session's world began */
    int (*plan)(struct test_session *session, struct dpl_diag *reterr);
    int result;
    struct dpl_diag why;
};

static struct dpl_runtime *volatile driven; /* for the signal handler */

/* ---- of a session ---- */

static dpl_ns world_now(const struct test_session *session)
{
    return dpl_world_now(dpl_sim_hosted_world(session->hosted));
}

void test_observed_begin(struct test_session *session)
{
    struct test_observed *observed = session->observed;
    if (observed) {
        dpl_sim_shown_follow(observed->shown, dpl_sim_hosted_world(session->hosted),
                             dpl_sim_hosted_channels(session->hosted), observed->offset);
        dpl_sim_shown_hand_over(observed->shown, dpl_sim_hosted_hands(session->hosted));
        observed->touched = dpl_sim_shown_touched(observed->shown);
        dpl_sim_shown_look(observed->shown);
    }
}

void test_observed_end(struct test_session *session)
{
    struct test_observed *observed = session->observed;
    if (observed && session->hosted) {
        observed->offset += world_now(session);
        dpl_sim_shown_hand_over(observed->shown, (struct dpl_world_host){0});
        dpl_sim_shown_follow(observed->shown, observed->world, observed->channels,
                             observed->offset);
    }
}

bool test_observed_is_touched(const struct test_session *session)
{
    const struct test_observed *observed = session->observed;
    return observed && dpl_sim_shown_touched(observed->shown) != observed->touched;
}

bool test_observed_go(struct test_session *session)
{
    const struct test_observed *observed = session->observed;
    dpl_ns step = observed ? observed->model->step : 0;
    if (observed &&
        !dpl_runtime_go(observed->runtime, observed->offset + world_now(session) + step)) {
        test_run_stop();
    }
    return !test_run_was_stopped();
}

void test_observed_look(const struct test_session *session)
{
    if (session->observed) {
        dpl_sim_shown_look(session->observed->shown);
    }
}

static const char *const words[] = {
    [TEST_SKIPPED] = "runs",  [TEST_PASSED] = "passed", [TEST_BY_HAND] = "touched by hand",
    [TEST_FAILED] = "failed", [TEST_ERROR] = "error",
};

void test_observed_tell(const struct test_session *session, size_t index)
{
    const struct test_observed *observed = session->observed;
    if (!observed) {
        return;
    }
    const struct test_step_result *result = &session->results->steps[index];
    dpl_ns now = observed->offset + (session->hosted ? world_now(session) : 0);
    double none = (double)NAN;
    struct dpl_found found = {.step = session->plan->steps[index].name,
                              .name = "step",
                              .verdict = words[result->verdict],
                              .text =
                                  result->result.n_failures > 0 ? result->result.failures[0] : NULL,
                              .value = none,
                              .min = none,
                              .max = none,
                              .number = index + 1,
                              .count = session->plan->n_steps};
    dpl_runtime_tell_found(observed->runtime, now, &found);
    found.text = NULL;
    for (size_t i = 0; i < result->result.n_measures && i < DPL_PLAN_MEASURES_MAX; i++) {
        const struct dpl_plan_measure *measure = &result->result.measures[i];
        found.name = measure->name;
        found.verdict = words[measure->good ? TEST_PASSED : TEST_FAILED];
        found.value = measure->value;
        found.min = measure->min;
        found.max = measure->max;
        dpl_runtime_tell_found(observed->runtime, now, &found);
    }
}

void test_observed_stop(void)
{
    struct dpl_runtime *runtime = driven;
    if (runtime) {
        dpl_runtime_request_stop(runtime);
    }
}

/* ---- the run ---- */

static int drive(void *user, struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    struct test_session *session = user;
    struct test_observed *observed = session->observed;
    (void)reterr;
    observed->runtime = runtime;
    observed->result = observed->plan(session, &observed->why);
    return 0;
}

static int run(struct test_session *session, struct dpl_runtime_options *options,
               struct dpl_observe *observe, struct dpl_diag *reterr)
{
    const struct test_run_options *test = session->options;
    const struct dpl_app app = {.name = session->plan->name,
                                .file = test->file,
                                .world = session->world,
                                .catalog = test->catalog};
    struct dpl_runtime *runtime;
    int err = dpl_runtime_create(&app, options, &runtime, reterr);
    if (err < 0) {
        return err;
    }
    if (observe_tell(test->observed, observe, runtime, &app) < 0) {
        dpl_runtime_destroy(runtime);
        return -EINVAL; /* why was printed */
    }
    driven = runtime;
    enum dpl_exit code = dpl_runtime_run(runtime, reterr);
    driven = NULL;
    dpl_runtime_destroy(runtime);
    return code == DPL_EXIT_DONE ? 0 : -EIO;
}

static int run_observed(struct test_session *session, struct dpl_diag *reterr)
{
    const struct test_run_options *test = session->options;
    struct test_observed *observed = session->observed;
    bool is_viewed = test->observed->self.view != OBSERVE_NO_PORT;
    struct dpl_observe *observe;
    struct dpl_runtime_options options = {
        .simulated = true,
        .rate = session->rate > 0.0              ? session->rate
                : is_viewed && isnan(test->rate) ? 1.0
                                                 : 0.0,
        .world = dpl_sim_shown_host(observed->shown),
        .drive = drive,
        .drive_user = session,
        .drive_step = observed->model->step,
        .seed = test->seed,
        .program = cli_program(),
        .log_level = DPL_LOG_INFO,
        .log = status_row_log(),
    };
    if (observe_open(test->observed, &options, &observe) < 0) {
        return -EINVAL; /* why was printed */
    }
    session->rate = 0.0; /* the run has it */
    int err = run(session, &options, observe, reterr);
    dpl_observe_close(observe);
    if (err == 0 && observed->result < 0) {
        *reterr = observed->why;
    }
    return err < 0 ? err : observed->result;
}

int test_observed_run(struct test_session *session,
                      int (*plan)(struct test_session *session, struct dpl_diag *reterr),
                      struct dpl_diag *reterr)
{
    struct test_observed observed = {.plan = plan};
    struct dpl_sim_load_options load;
    test_session_load_options(session, &load);
    int err = dpl_sim_load_world_with(session->world, &load, &observed.model, reterr);
    err = err < 0 ? err : dpl_world_create(observed.model, &observed.world, reterr);
    err = err < 0 ? err : dpl_world_channels_create(observed.world, &observed.channels);
    observed.shown = err < 0 ? NULL : dpl_sim_shown_create(observed.world, observed.channels);
    if (observed.shown) {
        dpl_sim_shown_hand_over(observed.shown, (struct dpl_world_host){0});
        session->observed = &observed;
        err = run_observed(session, reterr);
        session->observed = NULL;
    } else if (err == 0) {
        err = dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    dpl_sim_shown_destroy(observed.shown);
    dpl_world_channels_destroy(observed.channels);
    dpl_world_destroy(observed.world);
    dpl_sim_model_destroy(observed.model);
    return err;
}
