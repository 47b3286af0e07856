/* SPDX-License-Identifier: Apache-2.0 */
/* See test_session.h. */
#include "test_session.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <doppel/output.h>
#include <doppel/system_clock.h>

#include "common.h"
#include "sim_world.h"
#include "status_row.h"
#include "test_observed.h"

static volatile sig_atomic_t n_stops;
/* For the signal handler, which runs on the thread that writes this: see host_world. */
static struct dpl_sim_hosted *volatile waiting;

void test_run_stop(void)
{
    struct dpl_sim_hosted *hosted = waiting;
    n_stops = 1;
    if (hosted) {
        dpl_sim_hosted_stop(hosted);
    }
    test_observed_stop();
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

/* What a unit writes before it leaves is answered. */
static void stand(void *user)
{
    struct test_session *session = user;
    if (session->hosted) {
        dpl_sim_hosted_stand(session->hosted);
    }
}

int test_session_close(struct test_session *session, struct dpl_diag *reterr)
{
    waiting = NULL;
    test_unit_stop(&session->unit, stand, session);
    test_observed_end(session);
    test_trace_destroy(session->trace);
    dpl_plan_run_destroy(session->run);
    dpl_sim_hosted_destroy(session->hosted);
    session->trace = NULL;
    session->run = NULL;
    session->hosted = NULL;
    session->broken[0] = '\0';
    session->n_done = 0;
    int err = session->unit.log_error;
    if (session->options->log_bytes) {
        *session->options->log_bytes = session->unit.said;
    }
    if (err < 0) {
        return dpl_fail(reterr, -EIO, (struct dpl_place){.file = session->log},
                        "cannot be written: %s", strerror(-err));
    }
    if (session->unit.fault[0] == '\0') {
        return 0;
    }
    err = dpl_fail(reterr, -EIO, session->plan->world_place, "%s", session->unit.fault);
    session->unit.fault[0] = '\0';
    return err;
}

/* The plan wins: units have said what they want. */
static void put_again(void *user)
{
    const struct test_session *session = user;
    if (session->run) {
        dpl_plan_run_put(session->run);
    }
}

/* Their texts, in the order in which they open; how many. */
static size_t gates_of(struct test_session *session, const char *ret_gates[2])
{
    const struct test_run_options *options = session->options;
    struct dpl_arena *arena = &session->results->arena;
    size_t n = 0;
    if (dpl_plan_command_has(session->command, "controllers_port") || options->controllers ||
        session->n_controllers > 0) {
        ret_gates[n++] = dpl_arena_printf(arena, "controllers:port=%u", options->controllers_port);
    }
    if (dpl_plan_command_has(session->command, "modbus_port") || options->modbus ||
        session->n_masters > 0) {
        ret_gates[n++] = dpl_arena_printf(arena, "modbus:port=%u,pace=%.17g s,patience=%.17g s",
                                          options->modbus_port, session->plan->unit.pace_s,
                                          session->plan->unit.ready_s);
    }
    return n;
}

void test_session_load_options(struct test_session *session, struct dpl_sim_load_options *ret_load)
{
    const struct test_run_options *options = session->options;
    *ret_load = (struct dpl_sim_load_options){.has_seed = true,
                                              .seed = options->seed,
                                              .catalog = options->catalog,
                                              .warn = sim_print_warning};
    dpl_sim_plan_load_options(&session->results->arena, session->plan, ret_load);
}

static int host_world(struct test_session *session, struct dpl_diag *reterr)
{
    const char *gates[2];
    struct dpl_sim_hosted_options hosted = {
        .world = session->world,
        .gates = gates,
        .n_gates = gates_of(session, gates),
        .boundary = put_again,
        .boundary_user = session,
        .notice = print_notice,
    };
    test_session_load_options(session, &hosted.load);
    sigset_t all, before;
    sigfillset(&all); /* the world's threads take no signals: the handler would run on them */
    sigprocmask(SIG_SETMASK, &all, &before);
    int err = dpl_sim_hosted_create(&hosted, &session->hosted, reterr);
    sigprocmask(SIG_SETMASK, &before, NULL);
    waiting = err < 0 ? NULL : session->hosted;
    return err;
}

static int bind_plan(struct test_session *session, struct dpl_diag *reterr)
{
    struct dpl_diags diags = {0};
    struct dpl_world_channels *channels = dpl_sim_hosted_channels(session->hosted);
    dpl_ns step = dpl_world_model(dpl_sim_hosted_world(session->hosted))->step;
    int err = dpl_sim_plan_bind(&session->results->arena, session->plan, channels, &diags);
    cli_print_diags(&diags);
    dpl_diags_finish(&diags);
    if (err < 0) {
        return dpl_fail(reterr, err, session->plan->world_place,
                        "the plan does not match its world '%s'", session->plan->world);
    }
    err = dpl_plan_run_create(session->plan, channels, step, session->options->seed, &session->run);
    if (err < 0) {
        return dpl_fail(reterr, err, session->plan->world_place, "out of memory");
    }
    return test_trace_create(session->plan, channels, step, &session->trace, reterr);
}

static int start_unit(struct test_session *session, struct dpl_diag *reterr)
{
    char controllers[16], modbus[16], seed[32];
    const char *out = session->options->out;
    snprintf(controllers, sizeof controllers, "%u",
             dpl_sim_hosted_port(session->hosted, "controllers"));
    snprintf(modbus, sizeof modbus, "%u", dpl_sim_hosted_port(session->hosted, "modbus"));
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)session->options->seed);
    const struct dpl_plan_place given[] = {
        {"controllers_port", controllers},
        {"modbus_port", modbus},
        {"seed", seed},
        {"out", out ? out : "."},
    };
    const struct dpl_plan_places places = {given, DPL_COUNT(given), session->plan};
    static struct dpl_plan_command command; /* large */
    int err = dpl_plan_command_parse(session->command, &places, &command, reterr);
    err = err < 0 ? err
                  : test_unit_start(&session->unit, &command,
                                    session->log[0] != '\0' ? session->log : NULL, reterr);
    if (err < 0 && reterr) {
        reterr->place = session->options->unit ? (struct dpl_place){.file = "--unit"}
                                               : session->plan->unit.place;
    }
    return err;
}

static bool are_all_there(const struct test_session *session)
{
    return dpl_sim_hosted_joined(session->hosted) >= session->n_controllers &&
           dpl_sim_hosted_modbus(session->hosted).masters >= session->n_masters;
}

static void say_missing(struct test_session *session)
{
    snprintf(
        session->broken, sizeof session->broken,
        "within %g s of real time %u of %u controllers have joined, %u of %u masters have "
        "connected%s",
        session->plan->unit.ready_s, dpl_sim_hosted_joined(session->hosted), session->n_controllers,
        dpl_sim_hosted_modbus(session->hosted).masters, session->n_masters,
        dpl_sim_hosted_modbus(session->hosted).time_outs > 0 ? ", and no master paces the world"
                                                             : "");
}

static bool can_log(struct test_session *session)
{
    int err = session->unit.log_error;
    if (err < 0) {
        session->has_fault = true;
        snprintf(session->broken, sizeof session->broken, "%.180s cannot be written: %s",
                 session->log, strerror(-err));
    }
    return err == 0;
}

/* The world stands still until all have joined: so each run begins alike. */
static void await_unit(struct test_session *session)
{
    dpl_ns end = dpl_monotonic_now() + dpl_ns_from_s(session->plan->unit.ready_s);
    bool has_unit = session->command[0] != '\0';
    while (!n_stops) {
        dpl_sim_hosted_stand(session->hosted);
        if (has_unit && (!test_unit_runs(&session->unit, session->broken, sizeof session->broken) ||
                         !can_log(session))) {
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
static void print_ports(const struct test_session *session)
{
    status_row_hide();
    if (session->options->controllers) {
        printf("controllers at tcp://127.0.0.1:%u\n",
               dpl_sim_hosted_port(session->hosted, "controllers"));
    }
    if (session->options->modbus) {
        printf("modbus at tcp://127.0.0.1:%u\n", dpl_sim_hosted_port(session->hosted, "modbus"));
    }
    fflush(stdout);
}

int test_session_open(struct test_session *session, struct dpl_diag *reterr)
{
    int err = host_world(session, reterr);
    err = err < 0 ? err : bind_plan(session, reterr);
    if (err == 0) {
        test_observed_begin(session);
        print_ports(session);
    }
    if (err == 0 && session->command[0] != '\0') {
        err = start_unit(session, reterr);
    }
    if (err == 0) {
        await_unit(session);
        session->real = dpl_monotonic_now();
        session->begun = 0;
    }
    return err;
}

/* ---- whether it is whole ---- */

#define LAST_WORDS_MS 300

/* Whether the unit runs, or may have ended; else why not, in `broken`. One that has left the world
 * is probably about to end: that tells more. */
static bool is_alive(struct test_session *session, bool left)
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

static void say_left(struct test_session *session)
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

static bool has_left(const struct test_session *session)
{
    return !are_all_there(session) || dpl_sim_hosted_modbus(session->hosted).time_outs > 0;
}

/* A world that cannot go on says nothing about the unit. */
static bool has_world_fault(struct test_session *session)
{
    struct dpl_diag why = {.text = ""};
    if (dpl_sim_hosted_fault(session->hosted, &why) == 0) {
        return false;
    }
    session->has_fault = true;
    snprintf(session->broken, sizeof session->broken, "%.250s", why.text);
    return true;
}

/* Whether those who are to be there still are; else why not, in `broken`. */
bool test_session_is_whole(struct test_session *session)
{
    if (has_world_fault(session)) {
        return false;
    }
    bool left = has_left(session) && !session->plan->unit.may_end;
    if (!is_alive(session, left) || !can_log(session)) {
        return false;
    }
    if (left) {
        say_left(session);
    }
    return !left;
}

/* A look at the process costs a system call, for which there is time when the world waits. */
bool test_session_seems_whole(struct test_session *session, unsigned n)
{
    return (n % 32 != 0 && session->rate <= 0.0 && !has_left(session) &&
            dpl_sim_hosted_fault(session->hosted, NULL) == 0) ||
           test_session_is_whole(session);
}

/* ---- options ---- */

/* So many as the plan says; -1: one if the command asks for the port. */
static unsigned count(int64_t said, bool asks)
{
    return said >= 0 ? (unsigned)said : asks ? 1 : 0;
}

void test_session_prepare(struct test_session *session)
{
    const struct dpl_plan_unit *unit = &session->plan->unit;
    const struct test_run_options *options = session->options;
    session->command = options->unit ? options->unit : unit->command;
    session->unit.said = options->log_bytes ? *options->log_bytes : 0;
    if (options->out) {
        snprintf(session->log, sizeof session->log, "%s/unit.log", options->out);
    }
    bool nobody = session->command[0] == '\0';
    session->n_controllers =
        count(unit->controllers, dpl_plan_command_has(session->command, "controllers_port") ||
                                     (nobody && options->controllers));
    session->n_masters =
        count(unit->masters,
              dpl_plan_command_has(session->command, "modbus_port") || (nobody && options->modbus));
    session->rate = isnan(options->rate) ? session->plan->rate : options->rate;
}
