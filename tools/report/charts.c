/* SPDX-License-Identifier: Apache-2.0 */
/* See charts.h. */
#include "charts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/field.h>

#include "map.h"
#include "ways.h"

static const char distance_meaning[] =
    "How far the avatar was from the robot. True: by the true poses, which only a simulated or "
    "emulated robot has. Published: by the poses that the run knew, with gaps while it did not "
    "know "
    "where the robot was; the limit is what the true distance should exceed once in 1000 times.";
static const char compared_meaning[] =
    "How far the avatar was from the robot in each run; a logarithmic axis: from line to line ten "
    "times as much.";

static void free_series(struct series *series)
{
    free((void *)(uintptr_t)series->x);
    free((void *)(uintptr_t)series->y);
}

/* ---- ways of several runs ---- */

static size_t way_series(const struct result *results, size_t n, struct series *series)
{
    size_t count = 0;
    for (size_t i = 0; i < n && i < CHARTS_RESULTS_MAX; i++) {
        const struct robot *robot = result_main_robot(&results[i]);
        struct series way = {.label = results[i].label, .color = series_color(count)};
        way.x = robot ? result_column_of(&results[i], robot->tag, "x") : NULL;
        way.y = robot ? result_column_of(&results[i], robot->tag, "y") : NULL;
        way.n = results[i].trace.n_rows;
        if (way.x && way.y) {
            series[count++] = way;
        } else {
            free_series(&way);
        }
    }
    return count;
}

static void give_ways(const struct plot_sink *sink, const char *title, const struct result *results,
                      size_t n)
{
    struct series series[CHARTS_RESULTS_MAX];
    size_t count = way_series(results, n, series);
    struct plot plot = {
        .name = "ways",
        .meaning = "",
        .chart = {.title = title,
                  .x_label = "x, m",
                  .y_label = "y, m",
                  .height = 620,
                  .equal_scale = true},
        .series = series,
        .n = count,
    };
    plot_give(sink, &plot);
    for (size_t i = 0; i < count; i++) {
        free_series(&series[i]);
    }
}

/* ---- distance ---- */

/* A distance to the last place that was known is none to the robot. */
static void break_unknown(const struct result *result, const struct robot *robot, double *values)
{
    struct ways ways;
    ways_init_robot(&ways, &result->trace, robot);
    for (size_t row = 0; values && row < result->trace.n_rows; row++) {
        values[row] = ways_unknown(&ways, row) ? (double)NAN : values[row];
    }
}

static size_t distance_series(const struct result *const *results, size_t n, struct series *series,
                              bool *ret_all_true)
{
    size_t count = 0;
    *ret_all_true = true;
    for (size_t i = 0; i < n; i++) {
        bool is_true;
        double *y = result_distance(results[i], &is_true);
        double *x = result_column(results[i], "t");
        const struct robot *robot = result_main_robot(results[i]);
        if (robot && !is_true) {
            break_unknown(results[i], robot, y);
        }
        if (!x || !y) {
            free(x);
            free(y);
            continue;
        }
        *ret_all_true = *ret_all_true && is_true;
        series[count] = (struct series){.label = results[i]->label,
                                        .color = series_color(count),
                                        .dashed = count % 2 == 1,
                                        .x = x,
                                        .y = y,
                                        .n = results[i]->trace.n_rows};
        count++;
    }
    return count;
}

/* What a run published beside its true distance: one column of the trace. NULL label: there is
 * none. */
static struct series published_series(const struct result *result, const struct robot *robot,
                                      const char *label, const char *leaf, size_t number)
{
    struct series series = {.color = series_color(number), .n = result->trace.n_rows, .width = 1.2};
    double *values = result_column_of(result, robot->sync, leaf);
    if (strcmp(leaf, "true_mm") != 0) {
        break_unknown(result, robot, values);
    }
    series.x = result_column(result, "t");
    series.y = values;
    bool any = false;
    for (size_t i = 0; series.y && i < series.n; i++) {
        any = any || isfinite(series.y[i]);
    }
    series.label = series.x && any ? label : NULL;
    return series;
}

/* Of one run with a true distance: that, and what the run itself knew. */
static bool give_truth_and_published(const struct plot_sink *sink, const char *name,
                                     const char *title, const struct result *result,
                                     const struct robot *robot)
{
    struct series series[] = {
        published_series(result, robot, "true", "true_mm", 0),
        published_series(result, robot, "published", "distance_mm", 1),
        published_series(result, robot, "published limit", "error_limit_mm", 2),
    };
    series[2].dashed = true;
    bool known = series[0].label && series[1].label;
    struct plot plot = {
        .name = name,
        .meaning = distance_meaning,
        .chart = {.title = title,
                  .x_label = "time, s",
                  .y_label = "distance, mm",
                  .y_from_zero = true},
        .series = series,
        .n = series[2].label ? 3 : 2,
    };
    if (known) {
        plot_give(sink, &plot);
    }
    for (size_t i = 0; i < DPL_COUNT(series); i++) {
        free_series(&series[i]);
    }
    return known;
}

void charts_give_distance(const struct plot_sink *sink, const char *name, const char *title,
                          const struct result *const *results, size_t n)
{
    struct series series[CHARTS_RESULTS_MAX];
    bool all_true;
    const struct robot *robot = n == 1 ? result_main_robot(results[0]) : NULL;
    if (robot && give_truth_and_published(sink, name, title, results[0], robot)) {
        return;
    }
    size_t count = distance_series(results, n < CHARTS_RESULTS_MAX ? n : CHARTS_RESULTS_MAX, series,
                                   &all_true);
    struct plot plot = {
        .name = name,
        .meaning = count > 1 ? compared_meaning : distance_meaning,
        .chart = {.title = title,
                  .x_label = "time, s",
                  .y_label = all_true ? "true distance, mm" : "measured distance, mm",
                  .y_from_zero = true,
                  .y_log = count > 1},
        .series = series,
        .n = count,
    };
    if (count > 0) {
        plot_give(sink, &plot);
    }
    for (size_t i = 0; i < count; i++) {
        free_series(&series[i]);
    }
}

void charts_give_robots(const struct plot_sink *sink, const struct result *result)
{
    const struct robot *main = result_main_robot(result);
    charts_give_distance(sink, "distance", "Distance of robot and avatar in this run", &result, 1);
    for (size_t i = 0; i < result->n_robots; i++) {
        const struct robot *robot = &result->robots[i];
        char name[32], title[ROBOT_NAME_SIZE + 48];
        snprintf(name, sizeof name, "distance-%zu", i + 1);
        snprintf(title, sizeof title, "%s: distance of robot and avatar", robot->name);
        if (robot != main && robot->sync[0] != '\0') {
            give_truth_and_published(sink, name, title, result, robot);
        }
    }
}

/* ---- one chart of several runs ---- */

bool charts_has(const struct result *result, enum charts_kind chart)
{
    const struct robot *robot = result_main_robot(result);
    const struct table *trace = &result->trace;
    switch (chart) {
    case CHARTS_DISTANCE:
        return robot && trace->n_rows > 0 && robot->sync[0] != '\0' &&
               (robots_column(trace, robot->sync, "true_mm") >= 0 ||
                robots_column(trace, robot->sync, "distance_mm") >= 0);
    case CHARTS_WAY:
        return robot && trace->n_rows > 0 && robots_column(trace, robot->tag, "x") >= 0 &&
               robots_column(trace, robot->tag, "y") >= 0;
    case CHARTS_NOTHING: break;
    }
    return false;
}

enum charts_kind charts_kind_of(const struct result *results, size_t n)
{
    for (int chart = CHARTS_DISTANCE; chart < CHARTS_NOTHING; chart++) {
        for (size_t i = 0; i < n; i++) {
            if (charts_has(&results[i], (enum charts_kind)chart)) {
                return (enum charts_kind)chart;
            }
        }
    }
    return CHARTS_NOTHING;
}

struct only_one {
    FILE *out;
    const char *title;
    bool done;
};

static void write_first(void *user, const struct plot *plot)
{
    struct only_one *only = user;
    if (!only->done) {
        struct chart chart = plot->chart;
        chart.title = only->title ? only->title : chart.title;
        svg_chart(only->out, &chart, plot->series, plot->n, true);
    }
    only->done = true;
}

void charts_write_svg(FILE *out, const char *title, const struct result *results, size_t n,
                      const struct report_plan *plan)
{
    const struct result *pointers[CHARTS_RESULTS_MAX];
    struct only_one only = {out, title, false};
    struct plot_sink sink = {write_first, &only};
    n = n < CHARTS_RESULTS_MAX ? n : CHARTS_RESULTS_MAX;
    for (size_t i = 0; i < n; i++) {
        pointers[i] = &results[i];
    }
    switch (charts_kind_of(results, n)) {
    case CHARTS_DISTANCE: charts_give_distance(&sink, "distance", title, pointers, n); break;
    case CHARTS_WAY:
        n == 1 ? map_give(&sink, title, results, plan) : give_ways(&sink, title, results, n);
        break;
    case CHARTS_NOTHING: break;
    }
}
