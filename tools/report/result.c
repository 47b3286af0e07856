/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a run's folder. */
#include "result.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bag.h"

#define PATH_BYTES 4096
#define KEY_BYTES  (2 * ROBOT_NAME_SIZE)

static bool has_file(const struct result *result, const char *name)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", result->folder, name);
    return access(path, F_OK) == 0;
}

static bool has_either(const struct result *result, const char *name)
{
    char part[64];
    snprintf(part, sizeof part, "%s.part", name);
    return has_file(result, name) || has_file(result, part);
}

/* Whether a run has this folder now (cli_lock_dir). */
static bool is_locked(const char *folder)
{
    int dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool locked = dir >= 0 && flock(dir, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
    if (dir >= 0) {
        close(dir);
    }
    return locked;
}

/* A killed run has no summary, but a trace or a part of one. */
static int read_summary(struct result *result, struct dpl_diag *reterr)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/summary.json", result->folder);
    json_error_t error;
    bool has_rows = has_either(result, "trace.csv") || has_either(result, "channels.csv");
    /* one that has written its summary has ended, also where its process has not, as calibrate's */
    bool goes_on = !has_file(result, "summary.json") && is_locked(result->folder);
    if (goes_on && !has_rows) {
        return dpl_fail(reterr, -EAGAIN, (struct dpl_place){.file = result->folder},
                        "the run goes on and has no row of its trace yet");
    }
    if (goes_on || (has_rows && !has_file(result, "summary.json"))) {
        result->summary = json_object();
        result->end = goes_on ? RESULT_GOES_ON : RESULT_CUT_SHORT;
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

/* Runs before run.json was written, and worlds that ran alone, have none. */
static void read_record(struct result *result)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/run.json", result->folder);
    result->record = json_load_file(path, 0, NULL);
    if (!json_is_object(result->record)) {
        json_decref(result->record);
        result->record = json_object();
    }
}

/* A test plan has steps in place of a trace. */
static bool has_no_trace(const struct result *result)
{
    return json_is_array(json_object_get(result->summary, "runs")) &&
           !has_file(result, "trace.csv");
}

static int read_trace(struct result *result, struct dpl_diag *reterr)
{
    char path[PATH_BYTES], before[PATH_BYTES], part[32];
    result->is_world = !has_either(result, "trace.csv") && has_either(result, "channels.csv");
    const char *name = result->is_world ? "channels.csv" : "trace.csv";
    snprintf(part, sizeof part, "%s.part", name);
    result->is_part = has_file(result, part) && !has_file(result, name);
    snprintf(path, sizeof path, "%s/%s%s", result->folder, name, result->is_part ? ".part" : "");
    if (has_no_trace(result)) {
        return 0;
    }
    snprintf(before, sizeof before, "%s/trace_before.csv", result->folder);
    const char *older = result->is_world ? NULL : before;
    if (result->is_part) {
        result->end = result->end == RESULT_GOES_ON ? RESULT_GOES_ON : RESULT_CUT_SHORT;
        return table_read_after(older, path, true, &result->trace, reterr);
    }
    struct dpl_diag error = {0};
    int err = table_read_after(older, path, false, &result->trace, &error);
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

/* The Localizer did not know where the robot was: a distance is that to a guess. */
static bool is_unknown(const struct table *trace, size_t row, int state)
{
    char word[16];
    table_word(trace, row, state, word, sizeof word);
    return strcmp(word, "UNKNOWN") == 0;
}

/* `state`: a column; rows of state UNKNOWN do not count. Negative: all rows count. */
static double figure_of(const struct table *trace, int column, int state, enum figure figure)
{
    double squares = 0.0, most = 0.0, last = (double)NAN;
    size_t n = 0;
    for (size_t row = 0; row < trace->n_rows; row++) {
        double value = table_at(trace, row, column);
        if (!isfinite(value) || (state >= 0 && is_unknown(trace, row, state))) {
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

/* How many rows have a state: "TAG.LEAF", where the summary lacks it. */
static void complete_count(struct result *result, const char *tag, const char *leaf,
                           const char *state)
{
    char key[KEY_BYTES], word[16];
    int column = robots_column(&result->trace, tag, "state");
    json_int_t n = 0;
    for (size_t row = 0; row < result->trace.n_rows; row++) {
        table_word(&result->trace, row, column, word, sizeof word);
        n += !state || strcmp(word, state) == 0;
    }
    snprintf(key, sizeof key, "%s.%s", tag, leaf);
    if (column >= 0 && !json_object_get(result->summary, key)) {
        json_object_set_new(result->summary, key, json_integer(n));
    }
}

/* Adds a value that the summary lacks. */
static void complete(struct result *result, const char *key, int column, int state,
                     enum figure figure)
{
    double value = figure_of(&result->trace, column, state, figure);
    if (isfinite(value) && !json_object_get(result->summary, key)) {
        json_object_set_new(result->summary, key, json_real(value));
    }
}

static void complete_summary(struct result *result)
{
    static const struct {
        const char *key, *column;
        enum figure figure;
        bool where_known;
    } figures[] = {
        {"true_rms_mm", "true_mm", FIGURE_RMS, false},
        {"true_max_mm", "true_mm", FIGURE_MOST, false},
        {"true_final_mm", "true_mm", FIGURE_LAST, false},
        {"true_heading_rms_deg", "true_heading_deg", FIGURE_RMS, false},
        {"measured_rms_mm", "distance_mm", FIGURE_RMS, true},
        {"tracking", "tracking", FIGURE_LAST, false},
        {"fidelity", "fidelity", FIGURE_LAST, false},
    };
    complete(result, "duration_s", table_column(&result->trace, "t"), -1, FIGURE_LAST);
    for (size_t robot = 0; robot < result->n_robots; robot++) {
        const char *tag = result->robots[robot].sync;
        for (size_t i = 0; *tag && i < sizeof figures / sizeof figures[0]; i++) {
            char key[KEY_BYTES];
            snprintf(key, sizeof key, "%s.%s", tag, figures[i].key);
            int state = figures[i].where_known ? robots_column(&result->trace, tag, "state") : -1;
            complete(result, key, robots_column(&result->trace, tag, figures[i].column), state,
                     figures[i].figure);
        }
        if (*tag) {
            complete_count(result, tag, "ticks", NULL);
            complete_count(result, tag, "diverged_ticks", "DIVERGED");
            complete_count(result, tag, "unknown_ticks", "UNKNOWN");
            complete_count(result, tag, "lost_ticks", "LOST");
        }
    }
}

static const char *file_of(const struct result *result)
{
    return result->is_recording ? "the recording"
           : result->is_part    ? result->is_world ? "channels.csv.part" : "trace.csv.part"
                                : "trace.csv";
}

const char *result_trouble(const struct result *result, char *ret_text, size_t size)
{
    const char *why = result_text(result, "error");
    const char *before = *why ? ": " : "";
    switch (result->end) {
    case RESULT_ENDED: snprintf(ret_text, size, "%s", ""); break;
    case RESULT_FAILED: snprintf(ret_text, size, "the run failed%s%s", before, why); break;
    case RESULT_CUT_SHORT:
        snprintf(ret_text, size, "%s%s%s; shown are the %zu %s%s",
                 result->is_recording ? "the recording has no end of the run"
                                      : "the run did not end properly",
                 before, why, result->trace.n_rows,
                 result->is_part ? "complete rows of " : "rows of ", file_of(result));
        break;
    case RESULT_DAMAGED:
        snprintf(ret_text, size, "the recording is damaged%s; shown are the %zu rows that are left",
                 result->damage, result->trace.n_rows);
        break;
    case RESULT_GOES_ON:
        snprintf(ret_text, size, "the run goes on; shown are the %zu complete rows of %s",
                 result->trace.n_rows, file_of(result));
        break;
    }
    return ret_text;
}

bool result_was_interrupted(const struct result *result)
{
    return json_is_true(json_object_get(result->summary, "interrupted"));
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* ---- a recording ---- */

static json_t *load_attached(struct bag *bag, const char *name, struct dpl_diag *reterr)
{
    char *text;
    size_t n;
    json_error_t error;
    if (bag_text(bag, name, &text, &n, reterr) < 0) {
        return NULL;
    }
    json_t *root = json_loadb(text, n, 0, &error);
    free(text);
    if (!json_is_object(root)) {
        dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = bag->file}, "%s: %s", name,
                 root ? "found no object" : error.text);
        json_decref(root);
        return NULL;
    }
    return root;
}

static int read_bag_table(struct bag *bag, const char *name, struct table *ret_table,
                          struct dpl_diag *reterr)
{
    char *text;
    size_t n;
    int err = bag_text(bag, name, &text, &n, reterr);
    err = err < 0 ? err : table_take(text, ret_table);
    return err == -ENOMEM
               ? dpl_fail(reterr, err, (struct dpl_place){.file = bag->file}, "no memory")
               : err;
}

/* A run that was killed has recorded no summary. */
static int read_bag(struct result *result, struct bag *bag, struct dpl_diag *reterr)
{
    bool has_summary = bag_attachment(bag, "summary.json") != NULL;
    result->is_recording = true;
    result->record = load_attached(bag, "run.json", reterr);
    result->summary = !result->record ? NULL
                      : has_summary   ? load_attached(bag, "summary.json", reterr)
                                      : json_object();
    if (!result->summary) {
        return -EINVAL;
    }
    result->lacks_summary = bag_is_damaged(bag, "summary.json");
    snprintf(result->damage, sizeof result->damage, "%s",
             bag->damage[0] ? bag->damage + strlen(BAG_DAMAGED) : "");
    result->end = result->lacks_summary                   ? RESULT_DAMAGED
                  : !has_summary                          ? RESULT_CUT_SHORT
                  : *result_text(result, "error") != '\0' ? RESULT_FAILED
                                                          : RESULT_ENDED;
    int err = read_bag_table(bag, "trace.csv", &result->trace, reterr);
    if (result->end == RESULT_ENDED && bag_trouble(bag)[0] != '\0') {
        result->end = RESULT_DAMAGED;
    }
    return err;
}

/* ---- scans ---- */

static int read_table(const struct result *result, struct bag *bag, const char *file,
                      struct table *ret_table)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", result->folder, file);
    return result->is_recording ? read_bag_table(bag, file, ret_table, NULL)
                                : table_read(path, ret_table, NULL);
}

static void read_scans_of(struct result *result, struct bag *bag, const char *file, size_t robot)
{
    struct scans *scans = &result->scans[result->n_scans];
    if (result->n_scans < ROBOTS_MAX && strchr(file, '/') == NULL &&
        read_table(result, bag, file, &scans->table) == 0) {
        scans->robot = robot;
        result->n_scans++;
    }
}

/* The robot whose odometry a component gets. */
static size_t robot_of(const struct result *result, const char *recorder)
{
    size_t i;
    const json_t *connection;
    json_array_foreach(json_object_get(result->record, "connections"), i, connection)
    {
        const char *to = robots_text(json_object_get(connection, "target"), "component");
        const char *from = robots_text(json_object_get(connection, "source"), "component");
        for (size_t k = 0; strcmp(to, recorder) == 0 && k < result->n_robots; k++) {
            if (strcmp(result->robots[k].name, from) == 0) {
                return k;
            }
        }
    }
    return 0;
}

/* The files that the recorders of scans name; scans.csv where the run has no record. */
static void read_scans(struct result *result, struct bag *bag)
{
    size_t i;
    const json_t *component;
    json_array_foreach(json_object_get(result->record, "components"), i, component)
    {
        if (strcmp(robots_text(component, "class"), "ScanRecorder") == 0) {
            const char *file = robots_property(component, "File");
            read_scans_of(result, bag, *file ? file : "scans.csv",
                          robot_of(result, robots_text(component, "name")));
        }
    }
    if (result->n_scans == 0 && !result->is_recording) {
        read_scans_of(result, bag, "scans.csv", 0);
    }
}

/* `bag` is open afterwards if it is a recording. */
static int read_files(struct result *result, struct bag *bag, struct dpl_diag *reterr)
{
    if (bag_is(result->folder)) {
        int opened = bag_open(result->folder, bag, reterr);
        return opened < 0 ? opened : read_bag(result, bag, reterr);
    }
    int err = read_summary(result, reterr);
    if (err == 0) {
        read_record(result);
        err = read_trace(result, reterr);
    }
    return err;
}

int result_read(char *spec, struct result *ret_result, struct dpl_diag *reterr)
{
    struct result result = {.label = spec, .folder = spec};
    for (size_t n = strlen(spec); n > 1 && spec[n - 1] == '/'; n--) {
        spec[n - 1] = '\0'; /* "runs/today/" has the label "today" */
    }
    char *equals = is_folder(spec) || bag_is(spec) ? NULL : strchr(spec, '=');
    char *slash = strrchr(spec, '/');
    if (equals) {
        *equals = '\0';
        result.folder = equals + 1;
    } else if (slash) {
        result.label = slash + 1;
    }
    struct bag bag = {0};
    int err = read_files(&result, &bag, reterr);
    if (err < 0) {
        bag_close(&bag);
        result_finish(&result);
        return err;
    }
    if (result.is_world && result.trace.n_names > 0 && strcmp(result.trace.names[0], "time") == 0) {
        strcpy(result.trace.names[0], "t"); /* as in trace.csv; it is shorter */
    }
    result.n_robots = robots_find(&result.trace, result.record, result.robots, ROBOTS_MAX);
    if (result.end == RESULT_CUT_SHORT || result.end == RESULT_GOES_ON || result.lacks_summary) {
        complete_summary(&result);
    }
    read_scans(&result, &bag);
    bag_close(&bag);
    *ret_result = result;
    return 0;
}

void result_finish(struct result *result)
{
    json_decref(result->summary);
    json_decref(result->record);
    table_finish(&result->trace);
    for (size_t i = 0; i < result->n_scans; i++) {
        table_finish(&result->scans[i].table);
    }
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

const struct robot *result_main_robot(const struct result *result)
{
    for (size_t i = 0; i < result->n_robots; i++) {
        if (result->robots[i].sync[0] != '\0') {
            return &result->robots[i];
        }
    }
    return result->n_robots > 0 ? &result->robots[0] : NULL;
}

double *result_column_of(const struct result *result, const char *tag, const char *leaf)
{
    char name[KEY_BYTES];
    snprintf(name, sizeof name, "%s.%s", tag, leaf);
    return result_column(result, name);
}

double result_number_of(const struct result *result, const char *tag, const char *leaf)
{
    char name[KEY_BYTES];
    snprintf(name, sizeof name, "%s.%s", tag, leaf);
    return result_number(result, name);
}

double *result_distance(const struct result *result, bool *ret_true)
{
    const struct robot *robot = result_main_robot(result);
    const char *tag = robot ? robot->sync : "";
    double *distance = result_column_of(result, tag, "true_mm");
    *ret_true = has_numbers(distance, result->trace.n_rows);
    if (!*ret_true) {
        free(distance);
        distance = result_column_of(result, tag, "distance_mm");
    }
    return distance;
}

/* ---- the record ---- */

static const char *export_text(const struct result *result, const char *column, const char *key)
{
    static const char *const lists[] = {"columns", "values"};
    for (size_t list = 0; list < 2; list++) {
        size_t i;
        const json_t *one;
        json_array_foreach(json_object_get(result->record, lists[list]), i, one)
        {
            if (strcmp(robots_text(one, "name"), column) == 0) {
                return robots_text(one, key);
            }
        }
    }
    return "";
}

const char *result_unit(const struct result *result, const char *column)
{
    return export_text(result, column, "unit");
}

const char *result_meaning(const struct result *result, const char *column)
{
    return export_text(result, column, "summary");
}
