/* SPDX-License-Identifier: Apache-2.0 */
/* The picture of a car's run, in millimetres like the log. */
#include "scene.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doppel/host/runtime.h>
#include <doppel/math/geometry.h>
#include <doppel/output.h>

#include "svg.h"
#include "table.h"

#define LINE_POINTS_MAX (3 * 4096) /* two ends and a break for each */
#define SENSORS_MAX     64
#define DOTS_MAX        200 /* up to this number, rows are drawn as dots too */
#define PATH_COLUMNS    5   /* tick, x, y, vel, dir; then the sensors */

/* Points of lines with breaks. */
struct lines {
    double x[LINE_POINTS_MAX], y[LINE_POINTS_MAX];
    size_t n;
};

struct scene {
    json_t *json;
    struct table log;
    struct lines walls, finish, rays, car;
    double *path_x, *path_y;
    long tick; /* the tick whose rays are drawn */
};

static void add_point(struct lines *lines, double x, double y)
{
    if (lines->n < LINE_POINTS_MAX) {
        lines->x[lines->n] = x;
        lines->y[lines->n++] = y;
    }
}

static void add_line(struct lines *lines, const double ends[4])
{
    add_point(lines, ends[0], ends[1]);
    add_point(lines, ends[2], ends[3]);
    add_point(lines, (double)NAN, (double)NAN);
}

/* [[x1, y1, x2, y2], ...] in m */
static void read_lines(const json_t *array, struct lines *lines)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *segment = json_array_get(array, i);
        double ends[4];
        for (size_t k = 0; k < 4; k++) {
            ends[k] = 1000.0 * json_number_value(json_array_get(segment, k));
        }
        add_line(lines, ends);
    }
}

static size_t row_of_tick(const struct table *log, long tick)
{
    for (size_t row = 0; row < log->n_rows; row++) {
        if (lround(table_at(log, row, 0)) == tick) {
            return row;
        }
    }
    return log->n_rows - 1;
}

/* A row's ranges were measured at the position of the row, with the heading of the row before. */
static void add_rays(struct scene *scene, size_t row)
{
    const json_t *sensors = json_object_get(scene->json, "sensors_deg");
    double x = table_at(&scene->log, row, 1), y = table_at(&scene->log, row, 2);
    double heading = table_at(&scene->log, row > 0 ? row - 1 : 0, 4);
    for (size_t i = 0; i < json_array_size(sensors) && i < SENSORS_MAX; i++) {
        double range = table_at(&scene->log, row, PATH_COLUMNS + (int)i);
        double angle = dpl_deg_to_rad(heading + json_number_value(json_array_get(sensors, i)));
        if (isfinite(range)) {
            add_line(&scene->rays,
                     (double[4]){x, y, x + range * cos(angle), y + range * sin(angle)});
        }
    }
}

static void add_car(struct scene *scene, size_t row)
{
    const json_t *footprint = json_object_get(scene->json, "footprint");
    double x = table_at(&scene->log, row, 1), y = table_at(&scene->log, row, 2);
    double heading = dpl_deg_to_rad(table_at(&scene->log, row, 4));
    size_t n = json_array_size(footprint);
    for (size_t i = 0; n > 0 && i <= n; i++) {
        const json_t *corner = json_array_get(footprint, i % n);
        double forward = 1000.0 * json_number_value(json_array_get(corner, 0));
        double left = 1000.0 * json_number_value(json_array_get(corner, 1));
        add_point(&scene->car, x + forward * cos(heading) - left * sin(heading),
                  y + forward * sin(heading) + left * cos(heading));
    }
}

static int fill(struct scene *scene, long tick, long *ret_tick)
{
    size_t n = scene->log.n_rows;
    scene->path_x = calloc(n + 1, sizeof *scene->path_x);
    scene->path_y = calloc(n + 1, sizeof *scene->path_y);
    if (!scene->path_x || !scene->path_y) {
        return -ENOMEM;
    }
    for (size_t row = 0; row < n; row++) {
        scene->path_x[row] = table_at(&scene->log, row, 1);
        scene->path_y[row] = table_at(&scene->log, row, 2);
    }
    const json_t *end = json_object_get(scene->json, "end");
    scene->path_x[n] = end ? 1000.0 * json_number_value(json_array_get(end, 0)) : (double)NAN;
    scene->path_y[n] = end ? 1000.0 * json_number_value(json_array_get(end, 1)) : (double)NAN;
    read_lines(json_object_get(scene->json, "walls"), &scene->walls);
    read_lines(json_object_get(scene->json, "finish"), &scene->finish);
    if (n > 0) {
        size_t row = row_of_tick(&scene->log, tick);
        *ret_tick = scene->tick = lround(table_at(&scene->log, row, 0));
        add_rays(scene, row);
        add_car(scene, row);
    }
    return 0;
}

/* Approximately square for a square track, wide or high for others. */
static void choose_size(const struct scene *scene, struct chart *chart)
{
    double low[2] = {(double)INFINITY, (double)INFINITY};
    double high[2] = {-(double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < scene->walls.n; i++) {
        low[0] = fmin(low[0], scene->walls.x[i]); /* fmin ignores NaN */
        low[1] = fmin(low[1], scene->walls.y[i]);
        high[0] = fmax(high[0], scene->walls.x[i]);
        high[1] = fmax(high[1], scene->walls.y[i]);
    }
    double ratio = (high[0] - low[0]) / (high[1] - low[1]);
    ratio = isfinite(ratio) ? dpl_clamp(ratio, 0.3, 3.0) : 1.0;
    chart->width = (int)(80.0 + 640.0 * fmin(1.0, ratio * 1.0));
    chart->height = (int)(86.0 + 640.0 * fmin(1.0, 1.0 / ratio));
    chart->width = chart->width < 420 ? 420 : chart->width;
}

/* Parts that do not exist are not in the legend. */
static const char *label_of(const struct lines *lines, const char *label)
{
    return lines->n > 0 ? label : NULL;
}

static void give(const struct plot_sink *sink, const struct scene *scene,
                 const struct scene_choice *choice)
{
    char rays[48];
    snprintf(rays, sizeof rays, "rays, tick %ld", scene->tick);
    size_t n = scene->log.n_rows + 1;
    const struct series series[] = {
        {label_of(&scene->walls, "wall"), "#202124", scene->walls.x, scene->walls.y, scene->walls.n,
         .width = 2.4},
        {label_of(&scene->finish, "finish"), "#188038", scene->finish.x, scene->finish.y,
         scene->finish.n, .dashed = true, .width = 2.4},
        {label_of(&scene->rays, rays), "#f29900", scene->rays.x, scene->rays.y, scene->rays.n,
         .width = 1.0},
        {"path", "#1a73e8", scene->path_x, scene->path_y, n, .width = 1.6},
        {label_of(&scene->car, "car"), "#d93025", scene->car.x, scene->car.y, scene->car.n,
         .width = 1.6},
        {choice->hit ? "hit" : NULL, "#b80672", &scene->path_x[n - 1], &scene->path_y[n - 1],
         choice->hit ? 1 : 0, .dots = true, .width = 9.0},
        {NULL, "#1a73e8", scene->path_x, scene->path_y, n, .dots = true, .width = 3.0},
    };
    size_t n_series = sizeof series / sizeof series[0];
    struct plot plot = {
        .name = "track",
        .meaning = "The track from above in mm: the way of the car's reference point, and at one "
                   "tick the car, true to scale, and what its sensors measured.",
        .chart = {.title = choice->title,
                  .x_label = "x, mm",
                  .y_label = "y, mm",
                  .equal_scale = true},
        .series = series,
        .n = n < DOTS_MAX ? n_series : n_series - 1,
    };
    choose_size(scene, &plot.chart);
    plot_give(sink, &plot);
}

static void draw(void *user, const struct plot *plot)
{
    svg_chart(user, &plot->chart, plot->series, plot->n, true);
}

static int write_picture(const struct scene *scene, const struct scene_choice *choice,
                         const char *folder, struct dpl_diag *reterr)
{
    struct dpl_output output;
    int err = dpl_results_open(folder, "track.svg", &output, reterr);
    if (err == 0) {
        give(&(struct plot_sink){draw, output.stream}, scene, choice);
        err = dpl_output_close(&output, reterr);
    }
    return err;
}

static int read_folder(const char *folder, struct scene *scene, struct dpl_diag *reterr)
{
    char file[4096];
    json_error_t error;
    snprintf(file, sizeof file, "%s/scene.json", folder);
    scene->json = json_load_file(file, 0, &error);
    if (!scene->json) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){NULL, 0, 0}, "%s:%d:%d: %s", file,
                        error.line, error.column, error.text);
    }
    snprintf(file, sizeof file, "%s/log.csv", folder);
    return table_read(file, &scene->log, reterr);
}

static void close_scene(struct scene *scene)
{
    if (scene) {
        json_decref(scene->json);
        table_finish(&scene->log);
        free(scene->path_x);
        free(scene->path_y);
        free(scene);
    }
}

static bool has_file(const char *folder, const char *name)
{
    char file[4096];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    return access(file, F_OK) == 0;
}

/* Allocates; NULL with reterr. */
static struct scene *open_scene(const char *folder, long tick, long *ret_tick,
                                struct dpl_diag *reterr)
{
    struct scene *scene = calloc(1, sizeof *scene);
    int err = scene ? read_folder(folder, scene, reterr)
                    : dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    err = err ? err : fill(scene, tick, ret_tick);
    if (err < 0) {
        close_scene(scene);
        return NULL;
    }
    return scene;
}

int scene_draw_folder(const char *folder, const struct scene_choice *choice, long *ret_tick,
                      struct dpl_diag *reterr)
{
    struct dpl_diag error = {0};
    if (!has_file(folder, "scene.json") || !has_file(folder, "log.csv")) {
        return 0; /* another kind of bench, or a run that ended earlier */
    }
    struct scene *scene = open_scene(folder, choice->tick, ret_tick, &error);
    int err = scene ? write_picture(scene, choice, folder, reterr) : -EINVAL;
    if (!scene && reterr) {
        *reterr = error;
    }
    close_scene(scene);
    return err;
}

bool scene_give(const struct plot_sink *sink, const char *folder)
{
    long tick = 0;
    struct scene_choice choice = {.title = "Track"};
    bool is_race = has_file(folder, "scene.json") && has_file(folder, "log.csv");
    struct scene *scene = is_race ? open_scene(folder, LONG_MAX, &tick, NULL) : NULL;
    if (scene) {
        give(sink, scene, &choice);
    }
    close_scene(scene);
    return scene != NULL;
}
