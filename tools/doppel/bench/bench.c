/* SPDX-License-Identifier: Apache-2.0 */
/* doppel bench: runs test benches until their verdicts, once or many times with variations. */
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_files.h"
#include "bench_output.h"
#include "bench_run.h"
#include "closing.h"
#include "commands.h"
#include "common.h"
#include "pool.h"
#include "record_files.h"
#include "status_row.h"

#define SETS_MAX   (OPTION_LIST_MAX + 64)
#define FOLDER_MAX 4096
#define LIMIT_S    300.0 /* on the simulated clock */

struct values {
    struct option_list bind, set;
    const char *clock, *out, *junit, *log_level, *record;
    struct record_files files;
    struct record_plan plan;
    int view;
    bool allow_control;
    double rate, duration_s, limit_s;
    uint64_t seed, repeat, jobs, picture_tick;
    bool vary, quiet;
};

/* One loaded profile with its results. */
struct bench {
    const char *file;
    char name[64]; /* of the file, without folder and ".xml" */
    struct dpl_app *app;
    struct dpl_bench *repeat; /* NULL: the file is the application */
    char *sets[SETS_MAX];     /* those of the bench itself; the user's come after them */
    size_t n_sets;
    struct bench_result *results; /* [repeat] */
    size_t n_results;
};

static volatile sig_atomic_t n_stops;

static void on_interrupt(int number)
{
    (void)number;
    n_stops = n_stops < 3 ? n_stops + 1 : 3;
}

/* ---- loading ---- */

static bool has_field(const struct dpl_field *fields, size_t n, const char *name)
{
    return dpl_field_find(fields, n, name) != NULL;
}

static int add_set(struct bench *bench, const char *component, const char *property)
{
    char text[256];
    snprintf(text, sizeof text, "%s.%s=true", component, property);
    char *kept = bench->n_sets < SETS_MAX ? strdup(text) : NULL;
    if (!kept) {
        fprintf(stderr, "doppel bench: %s: no room for %s\n", bench->name, text);
        return -1;
    }
    bench->sets[bench->n_sets++] = kept;
    return 0;
}

/* Adds "Component.Property=true" for each component that has the property, itself or in its
 * driver. */
static int set_everywhere(struct bench *bench, const char *property)
{
    int err = 0;
    for (size_t i = 0; i < bench->app->n_components && err == 0; i++) {
        const struct dpl_app_component *component = &bench->app->components[i];
        const struct dpl_driver *driver = component->device ? component->device->driver : NULL;
        if (has_field(component->class_->properties, component->class_->n_properties, property) ||
            (driver && has_field(driver->properties, driver->n_properties, property))) {
            err = add_set(bench, component->name, property);
        }
    }
    return err;
}

static void add_texts(const char **texts, size_t *inout_n, const char *const *added, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        texts[(*inout_n)++] = added[i];
    }
}

/* The bench is a run that is repeated, if its file says so. */
static int read_repeat(struct bench *bench, struct dpl_catalog *catalog)
{
    struct dpl_diag error = {0};
    struct dpl_diags diags = {0};
    const char *file = cli_find(catalog, "benches", bench->file, &error);
    int err = file ? dpl_bench_read(file, &bench->repeat, &diags) : 0;
    cli_print_diags(&diags);
    dpl_diags_finish(&diags);
    return err == -EMEDIUMTYPE ? 0 : err;
}

static int load_app(struct bench *bench, struct dpl_catalog *catalog, const struct values *values,
                    bool quiet)
{
    static const struct dpl_bench none;
    const struct dpl_bench *repeat = bench->repeat ? bench->repeat : &none;
    size_t n_texts = repeat->n_sets + repeat->n_bindings + SETS_MAX + 2 * OPTION_LIST_MAX;
    const char **texts = calloc(n_texts, sizeof *texts);
    if (!texts) {
        return -ENOMEM;
    }
    const char **bindings = texts, **sets = texts + repeat->n_bindings + OPTION_LIST_MAX;
    size_t n_sets = 0, n_bindings = 0;
    add_texts(bindings, &n_bindings, repeat->bindings, repeat->n_bindings);
    add_texts(bindings, &n_bindings, values->bind.items, values->bind.n);
    add_texts(sets, &n_sets, repeat->sets, repeat->n_sets);
    add_texts(sets, &n_sets, (const char *const *)bench->sets, bench->n_sets);
    add_texts(sets, &n_sets, values->set.items, values->set.n);
    struct dpl_app_options options = {
        .bindings = bindings, .n_bindings = n_bindings, .sets = sets, .n_sets = n_sets};
    struct dpl_diags diags = {0};
    int err =
        cli_load_app(catalog, "benches", bench->repeat ? bench->repeat->application : bench->file,
                     &options, &bench->app, &diags);
    if (!quiet || err < 0) {
        cli_print_diags(&diags);
    }
    dpl_diags_finish(&diags);
    free(texts);
    return err;
}

static int bench_load(struct bench *bench, struct dpl_catalog *catalog, const struct values *values)
{
    const char *slash = strrchr(bench->file, '/');
    snprintf(bench->name, sizeof bench->name, "%s", slash ? slash + 1 : bench->file);
    char *end = strstr(bench->name, ".xml");
    if (end) {
        *end = '\0';
    }
    bench->results = calloc(values->repeat, sizeof *bench->results);
    int err = bench->results ? read_repeat(bench, catalog) : -1;
    err = err < 0 ? err : load_app(bench, catalog, values, false);
    if (err == 0 && values->vary) {
        err = set_everywhere(bench, "Vary");
    }
    if (err == 0 && values->repeat == 1 && !values->quiet) {
        err = set_everywhere(bench, "ShowRows");
    }
    if (err == 0 && bench->n_sets > 0) {
        dpl_app_destroy(bench->app);
        bench->app = NULL;
        err = load_app(bench, catalog, values, true);
    }
    return err;
}

static void bench_finish(struct bench *bench)
{
    for (size_t i = 0; i < bench->n_sets; i++) {
        free(bench->sets[i]);
    }
    dpl_app_destroy(bench->app);
    dpl_bench_destroy(bench->repeat);
    free(bench->results);
}

/* ---- running ---- */

/* The folder of a run's results: DIR for a single run, otherwise DIR/NAME and DIR/NAME/SEED. */
static int make_folder(const struct bench *bench, const struct values *values, size_t n_benches,
                       uint64_t seed, char ret_folder[FOLDER_MAX])
{
    char number[32] = "";
    if (values->repeat > 1) {
        snprintf(number, sizeof number, "/%llu", (unsigned long long)seed);
    }
    int n = snprintf(ret_folder, FOLDER_MAX, "%s%s%s%s", values->out, n_benches > 1 ? "/" : "",
                     n_benches > 1 ? bench->name : "", number);
    if (n < 0 || n >= FOLDER_MAX) {
        fprintf(stderr, "doppel bench: --out: the name is too long\n");
        return -1;
    }
    return cli_make_dir("bench: --out", ret_folder);
}

/* The runs of one bench. */
struct session {
    struct bench *bench;
    struct dpl_catalog *catalog;
    const struct values *values;
    const struct dpl_runtime_options *options;
    size_t n_benches, n_before, n_begun;
    char temporary[FOLDER_MAX]; /* of a run that is repeated, which had a folder; "": none */
};

/* Makes the folder of a run, without files of an earlier one; "": it has none. -1: no, and the
 * result says so. */
static int open_folder(const struct session *session, uint64_t seed, char ret_folder[FOLDER_MAX],
                       struct bench_result *ret_result)
{
    struct dpl_diag error = {0};
    int err;
    ret_folder[0] = '\0';
    if (session->temporary[0] != '\0') {
        int n = snprintf(ret_folder, FOLDER_MAX, "%s/%llu", session->temporary,
                         (unsigned long long)seed);
        err = n < FOLDER_MAX ? cli_make_dir("bench", ret_folder) : -1;
    } else if (session->values->out) {
        err = make_folder(session->bench, session->values, session->n_benches, seed, ret_folder);
    } else {
        return 0;
    }
    if (err < 0) {
        bench_result_fail(ret_result, DPL_EXIT_BAD_INPUT, "its folder could not be made");
        return -1;
    }
    if (dpl_results_clear(ret_folder, &error) < 0) {
        dpl_diag_print(stderr, &error);
        bench_result_fail(ret_result, DPL_EXIT_BAD_INPUT,
                          "the files of an earlier run in its folder could not be removed");
        return -1;
    }
    return 0;
}

static void work(void *user, size_t number, void *ret_result)
{
    const struct session *session = user;
    const struct values *values = session->values;
    struct bench *bench = session->bench;
    uint64_t seed = values->seed + number;
    char folder[FOLDER_MAX];
    struct bench_run run = {.app = bench->app,
                            .catalog = session->catalog,
                            .options = *session->options,
                            .repeat = bench->repeat};
    run.options.seed = seed;
    if (bench->repeat) {
        run.options.seed = bench->repeat->seed + number;
        run.options.duration = bench->repeat->duration;
    }
    run.options.log = status_row_log();
    run.observed = (struct observe_wanted){
        "bench", {values->record, values->view, values->allow_control, stderr}, &values->plan};
    if (open_folder(session, seed, folder, ret_result) == 0) {
        run.options.out_dir = folder[0] != '\0' ? folder : NULL;
        ((struct bench_result *)ret_result)->has_folder = run.options.out_dir != NULL;
        bench_run_here(&run, ret_result);
    }
}

/* If the summary cannot be written, this fault was already printed. */
static void complete_folder(const char *folder, const struct bench *bench,
                            const struct values *values, struct bench_result *result)
{
    if (bench_draw(folder, bench->name, result, (long)values->picture_tick) < 0 &&
        result->verdict.expected) {
        bench_result_spoil(result);
    }
    bench_complete_summary(folder, bench->app->name, result);
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *at)
{
    (void)about;
    (void)kind;
    (void)at;
    remove(path);
    return 0;
}

static void finish(struct session *session, struct bench_result *result)
{
    struct bench *bench = session->bench;
    const struct values *values = session->values;
    uint64_t seed = values->seed + bench->n_results++;
    char folder[FOLDER_MAX];
    bool has_folder = values->out && result->has_folder &&
                      make_folder(bench, values, session->n_benches, seed, folder) == 0;
    if (has_folder) {
        complete_folder(folder, bench, values, result);
    }
    if (!values->quiet || (!result->verdict.expected && !result->interrupted)) {
        status_row_hide();
        bench_print_result(bench->name, values->repeat > 1 ? &seed : NULL, result);
    }
}

/* What a run gave, or how its process ended without that. */
static void judge(const struct session *session, const struct bench_result *given,
                  const struct sweep_pool_ended *ended, struct bench_result *ret_result)
{
    char text[512];
    if (given) {
        *ret_result = *given;
    } else if (ended->how == SWEEP_POOL_LATE) {
        snprintf(text, sizeof text, "the run did not end within %g s of real time (--limit)",
                 session->values->limit_s);
        bench_result_say(ret_result, "hung", text);
    } else {
        snprintf(text, sizeof text, "the run's process died: %s", ended->text);
        bench_result_say(ret_result, "crash", text);
    }
    ret_result->has_folder |= !given;
    ret_result->interrupted = n_stops > 0 && (!given || given->interrupted);
    if (ret_result->interrupted) {
        bench_result_say(ret_result, "interrupted", "the run was stopped before its verdict");
    }
}

/* Results are told in the order of their seeds. */
static int take(void *user, size_t number, const void *given, const struct sweep_pool_ended *ended)
{
    struct session *session = user;
    struct bench *bench = session->bench;
    judge(session, given, ended, &bench->results[number]);
    bench->results[number].is_there = true;
    while (bench->n_results < session->values->repeat &&
           bench->results[bench->n_results].is_there) {
        status_row_count(session->n_before + bench->n_results,
                         session->n_benches * session->values->repeat, "runs");
        finish(session, &bench->results[bench->n_results]);
    }
    return 0;
}

static bool next(void *user, size_t *ret_number)
{
    struct session *session = user;
    *ret_number = session->n_begun;
    return session->n_begun < session->values->repeat && ++session->n_begun > 0;
}

static int run_bench(struct bench *bench, struct dpl_catalog *catalog, const struct values *values,
                     const struct dpl_runtime_options *options, size_t n_benches, size_t n_before)
{
    struct session session = {bench, catalog, values, options, n_benches, n_before, 0, ""};
    struct sweep_pool pool = {.n_slots =
                                  values->jobs < values->repeat ? values->jobs : values->repeat,
                              .time_limit_s = values->limit_s,
                              .result_size = sizeof(struct bench_result),
                              .in_front = true,
                              .next = next,
                              .work = work,
                              .done = take,
                              .user = &session,
                              .n_stops = &n_stops};
    if (bench->repeat && !values->out) {
        snprintf(session.temporary, sizeof session.temporary, "%s/doppel-bench.XXXXXX",
                 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
        session.temporary[0] = mkdtemp(session.temporary) ? session.temporary[0] : '\0';
    }
    int err = sweep_pool_run(&pool);
    if (session.temporary[0] != '\0') {
        nftw(session.temporary, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    }
    if (err < 0) {
        fprintf(stderr, "doppel bench: %s: a run's process could not be started: %s\n", bench->name,
                strerror(-err));
    }
    return err;
}

static int run_all(struct bench *benches, size_t n, struct dpl_catalog *catalog,
                   const struct values *values, const struct dpl_runtime_options *options)
{
    if (n * values->repeat > 1 && !values->quiet) {
        status_row_begin();
    }
    cli_catch_requests(on_interrupt, false);
    struct bench_group groups[OPTION_LIST_MAX];
    size_t expected = 0, judged = 0, total = n * values->repeat;
    int err = 0;
    for (size_t i = 0; i < n; i++) {
        err =
            err < 0 ? err : run_bench(&benches[i], catalog, values, options, n, i * values->repeat);
        groups[i] = (struct bench_group){benches[i].name, values->seed, benches[i].results,
                                         benches[i].n_results};
        expected += bench_count_expected(&groups[i]);
        judged += bench_count_judged(&groups[i]);
        if (values->repeat > 1) {
            status_row_hide();
            bench_print_rate(&groups[i]);
        }
    }
    status_row_end();
    if (n > 1 && judged > 0) {
        printf("%zu of %zu verdicts as expected\n", expected, judged);
    }
    if (judged < total) {
        printf("interrupted after %zu of %zu runs\n", judged, total);
    }
    if (!values->quiet) {
        bool many = n > 1, repeats = values->repeat > 1;
        cli_tell_closing(values->out, many && repeats ? "*/*" : many || repeats ? "*" : NULL);
    }
    int code = err < 0 ? DPL_EXIT_FAULT : bench_exit_code(groups, n, total);
    bool written = !values->junit || bench_write_junit(values->junit, groups, n) == 0;
    return written || code == DPL_EXIT_VERDICT ? code : DPL_EXIT_FAULT;
}

/* Two profiles with the same name would write into one folder. */
static int check_names(const struct bench *benches, size_t n, const struct values *values)
{
    for (size_t i = 0; values->out && i < n; i++) {
        for (size_t k = 0; k < i; k++) {
            if (strcmp(benches[i].name, benches[k].name) == 0) {
                fprintf(stderr, "doppel bench: --out: two profiles are named '%s'\n",
                        benches[i].name);
                return -1;
            }
        }
    }
    return 0;
}

/* One run can be observed; says why not. */
static bool can_be_observed(struct values *values, int n_benches)
{
    bool is_viewed = values->view != OBSERVE_NO_PORT;
    const struct {
        bool is_wrong;
        const char *why;
    } rules[] = {
        {(is_viewed || values->record) && (values->repeat > 1 || n_benches > 1),
         "--view and --record are of one run: of one bench, without --repeat"},
        {values->allow_control && !is_viewed, "--allow-control needs --view"},
        {values->rate > 0.0 && strcmp(values->clock, "sim") != 0,
         "--rate needs --clock sim: real time has a fixed rate"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].is_wrong) {
            fprintf(stderr, "doppel bench: %s\n", rules[i].why);
            return false;
        }
    }
    return (!values->record || observe_may_record("bench", values->record, values->out)) &&
           record_files_read("bench", &values->files, values->record != NULL, &values->plan) == 0;
}

static int fill_options(struct values *values, struct dpl_runtime_options *options)
{
    static const char *const clocks[] = {"real", "sim"};
    static const char *const levels[] = {"error", "warn", "info", "debug"};
    bool shows = values->repeat == 1 && !values->quiet;
    int clock = cli_choose("bench: --clock", values->clock, clocks, 2);
    int level = cli_choose("bench: --log-level",
                           values->log_level ? values->log_level
                           : shows           ? "info"
                                             : "error",
                           levels, 4);
    if (clock < 0 || level < 0) {
        return -1;
    }
    bool is_viewed = values->view != OBSERVE_NO_PORT;
    options->simulated = clock == 1;
    options->duration = dpl_ns_from_s(values->duration_s);
    options->log_level = (enum dpl_log_level)level;
    /* who looks sees the time go by, unless told otherwise */
    options->rate = values->rate >= 0.0 ? values->rate : is_viewed && clock == 1 ? 1.0 : 0.0;
    if (values->limit_s < 0.0) { /* who paces and pauses a run knows how long it takes */
        values->limit_s = options->simulated && options->rate <= 0.0 ? LIMIT_S : 0.0;
    }
    /* on the real clock one run at a time, because runs would share devices */
    if (values->jobs == 0) {
        long processors = options->simulated ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
        values->jobs = processors < 1                 ? 1
                       : processors > SWEEP_SLOTS_MAX ? SWEEP_SLOTS_MAX
                                                      : (uint64_t)processors;
    }
    return 0;
}

static int run(int argc, char **argv)
{
    struct values values = {.clock = "sim",
                            .seed = 1,
                            .repeat = 1,
                            .picture_tick = BENCH_LAST_TICK,
                            .limit_s = -1.0,
                            .rate = -1.0,
                            .view = OBSERVE_NO_PORT,
                            .files = RECORD_FILES_NONE};
    int n = options_parse(&command_bench, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    struct dpl_runtime_options options = {0};
    if (fill_options(&values, &options) < 0 || !can_be_observed(&values, n)) {
        return DPL_EXIT_USAGE;
    }
    struct dpl_catalog *catalog = cli_open_catalog("bench");
    struct bench *benches = calloc((size_t)n, sizeof *benches);
    int code = catalog && benches ? DPL_EXIT_DONE : DPL_EXIT_BAD_INPUT;
    size_t n_loaded = 0;
    for (; n_loaded < (size_t)n && code == DPL_EXIT_DONE; n_loaded++) {
        benches[n_loaded].file = argv[n_loaded + 1];
        code = bench_load(&benches[n_loaded], catalog, &values) < 0 ? DPL_EXIT_BAD_INPUT : code;
    }
    if (code == DPL_EXIT_DONE && (check_names(benches, n_loaded, &values) < 0 ||
                                  (values.out && (cli_make_dir("bench: --out", values.out) < 0 ||
                                                  cli_lock_dir("bench: --out", values.out) < 0)) ||
                                  (values.junit && bench_try_junit(values.junit) < 0))) {
        code = DPL_EXIT_BAD_INPUT;
    }
    if (code == DPL_EXIT_DONE) { /* runs only if all of them could be loaded */
        code = run_all(benches, n_loaded, catalog, &values, &options);
    }
    for (size_t i = 0; i < n_loaded; i++) {
        bench_finish(&benches[i]);
    }
    free(benches);
    dpl_catalog_destroy(catalog);
    return code;
}

#define V(member) offsetof(struct values, member)

static const struct option options[] = {
    {"bind", "NAME", OPTION_LIST, V(bind), 0, 0, "apply a binding profile", "binding"},
    {"set", "C.P=VALUE", OPTION_LIST, V(set), 0, 0, "override a property, e.g. Car.Model=paper",
     NULL},
    {"out", "DIR", OPTION_STRING, V(out), 0, 0,
     "write log.csv, track.svg, summary.json and trace.csv there (several benches: DIR/BENCH; "
     "repeated: a folder for each SEED in it)",
     "file"},
    {"junit", "FILE", OPTION_STRING, V(junit), 0, 0, "write the verdicts as JUnit XML", "file"},
    {"repeat", "N", OPTION_COUNT, V(repeat), 1, 1e6,
     "run each bench N times, each with the next seed", NULL},
    {"vary", NULL, OPTION_FLAG, V(vary), 0, 0,
     "turn on the benches' variations (start pose, noise, battery, latency), which depend on the "
     "seed",
     NULL},
    {"seed", "N", OPTION_COUNT, V(seed), 0, 0, "seed of the first run (default 1)", NULL},
    {"jobs", "N", OPTION_COUNT, V(jobs), 1, SWEEP_SLOTS_MAX,
     "parallel runs (default: one per processor; on the real clock one)", NULL},
    {"clock", "real|sim", OPTION_STRING, V(clock), 0, 0,
     "simulated in lock-step (default), or real time: for real boards and processes", "real|sim"},
    {"rate", "X", OPTION_NUMBER, V(rate), 0, 1000,
     "with --clock sim: X times real time; 0: as fast as possible (default, with --view 1)", NULL},
    {"record", "FILE", OPTION_STRING, V(record), 0, 0,
     "record all messages, values, verdicts, log and events of one run to this MCAP file", "file"},
    RECORD_FILES_OPTIONS(struct values),
    {"view", "[PORT]", OPTION_PORT, V(view), 0, 65535,
     "serve viewers of one run on this machine (default port 8765; 0: a free one)", NULL},
    {"allow-control", NULL, OPTION_FLAG, V(allow_control), 0, 0,
     "with --view: viewers may set parameters on the real clock, too", NULL},
    {"duration", "S", OPTION_NUMBER, V(duration_s), 0, 1e8,
     "end a run without a verdict after S seconds of its time", NULL},
    {"limit", "S", OPTION_NUMBER, V(limit_s), 0, 1e6,
     "stop a run after S seconds of real time, 0: never (default: 300 on the simulated clock)",
     NULL},
    {"tick", "N", OPTION_COUNT, V(picture_tick), 0, UINT32_MAX - 1.0,
     "the tick whose sensor rays the picture shows (default: the last)", NULL},
    {"log-level", "LEVEL", OPTION_STRING, V(log_level), 0, 0,
     "error, warn, info or debug (default: info for one run, error for many)",
     "error|warn|info|debug"},
    {"quiet", NULL, OPTION_FLAG, V(quiet), 0, 0, "print only unexpected verdicts, and the totals",
     NULL},
};

const struct command command_bench = {
    .name = "bench",
    .operands = "PROFILE...",
    .summary = "runs test benches to their verdicts",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = OPTION_LIST_MAX,
    .more =
        "Exit codes: 0 all verdicts are as the profiles expect, 4 one is not; else as of `run`:\n"
        "1 bad input (also a run that was refused before it began), 2 usage, 3 a fault (a run\n"
        "that failed without a verdict, results that could not be written), 5 a device is not\n"
        "there or was lost.\n",
    .run = run,
};
