/* SPDX-License-Identifier: Apache-2.0 */
/* Reads recordings for a calibration: see recorded_run.h. */
#include "recorded_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bag.h"
#include "trace_check.h"

#define PATH_BYTES       4096
#define AXLE_TOLERANCE_M 0.001

/* ---- a trace ---- */

enum { COLUMN_V, COLUMN_W, COLUMN_STAMP, COLUMN_LEFT, COLUMN_RIGHT, N_COLUMNS };

static const char *const column_names[N_COLUMNS] = {"command_v", "command_w", "stamp_s",
                                                    "left_travel", "right_travel"};

static int column_of(const struct result *result, const char *component, const char *name)
{
    char full[256];
    snprintf(full, sizeof full, "%s.%s", component, name);
    return table_column(&result->trace, full);
}

static int find_columns(const struct result *result, const char *wheels, int columns[N_COLUMNS],
                        struct dpl_diag *reterr)
{
    for (int i = 0; i < N_COLUMNS; i++) {
        columns[i] = column_of(result, wheels, column_names[i]);
        if (columns[i] < 0) {
            return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = result->folder},
                            "its trace has no column %s.%s, which a calibration needs", wheels,
                            column_names[i]);
        }
    }
    return 0;
}

int recorded_run_read_trace(const struct result *result, const char *wheels,
                            struct drive_sample **ret_samples, size_t *ret_n,
                            struct dpl_diag *reterr)
{
    const struct table *trace = &result->trace;
    int columns[N_COLUMNS], t = table_column(trace, "t");
    int err = find_columns(result, wheels, columns, reterr);
    if (err < 0) {
        return err;
    }
    struct drive_sample *samples = calloc(trace->n_rows + 1, sizeof *samples);
    size_t n = 0;
    for (size_t i = 0; samples && i < trace->n_rows; i++) {
        double time_s = table_at(trace, i, t), v[N_COLUMNS], sum = time_s;
        for (int k = 0; k < N_COLUMNS; k++) {
            sum += v[k] = table_at(trace, i, columns[k]);
        }
        if (isfinite(sum) && (n == 0 || time_s > samples[n - 1].time_s)) {
            samples[n++] = (struct drive_sample){time_s,         v[COLUMN_V],
                                                 v[COLUMN_W],    fmin(v[COLUMN_STAMP], time_s),
                                                 v[COLUMN_LEFT], v[COLUMN_RIGHT]};
        }
    }
    if (!samples || n == 0) {
        free(samples);
        return samples ? dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = result->folder},
                                  "its trace has no row with the odometry of %s", wheels)
                       : dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "no memory");
    }
    *ret_samples = samples;
    *ret_n = n;
    return 0;
}

/* The true pose of the avatar at the start; without an avatar there is no such column. */
static void read_start(const struct result *result, const char *wheels, struct recorded_run *run)
{
    static const char *const names[] = {"simulation.true_x", "simulation.true_y",
                                        "simulation.true_theta"};
    double pose[3] = {0};
    run->has_start = result->trace.n_rows > 0;
    for (int i = 0; i < 3; i++) {
        int column = column_of(result, wheels, names[i]);
        pose[i] = run->has_start && column >= 0 ? table_at(&result->trace, 0, column) : (double)NAN;
        run->has_start = run->has_start && isfinite(pose[i]);
    }
    run->start = (struct dpl_pose2){pose[0], pose[1], pose[2]};
}

/* ---- poses ---- */

int recorded_run_read_poses(const struct recording *scans, double axle_m,
                            struct drive_sample **ret_samples, size_t *ret_n)
{
    struct drive_sample *samples = calloc(scans->n + 1, sizeof *samples);
    double left = 0.0, right = 0.0;
    if (!samples) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < scans->n; i++) {
        const struct recorded_scan *scan = &scans->scans[i];
        if (i > 0) { /* along an arc */
            struct dpl_pose2 step = dpl_pose2_relative(scan[-1].odometry, scan->odometry);
            double half = 0.5 * step.theta;
            double chord = step.x * cos(half) + step.y * sin(half);
            double way = fabs(half) > 1e-9 ? chord * half / sin(half) : chord;
            left += way - half * axle_m;
            right += way + half * axle_m;
        }
        samples[i] = (struct drive_sample){scan->time_s, 0.0, 0.0, scan->time_s, left, right};
    }
    *ret_samples = samples;
    *ret_n = scans->n;
    return 0;
}

/* ---- recordings ---- */

static bool has_file(const char *folder, const char *name)
{
    char path[PATH_BYTES];
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    return n > 0 && (size_t)n < sizeof path && access(path, F_OK) == 0;
}

/* A world's seed places what is scattered in it. */
static void read_seed(const struct result *result, struct recorded_run *run)
{
    const json_t *seed = json_object_get(result->summary, "seed");
    run->has_seed = json_is_integer(seed);
    run->seed = run->has_seed ? (uint64_t)json_integer_value(seed) : 0;
}

/* An interrupted run has no trace.csv. The place becomes words, for its file is no one's. */
static int check_trace(const char *folder, const struct result *result, struct dpl_diag *reterr)
{
    char file[PATH_BYTES];
    struct dpl_diag why = {0};
    int n = snprintf(file, sizeof file, "%s/trace.csv", folder);
    int err = n > 0 && (size_t)n < sizeof file
                  ? trace_check(file, result_number(result, "duration_s"), &why)
                  : 0;
    if (err == 0) {
        return 0;
    }
    struct dpl_place place = {.file = folder};
    return why.place.line > 0
               ? dpl_fail(reterr, err, place, "trace.csv, line %d: %s", why.place.line, why.text)
               : dpl_fail(reterr, err, place, "trace.csv: %s", why.text);
}

static int read_trace(const char *folder, const char *wheels, struct recorded_run *run,
                      struct dpl_diag *reterr)
{
    if (!bag_is(folder) && !has_file(folder, "trace.csv") && !has_file(folder, "trace.csv.part")) {
        return dpl_fail(reterr, -ENOENT, (struct dpl_place){.file = folder},
                        "no trace.csv is there, which has commands and ways of the wheels; to do "
                        "without them name its scans.csv");
    }
    char *spec = strdup(folder); /* its label is cut off */
    struct result result = {0};
    int err = spec ? result_read(spec, &result, reterr)
                   : dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "no memory");
    if (err == 0) {
        err = recorded_run_read_trace(&result, wheels, &run->samples, &run->n, reterr);
        run->has_trace = err == 0;
        err = err < 0 ? err : check_trace(folder, &result, reterr);
        read_start(&result, wheels, run);
        read_seed(&result, run);
        result_finish(&result);
    }
    if (err < 0 && reterr) { /* the place may be in what is freed */
        reterr->place = (struct dpl_place){.file = folder};
    }
    free(spec);
    return err;
}

static int check_axle(const struct recording *scans, const char *file, double axle_m,
                      struct dpl_diag *reterr)
{
    return !scans->is_log || fabs(scans->axle_m - axle_m) <= AXLE_TOLERANCE_M
               ? 0
               : dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = file},
                          "the wheels of the log's robot are %.3f m apart, those of the "
                          "application's driver %.3f m: give it that AxleDistance",
                          scans->axle_m, axle_m);
}

/* One that was made of a robot's bag has poses alone, as a scans.csv. */
static bool has_record(const char *file)
{
    struct bag bag;
    bool has = bag_open(file, &bag, NULL) == 0;
    if (has) {
        has = bag_attachment(&bag, "run.json") || bag_is_damaged(&bag, "run.json");
        bag_close(&bag);
    }
    return has;
}

int recorded_run_read(const char *path, const char *wheels, double axle_m, char *ret_file,
                      size_t size, struct recorded_run *ret_run, struct dpl_diag *reterr)
{
    struct recorded_run run = {0};
    struct stat info;
    int err = recording_read(path, ret_file, size, &run.scans, reterr);
    bool is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    if (err == 0 && (is_folder || (bag_is(path) && has_record(path)))) {
        err = read_trace(path, wheels, &run, reterr);
    } else if (err == 0) {
        err = check_axle(&run.scans, ret_file, axle_m, reterr);
        if (err == 0 && recorded_run_read_poses(&run.scans, axle_m, &run.samples, &run.n) < 0) {
            err = dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "no memory");
        }
    }
    if (err < 0) {
        recorded_run_finish(&run);
        return err;
    }
    *ret_run = run;
    return 0;
}

void recorded_run_finish(struct recorded_run *run)
{
    free(run->samples);
    recording_finish(&run->scans);
    *run = (struct recorded_run){0};
}
