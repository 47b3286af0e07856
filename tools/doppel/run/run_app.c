/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a loaded application with its worlds, a progress line and a folder of results. */
#include "run_app.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include <doppel/sim/host.h>
#include <doppel/system_clock.h>

#include "closing.h"
#include "common.h"
#include "fields.h"
#include "observe.h"
#include "problems.h"
#include "service.h"
#include "sim_loaded.h"
#include "status_row.h"

/* Without a terminal, one line every 10 s of the run's time. In its first second values that are
 * not there yet would look like faults. */
struct progress {
    dpl_ns next;
};

static void show_progress(void *user, const struct dpl_status *status)
{
    struct progress *progress = user;
    double now_s = dpl_ns_to_s(status->now), end_s = dpl_ns_to_s(status->end);
    char text[STATUS_ROW_BYTES], time[64];
    if (status->now < (status_row_is_on() ? DPL_S : progress->next)) {
        return;
    }
    progress->next = status->now + 10 * DPL_S;
    snprintf(time, sizeof time, "%7.1f s", now_s);
    if (status->end > 0) {
        int width = snprintf(NULL, 0, "%.1f", end_s);
        snprintf(time, sizeof time, "%*.1f of %.1f s", width, fmin(now_s, end_s), end_s);
    }
    snprintf(text, sizeof text, "%s  load %3.0f %%  %s", time, status->load * 100.0, status->text);
    if (status_row_is_on()) {
        status_row_show(status->end > 0 ? now_s / end_s : (double)NAN, text);
    } else {
        fprintf(stderr, "%s\n", text);
        fflush(stderr);
    }
}

/* Writes into the folder of results that there are none, with the reason. Returns the code. */
static int never_ran(const char *out_dir, const char *application, enum dpl_exit code,
                     const struct dpl_diag *why)
{
    struct dpl_diag error = {0};
    struct dpl_failure failure = {.code = code, .application = application, .why = why};
    if (out_dir && (dpl_results_clear(out_dir, &error) < 0 ||
                    dpl_results_write_failure(out_dir, &failure, &error) < 0)) {
        dpl_diag_print(stderr, &error);
    }
    return (int)code;
}

static void tell_interruption(const struct dpl_runtime *runtime,
                              const struct dpl_runtime_options *options)
{
    fprintf(stderr, "interrupted after %.1f s", dpl_ns_to_s(dpl_runtime_duration(runtime)));
    if (options->duration > 0) {
        fprintf(stderr, " of %.1f s", dpl_ns_to_s(options->duration));
    }
    fprintf(stderr, "\n");
}

static int run_app(const struct dpl_app *app, struct dpl_runtime_options *options,
                   const struct dpl_sim_host *host, const struct observe_wanted *wanted,
                   struct dpl_observe *observe)
{
    struct dpl_runtime *runtime;
    struct dpl_diag error = {0};
    cli_stop_on_signals(NULL);
    int err = dpl_runtime_create(app, options, &runtime, &error);
    if (err < 0) {
        status_row_end();
        error.severity = err == -ECANCELED ? DPL_SEVERITY_NOTE : DPL_SEVERITY_ERROR;
        dpl_diag_print(stderr, &error);
        return never_ran(options->out_dir, app->name, cli_code_without_run(err), &error);
    }
    cli_stop_on_signals(runtime);
    if (observe_tell(wanted, observe, runtime, app) < 0) {
        cli_stop_on_signals(NULL);
        status_row_end();
        dpl_runtime_destroy(runtime);
        return DPL_EXIT_BAD_INPUT;
    }
    enum dpl_exit code = dpl_runtime_run(runtime, &error);
    cli_stop_on_signals(NULL);
    status_row_end();
    if (code != DPL_EXIT_DONE) {
        cli_tell_failure(&error);
    }
    if (options->status) {
        sim_tell_of_host(host);
    }
    if (code != DPL_EXIT_BAD_INPUT) { /* the run was started */
        cli_tell_end_of(runtime, code, options->status && code == DPL_EXIT_DONE);
    }
    if (dpl_runtime_was_interrupted(runtime)) {
        tell_interruption(runtime, options);
    }
    dpl_runtime_destroy(runtime);
    return (int)code;
}

static void on_beat(void *user, enum dpl_beat beat, const char *text)
{
    service_tell(user, beat, text, dpl_monotonic_now());
}

int cli_run_app(struct dpl_catalog *catalog, const struct dpl_app *app,
                struct dpl_runtime_options *options, const struct observe_wanted *wanted,
                bool quiet)
{
    static const struct observe_wanted nothing = {"run", {.view = OBSERVE_NO_PORT}, NULL};
    struct progress progress = {.next = DPL_S};
    struct dpl_observe *observe;
    wanted = wanted ? wanted : &nothing;
    if (observe_open(wanted, options, &observe) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    if (!quiet) {
        status_row_begin();
        options->log = status_row_log();
        options->status = show_progress;
        options->status_user = &progress;
    }
    struct dpl_sim_host_options host_options = {
        .world = app->world,
        .properties = app->world_properties,
        .n_properties = app->n_world_properties,
        .seed = options->seed,
        .catalog = catalog,
        .warn = sim_print_warning,
    };
    struct dpl_sim_host *host = dpl_sim_host_create(&host_options);
    if (!host) {
        fprintf(stderr, "doppel: out of memory\n");
        dpl_observe_close(observe);
        return DPL_EXIT_FAULT;
    }
    options->world = dpl_sim_host_interface(host);
    options->program = cli_program();
    struct service service;
    if (service_open(&service)) {
        options->beat = on_beat;
        options->beat_user = &service;
    }
    int code = run_app(app, options, host, wanted, observe);
    service_close(&service);
    dpl_sim_host_destroy(host);
    dpl_observe_close(observe);
    return code;
}

static const struct dpl_diag *first_error(const struct dpl_diags *diags)
{
    static const struct dpl_diag unknown = {.text = "the application could not be loaded"};
    for (size_t i = 0; i < diags->n; i++) {
        if (diags->items[i].severity == DPL_SEVERITY_ERROR) {
            return &diags->items[i];
        }
    }
    return &unknown;
}

static void warn_of_foreign_trace(const char *what, const char *out_dir)
{
    if (cli_has_result(out_dir, "trace.csv") && !cli_has_result(out_dir, "summary.json") &&
        !cli_has_result(out_dir, "run.json")) {
        fprintf(stderr, "doppel %s %s: warning: replaces a trace.csv that no run has left there\n",
                what, cli_clean(out_dir));
    }
}

bool cli_prepare_results(const char *what, const char *out_dir)
{
    struct dpl_diag error = {0};
    if (!out_dir) {
        return true;
    }
    if (cli_make_dir(what, out_dir) < 0 || cli_lock_dir(what, out_dir) < 0) {
        return false;
    }
    warn_of_foreign_trace(what, out_dir);
    if (dpl_results_clear(out_dir, &error) == 0) {
        return true;
    }
    dpl_diag_print(stderr, &error);
    return false;
}

void cli_never_ran(const char *out_dir, const char *application, const struct dpl_diags *diags)
{
    never_ran(out_dir, application, DPL_EXIT_BAD_INPUT, first_error(diags));
}
