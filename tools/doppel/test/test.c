/* SPDX-License-Identifier: Apache-2.0 */
/* doppel test: runs a test plan. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <doppel/output.h>

#include "closing.h"
#include "commands.h"
#include "common.h"
#include "record_files.h"
#include "status_row.h"
#include "test_output.h"

#define NO_PORT     UINT64_MAX
#define REPEATS_MAX 1000

struct values {
    struct option_list param;
    uint64_t seed, repeat, controllers, modbus;
    double rate;
    bool list, fail_fast, allow_control;
    int view;
    const char *out, *world, *unit, *step, *record;
    struct record_files files;
    struct record_plan plan;
};

static void on_signal(int number)
{
    (void)number;
    test_run_stop();
}

/* The log of the unit is written by the unit. */
static int open_log(const char *folder, struct dpl_diag *reterr)
{
    struct dpl_output output = {0};
    int err = dpl_results_open(folder, "unit.log", &output, reterr);
    return err < 0 ? err : dpl_output_close(&output, reterr);
}

static int prepare_folder(const char *folder)
{
    struct dpl_diag error = {0};
    if (!folder) {
        return 0;
    }
    if (cli_make_dir("test --out", folder) < 0 || cli_lock_dir("test --out", folder) < 0) {
        return -1;
    }
    int err = dpl_results_clear(folder, &error);
    err = err < 0 ? err : open_log(folder, &error);
    if (err < 0) {
        dpl_diag_print(stderr, &error);
    }
    return err;
}

static enum dpl_exit finish(const char *folder, const struct test_results *runs, size_t n,
                            enum dpl_exit code)
{
    struct test_counts counts = test_count(runs, n);
    bool bad = counts.failed + counts.errors + counts.by_hand > 0;
    if (code == DPL_EXIT_DONE && (bad || test_run_was_stopped())) {
        code = DPL_EXIT_VERDICT;
    }
    if (n > 0 && runs[0].plan) {
        test_print_counts(runs, n);
    }
    if (folder && test_write_junit(folder, runs, n) + test_write_summary(folder, runs, n, code)) {
        return DPL_EXIT_FAULT;
    }
    if (n > 0 && runs[0].plan) {
        cli_tell_closing(folder, NULL);
    }
    return code;
}

static enum dpl_exit run_all(const struct values *values, struct test_run_options *options)
{
    struct test_results *runs = calloc(values->repeat, sizeof *runs);
    enum dpl_exit code = runs ? DPL_EXIT_DONE : DPL_EXIT_FAULT;
    size_t n = 0;
    uint64_t log_bytes = 0;
    options->log_bytes = &log_bytes;
    size_t most = values->list ? 1 : values->repeat;
    bool goes_on = true;
    options->n_runs = most;
    if (!values->list) {
        status_row_begin();
    }
    while (n < most && code == DPL_EXIT_DONE && goes_on && !test_run_was_stopped()) {
        options->seed = values->seed + n;
        options->n_runs_done = n;
        if (most > 1) {
            status_row_hide();
            printf("seed %llu\n", (unsigned long long)options->seed);
        }
        code = test_run(options, &runs[n++]);
        struct test_counts counts = test_count(runs, n);
        goes_on = !values->fail_fast || counts.failed + counts.errors == 0;
    }
    status_row_end();
    code = runs && !values->list ? finish(values->out, runs, n, code) : code;
    for (size_t i = 0; i < n; i++) {
        test_results_finish(&runs[i]);
    }
    free(runs);
    return code;
}

static bool is_observed(const struct values *values)
{
    return values->record || values->view != OBSERVE_NO_PORT;
}

/* Says why not. */
static bool makes_sense(struct values *values)
{
    const char *why = is_observed(values) && (values->list || values->repeat > 1)
                          ? "--view and --record are of one run: without --list and --repeat"
                      : values->allow_control && values->view == OBSERVE_NO_PORT
                          ? "--allow-control needs --view"
                          : NULL;
    if (why) {
        fprintf(stderr, "doppel test: %s\n", why);
    }
    return !why && (!values->record || observe_may_record("test", values->record, values->out)) &&
           record_files_read("test", &values->files, values->record != NULL, &values->plan) == 0;
}

static enum dpl_exit run_found(const char *name, struct dpl_catalog *catalog,
                               const struct values *values)
{
    struct dpl_diag error = {0};
    const char *file = cli_find(catalog, "plans", name, &error);
    if (!file) {
        dpl_diag_print(stderr, &error);
        return DPL_EXIT_BAD_INPUT;
    }
    if (!values->list && prepare_folder(values->out) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    const struct observe_wanted observed = {
        "test", {values->record, values->view, values->allow_control, stderr}, &values->plan};
    bool controllers = values->controllers != NO_PORT, modbus = values->modbus != NO_PORT;
    struct test_run_options options = {
        .file = file,
        .catalog = catalog,
        .param = &values->param,
        .world = values->world,
        .unit = values->unit,
        .step = values->step,
        .lists = values->list,
        .fails_fast = values->fail_fast,
        .out = values->out,
        .observed = is_observed(values) ? &observed : NULL,
        .rate = values->rate,
        .controllers = controllers,
        .controllers_port = controllers ? (uint16_t)values->controllers : 0,
        .modbus = modbus,
        .modbus_port = modbus ? (uint16_t)values->modbus : 0,
    };
    cli_catch_requests(on_signal, true);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* who starts doppel may ignore it: no child's end would be known */
    return run_all(values, &options);
}

static int run(int argc, char **argv)
{
    struct values values = {.seed = 1,
                            .repeat = 1,
                            .controllers = NO_PORT,
                            .modbus = NO_PORT,
                            .rate = (double)NAN,
                            .view = OBSERVE_NO_PORT,
                            .files = RECORD_FILES_NONE};
    int n = options_parse(&command_test, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    if (!makes_sense(&values)) {
        return DPL_EXIT_USAGE;
    }
    struct dpl_catalog *catalog = cli_open_catalog("test");
    if (!catalog) {
        return DPL_EXIT_BAD_INPUT;
    }
    enum dpl_exit code = run_found(argv[1], catalog, &values);
    dpl_catalog_destroy(catalog);
    return (int)code;
}

#define V(member) offsetof(struct values, member)

static const struct option options[] = {
    {"out", "DIR", OPTION_STRING, V(out), 0, 0,
     "folder of junit.xml, summary.json, unit.log and the traces of failed steps", "file"},
    {"seed", "N", OPTION_COUNT, V(seed), 0, 0, "seed of the first run (default 1)", NULL},
    {"repeat", "N", OPTION_COUNT, V(repeat), 1, REPEATS_MAX,
     "number of runs; each uses the next seed (default 1)", NULL},
    {"step", "NAME", OPTION_STRING, V(step), 0, 0,
     "run only this step, and those from the last reset before it", NULL},
    {"list", NULL, OPTION_FLAG, V(list), 0, 0, "print the names of the steps and end", NULL},
    {"fail-fast", NULL, OPTION_FLAG, V(fail_fast), 0, 0,
     "end after the first step that has not passed", NULL},
    {"world", "WORLD", OPTION_STRING, V(world), 0, 0,
     "the world, instead of the plan's: one with the same channels", "worlds"},
    {"unit", "COMMAND", OPTION_STRING, V(unit), 0, 0,
     "the program under test, instead of the plan's", NULL},
    {"controllers", "PORT", OPTION_COUNT, V(controllers), 0, 65535,
     "controllers join at this TCP port (0: any that is free), also without a unit", NULL},
    {"modbus", "PORT", OPTION_COUNT, V(modbus), 0, 65535,
     "Modbus masters connect at this TCP port (0: any that is free), also without a unit", NULL},
    {"rate", "X", OPTION_NUMBER, V(rate), 0, 1000,
     "X times as fast as the clock; 0: as fast as possible (default: the plan's rate)", NULL},
    {"record", "FILE", OPTION_STRING, V(record), 0, 0,
     "record the world, its channels and the verdicts to this MCAP file", "file"},
    RECORD_FILES_OPTIONS(struct values),
    {"view", "[PORT]", OPTION_PORT, V(view), 0, 65535,
     "serve viewers on this machine (default port 8765; 0: a free one); then --rate 1 unless told "
     "otherwise",
     NULL},
    {"allow-control", NULL, OPTION_FLAG, V(allow_control), 0, 0,
     "with --view: as of `doppel run`; the time of a test can be steered without it", NULL},
    {"param", "NAME=VALUE", OPTION_LIST, V(param), 0, 0, "set a parameter (<Param>) of the plan",
     NULL},
};

const struct command command_test = {
    .name = "test",
    .operands = "PLAN",
    .summary = "runs a test plan: a world, a unit in its loop, steps with verdicts",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = 1,
    .more =
        "Exit codes: 0 all steps passed, 1 bad input, also a unit that cannot be started, 2 "
        "usage,\n"
        "3 the results cannot be written, or the unit could not be ended in order,\n"
        "4 a step failed, or the user ended the run.\n"
        "Of the unit's output the first and the last 8 MiB are kept. docs/guides/test-plans.md\n",
    .run = run,
};
