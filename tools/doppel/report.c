/* SPDX-License-Identifier: Apache-2.0 */
/* doppel report: writes a page, charts or a table from the results of runs. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/host/runtime.h>
#include <doppel/output.h>

#include "charts.h"
#include "commands.h"
#include "common.h"
#include "outputs.h"
#include "page.h"
#include "problems.h"
#include "report_interactive.h"
#include "status_row.h"

#define RUNS_MAX           16
#define DEFAULT_PATH_BYTES 4096

struct values {
    struct option_list compare;
    const char *output, *title, *chart, *charts, *world;
    bool table, interactive;
    bool tells_output; /* the user has not named it */
};

struct runs {
    struct result results[RUNS_MAX];
    size_t n;
    size_t n_operands;       /* the first of them; the others are for comparison */
    bool lacks_one;          /* a requested run cannot be read */
    struct report_plan plan; /* of the first one */
};

/* Reads the runs; a run that cannot be read is reported and omitted. */
static void read_all(char **specs, size_t n, size_t n_operands, struct runs *ret_runs)
{
    for (size_t i = 0; i < n; i++) {
        struct dpl_diag error = {0};
        struct result *result = &ret_runs->results[ret_runs->n];
        char trouble[1024];
        if (result_read(specs[i], result, &error) < 0) {
            dpl_diag_print(stderr, &error);
            ret_runs->lacks_one = true;
            continue;
        }
        if (*result_trouble(result, trouble, sizeof trouble) != '\0') {
            fprintf(stderr, "doppel report: %s: %s\n", result->folder, trouble);
        }
        ret_runs->n++;
        ret_runs->n_operands += i < n_operands;
    }
}

/* The text after a run's label. */
static const char *end_mark(const struct result *result)
{
    static const char *const marks[] = {[RESULT_ENDED] = "",
                                        [RESULT_FAILED] = " (failed)",
                                        [RESULT_CUT_SHORT] = " (cut short)",
                                        [RESULT_GOES_ON] = " (goes on)",
                                        [RESULT_DAMAGED] = " (damaged)"};
    return marks[result->end];
}

/* Before any figure. Returns how many there are. */
static size_t print_problems(FILE *stream, const struct result *results, size_t n)
{
    size_t told = 0;
    for (size_t i = 0; i < n; i++) {
        struct findings findings;
        findings_read(results[i].summary, &findings);
        cli_tell_problems(stream, results[i].label, &findings);
        told += findings.n;
    }
    return told;
}

static void print_table(const struct result *results, size_t n)
{
    static const struct {
        const char *key;
        int decimals;
    } columns[] = {{"sync.true_rms_mm", 1},     {"sync.true_max_mm", 1},
                   {"sync.true_final_mm", 1},   {"sync.true_heading_rms_deg", 2},
                   {"sync.measured_rms_mm", 1}, {"sync.tracking", 3},
                   {"sync.fidelity", 3}};
    printf(
        "| run | strategy | true RMS mm | true max mm | true end mm | heading RMS deg | measured "
        "RMS mm | tracking | fidelity |\n|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < n; i++) {
        const struct result *r = &results[i];
        printf("| %s%s | %s |", r->label, end_mark(r), result_text(r, "sync.strategy"));
        for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++) {
            double value = result_number(r, columns[k].key);
            isfinite(value) ? printf(" %.*f |", columns[k].decimals, value) : printf(" - |");
        }
        printf("\n");
    }
}

static int open_output(struct dpl_output *output, const char *path)
{
    struct dpl_diag error = {0};
    if (dpl_output_open(output, path, &error) < 0) {
        fprintf(stderr, "doppel report: %s\n", error.text);
        return -1;
    }
    return 0;
}

static int close_output(struct dpl_output *output)
{
    struct dpl_diag error = {0};
    if (dpl_output_close(output, &error) < 0) {
        fprintf(stderr, "doppel report: %s\n", error.text);
        return DPL_EXIT_FAULT;
    }
    return DPL_EXIT_DONE;
}

/* "Patrol: yesterday, today", or, where the applications differ, "yesterday (Patrol), today
 * (Follow)". */
static void make_title(const struct runs *runs, char *ret_title, size_t size)
{
    const char *first = result_text(&runs->results[0], "application");
    bool same = *first != '\0';
    for (size_t i = 1; i < runs->n; i++) {
        same = same && strcmp(result_text(&runs->results[i], "application"), first) == 0;
    }
    size_t used = (size_t)snprintf(ret_title, size, "%s%s", same ? first : "", same ? ": " : "");
    for (size_t i = 0; i < runs->n && used < size; i++) {
        const char *own = same ? "" : result_text(&runs->results[i], "application");
        bool bare = *own == '\0';
        used += (size_t)snprintf(ret_title + used, size - used, "%s%s%s%s%s", i > 0 ? ", " : "",
                                 runs->results[i].label, bare ? "" : " (", own, bare ? "" : ")");
    }
}

/* The world of the first run, for its map. It is no error if there is none. -1 after printing an
 * error: the world that --world names cannot be read. */
static int read_plan(const struct values *values, struct runs *runs, struct dpl_catalog *catalog)
{
    struct dpl_diag error = {0};
    const char *file = values->world ? cli_find(catalog, "worlds", values->world, &error)
                                     : report_plan_file(&runs->results[0], catalog);
    if (!file && !values->world) {
        return 0;
    }
    if (file && report_plan_read(file, catalog, &runs->plan, &error) == 0) {
        return 0;
    }
    dpl_diag_print(stderr, &error);
    if (!values->world) {
        fprintf(stderr, "doppel report: the map is drawn without walls; --world FILE names the "
                        "world\n");
    }
    return values->world ? -1 : 0;
}

static struct page page_of(const struct values *values, const struct runs *runs)
{
    return (struct page){
        .title = values->title,
        .main = &runs->results[0],
        .compared = runs->results + 1,
        .n_compared = runs->n - 1,
        .plan = runs->plan.name[0] != '\0' ? &runs->plan : NULL,
    };
}

static int write_page(const struct values *values, const struct runs *runs)
{
    struct dpl_output output;
    if (open_output(&output, values->output) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    struct page page = page_of(values, runs);
    page_write(output.stream, &page);
    int code = close_output(&output);
    if (code == DPL_EXIT_DONE && values->tells_output) {
        fprintf(stderr, "page: %s\n", values->output);
    }
    return code;
}

struct chart_files {
    const char *folder;
    size_t n, n_all;
    bool has_png, failed;
};

static void count_chart(void *user, const struct plot *plot)
{
    struct chart_files *files = user;
    (void)plot;
    files->n_all++;
}

static void write_chart_files(void *user, const struct plot *plot)
{
    struct chart_files *files = user;
    struct dpl_diag error = {0};
    status_row_count(files->n, files->n_all, "charts written");
    if (!files->failed && plot_write_files(plot, files->folder, &files->has_png, &error) < 0) {
        status_row_hide();
        fprintf(stderr, "doppel report: --charts: %s\n", error.text);
        files->failed = true;
    }
    files->n++;
}

static int write_charts(const struct values *values, const struct runs *runs)
{
    struct chart_files files = {.folder = values->charts};
    struct page page = page_of(values, runs);
    if (cli_make_dir("report: --charts", values->charts) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    status_row_begin();
    if (status_row_is_on()) {
        page_give_plots(&(struct plot_sink){count_chart, &files}, &page);
    }
    page_give_plots(&(struct plot_sink){write_chart_files, &files}, &page);
    status_row_end();
    if (files.failed) {
        return DPL_EXIT_FAULT;
    }
    fprintf(stderr, "charts: %zu in %s, each as .svg and .csv%s\n", files.n, values->charts,
            files.n == 0    ? ""
            : files.has_png ? " and .png"
                            : "; for .png install rsvg-convert (Debian: librsvg2-bin)");
    return DPL_EXIT_DONE;
}

static void tell_left_out(const struct runs *runs, enum charts_kind chart)
{
    for (size_t i = 0; i < runs->n; i++) {
        if (!charts_has(&runs->results[i], chart)) {
            fprintf(stderr, "doppel report: --chart: %s is left out: it has no %s\n",
                    runs->results[i].label,
                    chart == CHARTS_DISTANCE ? "distance of robot and avatar" : "path of a robot");
        }
    }
}

static int write_chart(const struct values *values, const struct runs *runs)
{
    struct dpl_output output;
    enum charts_kind chart = charts_kind_of(runs->results, runs->n);
    if (chart == CHARTS_NOTHING) {
        fprintf(stderr, "doppel report: --chart: there is nothing to draw: neither a distance of "
                        "robot and avatar (of a Synchronizer) nor a path of a robot; --charts DIR "
                        "draws all recorded values\n");
        return DPL_EXIT_BAD_INPUT;
    }
    if (open_output(&output, values->chart) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    tell_left_out(runs, chart);
    charts_write_svg(output.stream, values->title, runs->results, runs->n,
                     page_of(values, runs).plan);
    return close_output(&output);
}

/* Writes the runs on the command line, then those for comparison. */
static int write_all(const struct values *values, const struct runs *runs)
{
    int code = runs->lacks_one ? DPL_EXIT_BAD_INPUT : DPL_EXIT_DONE;
    size_t problems = print_problems(values->table ? stdout : stderr, runs->results, runs->n);
    if (values->table) {
        printf("%s", problems > 0 ? "\n" : ""); /* a table begins after an empty line */
        print_table(runs->results, runs->n);
    }
    if (values->chart) {
        int written = write_chart(values, runs);
        code = written == DPL_EXIT_DONE ? code : written;
    }
    if (values->charts && runs->n_operands == 1) {
        int written = write_charts(values, runs);
        code = written == DPL_EXIT_DONE ? code : written;
    }
    if (values->output && runs->n_operands == 1) {
        int written = write_page(values, runs);
        code = written == DPL_EXIT_DONE ? code : written;
    }
    return code;
}

static int check_files(const struct values *values, const struct runs *runs)
{
    const struct cli_path outputs[] = {{"--output", values->output}, {"--chart", values->chart}};
    struct cli_path inputs[RUNS_MAX];
    for (size_t i = 0; i < runs->n; i++) {
        inputs[i] = (struct cli_path){"the run", runs->results[i].folder};
    }
    return cli_check_outputs("report", outputs, 2, inputs, runs->n);
}

static bool needs_plan(const struct values *values)
{
    return values->output || values->chart || values->charts;
}

static bool is_page_by_default(const struct values *values)
{
    return !needs_plan(values) && !values->table;
}

/* Without an option that names an output, the page goes into the folder of the run. */
static void set_default_output(struct values *values, const struct runs *runs, char *path,
                               size_t size)
{
    if (is_page_by_default(values) && runs->n_operands == 1) {
        const char *run = runs->results[0].folder, *end = strrchr(run, '.');
        bool has_end = end && strcmp(end, ".mcap") == 0;
        if (runs->results[0].is_recording) {
            snprintf(path, size, "%.*s.html", has_end ? (int)(end - run) : (int)strlen(run), run);
        } else {
            snprintf(path, size, "%s/report.html", run);
        }
        values->output = path;
        values->tells_output = true;
    }
}

static int report_runs(struct values *values, char **specs, size_t n, size_t n_operands)
{
    struct runs runs = {0};
    char title[512], path[DEFAULT_PATH_BYTES];
    int code = DPL_EXIT_BAD_INPUT;
    read_all(specs, n, n_operands, &runs);
    set_default_output(values, &runs, path, sizeof path);
    if (check_files(values, &runs) < 0) {
        code = DPL_EXIT_USAGE;
    } else if (runs.n > 0) {
        make_title(&runs, title, sizeof title);
        values->title = values->title ? values->title : title;
        struct dpl_catalog *catalog = needs_plan(values) ? cli_open_catalog("report") : NULL;
        bool planned = !needs_plan(values) || (catalog && read_plan(values, &runs, catalog) == 0);
        code = planned ? write_all(values, &runs) : DPL_EXIT_BAD_INPUT;
        report_plan_finish(&runs.plan);
        dpl_catalog_destroy(catalog);
    }
    for (size_t i = 0; i < runs.n; i++) {
        result_finish(&runs.results[i]);
    }
    return code;
}

/* The page with the recordings inside: of the run, and of one that is compared with it. */
static int run_interactive(const struct values *values, char **specs, size_t n)
{
    const char *runs[2] = {specs[0], n > 1 ? specs[1] : NULL};
    if (values->chart || values->charts || values->table || values->world) {
        fprintf(stderr, "doppel report: --interactive: it is a page of its own, without --chart, "
                        "--charts, --table and --world\n");
        return DPL_EXIT_USAGE;
    }
    if (n + values->compare.n > 2) {
        fprintf(stderr, "doppel report: --interactive: expected one run, or two\n");
        return DPL_EXIT_USAGE;
    }
    runs[1] = values->compare.n > 0 ? values->compare.items[0] : runs[1];
    return report_interactive(runs, runs[1] ? 2 : 1, values->output, values->title);
}

static int check_usage(const struct values *values, int n_operands)
{
    if (is_page_by_default(values) && n_operands != 1) {
        fprintf(stderr, "doppel report: several runs: expected --chart FILE or --table, or one "
                        "run and --compare\n");
        return -1;
    }
    if ((values->output || values->charts) && n_operands != 1) {
        fprintf(stderr, "doppel report: %s: expected one run; add others with --compare\n",
                values->output ? "--output" : "--charts");
        return -1;
    }
    return 0;
}

static int run(int argc, char **argv)
{
    struct values values = {0};
    int n_operands = options_parse(&command_report, argc, argv, &values);
    if (n_operands < 0) {
        return n_operands == -2 ? 0 : DPL_EXIT_USAGE;
    }
    if (values.interactive) {
        return run_interactive(&values, argv + 1, (size_t)n_operands);
    }
    if (check_usage(&values, n_operands) < 0) {
        return DPL_EXIT_USAGE;
    }
    char *specs[RUNS_MAX];
    size_t n = 0;
    for (int i = 1; i <= n_operands; i++) {
        specs[n++] = argv[i];
    }
    for (size_t i = 0; i < values.compare.n && n < RUNS_MAX; i++) {
        specs[n++] = (char *)(uintptr_t)values.compare.items[i];
    }
    return report_runs(&values, specs, n, (size_t)n_operands);
}

#define V(member) offsetof(struct values, member)

static const struct option options[] = {
    {"output", "FILE", OPTION_STRING, V(output), 0, 0,
     "a self-contained HTML page (default, if no other output is named: DIR/report.html, "
     "FILE.html)",
     "file"},
    {"chart", "FILE", OPTION_STRING, V(chart), 0, 0,
     "as SVG: the distance of robot and avatar over time or, for runs without a Synchronizer, the "
     "robot's path",
     "file"},
    {"charts", "DIR", OPTION_STRING, V(charts), 0, 0,
     "each chart of the page as DIR/NAME.svg, .csv and (with rsvg-convert) .png", "file"},
    {"world", "FILE", OPTION_STRING, V(world), 0, 0,
     "the world of the map (default: the one that the run names)", "file"},
    {"interactive", NULL, OPTION_FLAG, V(interactive), 0, 0,
     "the dashboard of `doppel view` with the recording inside, as one HTML file (default: "
     "DIR/dashboard.html, FILE.html); with a second run both over each other",
     NULL},
    {"table", NULL, OPTION_FLAG, V(table), 0, 0, "a table of all runs on standard output", NULL},
    {"compare", "[LABEL=]RUN", OPTION_LIST, V(compare), 0, 0,
     "a run to compare with; may be given again", "file"},
    {"title", "TEXT", OPTION_STRING, V(title), 0, 0,
     "title of the page or chart (default: the application and the runs)", NULL},
};

const struct command command_report = {
    .name = "report",
    .operands = "[LABEL=]RUN...",
    .summary = "makes a page, chart or table from the results of runs",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = RUNS_MAX,
    .more =
        "RUN is the folder of a run (--out) or its recording (--record FILE.mcap).\n"
        "If a run goes on or was killed, the complete rows of trace.csv.part are shown. If a run "
        "cannot be\n"
        "read, an error names it, and the other runs are reported. Exit codes: 0 done, 1 a run\n"
        "could not be read or a file could not be opened, 2 usage, 3 a file could not be "
        "written.\n",
    .run = run,
};
