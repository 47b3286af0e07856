/* SPDX-License-Identifier: Apache-2.0 */
/* See test_run.h. A step that is reset begins with a world and a unit that are new, so it does not
 * depend on what was before. */
#include "test_run.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <doppel/output.h>
#include <doppel/sim/hosted.h>
#include <doppel/system_clock.h>

#include "common.h"
#include "sim_world.h"
#include "test_trace.h"
#include "test_unit.h"

struct session {
    const struct test_run_options *options;
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
    char broken[256];   /* why no step can go on from here; "": it can */
    dpl_ns real, begun; /* rate: real time and the world's when it began */
};

static volatile sig_atomic_t n_stops;
static volatile sig_atomic_t is_awaiting;       /* the unit has not joined yet */
static struct dpl_sim_hosted *volatile waiting; /* for signal handlers */

void test_run_stop(void)
{
    n_stops = 1;
    if (waiting) {
        dpl_sim_hosted_stop(waiting);
    }
}

void test_run_look_at_unit(void)
{
    if (is_awaiting && waiting) {
        dpl_sim_hosted_stop(waiting);
    }
}

bool test_run_was_stopped(void)
{
    return n_stops > 0;
}

static void print_notice(void *user, const char *text)
{
    (void)user;
    (void)text; /* a unit that fails is told of by its step */
}

/* ---- a world and its unit ---- */

static void close_session(struct session *session)
{
    waiting = NULL;
    test_unit_stop(&session->unit);
    test_trace_destroy(session->trace);
    dpl_plan_run_destroy(session->run);
    dpl_sim_hosted_destroy(session->hosted);
    session->trace = NULL;
    session->run = NULL;
    session->hosted = NULL;
    session->broken[0] = '\0';
}

static int host_world(struct session *session, struct dpl_diag *reterr)
{
    const struct test_run_options *options = session->options;
    bool asks = test_command_has(session->command, "controllers_port");
    struct dpl_sim_hosted_options hosted = {
        .world = session->world,
        .load = {.has_seed = true,
                 .seed = options->seed,
                 .catalog = options->catalog,
                 .warn = sim_print_warning},
        .controllers = asks || options->controllers || session->n_controllers > 0,
        .controllers_port = options->controllers_port,
        .modbus = test_command_has(session->command, "modbus_port") || options->modbus ||
                  session->n_masters > 0,
        .modbus_port = options->modbus_port,
        .modbus_pace = dpl_ns_from_s(session->plan->unit.pace_s),
        .modbus_patience = dpl_ns_from_s(session->plan->unit.ready_s),
        .notice = print_notice,
    };
    int err = dpl_sim_hosted_create(&hosted, &session->hosted, reterr);
    waiting = err < 0 ? NULL : session->hosted;
    return err;
}

static int bind_plan(struct session *session, struct dpl_diag *reterr)
{
    struct dpl_diags diags = {0};
    struct dpl_world_channels *channels = dpl_sim_hosted_channels(session->hosted);
    dpl_ns step = dpl_world_model(dpl_sim_hosted_world(session->hosted))->step;
    int err = dpl_sim_plan_bind(&session->results->arena, session->plan, channels, &diags);
    cli_print_diags(&diags);
    dpl_diags_finish(&diags);
    if (err < 0) {
        return dpl_fail(reterr, err, session->plan->world_place,
                        "the plan does not fit its world '%s'", session->plan->world);
    }
    err = dpl_plan_run_create(session->plan, channels, step, session->options->seed, &session->run);
    if (err < 0) {
        return dpl_fail(reterr, err, session->plan->world_place, "out of memory");
    }
    return test_trace_create(session->plan, channels, step, &session->trace, reterr);
}

static int start_unit(struct session *session, struct dpl_diag *reterr)
{
    char controllers[16], modbus[16], seed[32], log[DPL_OUTPUT_PATH_MAX];
    const char *out = session->options->out;
    snprintf(controllers, sizeof controllers, "%u",
             dpl_sim_hosted_controllers_port(session->hosted));
    snprintf(modbus, sizeof modbus, "%u", dpl_sim_hosted_modbus_port(session->hosted));
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)session->options->seed);
    snprintf(log, sizeof log, "%s/unit.log", out ? out : "");
    const struct test_place places[] = {
        {"controllers_port", controllers},
        {"modbus_port", modbus},
        {"seed", seed},
        {"out", out ? out : "."},
    };
    static struct test_command command; /* large */
    int err = test_command_parse(session->command, places, DPL_COUNT(places), &command, reterr);
    err = err < 0 ? err : test_unit_start(&session->unit, &command, out ? log : NULL, reterr);
    if (err < 0 && reterr) {
        reterr->place = session->plan->unit.place;
    }
    return err;
}

static bool are_all_there(const struct session *session)
{
    return dpl_sim_hosted_joined(session->hosted) >= session->n_controllers &&
           dpl_sim_hosted_modbus(session->hosted).masters >= session->n_masters;
}

static void say_missing(struct session *session)
{
    snprintf(
        session->broken, sizeof session->broken,
        "within %g s of real time %u of %u controllers have joined, %u of %u masters have "
        "connected%s",
        session->plan->unit.ready_s, dpl_sim_hosted_joined(session->hosted), session->n_controllers,
        dpl_sim_hosted_modbus(session->hosted).masters, session->n_masters,
        dpl_sim_hosted_modbus(session->hosted).time_outs > 0 ? ", and none paces the world" : "");
}

/* The world stands still until all have joined: so each run begins alike. */
static void await_unit(struct session *session)
{
    dpl_ns end = dpl_monotonic_now() + dpl_ns_from_s(session->plan->unit.ready_s);
    bool has_unit = session->command[0] != '\0';
    while (!n_stops) {
        dpl_sim_hosted_stand(session->hosted);
        if (has_unit && !test_unit_runs(&session->unit, session->broken, sizeof session->broken)) {
            return;
        }
        bool is_paced = dpl_sim_hosted_modbus(session->hosted).time_outs == 0;
        if (is_paced && are_all_there(session)) {
            return;
        }
        if (!is_paced || dpl_monotonic_now() > end) {
            say_missing(session);
            return;
        }
        poll(NULL, 0, 1);
    }
}

/* Tells whoever starts controllers and masters by hand where to. */
static void print_ports(const struct session *session)
{
    if (session->options->controllers) {
        printf("controllers at tcp://127.0.0.1:%u\n",
               dpl_sim_hosted_controllers_port(session->hosted));
    }
    if (session->options->modbus) {
        printf("modbus at tcp://127.0.0.1:%u\n", dpl_sim_hosted_modbus_port(session->hosted));
    }
    fflush(stdout);
}

static int open_session(struct session *session, struct dpl_diag *reterr)
{
    int err = host_world(session, reterr);
    err = err < 0 ? err : bind_plan(session, reterr);
    if (err == 0) {
        print_ports(session);
    }
    is_awaiting = 1;
    if (err == 0 && session->command[0] != '\0') {
        err = start_unit(session, reterr);
    }
    if (err == 0) {
        await_unit(session);
        is_awaiting = 0;
        session->real = dpl_monotonic_now();
        session->begun = 0;
    }
    return err;
}

/* ---- a step of the plan ---- */

static dpl_ns world_now(const struct session *session)
{
    return dpl_world_now(dpl_sim_hosted_world(session->hosted));
}

/* Follows the clock. */
static void pace(struct session *session)
{
    dpl_ns since = world_now(session) - session->begun;
    dpl_ns due = session->real + (dpl_ns)((double)since / session->rate);
    struct timespec at = {due / DPL_S, due % DPL_S};
    while (!n_stops && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {
    }
}

#define LAST_WORDS_MS 300

/* Whether the unit runs, or may have ended; else why not, in `broken`. One that has left the world
 * is probably about to end: that tells more. */
static bool is_alive(struct session *session, bool left)
{
    char why[sizeof session->broken];
    if (session->command[0] == '\0') {
        return true;
    }
    bool runs = test_unit_runs(&session->unit, why, sizeof why);
    for (int i = 0; i < LAST_WORDS_MS && runs && left; i++) {
        poll(NULL, 0, 1);
        runs = test_unit_runs(&session->unit, why, sizeof why);
    }
    if (runs || (session->plan->unit.may_end && test_unit_ended_well(&session->unit))) {
        return true;
    }
    snprintf(session->broken, sizeof session->broken, "%s", why);
    return false;
}

static void say_left(struct session *session)
{
    struct dpl_sim_modbus_stats modbus = dpl_sim_hosted_modbus(session->hosted);
    if (modbus.time_outs > 0) {
        snprintf(session->broken, sizeof session->broken,
                 "the unit paces the world and has not written for %g s of real time",
                 session->plan->unit.ready_s);
        return;
    }
    snprintf(session->broken, sizeof session->broken,
             "the unit has left the world: %u of %u controllers and %u of %u masters are there",
             dpl_sim_hosted_joined(session->hosted), session->n_controllers, modbus.masters,
             session->n_masters);
}

static bool has_left(const struct session *session)
{
    return !are_all_there(session) || dpl_sim_hosted_modbus(session->hosted).time_outs > 0;
}

/* Whether those who are to be there still are; else why not, in `broken`. */
static bool is_whole(struct session *session)
{
    bool left = has_left(session) && !session->plan->unit.may_end;
    if (!is_alive(session, left)) {
        return false;
    }
    if (left) {
        say_left(session);
    }
    return !left;
}

/* A look at the process costs a system call. */
static bool is_time_to_look(const struct session *session, unsigned n)
{
    return n % 32 == 0 || has_left(session);
}

static void run_step(struct session *session, size_t index)
{
    enum dpl_plan_state state = dpl_plan_run_begin(session->run, index, world_now(session));
    test_trace_take(session->trace, session->run, world_now(session));
    for (unsigned n = 0; state == DPL_PLAN_RUNNING && !n_stops; n++) {
        dpl_sim_hosted_step(session->hosted);
        state = dpl_plan_run_look(session->run, world_now(session));
        test_trace_take(session->trace, session->run, world_now(session));
        if (state == DPL_PLAN_RUNNING && is_time_to_look(session, n) && !is_whole(session)) {
            dpl_plan_run_fail(session->run, session->broken);
            state = DPL_PLAN_FAILED;
        }
        if (session->rate > 0.0) {
            pace(session);
        }
    }
}

static void write_trace(struct session *session, size_t index, dpl_ns began)
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

/* The result of a step that was never begun. */
static void fail_unbegun(struct dpl_plan_result *result, const char *why)
{
    *result = (struct dpl_plan_result){.state = DPL_PLAN_FAILED, .n_failures = 1};
    snprintf(result->failures[0], sizeof result->failures[0], "%s", why);
}

static void print_step(const struct dpl_plan_step *step, const struct test_step_result *result)
{
    printf("%-4s %s (%.3f s)\n", result->verdict == TEST_PASSED ? "ok" : "FAIL", step->name,
           result->result.duration_s);
    for (size_t i = 0; i < result->result.n_failures && i < DPL_PLAN_FAILURES_MAX; i++) {
        printf("     %s\n", result->result.failures[i]);
    }
    fflush(stdout);
}

static void do_step(struct session *session, size_t index)
{
    struct test_step_result *result = &session->results->steps[index];
    dpl_ns began = world_now(session);
    bool begins = session->broken[0] == '\0';
    if (begins) {
        run_step(session, index);
        result->result = *dpl_plan_run_result(session->run);
    } else {
        fail_unbegun(&result->result, session->broken);
    }
    if (result->result.state == DPL_PLAN_RUNNING) {
        return; /* stopped: skipped */
    }
    result->verdict = result->result.state == DPL_PLAN_PASSED ? TEST_PASSED : TEST_FAILED;
    if (result->verdict == TEST_FAILED && begins && session->options->out) {
        write_trace(session, index, began);
    }
    print_step(&session->plan->steps[index], result);
}

/* ---- the plan ---- */

/* The steps to be done: from the newest reset before the wanted one on. */
static int choose_steps(const struct session *session, size_t *ret_first, size_t *ret_end,
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
                        near ? near : "", near ? "'?" : "");
    }
    *ret_end = i + 1;
    while (i > 0 && !plan->steps[i].reset) {
        i--;
    }
    *ret_first = i;
    return 0;
}

static int do_plan(struct session *session, struct dpl_diag *reterr)
{
    size_t first, end;
    int err = choose_steps(session, &first, &end, reterr);
    for (size_t i = first; i < end && err == 0 && !n_stops; i++) {
        if (i == first || session->plan->steps[i].reset) {
            close_session(session);
            err = open_session(session, reterr);
        }
        if (err == 0 && !n_stops) {
            do_step(session, i);
        }
    }
    close_session(session);
    return err;
}

static int read_plan(struct session *session, struct dpl_diag *reterr)
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
        return dpl_fail(reterr, err, (struct dpl_place){.file = options->file},
                        "the plan cannot be used");
    }
    session->plan = results->plan;
    session->world = dpl_sim_plan_world(&results->arena, session->plan, options->catalog);
    if (!session->world) {
        return dpl_fail(reterr, -ENOENT, session->plan->world_place, "there is no world '%s'",
                        session->plan->world);
    }
    return 0;
}

static void take_options(struct session *session)
{
    const struct dpl_plan_unit *unit = &session->plan->unit;
    const struct test_run_options *options = session->options;
    session->command = options->unit ? options->unit : unit->command;
    bool asks = test_command_has(session->command, "controllers_port");
    bool outside = options->controllers && session->command[0] == '\0';
    session->n_controllers = unit->controllers >= 0 ? (unsigned)unit->controllers
                             : asks || outside      ? 1
                                                    : 0;
    session->rate = isnan(options->rate) ? session->plan->rate : options->rate;
}

enum dpl_exit test_run(const struct test_run_options *options, struct test_results *ret_results)
{
    struct dpl_diag error = {0};
    *ret_results = (struct test_results){.seed = options->seed};
    struct session session = {.options = options, .results = ret_results};
    dpl_ns began = dpl_monotonic_now();
    int err = read_plan(&session, &error);
    if (err == 0) {
        ret_results->steps = dpl_arena_alloc(&ret_results->arena,
                                             session.plan->n_steps * sizeof *ret_results->steps);
        take_options(&session);
        err = do_plan(&session, &error);
    }
    ret_results->real_s = dpl_ns_to_s(dpl_monotonic_now() - began);
    if (err < 0) {
        dpl_diag_print(stderr, &error);
        return DPL_EXIT_BAD_INPUT;
    }
    return DPL_EXIT_DONE;
}

void test_results_finish(struct test_results *results)
{
    dpl_arena_finish(&results->arena);
}
