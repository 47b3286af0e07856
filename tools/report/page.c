/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the report: first figures, then pictures, then tables. */
#include "page.h"

#include <math.h>

#include <doppel/field.h>

#include "charts.h"
#include "ways.h"

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
    const struct result *results[CHARTS_RESULTS_MAX];
    size_t n = page->n_compared < CHARTS_RESULTS_MAX ? page->n_compared : CHARTS_RESULTS_MAX;
    for (size_t i = 0; i < n; i++) {
        results[i] = &page->compared[i];
    }
    charts_write_distance(out, "Distance of robot and avatar over time", results, n, false);
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
    charts_write_map(out, "Map: what the laser saw, and the ways", page->main, false);
    charts_write_distance(out, "Distance of robot and avatar in this run", &page->main, 1, false);
    if (page->n_compared > 0) {
        write_comparison(out, page);
    }
    write_executors(out, page->main);
    fprintf(out, "<p>Written by <code>doppel report</code>.</p></body></html>\n");
}
