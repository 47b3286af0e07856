/* SPDX-License-Identifier: Apache-2.0 */
#include "top_table.h"

#include <stdio.h>
#include <string.h>

#include "field_path.h"
#include "status_row.h"

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

static double number_of(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

/* A line of any length. */
static void add_line(struct dpl_bytes *out, const char *line)
{
    char cut[STATUS_ROW_BYTES];
    status_row_cut(line, STATUS_ROW_BYTES / 4, cut);
    dpl_bytes_text(out, cut);
    dpl_bytes_text(out, "\n");
}

static void add_head(const json_t *seen, struct dpl_bytes *out)
{
    const json_t *state = json_object_get(seen, "state");
    char line[512];
    int n = snprintf(line, sizeof line, "%.64s  %.1f s", text_of(seen, "run"),
                     number_of(seen, "time_s"));
    if (state) {
        snprintf(
            line + n, sizeof line - (size_t)n, "  %.16s  %.16s clock x %.2f%s%.64s",
            text_of(state, "state"), text_of(state, "clock"), number_of(state, "real_time_factor"),
            *text_of(state, "controller") ? "  controlled by " : "", text_of(state, "controller"));
    }
    add_line(out, line);
    if (*text_of(seen, "told")) {
        add_line(out, text_of(seen, "told"));
    }
}

static void add_executors(const json_t *list, struct dpl_bytes *out)
{
    char line[512];
    size_t i;
    json_t *row;
    if (json_array_size(list) > 0) {
        snprintf(line, sizeof line, "%-18s %9s %9s %8s %6s %7s %7s %7s", "EXECUTOR", "PERIOD ms",
                 "CYCLES", "OVERRUNS", "MISSED", "P50 ms", "P99 ms", "MAX ms");
        add_line(out, line);
    }
    json_array_foreach(list, i, row)
    {
        snprintf(line, sizeof line, "%-18.64s %9.3f %9.0f %8.0f %6.0f %7.3f %7.3f %7.3f",
                 text_of(row, "name"), number_of(row, "period_ms"), number_of(row, "cycles"),
                 number_of(row, "overruns"), number_of(row, "missed"), number_of(row, "p50_ms"),
                 number_of(row, "p99_ms"), number_of(row, "max_ms"));
        add_line(out, line);
    }
}

static void add_components(const json_t *list, struct dpl_bytes *out)
{
    char line[512];
    size_t i;
    json_t *row;
    if (json_array_size(list) > 0) {
        snprintf(line, sizeof line, "%-24s %-10s %-22s %s", "COMPONENT", "STATE", "CLASS",
                 "EXECUTOR");
        add_line(out, line);
    }
    json_array_foreach(list, i, row)
    {
        snprintf(line, sizeof line, "%-24.64s %-10.16s %-22.64s %.64s", text_of(row, "name"),
                 text_of(row, "state"), text_of(row, "class"), text_of(row, "executor"));
        add_line(out, line);
    }
}

static void add_topics(const json_t *list, struct dpl_bytes *out)
{
    char line[512];
    size_t i;
    json_t *row;
    if (json_array_size(list) > 0) {
        snprintf(line, sizeof line, "%-48s %10s %10s", "TOPIC", "PER S", "KB/S");
        add_line(out, line);
    }
    json_array_foreach(list, i, row)
    {
        snprintf(line, sizeof line, "%-48.200s %10.1f %10.1f", text_of(row, "name"),
                 number_of(row, "rate_hz"), number_of(row, "bytes_per_s") / 1e3);
        add_line(out, line);
    }
}

static void add_devices(const json_t *list, struct dpl_bytes *out)
{
    size_t i;
    json_t *row;
    if (json_array_size(list) > 0) {
        add_line(out, "DEVICE");
    }
    json_array_foreach(list, i, row)
    {
        struct dpl_bytes values = {0};
        char line[STATUS_ROW_BYTES];
        field_json(json_object_get(row, "values"), &values);
        snprintf(line, sizeof line, "%-24.64s %.*s", text_of(row, "name"),
                 (int)(values.n < 700 ? values.n : 700),
                 values.data ? (const char *)values.data : "");
        add_line(out, line);
        dpl_bytes_finish(&values);
    }
}

/* The newest line of the log. */
static void add_log(const json_t *log, struct dpl_bytes *out)
{
    char line[1024];
    if (log) {
        snprintf(line, sizeof line, "LOG  %.16s %.64s: %.800s", text_of(log, "level"),
                 text_of(log, "name"), text_of(log, "message"));
        add_line(out, line);
    }
}

void top_table(const json_t *seen, struct dpl_bytes *out)
{
    add_head(seen, out);
    add_executors(json_object_get(seen, "executors"), out);
    add_components(json_object_get(seen, "components"), out);
    add_topics(json_object_get(seen, "topics"), out);
    add_devices(json_object_get(seen, "devices"), out);
    add_log(json_object_get(seen, "log"), out);
}

static const char *line_end(const char *at, const char *end)
{
    const char *found = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    return found ? found : end;
}

size_t top_table_cut(const struct dpl_bytes *table, size_t first, size_t rows, size_t columns,
                     const char *end, struct dpl_bytes *out)
{
    const char *at = (const char *)table->data, *stop = at + table->n;
    size_t n = 0, shown = 0;
    for (const char *c = at; c < stop; c = line_end(c, stop) + 1) {
        n++;
    }
    for (size_t i = 0; i < n; i++) {
        const char *next = line_end(at, stop);
        char line[STATUS_ROW_BYTES], cut[STATUS_ROW_BYTES];
        snprintf(line, sizeof line, "%.*s", (int)(next - at), at);
        at = next + 1;
        if (i < first || shown == rows) {
            continue;
        }
        if (++shown == rows && i + 1 < n) {
            snprintf(line, sizeof line, "%zu lines more: arrow keys; q ends", n - i);
        }
        status_row_cut(line, columns, cut);
        dpl_bytes_text(out, cut);
        dpl_bytes_text(out, end);
    }
    return n;
}
