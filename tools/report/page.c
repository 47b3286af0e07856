/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the report: first figures, then pictures, then tables. */
#include "page.h"

#include <math.h>
#include <string.h>

#include <doppel/field.h>

#include "charts.h"
#include "findings.h"
#include "map.h"
#include "outcome.h"
#include "page_parts.h"
#include "scene.h"
#include "values.h"

/* Letters in charts grow where the charts shrink. */
static const char head[] =
    "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\"><head><meta "
    "charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, "
    "initial-scale=1\"/>\n<style>\n"
    "body{font:15px/1.5 system-ui,sans-serif;color:#202124;background:#fff;max-width:900px;"
    "margin:2rem auto;padding:0 1rem}\n"
    "h1{font-size:1.6rem;line-height:1.25;overflow-wrap:anywhere}h2{font-size:1.2rem;margin:2rem 0 "
    ".3rem}h3{font-size:1rem;margin:1.2rem 0 .2rem;overflow-wrap:anywhere}\n"
    "figure polyline{vector-effect:non-scaling-stroke}figure{margin:0 0 "
    "1.2rem}figure>svg{width:100%;height:auto;border:1px solid "
    "#e3e6ea;border-radius:6px}\n"
    "figcaption,.figures p,.origin-line{color:#5f6368;font-size:.85rem;overflow-wrap:anywhere}\n"
    ".legend{margin:.2rem 0;font-size:.85rem}.item{margin-right:.9rem;white-space:nowrap}.item "
    "span{margin-left:.3rem}"
    ".key{vertical-align:-3px}\n"
    ".grid{stroke:#e3e6ea;stroke-width:1}.tick{font:11px sans-serif;fill:#5f6368}"
    ".label{font:12px sans-serif;fill:#3c4043}.small,.word{font:11px sans-serif;fill:#3c4043}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;margin:.5rem 0}td,th{padding:.25rem "
    ".7rem;border-bottom:1px solid #e3e6ea;text-align:right;font-variant-numeric:tabular-nums;"
    "vertical-align:top}\n"
    "td:first-child,th:first-child,.words td,.words th,.origin td{text-align:left}"
    "th{color:#5f6368;font-weight:600}.words td:nth-child(1){white-space:nowrap}\n"
    ".step th{color:#202124;padding-top:.7rem}.origin td{overflow-wrap:anywhere}\n"
    ".figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:.7rem}"
    ".figures div{border:1px solid #e3e6ea;border-radius:6px;padding:.5rem .8rem}"
    ".figures b{display:block;font-size:1.35rem}.figures span{font-size:.9rem}"
    ".figures p{margin:.2rem 0 0;line-height:1.35}\n"
    "details{margin:.2rem 0;border-top:1px solid #e3e6ea}summary{font-weight:600;padding:.5rem 0;"
    "cursor:pointer}\n"
    ".trouble,.trouble td,.trouble th{color:#b3261e}.good{color:#137333}\n"
    "@media(max-width:640px){body{margin:1rem auto;padding:0 .7rem}.tick{font-size:21px}"
    ".label{font-size:22px}.small{font-size:13px}.word{font-size:17px}"
    ".figures{grid-template-columns:repeat(auto-fill,minmax(9rem,1fr))}td,th{padding:.2rem .4rem}}"
    "\n@media print{body{max-width:none;margin:0;font-size:10pt}figure,.figures div,tr"
    "{break-inside:avoid}h2,h3,summary{break-after:avoid}details{border:0}"
    ".wide{overflow:visible}figure>svg{max-height:9.5cm}"
    ".figures{grid-template-columns:repeat(5,1fr);gap:.3rem;font-size:8pt;line-height:1.25}"
    ".figures div{padding:.2rem .4rem}.figures p{font-size:7pt}@page{margin:15mm}}\n</style>\n";

static const char *sync_of(const struct result *result)
{
    const struct robot *robot = result_main_robot(result);
    return robot ? robot->sync : "";
}

static const char *strategy_of(const struct result *result)
{
    char key[ROBOT_NAME_SIZE + 16];
    snprintf(key, sizeof key, "%s.strategy", *sync_of(result) ? sync_of(result) : "sync");
    return result_text(result, key);
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
    fprintf(out, "</h2>\n<div class=\"wide\"><table><tr><th>run</th>"
                 "<th>strategy</th><th>true RMS, mm</th><th>largest, mm</th><th>at the end, mm</th>"
                 "<th>heading RMS, deg</th><th>measured RMS, mm</th><th>tracking</th>"
                 "<th>fidelity</th></tr>\n");
    for (size_t i = 0; i < page->n_compared; i++) {
        const struct result *r = &page->compared[i];
        xml_print(out, "<tr><td>%s</td><td>%s</td>", r->label, strategy_of(r));
        page_cell(out, "%.1f", result_number_of(r, sync_of(r), "true_rms_mm"));
        page_cell(out, "%.1f", result_number_of(r, sync_of(r), "true_max_mm"));
        page_cell(out, "%.1f", result_number_of(r, sync_of(r), "true_final_mm"));
        page_cell(out, "%.2f", result_number_of(r, sync_of(r), "true_heading_rms_deg"));
        page_cell(out, "%.1f", result_number_of(r, sync_of(r), "measured_rms_mm"));
        page_cell(out, "%.3f", result_number_of(r, sync_of(r), "tracking"));
        page_cell(out, "%.3f", result_number_of(r, sync_of(r), "fidelity"));
        fprintf(out, "</tr>\n");
    }
    fprintf(out, "</table></div>\n");
}

/* What the run did, in one sentence. */
static void write_outcome(FILE *out, const struct result *result)
{
    char outcome[OUTCOME_BYTES] = "";
    if (json_is_object(result->summary)) {
        outcome_describe(result->summary, outcome);
    }
    if (*outcome != '\0') {
        xml_print(out, "<p><b>%s</b> %s.</p>\n", result->label, outcome);
    }
}

/* Runs that failed or were interrupted: their data may be incomplete. */
static void write_trouble(FILE *out, const struct result *results, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char text[1024];
        if (*result_trouble(&results[i], text, sizeof text) != '\0') {
            xml_print(out, "<p class=\"trouble\">%s: %s.</p>\n", results[i].label, text);
        }
    }
}

/* `tells_place`: page_write_figures does not say for how long the place was not known. */
static void write_findings(FILE *out, const struct result *result, bool tells_place)
{
    struct findings findings;
    findings_read(result->summary, &findings);
    for (size_t i = 0; i < findings.n; i++) {
        if (tells_place || !findings.items[i].of_place) {
            xml_print(out, "<p class=\"trouble\"><b>%s</b>: %s.</p>\n", result->label,
                      findings.items[i].text);
        }
    }
    if (findings.n_more > 0) {
        fprintf(out, "<p class=\"trouble\">... and %zu more.</p>\n", findings.n_more);
    }
}

/* ---- charts ---- */

static void write_plot(void *user, const struct plot *plot)
{
    plot_write_html(user, plot);
}

/* The map, or the picture of a race, which has its own walls. */
static void give_places(const struct plot_sink *sink, const struct page *page)
{
    if (!scene_give(sink, page->main->folder)) {
        map_give(sink, "Map: the world, what the laser saw, and the paths", page->main, page->plan);
    }
    charts_give_robots(sink, page->main);
}

static void give_compared(const struct plot_sink *sink, const struct page *page)
{
    const struct result *results[CHARTS_RESULTS_MAX];
    size_t n = page->n_compared < CHARTS_RESULTS_MAX ? page->n_compared : CHARTS_RESULTS_MAX;
    for (size_t i = 0; i < n; i++) {
        results[i] = &page->compared[i];
    }
    charts_give_distance(sink, "compared", "Distance of robot and avatar over time", results, n);
}

void page_give_plots(const struct plot_sink *sink, const struct page *page)
{
    give_places(sink, page);
    give_compared(sink, page);
    values_give(&(struct values_sink){.plots = *sink}, page->main);
}

struct values_page {
    FILE *out;
    bool is_open, any;
};

static void write_value(void *user, const struct plot *plot)
{
    struct values_page *page = user;
    plot_write_html(page->out, plot);
}

static void end_component(struct values_page *page)
{
    fprintf(page->out, "%s", page->any ? "</details>\n" : "");
}

static void begin_component(void *user, const char *component)
{
    struct values_page *page = user;
    end_component(page);
    page->any = true;
    fprintf(page->out, "<details%s><summary>", page->is_open ? " open=\"open\"" : "");
    xml_print(page->out, "%s</summary>\n", *component ? component : "values");
}

static void write_recorded(FILE *out, const struct result *result)
{
    struct values_page page = {out, result->n_robots == 0, false};
    if (!values_any(result)) {
        return;
    }
    fprintf(out,
            "<h2>Recorded values</h2>\n<p>All that changed during the run, by component and "
            "unit, from %s.csv. A dashed curve belongs to the solid one of its colour, such "
            "as a reference to a position.</p>\n",
            result->is_world ? "channels" : "trace");
    values_give(&(struct values_sink){{write_value, &page}, begin_component}, result);
    end_component(&page);
}

/* ---- the page ---- */

/* The one line under the title. */
static void write_origin_line(FILE *out, const struct result *result)
{
    const char *date = robots_text(result->record, "date");
    const char *host = robots_text(result->record, "host");
    const char *clock = result_text(result, "clock");
    xml_print(out, "<p class=\"origin-line\">%s", date);
    fprintf(out, "%s", *date && *host ? " on " : "");
    xml_escape(out, host);
    fprintf(out, "%s%s%s</p>\n", *date && *clock ? ", " : "", clock, *clock ? " clock" : "");
}

void page_write(FILE *out, const struct page *page)
{
    fputs(head, out);
    xml_print(out, "<title>%s</title></head><body>\n<h1>%s</h1>\n", page->title, page->title);
    write_origin_line(out, page->main);
    write_outcome(out, page->main);
    write_trouble(out, page->main, 1);
    write_findings(out, page->main, !page_shows_unknown_place(page->main));
    write_trouble(out, page->compared, page->n_compared);
    for (size_t i = 0; i < page->n_compared; i++) {
        write_findings(out, &page->compared[i], true);
    }
    page_write_figures(out, page->main);
    page_write_steps(out, page->main);
    struct plot_sink sink = {write_plot, out};
    give_places(&sink, page);
    if (page->n_compared > 0) {
        write_comparison(out, page);
        give_compared(&sink, page);
    }
    write_recorded(out, page->main);
    page_write_values(out, page->main);
    page_write_calibration(out, page->main);
    page_write_executors(out, page->main);
    page_write_origin(out, page->main, page->plan);
    fprintf(out, "<p>Written by <code>doppel report</code>.</p></body></html>\n");
}
