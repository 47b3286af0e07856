/* SPDX-License-Identifier: Apache-2.0 */
/* doppel calibrate: runs an application whose Localizer identifies odometry and laser, fits the
 * model of the drive, and writes a binding profile with what was found. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doppel/output.h>
#include <doppel/system_clock.h>

#include "arena.h"
#include "calibration.h"
#include "calibration_recorded.h"
#include "calibration_run.h"
#include "commands.h"
#include "common.h"
#include "observe.h"
#include "outputs.h"
#include "record_files.h"
#include "recorded_bindings.h"
#include "results_room.h"
#include "run_app.h"

#define PATH_BYTES 4096

struct values {
    struct option_list bind, set;
    const char *clock, *out, *log_level, *output, *drive, *recording, *record;
    struct record_files files;
    struct record_plan plan;
    int view;
    double duration_s;
    uint64_t seed;
    bool quiet;
};

/* One call of the command. */
struct job {
    const struct values *values;
    const char *application; /* as on the command line */
    struct dpl_catalog *catalog;
    struct dpl_arena arena;
    struct dpl_app *app;
    struct calibration_target target;
    struct calibration_findings findings;
    struct dpl_output output, drive_output; /* open while the robot drives */
    char folder[64];                        /* of results that nobody asked for; "": --out */
    char recording[PATH_BYTES];             /* the file of it that was read */
};

static int tell(const struct dpl_diag *error)
{
    dpl_diag_print(stderr, error);
    return DPL_EXIT_BAD_INPUT;
}

/* ---- loading ---- */

static bool load(struct job *job, const char *const *sets, size_t n_sets)
{
    struct dpl_app_options options = {
        .bindings = job->values->bind.items,
        .n_bindings = job->values->bind.n,
        .sets = sets,
        .n_sets = n_sets,
    };
    struct dpl_diags diags = {0};
    dpl_app_destroy(job->app);
    job->app = NULL;
    int err = cli_load_app(job->catalog, "apps", job->application, &options, &job->app, &diags);
    if (err < 0 || n_sets > job->values->set.n) { /* warnings once */
        cli_print_diags(&diags);
    }
    dpl_diags_finish(&diags);
    return err == 0;
}

/* The Localizer identifies, from the deviations of a robot that nobody has calibrated, whatever the
 * bindings say: those of an earlier calibration would make a second one look certain. What the user
 * sets comes last. */
static bool load_to_identify(struct job *job)
{
    const struct option_list *set = &job->values->set;
    const struct dpl_component_class *class = job->target.localizer_class;
    const char *name = job->target.localizer;
    const char **sets =
        dpl_arena_alloc(&job->arena, (set->n + CALIBRATION_N_PARAMETERS + 1) * sizeof *sets);
    size_t n = 0;
    sets[n++] = dpl_arena_printf(&job->arena, "%s.Calibrate=identify", name);
    for (int i = 0; i < CALIBRATION_N_PARAMETERS; i++) {
        const char *property = calibration_rows[i].sigma_property;
        const struct dpl_field *field =
            dpl_field_find(class->properties, class->n_properties, property);
        sets[n++] = dpl_arena_printf(&job->arena, "%s.%s=%s", name, property, field->default_text);
    }
    for (size_t i = 0; i < set->n; i++) {
        sets[n++] = set->items[i];
    }
    return load(job, sets, n);
}

static int prepare(struct job *job)
{
    struct dpl_diag error = {0};
    if (!load(job, job->values->set.items, job->values->set.n)) {
        return DPL_EXIT_BAD_INPUT;
    }
    if (calibration_find(job->app, &job->target, &error) < 0) {
        return tell(&error);
    }
    if (!load_to_identify(job)) {
        return DPL_EXIT_BAD_INPUT;
    }
    return calibration_find(job->app, &job->target, &error) < 0 ? tell(&error) : DPL_EXIT_DONE;
}

/* ---- running ---- */

static int run_it(struct job *job, const char *folder, dpl_ns process_start)
{
    static const char *const clocks[] = {"real", "sim"};
    static const char *const levels[] = {"error", "warn", "info", "debug"};
    const struct values *values = job->values;
    int clock = cli_choose("calibrate: --clock", values->clock, clocks, 2);
    int level = cli_choose("calibrate: --log-level", values->log_level, levels, 4);
    if (clock < 0 || level < 0) {
        return DPL_EXIT_USAGE;
    }
    struct dpl_runtime_options options = {
        .simulated = clock == 1,
        .duration = dpl_ns_from_s(values->duration_s),
        .seed = values->seed,
        .out_dir = folder,
        .log_level = (enum dpl_log_level)level,
        .process_start = process_start,
    };
    const struct observe_wanted wanted = {
        "calibrate",
        {.record = values->record, .view = values->view, .tell = stderr},
        &values->plan};
    return cli_run_app(job->catalog, job->app, &options, &wanted, values->quiet);
}

/* ---- reading the results ---- */

static int read_run(struct job *job, const char *folder)
{
    struct dpl_diag error = {0};
    return calibration_from_run(&job->target, folder, &job->findings, &error) < 0 ? tell(&error)
                                                                                  : DPL_EXIT_DONE;
}

/* Without a robot. */
static int read_recording(struct job *job)
{
    struct dpl_diag error = {0};
    struct dpl_diags warnings = {0};
    if (calibration_from_recording(job->app, &job->target, job->catalog, job->values->recording,
                                   job->values->seed, job->recording, sizeof job->recording,
                                   &job->findings, &error) < 0) {
        return tell(&error);
    }
    recorded_bindings_warn(job->values->recording, job->app, &job->target, &warnings);
    cli_print_diags(&warnings);
    dpl_diags_finish(&warnings);
    if (job->values->drive && !job->findings.has_drive) {
        fprintf(stderr, "doppel calibrate: --drive: the recording has no commands, or hardly any "
                        "motion; the trace.csv of a run has commands\n");
        return DPL_EXIT_BAD_INPUT;
    }
    return DPL_EXIT_DONE;
}

/* ---- the file ---- */

/* "out/robot7.xml" is the binding "robot7". */
static const char *name_of(struct job *job, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    return dpl_arena_strndup(&job->arena, base,
                             dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

static const char *command_of(struct job *job)
{
    const struct values *values = job->values;
    const char *text = dpl_arena_printf(&job->arena, "doppel calibrate %s", job->application);
    for (size_t i = 0; i < values->bind.n; i++) {
        text = dpl_arena_printf(&job->arena, "%s --bind %s", text, values->bind.items[i]);
    }
    for (size_t i = 0; i < values->set.n; i++) {
        text = dpl_arena_printf(&job->arena, "%s --set %s", text, values->set.items[i]);
    }
    if (values->recording) {
        return dpl_arena_printf(&job->arena, "%s --recording %s", text, values->recording);
    }
    return dpl_arena_printf(&job->arena, "%s --clock %s --duration %g --seed %llu", text,
                            values->clock, values->duration_s, (unsigned long long)values->seed);
}

/* One of the files: how it is written, and whether anything is in it. */
struct file {
    struct dpl_output *output;
    const char *path;
    void (*write)(FILE *, const struct calibration_origin *, const struct calibration_target *,
                  const struct calibration_findings *);
    bool has_any;
};

/* Without anything in it, or with less than all that is needed after an interrupted run, there is
 * no file, and an older one stays. What cannot be written is printed: the robot has driven for
 * minutes. */
static int write_file(struct job *job, const struct file *file)
{
    struct dpl_diag error = {0};
    struct calibration_origin origin = {name_of(job, file->path), command_of(job)};
    bool is_cut = cli_was_stopped() && !calibration_is_complete(&job->target, &job->findings);
    if (!file->has_any || is_cut) {
        fprintf(stderr, "doppel calibrate: %s: %s is not written\n",
                is_cut ? "the run was interrupted" : "nothing was identified", file->path);
        dpl_output_abandon(file->output);
        return DPL_EXIT_DONE;
    }
    file->write(file->output->stream, &origin, &job->target, &job->findings);
    if (dpl_output_close(file->output, &error) < 0) {
        dpl_diag_print(stderr, &error);
        fprintf(stderr, "doppel calibrate: %s is printed instead\n", file->path);
        file->write(stdout, &origin, &job->target, &job->findings);
        return DPL_EXIT_FAULT;
    }
    fprintf(stderr, "binding: %s\n", file->path);
    return DPL_EXIT_DONE;
}

static int finish(struct job *job)
{
    const struct values *values = job->values;
    const struct calibration_target *target = &job->target;
    const struct calibration_findings *findings = &job->findings;
    struct file file = {&job->output, values->output, calibration_write,
                        calibration_has_any(target, findings)};
    struct file drive = {&job->drive_output, values->drive, calibration_write_drive, false};
    calibration_print(stdout, "", target, findings);
    int code = write_file(job, &file);
    if (values->drive) {
        drive.has_any = calibration_has_any_drive(target, findings);
        int drive_code = write_file(job, &drive);
        code = code == DPL_EXIT_DONE ? drive_code : code;
    }
    bool complete = calibration_is_complete(target, findings);
    return code == DPL_EXIT_DONE && !complete ? DPL_EXIT_VERDICT : code;
}

/* Before the robot moves. */
static int open_outputs(struct job *job)
{
    const struct values *values = job->values;
    struct dpl_diag error = {0};
    if (values->drive && !job->target.robot) {
        fprintf(stderr, "doppel calibrate: --drive: the avatar's drive cannot be changed: %s\n",
                job->target.why_no_robot);
        return DPL_EXIT_BAD_INPUT;
    }
    if (dpl_output_open(&job->output, values->output, &error) < 0 ||
        results_room_check("--output", values->output, RESULTS_ROOM_BINDING, &error) < 0) {
        return tell(&error);
    }
    if (values->drive &&
        (dpl_output_open(&job->drive_output, values->drive, &error) < 0 ||
         results_room_check("--drive", values->drive, RESULTS_ROOM_BINDING, &error) < 0)) {
        return tell(&error);
    }
    return DPL_EXIT_DONE;
}

/* ---- command ---- */

/* Where results go: --out, or a folder that is removed at the end. NULL after printing why not. */
static const char *make_folder(struct job *job)
{
    const char *temporary = getenv("TMPDIR");
    if (job->values->out) {
        return cli_prepare_results("calibrate: --out", job->values->out) ? job->values->out : NULL;
    }
    snprintf(job->folder, sizeof job->folder, "%.40s/doppel-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(job->folder)) {
        fprintf(stderr, "doppel calibrate: cannot make the folder %s\n", job->folder);
        job->folder[0] = '\0';
        return NULL;
    }
    return job->folder;
}

static void remove_folder(const struct job *job)
{
    if (job->folder[0] != '\0') {
        dpl_results_clear(job->folder, NULL);
        rmdir(job->folder);
    }
}

static int drive_robot(struct job *job, dpl_ns process_start)
{
    const char *folder = make_folder(job);
    struct dpl_diag error = {0};
    if (!folder) {
        return DPL_EXIT_BAD_INPUT;
    }
    if (results_room_check(job->values->out ? "--out" : "TMPDIR", folder,
                           results_room_of_run(job->app, job->values->duration_s), &error) < 0) {
        return tell(&error);
    }
    int code = run_it(job, folder, process_start);
    if (code != DPL_EXIT_DONE && code != DPL_EXIT_USAGE) {
        fprintf(stderr, "doppel calibrate: the run failed: %s is not written\n",
                job->values->output);
    }
    return code == DPL_EXIT_DONE ? read_run(job, folder) : code;
}

static int calibrate(struct job *job, dpl_ns process_start)
{
    int code = prepare(job);
    code = code == DPL_EXIT_DONE ? open_outputs(job) : code;
    if (code == DPL_EXIT_DONE) {
        code = job->values->recording ? read_recording(job) : drive_robot(job, process_start);
    }
    code = code == DPL_EXIT_DONE ? finish(job) : code;
    dpl_output_abandon(&job->output);
    dpl_output_abandon(&job->drive_output);
    remove_folder(job);
    return code;
}

/* No output is a file that is read: recording, application or binding. */
static int check_files(struct job *job)
{
    const struct values *values = job->values;
    const struct option_list *bind = &values->bind;
    const struct cli_path outputs[] = {
        {"--output", values->output}, {"--drive", values->drive}, {"--record", values->record}};
    struct cli_path *inputs = dpl_arena_alloc(&job->arena, (bind->n + 3) * sizeof *inputs);
    inputs[0] = (struct cli_path){"--recording", values->recording};
    inputs[1] = (struct cli_path){"--out", values->out};
    inputs[2] = (struct cli_path){"APP", cli_find(job->catalog, "apps", job->application, NULL)};
    for (size_t i = 0; i < bind->n; i++) {
        inputs[3 + i] =
            (struct cli_path){"--bind", cli_find(job->catalog, "bindings", bind->items[i], NULL)};
    }
    return cli_check_outputs("calibrate", outputs, DPL_COUNT(outputs), inputs, bind->n + 3);
}

/* And fills in what was not given. */
static int check_usage(struct values *values)
{
    if (!values->output) {
        fprintf(stderr, "doppel calibrate: --output is needed: the binding profile to write\n");
        return -1;
    }
    bool is_observed = values->record || values->view != OBSERVE_NO_PORT;
    bool drives = values->clock || values->out || isfinite(values->duration_s) || is_observed;
    if (values->recording && drives) {
        fprintf(stderr, "doppel calibrate: --recording drives no robot: it excludes --clock, "
                        "--duration, --out, --view and --record\n");
        return -1;
    }
    if ((values->record && !observe_may_record("calibrate", values->record, values->out)) ||
        record_files_read("calibrate", &values->files, values->record != NULL, &values->plan) < 0) {
        return -1;
    }
    values->clock = values->clock ? values->clock : "real";
    values->duration_s = isfinite(values->duration_s) ? values->duration_s : 180.0;
    return 0;
}

static int run(int argc, char **argv)
{
    dpl_ns process_start = dpl_monotonic_now();
    struct values values = {.log_level = "warn",
                            .seed = 1,
                            .duration_s = (double)NAN,
                            .view = OBSERVE_NO_PORT,
                            .files = RECORD_FILES_NONE};
    int n = options_parse(&command_calibrate, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    if (check_usage(&values) < 0) {
        return DPL_EXIT_USAGE;
    }
    struct job job = {.values = &values, .application = argv[1]};
    job.catalog = cli_open_catalog("calibrate");
    if (!job.catalog) {
        return DPL_EXIT_BAD_INPUT;
    }
    int code = check_files(&job) < 0 ? DPL_EXIT_USAGE : calibrate(&job, process_start);
    if (code == DPL_EXIT_FAULT) {
        fflush(NULL);
        _exit(code); /* a blocked callback may still run in a plugin: nothing is unloaded */
    }
    dpl_app_destroy(job.app);
    dpl_catalog_destroy(job.catalog);
    dpl_arena_finish(&job.arena);
    return code;
}

#define V(member) offsetof(struct values, member)

static const struct option options[] = {
    {"bind", "NAME", OPTION_LIST, V(bind), 0, 0,
     "apply a binding profile (hil, twin, ... or a file)", "binding"},
    {"set", "C.P=VALUE", OPTION_LIST, V(set), 0, 0, "override a property", NULL},
    {"output", "FILE", OPTION_STRING, V(output), 0, 0, "the binding profile to write", "file"},
    {"drive", "FILE", OPTION_STRING, V(drive), 0, 0,
     "also write a binding with which the avatar responds to commands like the robot", "file"},
    {"recording", "PATH", OPTION_STRING, V(recording), 0, 0,
     "use the folder of a run (--out), its recording, a scans.csv or a robot's log; no robot "
     "drives",
     "file"},
    {"duration", "S", OPTION_NUMBER, V(duration_s), 10, 1e5,
     "duration of the run: 10 to 100000 (default 180)", NULL},
    {"clock", "real|sim", OPTION_STRING, V(clock), 0, 0, "real time, or simulated in lock-step",
     "real|sim"},
    {"seed", "N", OPTION_COUNT, V(seed), 0, 0,
     "seed of all random numbers of the run (default 1); with --recording: of the world in a file",
     NULL},
    {"out", "DIR", OPTION_STRING, V(out), 0, 0,
     "keep the results of the run there (default: they are removed)", "file"},
    {"record", "FILE", OPTION_STRING, V(record), 0, 0,
     "record the run to this MCAP file; one that exists is replaced", "file"},
    RECORD_FILES_OPTIONS(struct values),
    {"view", "[PORT]", OPTION_PORT, V(view), 0, 65535,
     "serve viewers of the run on this machine (default port 8765; 0: a free one)", NULL},
    {"log-level", "LEVEL", OPTION_STRING, V(log_level), 0, 0,
     "error, warn (default), info or debug", "error|warn|info|debug"},
    {"quiet", NULL, OPTION_FLAG, V(quiet), 0, 0, "no progress", NULL},
};

const struct command command_calibrate = {
    .name = "calibrate",
    .operands = "APP",
    .summary = "measures odometry, laser and drive, and writes them as a binding",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = 1,
    .more =
        "The robot drives as the application has it drive; its Localizer identifies the scales\n"
        "of wheels and axle, the laser's delay and mount, and errors of ranges. The binding\n"
        "that is written goes behind those given here: --bind hil --bind FILE. It has what\n"
        "was identified, and nothing else. That of --drive is for runs in which the avatar\n"
        "drives alone. With --recording the bindings must be those of the recorded run.\n"
        "See docs/guides/calibration.md.\n"
        "Exit codes: 0 done, 1 bad input, 2 usage, 3 a fault at run time, 4 scales, delay or\n"
        "mount were not identified (the file has the others; without any there is no file), 5 a\n"
        "device is not there or was lost.\n",
    .run = run,
};
