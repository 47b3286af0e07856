/* SPDX-License-Identifier: Apache-2.0 */
/* Groups the columns of a trace into charts. */
#include "values.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve_names.h"
#include "words.h"

#define CURVES_MAX 12  /* of a chart */
#define POINTS_MAX 600 /* of a curve: there are many */
#define TEXT_MAX   1400
#define NAME_SIZE  96
#define OWNER_MAX  160

/* A column of the trace. */
struct value {
    int column;
    char owner[OWNER_MAX]; /* "Servo", or what stands before the last '/' of a channel */
    const char *leaf;      /* the rest of its name */
    const char *unit;      /* "" if unknown */
    bool changes, drawn;
};

struct values {
    const struct result *result;
    struct value *items;
    size_t n;
    double *t;
    size_t n_charts;
    const char *owner; /* of the chart before; NULL: none */
};

/* ---- columns ---- */

static void split_name(const char *name, struct value *value)
{
    const char *end = strrchr(name, '/');
    end = end ? end : strrchr(name, '.');
    size_t n = end ? (size_t)(end - name) : 0;
    n = n < sizeof value->owner - 1 ? n : sizeof value->owner - 1;
    memcpy(value->owner, name, n);
    value->owner[n] = '\0';
    value->leaf = end ? end + 1 : name;
}

/* Runs without a record tell some units by names: "distance_mm", "age_s". */
static const char *unit_by_name(const char *leaf)
{
    static const char *const units[] = {"mm", "deg", "s", "m", "V", "rad"};
    const char *underscore = strrchr(leaf, '_');
    for (size_t i = 0; underscore && i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(underscore + 1, units[i]) == 0) {
            return units[i];
        }
    }
    return "";
}

static bool changes(const struct table *trace, int column)
{
    double first = (double)NAN;
    for (size_t row = 0; row < trace->n_rows; row++) {
        double value = table_at(trace, row, column);
        if (isfinite(value) && isfinite(first) && value != first) {
            return true;
        }
        first = isfinite(value) ? value : first;
    }
    return false;
}

static int read_values(struct values *values, const struct result *result)
{
    const struct table *trace = &result->trace;
    *values = (struct values){.result = result};
    values->items = calloc(trace->n_names + 1, sizeof *values->items);
    values->t = result_column(result, "t");
    if (!values->items || !values->t) {
        return -1;
    }
    for (size_t i = 0; i < trace->n_names; i++) {
        struct value *value = &values->items[values->n];
        if (strcmp(trace->names[i], "t") == 0 || trace->names[i][0] == '\0') {
            continue;
        }
        split_name(trace->names[i], value);
        value->column = (int)i;
        value->unit = result_unit(result, trace->names[i]);
        value->unit = *value->unit ? value->unit : unit_by_name(value->leaf);
        value->changes = changes(trace, value->column);
        values->n++;
    }
    return 0;
}

static void finish_values(struct values *values)
{
    free(values->items);
    free(values->t);
}

/* ---- which curves belong together ---- */

/* The stem of the first curve with this index is drawn whole, others with dashes. */
static bool is_dashed(const struct value *const *curves, size_t curve)
{
    for (size_t i = 0; i < curve; i++) {
        if (strcmp(curve_index(curves[i]->leaf), curve_index(curves[curve]->leaf)) == 0) {
            return true;
        }
    }
    return false;
}

/* By index ("_x", "_1"), so that position_1 and reference_1 have one colour. */
static size_t color_of(const struct value *const *curves, size_t n, size_t curve)
{
    size_t color = 0;
    for (size_t i = 0; i < curve && i < n; i++) {
        bool seen = false;
        for (size_t k = 0; k < i; k++) {
            seen = seen || strcmp(curve_index(curves[k]->leaf), curve_index(curves[i]->leaf)) == 0;
        }
        if (strcmp(curve_index(curves[i]->leaf), curve_index(curves[curve]->leaf)) == 0) {
            return color;
        }
        color += !seen;
    }
    return color;
}

/* ---- a chart ---- */

static const char *meaning_of(const struct values *values, const struct value *value)
{
    return result_meaning(values->result, values->result->trace.names[value->column]);
}

/* Whether an earlier curve of the same stem has the same meaning (NULL values: whatever it is). */
static bool is_told(const struct values *values, const struct value *const *curves, size_t curve)
{
    for (size_t i = 0; i < curve; i++) {
        if (curve_same_stem(curves[i]->leaf, curves[curve]->leaf) &&
            (!values ||
             strcmp(meaning_of(values, curves[i]), meaning_of(values, curves[curve])) == 0)) {
            return true;
        }
    }
    return false;
}

/* "force: measured. applied: the force itself. ", as the tables of the component say. */
static void make_meaning(const struct values *values, const struct value *const *curves, size_t n,
                         char *ret_text, size_t size)
{
    size_t used = 0;
    ret_text[0] = '\0';
    for (size_t i = 0; i < n && used < size; i++) {
        const char *meaning = meaning_of(values, curves[i]);
        if (*meaning && !is_told(values, curves, i)) {
            used += (size_t)snprintf(ret_text + used, size - used, "%.*s: %s. ",
                                     (int)curve_stem(curves[i]->leaf), curves[i]->leaf, meaning);
        }
    }
}

/* "ForceSensor: force, applied". */
static void make_title(const struct value *const *curves, size_t n, char *ret_title, size_t size)
{
    const char *owner = curves[0]->owner;
    size_t used = (size_t)snprintf(ret_title, size, "%s%s", owner, *owner ? ": " : "");
    for (size_t i = 0; i < n && used < size; i++) {
        if (!is_told(NULL, curves, i)) {
            used += (size_t)snprintf(ret_title + used, size - used, "%s%.*s", i > 0 ? ", " : "",
                                     (int)curve_stem(curves[i]->leaf), curves[i]->leaf);
        }
    }
}

static size_t fill_series(const struct values *values, const struct value *const *curves, size_t n,
                          struct series *series)
{
    const struct result *result = values->result;
    for (size_t i = 0; i < n; i++) {
        series[i] = (struct series){
            .label = curves[i]->leaf,
            .color = series_color(color_of(curves, n, i)),
            .dashed = is_dashed(curves, i),
            .x = values->t,
            .y = result_column(result, result->trace.names[curves[i]->column]),
            .n = result->trace.n_rows,
            .width = 1.4,
        };
        if (!series[i].y) {
            return i;
        }
    }
    return n;
}

static void free_series(struct series *series, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free((void *)(uintptr_t)series[i].y);
    }
}

/* "Servo-3": letters and digits of the component, and a number. */
static void make_name(struct values *values, const char *owner, char ret_name[NAME_SIZE])
{
    char number[24];
    int n = snprintf(number, sizeof number, "-%zu", ++values->n_charts);
    ret_name[0] = '\0';
    curve_add_to_name(ret_name, NAME_SIZE - (size_t)n, *owner ? owner : "values");
    strcat(ret_name, number);
}

static void give_words(struct values *values, const struct plot_sink *sink,
                       const struct value *value, const struct words *words)
{
    char name[NAME_SIZE], title[OWNER_MAX + 120], meaning[TEXT_MAX];
    make_name(values, value->owner, name);
    make_title(&value, 1, title, sizeof title);
    make_meaning(values, &value, 1, meaning, sizeof meaning);
    struct series series = {.label = value->leaf,
                            .color = series_color(0),
                            .x = values->t,
                            .y = words->levels,
                            .n = values->result->trace.n_rows,
                            .width = 2.0};
    struct plot plot = {
        .name = name,
        .meaning = meaning,
        .chart = {.title = title,
                  .x_label = "time, s",
                  .y_label = "",
                  .height = 100 + 26 * (int)words->n,
                  .points = POINTS_MAX,
                  .levels = words->list,
                  .n_levels = words->n},
        .series = &series,
        .n = 1,
    };
    plot_give(sink, &plot);
}

static void give_chart(struct values *values, const struct plot_sink *sink,
                       const struct value *const *curves, size_t n)
{
    struct series series[CURVES_MAX];
    char name[NAME_SIZE], title[OWNER_MAX + 120], label[64], meaning[TEXT_MAX];
    make_name(values, curves[0]->owner, name);
    make_title(curves, n, title, sizeof title);
    snprintf(label, sizeof label, "%s", curves[0]->unit);
    make_meaning(values, curves, n, meaning, sizeof meaning);
    size_t filled = fill_series(values, curves, n, series);
    struct plot plot = {
        .name = name,
        .meaning = meaning,
        .chart = {.title = title,
                  .x_label = "time, s",
                  .y_label = label,
                  .height = 240,
                  .points = POINTS_MAX},
        .series = series,
        .n = filled,
    };
    plot_give(sink, &plot);
    free_series(series, filled);
}

/* ---- all charts ---- */

/* A coordinate of a place, in metres as lengths, errors and gains of a motion may be. */
static bool is_place(const struct value *value)
{
    static const char *const ends[] = {"x", "y", "z", "_x", "_y", "_z"};
    for (size_t i = 0; strcmp(value->unit, "m") == 0 && i < sizeof ends / sizeof ends[0]; i++) {
        if (strcmp(curve_index(value->leaf), ends[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool belong_together(const struct value *a, const struct value *b)
{
    bool same = strcmp(a->owner, b->owner) == 0 && strcmp(a->unit, b->unit) == 0 &&
                is_place(a) == is_place(b);
    return same && (*a->unit || curve_same_stem(a->leaf, b->leaf) ||
                    (curve_has_index(a->leaf) && curve_has_index(b->leaf)));
}

/* Of a component, all with the unit of `first`; of one without unit all with its stem. */
static void give_group(struct values *values, const struct plot_sink *sink, size_t first)
{
    const struct value *curves[CURVES_MAX];
    size_t n = 0;
    for (size_t i = first; i < values->n && n < CURVES_MAX; i++) {
        struct value *value = &values->items[i];
        if (value->changes && !value->drawn && belong_together(&values->items[first], value)) {
            value->drawn = true;
            curves[n++] = value;
        }
    }
    if (n > 0) {
        give_chart(values, sink, curves, n);
    }
}

/* Tells the sink where the charts of another component begin. */
static void begin_owner(struct values *values, const struct values_sink *sink,
                        const struct value *value)
{
    if (sink->begin && (!values->owner || strcmp(values->owner, value->owner) != 0)) {
        sink->begin(sink->plots.user, value->owner);
    }
    values->owner = value->owner;
}

static void give_value(struct values *values, const struct values_sink *sink, size_t i)
{
    const struct value *value = &values->items[i];
    struct words words;
    if (value->changes && !value->drawn) {
        begin_owner(values, sink, value);
        give_group(values, &sink->plots, i);
    } else if (!value->changes && words_read(&values->result->trace, value->column, &words)) {
        begin_owner(values, sink, value);
        give_words(values, &sink->plots, value, &words);
        words_finish(&words);
    }
}

void values_give(const struct values_sink *sink, const struct result *result)
{
    struct values values;
    if (read_values(&values, result) == 0) {
        for (size_t i = 0; i < values.n; i++) {
            give_value(&values, sink, i);
        }
    }
    finish_values(&values);
}

static bool has_words(const struct table *trace, int column)
{
    struct words words;
    bool has = words_read(trace, column, &words);
    if (has) {
        words_finish(&words);
    }
    return has;
}

bool values_any(const struct result *result)
{
    for (size_t i = 0; i < result->trace.n_names; i++) {
        if (strcmp(result->trace.names[i], "t") != 0 &&
            (changes(&result->trace, (int)i) || has_words(&result->trace, (int)i))) {
            return true;
        }
    }
    return false;
}
