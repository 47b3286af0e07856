/* SPDX-License-Identifier: Apache-2.0 */
/* Groups the columns of a trace into charts. */
#include "values.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CURVES_MAX 12 /* of a chart */
#define TEXT_MAX   1400
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

/* Whether a word counts parts of one thing: "x", "yaw", "3". */
static bool is_index(const char *word)
{
    static const char *const words[] = {"x", "y", "z", "v", "w", "roll", "pitch", "yaw", "theta"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(word, words[i]) == 0) {
            return true;
        }
    }
    return *word && strspn(word, "0123456789") == strlen(word);
}

/* The length of "position" in "position_1", of "q" in "q1", of "pose" in "pose[3]": what stands
 * before an index; of another name all. */
static size_t stem_length(const char *leaf)
{
    const char *bracket = strchr(leaf, '[');
    const char *underscore = strrchr(leaf, '_');
    size_t n = strlen(leaf);
    if (bracket) {
        return (size_t)(bracket - leaf);
    }
    if (underscore) {
        return is_index(underscore + 1) ? (size_t)(underscore - leaf) : n;
    }
    while (n > 1 && leaf[n - 1] >= '0' && leaf[n - 1] <= '9') {
        n--;
    }
    return n;
}

static bool same_stem(const struct value *a, const struct value *b)
{
    size_t n = stem_length(a->leaf);
    return n == stem_length(b->leaf) && strncmp(a->leaf, b->leaf, n) == 0;
}

/* Of a name without an index all of it. */
static const char *index_of(const struct value *value)
{
    const char *index = value->leaf + stem_length(value->leaf);
    return *index ? index : value->leaf;
}

/* The stem of the first curve with this index is drawn whole, others with dashes. */
static bool is_dashed(const struct value *const *curves, size_t curve)
{
    for (size_t i = 0; i < curve; i++) {
        if (strcmp(index_of(curves[i]), index_of(curves[curve])) == 0) {
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
            seen = seen || strcmp(index_of(curves[k]), index_of(curves[i])) == 0;
        }
        if (strcmp(index_of(curves[i]), index_of(curves[curve])) == 0) {
            return color;
        }
        color += !seen;
    }
    return color;
}

/* ---- a chart ---- */

/* Letters and digits of a name, for a file. */
static void add_to_name(char *name, size_t size, const char *text)
{
    size_t n = strlen(name);
    for (; *text && n + 2 < size; text++) {
        bool plain = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
                     (*text >= '0' && *text <= '9');
        if (plain || (n > 0 && name[n - 1] != '-')) {
            name[n++] = plain ? *text : '-';
        }
    }
    name[n] = '\0';
}

/* "x: odometry. y: odometry. ", as the tables of the component say. */
static void add_meaning(char *text, size_t size, const struct values *values,
                        const struct value *value)
{
    const char *meaning =
        result_meaning(values->result, values->result->trace.names[value->column]);
    size_t n = strlen(text);
    if (*meaning && n < size) {
        snprintf(text + n, size - n, "%s: %s. ", value->leaf, meaning);
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

static void give_chart(struct values *values, const struct plot_sink *sink,
                       const struct value *const *curves, size_t n)
{
    struct series series[CURVES_MAX];
    char name[96] = "", number[24], title[OWNER_MAX + 96], label[64], meaning[TEXT_MAX] = "";
    snprintf(number, sizeof number, "-%zu", ++values->n_charts);
    add_to_name(name, sizeof name - sizeof number, *curves[0]->owner ? curves[0]->owner : "values");
    snprintf(name + strlen(name), sizeof number, "%s", number);
    snprintf(title, sizeof title, "%s%s%.*s%s", curves[0]->owner, *curves[0]->owner ? ": " : "", 60,
             curves[0]->leaf, n > 1 ? " and others" : "");
    snprintf(label, sizeof label, "%s", *curves[0]->unit ? curves[0]->unit : "value");
    for (size_t i = 0; i < n; i++) {
        add_meaning(meaning, sizeof meaning, values, curves[i]);
    }
    size_t filled = fill_series(values, curves, n, series);
    struct plot plot = {
        .name = name,
        .meaning = meaning,
        .chart = {.title = title, .x_label = "time, s", .y_label = label, .height = 240},
        .series = series,
        .n = filled,
    };
    plot_give(sink, &plot);
    free_series(series, filled);
}

/* ---- all charts ---- */

static bool belong_together(const struct value *a, const struct value *b)
{
    bool same = strcmp(a->owner, b->owner) == 0 && strcmp(a->unit, b->unit) == 0;
    return same && (*a->unit || same_stem(a, b));
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
    give_chart(values, sink, curves, n);
}

void values_give(const struct values_sink *sink, const struct result *result)
{
    struct values values;
    const char *owner = NULL;
    if (read_values(&values, result) == 0) {
        for (size_t i = 0; i < values.n; i++) {
            const struct value *value = &values.items[i];
            if (!value->changes || value->drawn) {
                continue;
            }
            if (sink->begin && (!owner || strcmp(owner, value->owner) != 0)) {
                sink->begin(sink->plots.user, value->owner);
            }
            owner = value->owner;
            give_group(&values, &sink->plots, i);
        }
    }
    finish_values(&values);
}

bool values_any(const struct result *result)
{
    for (size_t i = 0; i < result->trace.n_names; i++) {
        if (strcmp(result->trace.names[i], "t") != 0 && changes(&result->trace, (int)i)) {
            return true;
        }
    }
    return false;
}
