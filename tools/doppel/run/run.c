/* SPDX-License-Identifier: Apache-2.0 */
/* doppel run: loads an application, applies bindings and overrides, runs it. */
#include <string.h>
#include <unistd.h>

#include <doppel/host/runtime.h>
#include <doppel/system_clock.h>

#include "closing.h"
#include "commands.h"
#include "common.h"
#include "fields.h"
#include "observe.h"
#include "record_files.h"
#include "run_app.h"

struct values {
    struct option_list bind, set;
    const char *clock, *policy, *out, *log_level, *record;
    int view;
    bool allow_control, ros2;
    double rate, duration_s, wait_s, trace_every_s, trace_size_mib;
    uint64_t seed;
    bool quiet;
    struct record_files files;
};

static int fill_options(const struct values *values, struct dpl_runtime_options *options)
{
    static const char *const clocks[] = {"real", "sim"};
    static const char *const levels[] = {"error", "warn", "info", "debug"};
    int clock = cli_choose("run: --clock", values->clock, clocks, 2);
    int level = cli_choose("run: --log-level", values->log_level, levels, 4);
    options->policy_given = values->policy != NULL;
    if (clock < 0 || level < 0 ||
        cli_policy("run: --policy", values->policy, &options->policy) < 0) {
        return -1;
    }
    if (values->rate > 0.0 && clock != 1) {
        fprintf(stderr, "doppel run: --rate needs --clock sim: real time has a fixed rate\n");
        return -1;
    }
    if (values->record && !observe_may_record("run", values->record, values->out)) {
        return -1;
    }
    if (values->allow_control && values->view == OBSERVE_NO_PORT && !values->ros2) {
        fprintf(stderr, "doppel run: --allow-control needs --view or --ros2\n");
        return -1;
    }
    options->simulated = clock == 1;
    /* who looks sees the time go by, unless told otherwise */
    bool is_viewed = values->view != OBSERVE_NO_PORT || values->ros2;
    options->rate = values->rate >= 0.0 ? values->rate : is_viewed && clock == 1 ? 1.0 : 0.0;
    options->duration = dpl_ns_from_s(values->duration_s);
    options->device_wait = dpl_ns_from_s(values->wait_s);
    options->seed = values->seed;
    options->out_dir = values->out;
    options->trace_every = dpl_ns_from_s(values->trace_every_s);
    options->trace_most = (uint64_t)(values->trace_size_mib * 1024.0 * 1024.0);
    options->log_level = (enum dpl_log_level)level;
    return 0;
}

static int run(int argc, char **argv)
{
    struct dpl_runtime_options options = {.process_start = dpl_monotonic_now()};
    struct values values = {.clock = "real",
                            .log_level = "info",
                            .seed = 1,
                            .rate = -1.0,
                            .view = OBSERVE_NO_PORT,
                            .files = RECORD_FILES_NONE};
    struct record_plan plan;
    int n = options_parse(&command_run, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    if (fill_options(&values, &options) < 0 ||
        record_files_read("run", &values.files, values.record != NULL, &plan) < 0) {
        return DPL_EXIT_USAGE;
    }
    struct dpl_catalog *catalog = cli_open_catalog("run");
    if (!catalog || !cli_prepare_results("run: --out", values.out)) {
        dpl_catalog_destroy(catalog);
        return DPL_EXIT_BAD_INPUT;
    }
    struct dpl_app_options app_options = {
        .bindings = values.bind.items,
        .n_bindings = values.bind.n,
        .sets = values.set.items,
        .n_sets = values.set.n,
    };
    struct dpl_app *app = NULL;
    struct dpl_diags diags = {0};
    int code = DPL_EXIT_BAD_INPUT;
    int err = cli_load_app(catalog, "apps", argv[1], &app_options, &app, &diags);
    cli_print_diags(&diags);
    if (err == 0) {
        struct observe_wanted wanted = {
            "run", {values.record, values.view, values.allow_control, stderr, values.ros2}, &plan};
        code = cli_run_app(catalog, app, &options, &wanted, values.quiet);
        if (values.out && code != DPL_EXIT_BAD_INPUT) { /* the run was started */
            cli_tell_results(values.out);
        }
        if (!values.quiet && code == DPL_EXIT_DONE) {
            cli_tell_next(values.out);
        }
        if (code == DPL_EXIT_FAULT) {
            fflush(NULL);
            _exit(code); /* a blocked callback may still run in a plugin: nothing is unloaded */
        }
        dpl_app_destroy(app);
    } else {
        cli_never_ran(values.out, argv[1], &diags);
    }
    dpl_diags_finish(&diags);
    dpl_catalog_destroy(catalog);
    return code;
}

#define V(member) offsetof(struct values, member)

static const struct option options[] = {
    {"bind", "NAME", OPTION_LIST, V(bind), 0, 0,
     "apply a binding profile (hw, sim, hil, ... or a file)", "binding"},
    {"set", "C.P=VALUE", OPTION_LIST, V(set), 0, 0,
     "override a property, e.g. WheelController.hardware.WheelDiameter=0.07", NULL},
    {"clock", "real|sim", OPTION_STRING, V(clock), 0, 0, "real time, or simulated in lock-step",
     "real|sim"},
    {"rate", "X", OPTION_NUMBER, V(rate), 0, 1000,
     "with --clock sim: X times real time; 0: as fast as possible (default, with --view and --ros2 "
     "1)",
     NULL},
    {"record", "FILE", OPTION_STRING, V(record), 0, 0,
     "record all messages, values, log and events to this MCAP file; one that exists is replaced",
     "file"},
    RECORD_FILES_OPTIONS(struct values),
    {"view", "[PORT]", OPTION_PORT, V(view), 0, 65535,
     "serve viewers on this machine (default port 8765; 0: a free one)", NULL},
    {"allow-control", NULL, OPTION_FLAG, V(allow_control), 0, 0,
     "with --view: viewers may set parameters on the real clock, too; with --ros2: other nodes may "
     "command",
     NULL},
    {"ros2", NULL, OPTION_FLAG, V(ros2), 0, 0,
     "be a node of ROS 2, on this machine (ROS_DOMAIN_ID; package doppel-ros2)", NULL},
    {"duration", "S", OPTION_NUMBER, V(duration_s), 0, 1e8,
     "stop after S seconds of the run's time; 0 (default): no limit", NULL},
    {"wait", "S", OPTION_NUMBER, V(wait_s), 0, 1e8,
     "wait up to S seconds, in all, for devices that are not there; 0 (default): not", NULL},
    {"policy", "NAME", OPTION_STRING, V(policy), 0, 0,
     "scheduling policy of all executors, instead of those in the profiles", CLI_POLICIES},
    {"seed", "N", OPTION_COUNT, V(seed), 0, 0, "seed of all random numbers of the run (default 1)",
     NULL},
    {"out", "DIR", OPTION_STRING, V(out), 0, 0,
     "write summary.json, trace.csv and more there; results of an earlier run are replaced",
     "file"},
    {"trace-every", "S", OPTION_NUMBER, V(trace_every_s), 0, 3600,
     "a row of trace.csv every S seconds of the run's time; 0 (default): of each cycle", NULL},
    {"trace-size", "MIB", OPTION_NUMBER, V(trace_size_mib), 0, 1e9,
     "keep the newest MIB of rows at most, the older half in trace_before.csv; 0 (default): all",
     NULL},
    {"log-level", "LEVEL", OPTION_STRING, V(log_level), 0, 0,
     "error, warn, info (default) or debug", "error|warn|info|debug"},
    {"quiet", NULL, OPTION_FLAG, V(quiet), 0, 0,
     "no progress; at the end only problems and the files that were written", NULL},
};

const struct command command_run = {
    .name = "run",
    .operands = "APP",
    .summary = "runs an application profile",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = 1,
    .more =
        "Ctrl-C stops the run in order. A second Ctrl-C stops it at once; if a component does not\n"
        "return from its start or stop, the run names it. A third Ctrl-C ends the process in any\n"
        "case. SIGTERM and SIGHUP do the same. A file in --out gets its name when it is complete.\n"
        "If the run is killed or the disk is full, the file keeps the name NAME.part; `doppel\n"
        "report` shows its rows.\n"
        "Exit codes: 0 done, 1 bad input, 2 usage, 3 a fault at run time, 5 a device is not "
        "there,\n"
        "or was lost when the run ended. If NOTIFY_SOCKET is set (systemd, Type=notify), the\n"
        "service manager is told when executors run, what the run waits for and that it goes on.\n",
    .run = run,
};
