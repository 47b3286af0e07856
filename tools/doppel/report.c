/* SPDX-License-Identifier: Apache-2.0 */
/* doppel report: turns the folders of runs into a page, a chart or a table. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/host/runtime.h>
#include <doppel/output.h>

#include "commands.h"
#include "page.h"

#define RUNS_MAX 16

struct values {
    struct option_list compare;
    const char *output, *title, *chart;
    bool table;
};

static int read_all(char **specs, size_t n, struct result *results)
{
    for (size_t i = 0; i < n; i++) {
        struct dpl_diag error;
        if (result_read(specs[i], &results[i], &error) < 0) {
            dpl_diag_print(stderr, &error);
            for (size_t k = 0; k < i; k++) {
                result_finish(&results[k]);
            }
            return -1;
        }
    }
    return 0;
}

static void print_table(const struct result *results, size_t n)
{
    static const struct {
        const char *key;
        int decimals;
    } columns[] = {{"sync.true_rms_mm", 1},     {"sync.true_max_mm", 1},
                   {"sync.true_final_mm", 1},   {"sync.true_heading_rms_deg", 2},
                   {"sync.measured_rms_mm", 1}, {"sync.fidelity", 3}};
    printf(
        "| run | strategy | true RMS mm | true max mm | true end mm | heading RMS deg | measured "
        "RMS mm | fidelity |\n|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < n; i++) {
        const struct result *r = &results[i];
        printf("| %s | %s |", r->label, result_text(r, "sync.strategy"));
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

static int write_page(const struct values *values, const struct result *results, size_t n)
{
    struct dpl_output output;
    if (open_output(&output, values->output) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    struct page page = {
        .title = values->title, .main = &results[0], .compared = results + 1, .n_compared = n - 1};
    page_write(output.stream, &page);
    return close_output(&output);
}

static int write_chart(const struct values *values, const struct result *results, size_t n)
{
    struct dpl_output output;
    if (open_output(&output, values->chart) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    page_write_distance_svg(output.stream, values->title, results, n);
    return close_output(&output);
}

/* What is written about: the runs on the command line, then those to compare with. */
static int write_all(const struct values *values, const struct result *results, size_t n,
                     size_t n_operands)
{
    int code = DPL_EXIT_DONE;
    if (values->table) {
        print_table(results, n);
    }
    if (values->chart) {
        code = write_chart(values, results, n);
    }
    if (values->output && code == DPL_EXIT_DONE) {
        if (n_operands != 1) {
            fprintf(stderr, "doppel report: --output: one run is expected, and others with "
                            "--compare\n");
            return DPL_EXIT_USAGE;
        }
        code = write_page(values, results, n);
    }
    return code;
}

static int run(int argc, char **argv)
{
    struct values values = {.title = "Doppel run"};
    int n_operands = options_parse(&command_report, argc, argv, &values);
    if (n_operands < 0) {
        return n_operands == -2 ? 0 : DPL_EXIT_USAGE;
    }
    char *specs[RUNS_MAX];
    size_t n = 0;
    for (int i = 1; i <= n_operands; i++) {
        specs[n++] = argv[i];
    }
    for (size_t i = 0; i < values.compare.n && n < RUNS_MAX; i++) {
        specs[n++] = (char *)(uintptr_t)values.compare.items[i];
    }
    if (!values.output && !values.chart && !values.table) {
        fprintf(stderr, "doppel report: nothing to write: expected --output, --chart or --table\n");
        return DPL_EXIT_USAGE;
    }
    struct result results[RUNS_MAX];
    if (read_all(specs, n, results) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    int code = write_all(&values, results, n, (size_t)n_operands);
    for (size_t i = 0; i < n; i++) {
        result_finish(&results[i]);
    }
    return code;
}

#define V(member) offsetof(struct values, member)

static const struct option options[] = {
    {"output", "FILE", OPTION_STRING, V(output), 0, 0, "a self-contained HTML page", "file"},
    {"chart", "FILE", OPTION_STRING, V(chart), 0, 0, "the distance over time as SVG", "file"},
    {"table", NULL, OPTION_FLAG, V(table), 0, 0, "a table of all runs on standard output", NULL},
    {"compare", "[LABEL=]DIR", OPTION_LIST, V(compare), 0, 0,
     "a run to compare with; may be given again", "file"},
    {"title", "TEXT", OPTION_STRING, V(title), 0, 0, "of the page or chart", NULL},
};

const struct command command_report = {
    .name = "report",
    .operands = "[LABEL=]DIR...",
    .summary = "makes a page, chart or table from the results of runs",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = RUNS_MAX,
    .run = run,
};
