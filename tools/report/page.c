/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the report: first figures, then pictures, then tables. */
#include "page.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/field.h>

#include "ways.h"

#define RESULTS_MAX 16

static const char head[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n"
    "body{font:15px/1.5 system-ui,sans-serif;color:#202124;max-width:900px;margin:2rem auto;"
    "padding:0 1rem}\nh1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2rem}\n"
    "svg{max-width:100%;height:auto;border:1px solid #e3e6ea;border-radius:6px;margin:.3rem 0}\n"
    "table{border-collapse:collapse;margin:.5rem 0}td,th{padding:.25rem .8rem;border-bottom:1px "
    "solid #e3e6ea;text-align:right;font-variant-numeric:tabular-nums}\n"
    "td:first-child,th:first-child{text-align:left}th{color:#5f6368;font-weight:600}\n"
    ".figures{display:flex;flex-wrap:wrap;gap:.8rem}.figures div{border:1px solid #e3e6ea;"
    "border-radius:6px;padding:.5rem .9rem}.figures b{display:block;font-size:1.35rem}\n"
    ".figures span{color:#5f6368;font-size:.85rem}\n.trouble{color:#b3261e}\n</style>\n";

static void figure(FILE *out, const char *label, const char *format, double value)
{
    if (!isfinite(value)) {
        return;
    }
    fprintf(out, "<div><b>");
    fprintf(out, format, value);
    fprintf(out, "</b><span>%s</span></div>\n", label);
}

/* What the figures and the map mean in this run. */
static void write_notes(FILE *out, const struct result *r)
{
    struct ways ways;
    ways_init(&ways, &r->trace);
    if (ways.in_world && !ways.localized) {
        fprintf(out, "<p>No Localizer ran: the avatar followed the robot's odometry, and the laser "
                     "is drawn by it. Odometry drifts away from the true way.</p>\n");
    }
    if (isfinite(result_number(r, "sync.measured_rms_mm"))) {
        fprintf(out,
                "<p>Measured: by the poses that the run knew (%s). True: by the true poses, "
                "which only a simulated robot has. An error of the measured poses is in the "
                "true distance only.</p>\n",
                ways.localized ? "of the Localizer" : "of odometry");
    }
}

static void write_figures(FILE *out, const struct result *r)
{
    fprintf(out, "<div class=\"figures\">\n");
    figure(out, "duration", "%.1f s", result_number(r, "duration_s"));
    figure(out, "way driven", "%.1f m", result_number(r, "WheelController.distance_m"));
    figure(out, "distance of robot and avatar, measured RMS", "%.1f mm",
           result_number(r, "sync.measured_rms_mm"));
    figure(out, "true RMS", "%.1f mm", result_number(r, "sync.true_rms_mm"));
    figure(out, "true largest", "%.1f mm", result_number(r, "sync.true_max_mm"));
    figure(out, "tracking at the end", "%.3f", result_number(r, "sync.tracking"));
    figure(out, "fidelity at the end", "%.3f", result_number(r, "sync.fidelity"));
    figure(out, "touches in the avatar's world", "%.0f", result_number(r, "world.contacts"));
    figure(out, "faults", "%.0f", result_number(r, "faults"));
    figure(out, "first cycle after", "%.0f ms", result_number(r, "first_cycle_ms"));
    figure(out, "processor time", "%.2f s", result_number(r, "cpu_s"));
    fprintf(out, "</div>\n");
}

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
    struct series series[RESULTS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < n && i < RESULTS_MAX; i++) {
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
    struct series third = ways.localized ? odometry : true_way(r);
    break_ways(&ways, &robot, &avatar);
    robot.label = ways.localized ? "robot" : "robot by odometry";
    robot.width = 2.4;
    avatar.label = "avatar";
    avatar.dashed = true;
    third.label = ways.localized ? "robot by odometry alone" : "robot, true way";
    struct series *all[] = {&robot, &avatar, &third};
    size_t n = 0;
    for (size_t i = 0; i < DPL_COUNT(all); i++) {
        all[i]->color = series_color(i);
        bool drawn = i == 0 ? robot.x && robot.y : moves(all[i]);
        if (drawn) {
            series[n++] = *all[i];
        } else {
            free_series(all[i]);
        }
    }
    return n;
}

/* The points of the laser and the paths of both robots. */
static void write_map(FILE *out, const char *title, const struct result *r, bool standalone)
{
    double *scan_x, *scan_y;
    size_t n_points = result_scan_points(r, &scan_x, &scan_y);
    struct series series[4] = {
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

/* The results of several strategies differ by orders of magnitude: the axis is logarithmic. */
static void write_distance(FILE *out, const char *title, const struct result *const *results,
                           size_t n, bool standalone)
{
    struct series series[RESULTS_MAX];
    bool all_true;
    if (n == 1 && write_truth_and_published(out, title, results[0], standalone)) {
        return;
    }
    size_t count = distance_series(results, n < RESULTS_MAX ? n : RESULTS_MAX, series, &all_true);
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

static void cell(FILE *out, const char *format, double value)
{
    fprintf(out, "<td>");
    if (isfinite(value)) {
        fprintf(out, format, value);
    } else {
        fprintf(out, "&ndash;");
    }
    fprintf(out, "</td>");
}

static void write_labels(FILE *out, const struct result *results, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "%s", i > 0 ? ", " : "");
        xml_escape(out, results[i].label);
    }
}

static void write_comparison(FILE *out, const struct page *page)
{
    fprintf(out, "<h2>");
    write_labels(out, page->compared, page->n_compared);
    fprintf(out, "</h2>\n<table><tr><th>run</th>"
                 "<th>strategy</th><th>true RMS, mm</th><th>largest, mm</th><th>at the end, mm</th>"
                 "<th>heading RMS, deg</th><th>measured RMS, mm</th><th>tracking</th>"
                 "<th>fidelity</th></tr>\n");
    for (size_t i = 0; i < page->n_compared; i++) {
        const struct result *r = &page->compared[i];
        fprintf(out, "<tr><td>");
        xml_escape(out, r->label);
        fprintf(out, "</td><td>");
        xml_escape(out, result_text(r, "sync.strategy"));
        fprintf(out, "</td>");
        cell(out, "%.1f", result_number(r, "sync.true_rms_mm"));
        cell(out, "%.1f", result_number(r, "sync.true_max_mm"));
        cell(out, "%.1f", result_number(r, "sync.true_final_mm"));
        cell(out, "%.2f", result_number(r, "sync.true_heading_rms_deg"));
        cell(out, "%.1f", result_number(r, "sync.measured_rms_mm"));
        cell(out, "%.3f", result_number(r, "sync.tracking"));
        cell(out, "%.3f", result_number(r, "sync.fidelity"));
        fprintf(out, "</tr>\n");
    }
    fprintf(out, "</table>\n");
    const struct result *results[RESULTS_MAX];
    size_t n = page->n_compared < RESULTS_MAX ? page->n_compared : RESULTS_MAX;
    for (size_t i = 0; i < n; i++) {
        results[i] = &page->compared[i];
    }
    write_distance(out, "Distance of robot and avatar over time", results, n, false);
}

static void write_executors(FILE *out, const struct result *r)
{
    json_t *executors = json_object_get(r->summary, "executors");
    if (!json_is_object(executors)) {
        return;
    }
    static const struct {
        const char *key, *title;
    } columns[] = {
        {"cycles", "cycles"},     {"overruns", "late"},     {"exec_p50_us", "run p50, us"},
        {"exec_p99_us", "p99"},   {"exec_max_us", "max"},   {"jitter_p50_us", "jitter p50, us"},
        {"jitter_p99_us", "p99"}, {"jitter_max_us", "max"},
    };
    fprintf(out, "<h2>Timing of the executors</h2>\n<table><tr><th>executor</th>");
    for (size_t i = 0; i < DPL_COUNT(columns); i++) {
        fprintf(out, "<th>%s</th>", columns[i].title);
    }
    fprintf(out, "</tr>\n");
    const char *name;
    json_t *executor;
    json_object_foreach(executors, name, executor)
    {
        fprintf(out, "<tr><td>");
        xml_escape(out, name);
        fprintf(out, "</td>");
        for (size_t i = 0; i < DPL_COUNT(columns); i++) {
            json_t *value = json_object_get(executor, columns[i].key);
            cell(out, "%.5g", json_is_number(value) ? json_number_value(value) : (double)NAN);
        }
        fprintf(out, "</tr>\n");
    }
    fprintf(out, "</table>\n");
}

/* Runs that failed or were interrupted: their data may be incomplete. */
static void write_trouble(FILE *out, const struct result *results, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char text[1024];
        if (*result_trouble(&results[i], text, sizeof text) != '\0') {
            fprintf(out, "<p class=\"trouble\">");
            xml_escape(out, results[i].label);
            fprintf(out, ": ");
            xml_escape(out, text);
            fprintf(out, ".</p>\n");
        }
    }
}

void page_write(FILE *out, const struct page *page)
{
    fputs(head, out);
    fprintf(out, "<title>");
    xml_escape(out, page->title);
    fprintf(out, "</title></head><body>\n<h1>");
    xml_escape(out, page->title);
    fprintf(out, "</h1>\n");
    write_trouble(out, page->main, 1);
    write_trouble(out, page->compared, page->n_compared);
    write_figures(out, page->main);
    write_notes(out, page->main);
    write_map(out, "Map: what the laser saw, and the ways", page->main, false);
    write_distance(out, "Distance of robot and avatar in this run", &page->main, 1, false);
    if (page->n_compared > 0) {
        write_comparison(out, page);
    }
    write_executors(out, page->main);
    fprintf(out, "<p>Written by <code>doppel report</code>.</p></body></html>\n");
}

static bool has_column(const struct result *result, const char *name)
{
    return result->trace.n_rows > 0 && table_column(&result->trace, name) >= 0;
}

bool page_has(const struct result *result, enum page_chart chart)
{
    switch (chart) {
    case PAGE_DISTANCE:
        return has_column(result, "sync.true_mm") || has_column(result, "sync.distance_mm");
    case PAGE_WAY:
        return has_column(result, "WheelController.x") && has_column(result, "WheelController.y");
    case PAGE_NOTHING: break;
    }
    return false;
}

enum page_chart page_chart_of(const struct result *results, size_t n)
{
    for (int chart = PAGE_DISTANCE; chart < PAGE_NOTHING; chart++) {
        for (size_t i = 0; i < n; i++) {
            if (page_has(&results[i], (enum page_chart)chart)) {
                return (enum page_chart)chart;
            }
        }
    }
    return PAGE_NOTHING;
}

void page_write_svg(FILE *out, const char *title, const struct result *results, size_t n)
{
    const struct result *pointers[RESULTS_MAX];
    n = n < RESULTS_MAX ? n : RESULTS_MAX;
    for (size_t i = 0; i < n; i++) {
        pointers[i] = &results[i];
    }
    switch (page_chart_of(results, n)) {
    case PAGE_DISTANCE: write_distance(out, title, pointers, n, true); break;
    case PAGE_WAY:
        n == 1 ? write_map(out, title, results, true) : write_ways(out, title, results, n);
        break;
    case PAGE_NOTHING: break;
    }
}
