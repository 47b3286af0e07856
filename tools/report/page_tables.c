/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of the page: values, calibration, executors, steps of test plans, origin. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/field.h>

#include "page_parts.h"

void page_cell(FILE *out, const char *format, double value)
{
    fprintf(out, "<td>");
    if (isfinite(value)) {
        fprintf(out, format, value);
    } else {
        fprintf(out, "&#8211;");
    }
    fprintf(out, "</td>");
}

void page_text_cell(FILE *out, const char *text)
{
    xml_print(out, "<td>%s</td>", text);
}

/* ---- values of the summary ---- */

static bool is_value(const char *key, const json_t *value)
{
    return strchr(key, '.') && !json_is_object(value) && !json_is_array(value) &&
           strncmp(key, "verdict.", 8) != 0 && strncmp(key, "world.", 6) != 0 &&
           strncmp(key, "trace.", 6) != 0;
}

static void value_cell(FILE *out, const json_t *value)
{
    if (json_is_string(value)) {
        page_text_cell(out, json_string_value(value));
    } else if (json_is_boolean(value)) {
        page_text_cell(out, json_is_true(value) ? "yes" : "no");
    } else {
        page_cell(out, "%.6g", json_is_number(value) ? json_number_value(value) : (double)NAN);
    }
}

void page_write_values(FILE *out, const struct result *result)
{
    const char *key;
    json_t *value;
    bool any = false;
    json_object_foreach(result->summary, key, value)
    {
        if (!is_value(key, value)) {
            continue;
        }
        if (!any) {
            fprintf(out,
                    "<details%s><summary>Values at the end, by component</summary>\n<div "
                    "class=\"wide\"><table class=\"words\"><tr><th>value</th><th></th><th>unit</th>"
                    "<th>what it is</th></tr>\n",
                    result->n_robots == 0 ? " open=\"open\"" : "");
        }
        any = true;
        fprintf(out, "<tr>");
        page_text_cell(out, key);
        value_cell(out, value);
        page_text_cell(out, result_unit(result, key));
        page_text_cell(out, result_meaning(result, key));
        fprintf(out, "</tr>\n");
    }
    fprintf(out, "%s", any ? "</table></div></details>\n" : "");
}

/* ---- calibration ---- */

static bool is_calibrated(const json_t *device)
{
    static const char *const classes[] = {"wheel_controller", "laser_scanner", "imu"};
    for (size_t i = 0; i < DPL_COUNT(classes); i++) {
        if (strcmp(robots_text(device, "class"), classes[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_calibration(const char *property)
{
    static const char *const parts[] = {"Diameter", "Axle",  "Scale", "Bias",
                                        "Offset",   "Mount", "Tick",  "Delay"};
    for (size_t i = 0; i < DPL_COUNT(parts); i++) {
        if (strstr(property, parts[i])) {
            return true;
        }
    }
    return false;
}

static size_t write_device(FILE *out, const json_t *device)
{
    const char *name;
    json_t *property;
    size_t n = 0, i;
    const json_t *side;
    json_object_foreach((json_t *)(uintptr_t)json_object_get(device, "properties"), name, property)
    {
        if (!is_calibrated(device) || !is_calibration(name)) {
            continue;
        }
        fprintf(out, "<tr>");
        page_text_cell(out, robots_text(device, "name"));
        page_text_cell(out, robots_text(device, "driver"));
        page_text_cell(out, name);
        page_text_cell(out, robots_text(property, "value"));
        page_text_cell(out, robots_text(property, "unit"));
        fprintf(out, "</tr>\n");
        n++;
    }
    json_array_foreach(json_object_get(device, "sides"), i, side)
    {
        n += write_device(out, side);
    }
    return n;
}

static size_t write_devices(FILE *out, const struct result *result)
{
    size_t i, n = 0;
    const json_t *component;
    json_array_foreach(json_object_get(result->record, "components"), i, component)
    {
        n += write_device(out, json_object_get(component, "device"));
    }
    return n;
}

void page_write_calibration(FILE *out, const struct result *result)
{
    char *rows = NULL;
    size_t size;
    FILE *stream = open_memstream(&rows, &size);
    size_t n = stream ? write_devices(stream, result) : 0;
    if (stream) {
        fclose(stream);
    }
    if (n > 0) {
        fprintf(out,
                "<h2>Calibration in force</h2>\n<p>Values that the drivers used, from profile, "
                "binding and command line.</p>\n<div class=\"wide\"><table class=\"words\">"
                "<tr><th>device</th><th>driver</th><th>property</th><th></th><th>unit</th>"
                "</tr>\n");
        fputs(rows, out);
        fprintf(out, "</table></div>\n");
    }
    free(rows);
}

/* ---- executors ---- */

void page_write_executors(FILE *out, const struct result *result)
{
    json_t *executors = json_object_get(result->summary, "executors");
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
    fprintf(out, "<h2>Timing of the executors</h2>\n<p>Run: how long a cycle took. Jitter: how "
                 "late it began (simulated time: 0). p50: half of the cycles were below, p99: 99 "
                 "%%. Late: cycles that ended after the next one was due.</p>\n<div "
                 "class=\"wide\"><table><tr><th>executor</th>");
    for (size_t i = 0; i < DPL_COUNT(columns); i++) {
        fprintf(out, "<th>%s</th>", columns[i].title);
    }
    fprintf(out, "</tr>\n");
    const char *name;
    json_t *executor;
    json_object_foreach(executors, name, executor)
    {
        fprintf(out, "<tr>");
        page_text_cell(out, name);
        for (size_t i = 0; i < DPL_COUNT(columns); i++) {
            json_t *value = json_object_get(executor, columns[i].key);
            page_cell(out, "%.5g", json_is_number(value) ? json_number_value(value) : (double)NAN);
        }
        fprintf(out, "</tr>\n");
    }
    fprintf(out, "</table></div>\n");
}

/* ---- steps of a test plan ---- */

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static void write_measure(FILE *out, const json_t *measure)
{
    bool good = json_is_true(json_object_get(measure, "good"));
    fprintf(out, "<tr%s><td>&#160;&#160;", good ? "" : " class=\"trouble\"");
    xml_escape(out, robots_text(measure, "name"));
    fprintf(out, "</td><td>%s</td>", good ? "" : "not met");
    page_cell(out, "%.6g", number_of(measure, "value"));
    page_cell(out, "%.6g", number_of(measure, "min"));
    page_cell(out, "%.6g", number_of(measure, "max"));
    fprintf(out, "</tr>\n");
}

static void write_step(FILE *out, const json_t *step)
{
    size_t i;
    const json_t *one;
    const char *verdict = robots_text(step, "verdict");
    bool good = strcmp(verdict, "passed") == 0;
    fprintf(out, "<tr class=\"%s\"><th>", good ? "step" : "step trouble");
    xml_print(out, "%s</th>", robots_text(step, "name"));
    page_text_cell(out, verdict);
    page_cell(out, "%.3f s", number_of(step, "duration_s"));
    fprintf(out, "<td></td><td></td></tr>\n");
    json_array_foreach(json_object_get(step, "failures"), i, one)
    {
        xml_print(out, "<tr class=\"trouble\"><td colspan=\"5\">%s</td></tr>\n",
                  json_is_string(one) ? json_string_value(one) : "");
    }
    json_array_foreach(json_object_get(step, "measures"), i, one)
    {
        write_measure(out, one);
    }
}

void page_write_steps(FILE *out, const struct result *result)
{
    size_t i, k;
    const json_t *run, *step;
    json_array_foreach(json_object_get(result->summary, "runs"), i, run)
    {
        fprintf(out,
                "<h2>Steps, seed %.0f</h2>\n<p>Each measure with the limits that the plan gives; a "
                "dash: no limit.</p>\n<div class=\"wide\"><table class=\"steps\"><tr><th>step, "
                "measure</th><th>verdict</th><th>value</th><th>least</th><th>most</th></tr>\n",
                number_of(run, "seed"));
        json_array_foreach(json_object_get(run, "steps"), k, step)
        {
            write_step(out, step);
        }
        fprintf(out, "</table></div>\n");
    }
}

/* ---- origin ---- */

static void origin_row(FILE *out, const char *what, const char *text)
{
    if (*text) {
        fprintf(out, "<tr><th>%s</th>", what);
        page_text_cell(out, text);
        fprintf(out, "</tr>\n");
    }
}

/* As a shell takes it: a word with other letters than usual is in quotes. */
static void write_command(FILE *out, const json_t *command)
{
    size_t i;
    const json_t *word;
    if (json_array_size(command) == 0) {
        return;
    }
    fprintf(out, "<tr><th>command</th><td><code>");
    json_array_foreach(command, i, word)
    {
        const char *text = json_is_string(word) ? json_string_value(word) : "";
        bool plain = *text != '\0';
        for (const char *c = text; *c; c++) {
            plain = plain && (isalnum((unsigned char)*c) || strchr("-_./=:,+@%", *c));
        }
        fprintf(out, "%s%s", i > 0 ? " " : "", plain ? "" : "'");
        xml_escape(out, text);
        fprintf(out, "%s", plain ? "" : "'");
    }
    fprintf(out, "</code></td></tr>\n");
}

void page_write_origin(FILE *out, const struct result *result, const struct report_plan *plan)
{
    char seed[32] = "";
    double number = result_number(result, "seed");
    if (isfinite(number)) {
        snprintf(seed, sizeof seed, "%.0f", number);
    }
    const char *world = robots_text(result->record, "world");
    fprintf(out, "<h2>Where this comes from</h2>\n<div class=\"wide\"><table class=\"origin\">\n");
    origin_row(out, "application", result_text(result, "application"));
    origin_row(out, "profile", robots_text(result->record, "file"));
    origin_row(out, "test plan", result_text(result, "plan"));
    origin_row(out, "world", *world ? world : plan ? plan->name : result_text(result, "world"));
    origin_row(out, "results", result->folder);
    origin_row(out, "date", robots_text(result->record, "date"));
    origin_row(out, "host", robots_text(result->record, "host"));
    origin_row(out, "Doppel", robots_text(result->record, "version"));
    origin_row(out, "clock", result_text(result, "clock"));
    origin_row(out, "seed", seed);
    write_command(out, json_object_get(result->record, "command"));
    fprintf(out, "</table></div>\n");
}
