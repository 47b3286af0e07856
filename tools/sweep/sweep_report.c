/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "accept.h"
#include "number.h"
#include "plot.h"
#include "statistics.h"
#include "words.h"

enum { WORST = 5 };

static const char head[] =
    "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\"><head><meta "
    "charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, "
    "initial-scale=1\"/>\n<style>\nbody{font:15px/1.5 system-ui,sans-serif;color:#202124;"
    "max-width:900px;margin:2rem auto;padding:0 1rem}\nfigure{margin:0 0 1.2rem}figure>svg{"
    "width:100%;height:auto;border:1px solid #e3e6ea}\nfigcaption,.legend{color:#5f6368;"
    "font-size:.85rem}.grid{stroke:#e3e6ea}.tick{font:11px sans-serif;fill:#5f6368}.label{"
    "font:12px sans-serif;fill:#3c4043}\ntable{border-collapse:collapse}td,th{padding:.25rem "
    ".7rem;border-bottom:1px solid #e3e6ea;text-align:right}td:first-child,th:first-child,"
    ".words td{text-align:left}\n.refused,.open{color:#b3261e}.accepted{color:#137333}\n"
    "</style>\n";

/* A result counts in charts when the run was done to its end. */
static double measure_of(const struct sweep_row *row, size_t measure)
{
    return row->result && row->result->status == SWEEP_DONE ? row->result->measures[measure]
                                                            : (double)NAN;
}

static void write_acceptance(FILE *out, const struct sweep_table *table)
{
    xml_print(out, "<h2>Acceptance</h2>\n<ul>\n");
    for (size_t i = 0; i < table->study.n_accepts; i++) {
        struct sweep_judgement judgement;
        sweep_judge(table, &table->study.accepts[i], &judgement);
        const char *word = sweep_judgement_word(judgement.state);
        xml_print(out, "<li class=\"%s\"><b>%s</b>: %s</li>\n", word, word, judgement.text);
    }
    fprintf(out, "<li>%zu of %zu runs have a result</li>\n</ul>\n", sweep_count_results(table),
            table->n);
}

/* ---- distributions ---- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The share of runs at or below each value, as stairs. */
static void write_distribution(FILE *out, const struct sweep_table *table, size_t measure)
{
    const struct sweep_measure *what = &table->study.measures[measure];
    double *values = calloc(table->n + 1, sizeof *values);
    double *x = calloc(2 * table->n + 1, sizeof *x), *y = calloc(2 * table->n + 1, sizeof *y);
    char label[160], meaning[240];
    size_t n = 0;
    for (size_t i = 0; values && i < table->n; i++) {
        double value = measure_of(&table->rows[i], measure);
        if (!isnan(value)) {
            values[n++] = value;
        }
    }
    if (values && x && y && n > 0) {
        qsort(values, n, sizeof *values, compare);
        for (size_t i = 0; i < n; i++) {
            x[2 * i] = x[2 * i + 1] = values[i];
            y[2 * i] = (double)i / (double)n;
            y[2 * i + 1] = (double)(i + 1) / (double)n;
        }
        snprintf(label, sizeof label, "%.100s%s%.30s", what->name, *what->unit ? ", " : "",
                 what->unit);
        snprintf(meaning, sizeof meaning,
                 "The share of %zu runs at or below a value. Least %.5g, median %.5g, 95 %% %.5g, "
                 "most %.5g.",
                 n, values[0], sweep_sorted_quantile(values, n, 0.5),
                 sweep_sorted_quantile(values, n, 0.95), values[n - 1]);
        const struct series series = {.color = series_color(0), .x = x, .y = y, .n = 2 * n};
        const struct plot plot = {.name = what->name,
                                  .meaning = meaning,
                                  .chart = {.title = what->name,
                                            .x_label = label,
                                            .y_label = "share of runs",
                                            .y_from_zero = true},
                                  .series = &series,
                                  .n = 1};
        plot_write_html(out, &plot);
    }
    free(values);
    free(x);
    free(y);
}

/* ---- main effects ---- */

static double number_of(const char *text)
{
    double value;
    const char *end = dpl__number_read(text, &value);
    return end && *end == '\0' ? value : (double)NAN;
}

static void write_effect(FILE *out, const struct sweep_table *table, size_t vary, double *x,
                         double *y)
{
    xml_print(out, "<tr><td>%s</td>", table->study.varies[vary].path);
    for (size_t i = 0; i < table->n; i++) {
        x[i] = number_of(table->rows[i].values[vary]);
    }
    for (size_t k = 0; k < table->study.n_measures; k++) {
        for (size_t i = 0; i < table->n; i++) {
            y[i] = measure_of(&table->rows[i], k);
        }
        double r = sweep_rank_correlation(x, y, table->n);
        fprintf(out, isnan(r) ? "<td>-</td>" : "<td>%+.2f</td>", r);
    }
    fprintf(out, "</tr>\n");
}

static void write_effects(FILE *out, const struct sweep_table *table)
{
    double *x = calloc(table->n + 1, sizeof *x), *y = calloc(table->n + 1, sizeof *y);
    fprintf(out, "<h2>Main effects</h2>\n<p>Rank correlation of what differs with what was "
                 "measured: +1 it grows with it, 0 it does not depend on it alone.</p>\n"
                 "<table>\n<tr><th></th>");
    for (size_t k = 0; k < table->study.n_measures; k++) {
        xml_print(out, "<th>%s</th>", table->study.measures[k].name);
    }
    fprintf(out, "</tr>\n");
    for (size_t i = 0; x && y && i < table->study.n_varies; i++) {
        write_effect(out, table, i, x, y);
    }
    fprintf(out, "</table>\n");
    free(x);
    free(y);
}

/* ---- the worst runs ---- */

/* The larger the worse: what is not done, what is not good, then the first measure. */
static double badness(const struct sweep_table *table, const struct sweep_row *row)
{
    const struct sweep_study *study = &table->study;
    double worse = 0.0;
    if (!row->result) {
        return -(double)INFINITY;
    }
    if (row->result->status != SWEEP_DONE) {
        return (double)INFINITY;
    }
    for (size_t i = 0; i < study->n_accepts; i++) {
        bool is_bad =
            study->accepts[i].when && !sweep_is_good(study, &study->accepts[i], row->result);
        worse += is_bad ? 1e12 : 0.0;
    }
    double value = row->result->measures[0];
    return worse + (isnan(value) ? 0.0 : value);
}

static void write_run(FILE *out, const struct sweep_table *table, const struct sweep_row *row,
                      const char *store)
{
    const struct sweep_result *result = row->result;
    const char *list = SWEEP_STATUSES;
    char word[DPL__WORD_MAX] = "", command[64];
    for (int i = 0; i <= (int)result->status; i++) {
        list = dpl__word_next(list, word);
    }
    fprintf(out, "<tr><td>%llu</td><td>", (unsigned long long)row->id);
    xml_print(out, "%s%s%s", word, *result->verdict ? ", " : "", result->verdict);
    for (size_t k = 0; result->status == SWEEP_DONE && k < table->study.n_measures; k++) {
        xml_print(out, ", %s ", table->study.measures[k].name);
        fprintf(out, "%.6g", result->measures[k]);
    }
    xml_print(out, "%s%s</td>", *result->text ? ": " : "", result->text);
    snprintf(command, sizeof command, " %llu", (unsigned long long)row->id);
    xml_print(out, "<td><code>doppel sweep rerun %s%s</code></td></tr>\n", store, command);
}

static void write_worst(FILE *out, const struct sweep_table *table, const char *store)
{
    const struct sweep_row *worst[WORST];
    size_t n = 0;
    for (size_t i = 0; i < table->n; i++) {
        const struct sweep_row *row = &table->rows[i];
        size_t at = n;
        if (!row->result) {
            continue;
        }
        while (at > 0 && badness(table, row) > badness(table, worst[at - 1])) {
            at--;
        }
        if (at == WORST) {
            continue;
        }
        n = n < WORST ? n + 1 : WORST;
        memmove(&worst[at + 1], &worst[at], (n - 1 - at) * sizeof worst[0]);
        worst[at] = row;
    }
    fprintf(out, "<h2>Worst runs</h2>\n<table class=\"words\">\n<tr><th>run</th><th></th><th></th>"
                 "</tr>\n");
    for (size_t i = 0; i < n; i++) {
        write_run(out, table, worst[i], store);
    }
    fprintf(out, "</table>\n");
}

void sweep_report_write(FILE *out, const struct sweep_table *table, const char *store)
{
    const struct sweep_study *study = &table->study;
    fputs(head, out);
    xml_print(out, "<title>%s</title></head><body>\n<h1>%s</h1>\n<p>%s</p>\n", study->name,
              study->name, study->description);
    write_acceptance(out, table);
    fprintf(out, "<h2>Distributions</h2>\n");
    for (size_t i = 0; i < study->n_measures; i++) {
        write_distribution(out, table, i);
    }
    if (study->n_varies > 0) {
        write_effects(out, table);
    }
    write_worst(out, table, store);
    fputs("</body></html>\n", out);
}
