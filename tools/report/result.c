/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a run's folder. */
#include "result.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <doppel/math/geometry.h>

#define SCAN_COLUMNS 9 /* before the ranges */

static int read_summary(struct result *result, struct dpl_diag *reterr)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/summary.json", result->folder);
    json_error_t error;
    result->summary = json_load_file(path, 0, &error);
    if (!result->summary) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = result->folder},
                        "summary.json: %s", error.text);
    }
    return 0;
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
        spec[n - 1] = '\0'; /* "runs/today/" is labelled "today" */
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
    char path[4096];
    snprintf(path, sizeof path, "%s/trace.csv", result.folder);
    if (err == 0) {
        err = table_read(path, &result.trace, reterr);
    }
    if (err < 0) {
        result_finish(&result);
        return err;
    }
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

static size_t add_scan(const struct table *scans, size_t row, double *x, double *y)
{
    double cell[SCAN_COLUMNS];
    for (int i = 0; i < SCAN_COLUMNS; i++) {
        cell[i] = table_at(scans, row, i);
    }
    struct dpl_pose2 base = {cell[1], cell[2], cell[3]}, mount = {cell[4], cell[5], cell[6]};
    struct dpl_pose2 sensor = dpl_pose2_compose(base, mount);
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
    for (size_t row = 0; x && y && row < scans->n_rows; row++) {
        if (scans->start[row + 1] - scans->start[row] > SCAN_COLUMNS) {
            n += add_scan(scans, row, x + n, y + n);
        }
    }
    *ret_x = x;
    *ret_y = y;
    return n;
}
