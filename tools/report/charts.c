/* SPDX-License-Identifier: Apache-2.0 */
/* See charts.h. */
#include "charts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include <doppel/field.h>

#include "ways.h"

static struct series way(const struct result *r, const char *x, const char *y)
{
    return (struct series){
        .x = result_column(r, x), .y = result_column(r, y), .n = r->trace.n_rows};
}

static void free_series(struct series *series)
{
    free((void *)(uintptr_t)series->x);
    free((void *)(uintptr_t)series->y);
}

/* Rows without a pose, as before a start, are left out. */
static bool moves(const struct series *s)
{
    size_t first = 0;
    while (s->x && s->y && first < s->n && !isfinite(s->x[first] + s->y[first])) {
        first++;
    }
    for (size_t i = first + 1; s->x && s->y && i < s->n; i++) {
        if (fabs(s->x[i] - s->x[first]) + fabs(s->y[i] - s->y[first]) > 1e-6) {
            return true;
        }
    }
    return false;
}

static void draw_map(FILE *out, const char *title, const struct series *series, size_t n,
                     bool standalone)
{
    struct chart chart = {
        .title = title, .x_label = "x, m", .y_label = "y, m", .height = 620, .equal_scale = true};
    svg_chart(out, &chart, series, n, standalone);
}

/* The paths of several robots in one map. */
static void write_ways(FILE *out, const char *title, const struct result *results, size_t n)
{
    struct series series[CHARTS_RESULTS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < n && i < CHARTS_RESULTS_MAX; i++) {
        struct series robot = way(&results[i], "WheelController.x", "WheelController.y");
        if (!robot.x || !robot.y) {
            free_series(&robot);
            continue;
        }
        robot.label = results[i].label;
        robot.color = series_color(count);
        series[count++] = robot;
    }
    draw_map(out, title, series, count, true);
    for (size_t i = 0; i < count; i++) {
        free_series(&series[i]);
    }
}

static double *editable(const double *values)
{
    return (double *)(uintptr_t)values;
}

/* Of an emulated or simulated robot. */
static struct series true_way(const struct result *r)
{
    struct series series =
        way(r, "WheelController.hardware.true_x", "WheelController.hardware.true_y");
    if (!series.x || !series.y) {
        free_series(&series);
        series = way(r, "WheelController.true_x", "WheelController.true_y");
    }
    return series;
}

static void break_ways(const struct ways *ways, struct series *robot, struct series *avatar)
{
    if (robot->x) {
        ways_break_robot(ways, editable(robot->x));
    }
    if (avatar->x) {
        ways_break_avatar(ways, editable(avatar->x));
    }
}

/* The ways of the robot and the avatar, and of the odometry where that is another: three series at
 * most, with what way() allocates. Without a Localizer the robot's way is that of its odometry, and
 * the true one is drawn where it is known. */
static size_t add_ways(const struct result *r, struct series *series)
{
    struct ways ways;
    ways_init(&ways, &r->trace);
    struct series robot = way(r, "WheelController.x", "WheelController.y");
    struct series avatar = way(r, "WheelController.simulation_x", "WheelController.simulation_y");
    struct series odometry = {.n = r->trace.n_rows};
    if (ways.in_world) {
        free_series(&robot);
        free_series(&avatar);
        robot = way(r, "sync.real_x", "sync.real_y");
        avatar = way(r, "sync.avatar_x", "sync.avatar_y");
    }
    if (ways.localized) {
        double *y = NULL;
        odometry.x = ways_odometry(&ways, &y);
        odometry.y = y;
    }
    struct series truth = true_way(r);
    break_ways(&ways, &robot, &avatar);
    robot.label = ways.localized ? "robot" : "robot by odometry";
    robot.width = 2.4;
    avatar.label = "avatar";
    avatar.dashed = true;
    odometry.label = "robot by odometry alone";
    truth.label = "robot, true way";
    struct series *all[] = {&robot, &avatar, &odometry, &truth};
    size_t n = 0;
    for (size_t i = 0; i < DPL_COUNT(all); i++) {
        all[i]->color = series_color(i);
        bool drawn = i == 0 ? robot.x && robot.y : all[i]->x && moves(all[i]);
        if (drawn) {
            series[n++] = *all[i];
        } else {
            free_series(all[i]);
        }
    }
    return n;
}

void charts_write_map(FILE *out, const char *title, const struct result *r, bool standalone)
{
    double *scan_x, *scan_y;
    size_t n_points = result_scan_points(r, &scan_x, &scan_y);
    struct series series[5] = {
        {.label = n_points ? "laser" : NULL,
         .color = "#9aa0a6",
         .x = scan_x,
         .y = scan_y,
         .n = n_points,
         .dots = true,
         .width = 1.4},
    };
    size_t n = 1 + add_ways(r, series + 1);
    if (n_points > 0 || n > 1) { /* a machine or a bench has no laser and no path */
        draw_map(out, title, series, n, standalone);
    }
    for (size_t i = 0; i < n; i++) {
        free_series(&series[i]);
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
        if (!x || !y) {
            free(x);
            free(y);
            continue;
        }
        *ret_all_true = *ret_all_true && is_true;
        series[count] = (struct series){.label = results[i]->label,
                                        .color = series_color(count),
                                        .x = x,
                                        .y = y,
                                        .n = results[i]->trace.n_rows};
        count++;
    }
    return count;
}

/* What a run published beside its true distance: one column of the trace. NULL label: there is
 * none. */
static struct series published_series(const struct result *result, const char *label,
                                      const char *name, size_t number)
{
    struct series series = {.color = series_color(number), .n = result->trace.n_rows, .width = 1.2};
    series.x = result_column(result, "t");
    series.y = result_column(result, name);
    bool any = false;
    for (size_t i = 0; series.y && i < series.n; i++) {
        any = any || isfinite(series.y[i]);
    }
    series.label = series.x && any ? label : NULL;
    return series;
}

/* Of one run with a true distance: that, and what the run itself knew. */
static bool write_truth_and_published(FILE *out, const char *title, const struct result *result,
                                      bool standalone)
{
    struct series series[] = {
        published_series(result, "true", "sync.true_mm", 0),
        published_series(result, "published", "sync.distance_mm", 1),
        published_series(result, "published 95 % limit", "sync.error_limit_mm", 2),
    };
    struct chart chart = {
        .title = title, .x_label = "time, s", .y_label = "distance, mm", .y_from_zero = true};
    bool known = series[0].label && series[1].label;
    if (known) {
        svg_chart(out, &chart, series, series[2].label ? 3 : 2, standalone);
    }
    for (size_t i = 0; i < DPL_COUNT(series); i++) {
        free_series(&series[i]);
    }
    return known;
}

void charts_write_distance(FILE *out, const char *title, const struct result *const *results,
                           size_t n, bool standalone)
{
    struct series series[CHARTS_RESULTS_MAX];
    bool all_true;
    if (n == 1 && write_truth_and_published(out, title, results[0], standalone)) {
        return;
    }
    size_t count = distance_series(results, n < CHARTS_RESULTS_MAX ? n : CHARTS_RESULTS_MAX, series,
                                   &all_true);
    struct chart chart = {.title = title,
                          .x_label = "time, s",
                          .y_label = all_true ? "true distance, mm" : "measured distance, mm",
                          .y_from_zero = true,
                          .y_log = count > 1};
    if (count > 0) {
        svg_chart(out, &chart, series, count, standalone);
    }
    for (size_t i = 0; i < count; i++) {
        free_series(&series[i]);
    }
}

static bool has_column(const struct result *result, const char *name)
{
    return result->trace.n_rows > 0 && table_column(&result->trace, name) >= 0;
}

bool charts_has(const struct result *result, enum charts_kind chart)
{
    switch (chart) {
    case CHARTS_DISTANCE:
        return has_column(result, "sync.true_mm") || has_column(result, "sync.distance_mm");
    case CHARTS_WAY:
        return has_column(result, "WheelController.x") && has_column(result, "WheelController.y");
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

void charts_write_svg(FILE *out, const char *title, const struct result *results, size_t n)
{
    const struct result *pointers[CHARTS_RESULTS_MAX];
    n = n < CHARTS_RESULTS_MAX ? n : CHARTS_RESULTS_MAX;
    for (size_t i = 0; i < n; i++) {
        pointers[i] = &results[i];
    }
    switch (charts_kind_of(results, n)) {
    case CHARTS_DISTANCE: charts_write_distance(out, title, pointers, n, true); break;
    case CHARTS_WAY:
        n == 1 ? charts_write_map(out, title, results, true) : write_ways(out, title, results, n);
        break;
    case CHARTS_NOTHING: break;
    }
}
