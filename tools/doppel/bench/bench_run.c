/* SPDX-License-Identifier: Apache-2.0 */
/* One run of a test bench, in a process of its own. */
#include "bench_run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/sim/host.h>
#include <doppel/text.h>

#include "bench_inputs.h"
#include "common.h"
#include "sim_loaded.h"

void bench_result_say(struct bench_result *result, const char *name, const char *text)
{
    result->verdict = (struct dpl_verdict){.expected = false};
    snprintf(result->verdict.name, sizeof result->verdict.name, "%s", name);
    dpl_text_clean(text, result->verdict.text, sizeof result->verdict.text);
}

/* ---- a stop ---- */

static void stop_signals(sigset_t *ret_set)
{
    sigemptyset(ret_set);
    sigaddset(ret_set, SIGINT);
    sigaddset(ret_set, SIGTERM);
    sigaddset(ret_set, SIGHUP);
}

/* Only SIGTERM from the parent process stops a run: signals from a terminal go to the whole process
 * group and would count twice. Until now the signal was blocked. */
static void take_stops(struct dpl_runtime *runtime)
{
    cli_stop_on_signals(runtime);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    sigset_t set;
    stop_signals(&set);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* ---- a run ---- */

static void take_verdict(const struct dpl_runtime *runtime, struct bench_result *ret_result)
{
    ret_result->verdict = *dpl_runtime_verdict(runtime);
    if (!dpl_runtime_ended_well(runtime)) {
        bench_result_spoil(ret_result);
    }
}

void bench_result_fail(struct bench_result *result, enum dpl_exit failure, const char *text)
{
    bench_result_say(result, "fault", text);
    result->failure = failure;
}

/* Writes the error and its place into the one line of the verdict; if it is too long, it is printed
 * completely. */
static void say_error(struct bench_result *result, enum dpl_exit failure,
                      const struct dpl_diag *error)
{
    char text[sizeof error->text + 512];
    const struct dpl_place *place = &error->place;
    int n = !place->file      ? snprintf(text, sizeof text, "%s", error->text)
            : place->line > 0 ? snprintf(text, sizeof text, "%s (%s:%d:%d)", error->text,
                                         place->file, place->line, place->column)
                              : snprintf(text, sizeof text, "%s (%s)", error->text, place->file);
    if (n < 0 || (size_t)n >= sizeof result->verdict.text) {
        dpl_diag_print(stderr, error);
    }
    bench_result_fail(result, failure, text);
}

/* ---- a run that is repeated ---- */

#define GATEWAYS_MAX 8

struct repeated {
    struct dpl_gateway_use gateways[GATEWAYS_MAX];
    char *values; /* at its end */
};

static void keep_values(void *user, const struct dpl_runtime *runtime)
{
    ((struct repeated *)user)->values = dpl_runtime_values(runtime);
}

static void begin_repeated(struct bench_run *run, struct repeated *repeated)
{
    struct dpl_runtime_options *options = &run->options;
    options->over = keep_values;
    options->over_user = repeated;
    if (run->repeat->n_inputs > 0 && options->n_gateways < GATEWAYS_MAX) {
        for (size_t i = 0; i < options->n_gateways; i++) {
            repeated->gateways[i] = options->gateways[i];
        }
        repeated->gateways[options->n_gateways++] =
            (struct dpl_gateway_use){&bench_inputs_gateway, run->repeat};
        options->gateways = repeated->gateways;
        options->hold = 1;
    }
}

/* A run that ended as it should is judged by its values, one with a verdict of its own too. */
static void judge_repeated(const struct bench_run *run, struct repeated *repeated,
                           struct bench_result *result)
{
    char why[sizeof result->verdict.text];
    if (repeated->values && result->failure == DPL_EXIT_DONE && !result->interrupted) {
        bool is_same = bench_repeat_compare(run->repeat, repeated->values, why, sizeof why);
        bench_result_say(result, is_same ? "repeated" : "differs", why);
        result->verdict.expected = is_same;
    }
    free(repeated->values);
}

/* ---- in this process ---- */

static void run_hosted(struct bench_run *run, const struct dpl_sim_host *host,
                       struct dpl_observe *observe, struct bench_result *ret_result)
{
    struct dpl_diag error = {0};
    struct dpl_runtime *runtime = NULL;
    int err = dpl_runtime_create(run->app, &run->options, &runtime, &error);
    if (err < 0) {
        say_error(ret_result, cli_code_without_run(err), &error);
        return;
    }
    if (observe_tell(&run->observed, observe, runtime, run->app) < 0) {
        bench_result_fail(ret_result, DPL_EXIT_BAD_INPUT, "it cannot be recorded: see the error");
        dpl_runtime_destroy(runtime);
        return;
    }
    take_stops(runtime);
    enum dpl_exit code = dpl_runtime_run(runtime, &error);
    cli_stop_on_signals(NULL);
    ret_result->duration_s = dpl_ns_to_s(dpl_runtime_duration(runtime));
    if (dpl_runtime_verdict(runtime)) {
        take_verdict(runtime, ret_result);
        if (!run->repeat && dpl_runtime_was_touched(runtime)) {
            bench_result_say(ret_result, "touched", "by hand: this proves nothing");
        }
    } else if (code == DPL_EXIT_DONE) {
        bench_result_say(ret_result, "none", "the run ended without a verdict");
    } else {
        say_error(ret_result, code, &error);
    }
    if (run->options.log_level >= DPL_LOG_INFO) {
        sim_tell_of_host(host);
    }
    ret_result->interrupted = cli_was_stopped() && !dpl_runtime_verdict(runtime);
    dpl_runtime_destroy(runtime);
}

void bench_run_here(struct bench_run *run, struct bench_result *ret_result)
{
    struct dpl_sim_host_options host_options = {.world = run->app->world,
                                                .properties = run->app->world_properties,
                                                .n_properties = run->app->n_world_properties,
                                                .seed = run->options.seed,
                                                .catalog = run->catalog};
    struct dpl_sim_host *host = dpl_sim_host_create(&host_options);
    struct dpl_observe *observe;
    if (!host) {
        bench_result_fail(ret_result, DPL_EXIT_FAULT, "out of memory");
        return;
    }
    run->options.world = dpl_sim_host_interface(host);
    run->options.program = cli_program();
    if (observe_open(&run->observed, &run->options, &observe) < 0) {
        bench_result_fail(ret_result, DPL_EXIT_BAD_INPUT, "it cannot be observed: see the error");
    } else {
        struct repeated repeated = {.values = NULL};
        if (run->repeat) {
            begin_repeated(run, &repeated);
        }
        run_hosted(run, host, observe, ret_result);
        if (run->repeat) {
            judge_repeated(run, &repeated, ret_result);
        }
        dpl_observe_close(observe);
    }
    dpl_sim_host_destroy(host);
}

void bench_result_spoil(struct bench_result *result)
{
    char text[sizeof result->verdict.text];
    snprintf(text, sizeof text, "%s, but not all of its results could be written: see the errors",
             result->verdict.name);
    bench_result_fail(result, DPL_EXIT_FAULT, text);
}
