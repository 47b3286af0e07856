/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a run's folder. */
#include "result.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doppel/math/geometry.h>

#include "ways.h"

#define PATH_BYTES   4096
#define SCAN_COLUMNS 9 /* before the ranges */

static bool has_file(const struct result *result, const char *name)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", result->folder, name);
    return access(path, F_OK) == 0;
}

/* A killed run has no summary, but a trace or a part of one. */
static int read_summary(struct result *result, struct dpl_diag *reterr)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/summary.json", result->folder);
    json_error_t error;
    if (!has_file(result, "summary.json") &&
        (has_file(result, "trace.csv") || has_file(result, "trace.csv.part"))) {
        result->summary = json_object();
        result->end = RESULT_CUT_SHORT;
        return 0;
    }
    result->summary = json_load_file(path, 0, &error);
    if (!result->summary) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = result->folder},
                        "summary.json: %s", error.text);
    }
    if (*result_text(result, "error") != '\0') {
        result->end = RESULT_FAILED;
    }
    return 0;
}

static int read_trace(struct result *result, struct dpl_diag *reterr)
{
    char path[PATH_BYTES];
    result->is_part = !has_file(result, "trace.csv") && has_file(result, "trace.csv.part");
    snprintf(path, sizeof path, "%s/trace.csv%s", result->folder, result->is_part ? ".part" : "");
    if (result->is_part) {
        result->end = RESULT_CUT_SHORT;
        return table_read_part(path, &result->trace, reterr);
    }
    struct dpl_diag error = {0};
    int err = table_read(path, &result->trace, &error);
    if (err < 0 && result->end == RESULT_FAILED) {
        return dpl_fail(reterr, err, (struct dpl_place){.file = result->folder},
                        "the run has no trace.csv; it failed: %s", result_text(result, "error"));
    }
    if (err < 0 && reterr) {
        *reterr = error;
    }
    return err;
}

/* ---- values without a summary ---------- */

enum figure {
    FIGURE_RMS,
    FIGURE_MOST,
    FIGURE_LAST,
};

static double figure_of(const struct table *trace, int column, enum figure figure)
{
    double squares = 0.0, most = 0.0, last = (double)NAN;
    size_t n = 0;
    for (size_t row = 0; row < trace->n_rows; row++) {
        double value = table_at(trace, row, column);
        if (!isfinite(value)) {
            continue;
        }
        squares += value * value;
        most = fmax(most, value);
        last = value;
        n++;
    }
    return n == 0                  ? (double)NAN
           : figure == FIGURE_RMS  ? sqrt(squares / (double)n)
           : figure == FIGURE_MOST ? most
                                   : last;
}

static void complete_summary(struct result *result)
{
    static const struct {
        const char *key, *column;
        enum figure figure;
    } figures[] = {
        {"duration_s", "t", FIGURE_LAST},
        {"sync.true_rms_mm", "sync.true_mm", FIGURE_RMS},
        {"sync.true_max_mm", "sync.true_mm", FIGURE_MOST},
        {"sync.true_final_mm", "sync.true_mm", FIGURE_LAST},
        {"sync.true_heading_rms_deg", "sync.true_heading_deg", FIGURE_RMS},
        {"sync.measured_rms_mm", "sync.distance_mm", FIGURE_RMS},
        {"sync.tracking", "sync.tracking", FIGURE_LAST},
        {"sync.fidelity", "sync.fidelity", FIGURE_LAST},
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        int column = table_column(&result->trace, figures[i].column);
        double value = figure_of(&result->trace, column, figures[i].figure);
        if (isfinite(value) && !json_object_get(result->summary, figures[i].key)) {
            json_object_set_new(result->summary, figures[i].key, json_real(value));
        }
    }
}

const char *result_trouble(const struct result *result, char *ret_text, size_t size)
{
    const char *why = result_text(result, "error");
    const char *before = *why ? ": " : "";
    switch (result->end) {
    case RESULT_ENDED: snprintf(ret_text, size, "%s", ""); break;
    case RESULT_FAILED: snprintf(ret_text, size, "the run failed%s%s", before, why); break;
    case RESULT_CUT_SHORT:
        snprintf(ret_text, size, "the run did not end properly%s%s; shown are the %zu rows of %s",
                 before, why, result->trace.n_rows,
                 result->is_part ? "trace.csv.part that are whole" : "trace.csv");
        break;
    }
    return ret_text;
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

int result_read(char *spec, struct result *ret_result, struct dpl_diag *reterr)
{
    struct result result = {.label = spec, .folder = spec};
    for (size_t n = strlen(spec); n > 1 && spec[n - 1] == '/'; n--) {
        spec[n - 1] = '\0'; /* "runs/today/" has the label "today" */
    }
    char *equals = is_folder(spec) ? NULL : strchr(spec, '=');
    char *slash = strrchr(spec, '/');
    if (equals) {
        *equals = '\0';
        result.folder = equals + 1;
    } else if (slash) {
        result.label = slash + 1;
    }
    int err = read_summary(&result, reterr);
    if (err == 0) {
        err = read_trace(&result, reterr);
    }
    if (err < 0) {
        result_finish(&result);
        return err;
    }
    if (result.end == RESULT_CUT_SHORT) {
        complete_summary(&result);
    }
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/scans.csv", result.folder);
    table_read(path, &result.scans, NULL); /* may be absent */
    *ret_result = result;
    return 0;
}

void result_finish(struct result *result)
{
    json_decref(result->summary);
    table_finish(&result->trace);
    table_finish(&result->scans);
}

double result_number(const struct result *result, const char *key)
{
    const json_t *value = json_object_get(result->summary, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

const char *result_text(const struct result *result, const char *key)
{
    const char *text = json_string_value(json_object_get(result->summary, key));
    return text ? text : "";
}

double *result_column(const struct result *result, const char *name)
{
    int column = table_column(&result->trace, name);
    double *copy = column >= 0 ? malloc((result->trace.n_rows + 1) * sizeof *copy) : NULL;
    for (size_t i = 0; copy && i < result->trace.n_rows; i++) {
        copy[i] = table_at(&result->trace, i, column);
    }
    return copy;
}

static bool has_numbers(const double *values, size_t n)
{
    for (size_t i = 0; values && i < n; i++) {
        if (isfinite(values[i])) {
            return true;
        }
    }
    return false;
}

double *result_distance(const struct result *result, bool *ret_true)
{
    double *distance = result_column(result, "sync.true_mm");
    *ret_true = has_numbers(distance, result->trace.n_rows);
    if (!*ret_true) {
        free(distance);
        distance = result_column(result, "sync.distance_mm");
    }
    return distance;
}

static size_t add_scan(const struct table *scans, size_t row, struct ways *ways, double *x,
                       double *y)
{
    double cell[SCAN_COLUMNS];
    for (int i = 0; i < SCAN_COLUMNS; i++) {
        cell[i] = table_at(scans, row, i);
    }
    struct dpl_pose2 base = {cell[1], cell[2], cell[3]}, mount = {cell[4], cell[5], cell[6]};
    struct dpl_pose2 robot = dpl_pose2_compose(ways_frame_at(ways, cell[0]), base);
    struct dpl_pose2 sensor = dpl_pose2_compose(robot, mount);
    size_t n = 0, n_ranges = scans->start[row + 1] - scans->start[row] - SCAN_COLUMNS;
    for (size_t i = 0; i < n_ranges; i++) {
        double range = table_at(scans, row, SCAN_COLUMNS + (int)i);
        if (range > 0.0) {
            double angle = sensor.theta + cell[7] + (double)i * cell[8];
            x[n] = sensor.x + range * cos(angle);
            y[n++] = sensor.y + range * sin(angle);
        }
    }
    return n;
}

size_t result_scan_points(const struct result *result, double **ret_x, double **ret_y)
{
    const struct table *scans = &result->scans;
    size_t most = scans->n_rows ? scans->start[scans->n_rows] : 0;
    double *x = malloc((most + 1) * sizeof *x), *y = malloc((most + 1) * sizeof *y);
    size_t n = 0;
    struct ways ways;
    ways_init(&ways, &result->trace);
    for (size_t row = 0; x && y && row < scans->n_rows; row++) {
        bool has_ranges = scans->start[row + 1] - scans->start[row] > SCAN_COLUMNS;
        if (has_ranges && ways_known_at(&ways, table_at(scans, row, 0))) {
            n += add_scan(scans, row, &ways, x + n, y + n);
        }
    }
    *ret_x = x;
    *ret_y = y;
    return n;
}
