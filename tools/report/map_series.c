/* SPDX-License-Identifier: Apache-2.0 */
/* Ways, outlines, marks and errors of robots, as series. */
#include "map_series.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GHOSTS    10  /* outlines on a way, about */
#define GHOST_GAP 0.6 /* times the size of the outline: nearer ones are left out */

#define TRUTH_FITS_MM    3.0
#define TRUTH_FITS_PART  0.05
#define TRUTH_FITS_SHARE 0.9

struct colors {
    const char *robot, *avatar;
};

static struct colors colors_of(size_t robot)
{
    static const struct colors all[] = {{"#1a73e8", "#e8590c"},
                                        {"#188038", "#c2185b"},
                                        {"#9334e6", "#a67c00"},
                                        {"#12858d", "#d93025"}};
    return all[robot % (sizeof all / sizeof all[0])];
}

struct series *map_add(struct map *map, const char *label, double *x, double *y, size_t n)
{
    struct series *series = &map->series[map->n];
    *series = (struct series){.x = x, .y = y, .n = n};
    if (label) {
        snprintf(map->labels[map->n], sizeof map->labels[map->n], "%s", label);
        series->label = map->labels[map->n];
    }
    map->n++;
    return series;
}

static void free_series(struct series *series)
{
    free((void *)(uintptr_t)series->x);
    free((void *)(uintptr_t)series->y);
}

void map_finish(struct map *map)
{
    for (size_t i = 0; i < map->n; i++) {
        free_series(&map->series[i]);
    }
    for (size_t i = 0; i < map->n_errors; i++) {
        free_series(&map->errors[i]);
    }
}

/* Of several robots each label begins with the robot's name. */
static const char *label_of(const struct map *map, const struct robot *robot, const char *text,
                            char ret_label[MAP_LABEL_SIZE])
{
    bool alone = map->result->n_robots == 1;
    snprintf(ret_label, MAP_LABEL_SIZE, "%s%s%s", alone ? "" : robot->name, alone ? "" : ": ",
             text);
    return ret_label;
}

/* ---- ways ---- */

static double *copy_of(const double *values, size_t n)
{
    double *copy = malloc((n + 1) * sizeof *copy);
    if (copy) {
        memcpy(copy, values, n * sizeof *copy);
    }
    return copy;
}

static struct series *add_way(struct map *map, const struct robot *robot, const char *text,
                              const struct way *way)
{
    char label[MAP_LABEL_SIZE];
    double *x = copy_of(way->x, way->n), *y = copy_of(way->y, way->n);
    size_t n = x && y ? way->n : 0;
    return map_add(map, label_of(map, robot, text, label), x, y, n);
}

static void add_ways(struct map *map, const struct robot *robot, const struct robot_ways *ways,
                     struct colors colors)
{
    if (way_moves(&ways->truth)) {
        struct series *series = add_way(map, robot, "robot, true way", &ways->truth);
        series->color = "#3c4043";
        series->width = 1.2;
    }
    if (way_moves(&ways->odometry)) {
        struct series *series = add_way(map, robot, "robot by odometry alone", &ways->odometry);
        series->color = "#a1662f"; /* not grey like the true way, the laser and the walls */
        series->width = 1.2;
    }
    if (ways->robot.x && ways->robot.y) {
        struct series *series =
            add_way(map, robot, ways->localized ? "robot" : "robot by odometry", &ways->robot);
        series->color = colors.robot;
        series->width = 2.6;
    }
    if (way_moves(&ways->avatar)) {
        struct series *series = add_way(map, robot, "avatar", &ways->avatar);
        series->color = colors.avatar;
        series->dashed = true;
        series->width = 2.2;
        map->has_avatar = true;
    }
}

/* ---- outlines ---- */

static bool is_at(const struct way *way, size_t row)
{
    return isfinite(way->x[row]) && isfinite(way->y[row]) && isfinite(way->theta[row]);
}

static size_t add_outline(const struct footprint *print, const struct way *way, size_t row,
                          double *x, double *y)
{
    struct dpl_pose2 at = {way->x[row], way->y[row], way->theta[row]};
    for (size_t i = 0; i < print->n; i++) {
        struct dpl_pose2 corner =
            dpl_pose2_compose(at, (struct dpl_pose2){print->x[i], print->y[i], 0.0});
        x[i] = corner.x;
        y[i] = corner.y;
    }
    x[print->n] = y[print->n] = (double)NAN;
    return print->n + 1;
}

static double size_of(const struct footprint *print)
{
    double most = 0.0;
    for (size_t i = 0; i < print->n; i++) {
        most = fmax(most, hypot(print->x[i], print->y[i]));
    }
    return 2.0 * most;
}

/* Outlines at equal times, but none on another. NULL: no memory. */
static double *make_outlines(const struct footprint *print, const struct way *way, double **ret_y,
                             size_t *ret_n)
{
    size_t n = 0, last = 0, step = way->n / GHOSTS + 1, most = (GHOSTS + 2) * (print->n + 1);
    double *x = malloc(most * sizeof *x), *y = malloc(most * sizeof *y);
    double gap = GHOST_GAP * size_of(print);
    for (size_t row = 0; x && y && row < way->n; row += step) {
        bool far = n == 0 || hypot(way->x[row] - way->x[last], way->y[row] - way->y[last]) > gap;
        if (is_at(way, row) && far) {
            n += add_outline(print, way, row, x + n, y + n);
            last = row;
        }
    }
    size_t end = way->n;
    while (x && y && end > last + 1 && !is_at(way, end - 1)) {
        end--;
    }
    if (x && y && n > 0 && end > last + 1) { /* the end, whatever it is near to */
        n += add_outline(print, way, end - 1, x + n, y + n);
    }
    *ret_n = n;
    *ret_y = y;
    return x;
}

static void add_outlines(struct map *map, const struct footprint *print, const struct way *way,
                         const char *color, bool dashed)
{
    if (!print || !way_moves(way) || !way->theta) {
        return;
    }
    double *y;
    size_t n;
    double *x = make_outlines(print, way, &y, &n);
    struct series *series = map_add(map, NULL, x, y, x && y ? n : 0);
    series->color = series->fill = color;
    series->fill_opacity = dashed ? 0.0 : 0.10;
    series->width = dashed ? 1.6 : 1.0;
    series->dashed = dashed;
    map->has_outlines = true;
    map->ghost_s = result_number(map->result, "duration_s") / GHOSTS;
}

/* ---- start and end ---- */

static void add_mark(struct map *map, const struct way *way, size_t row, enum series_mark mark,
                     const char *color, const char *label)
{
    double *x = copy_of(&way->x[row], 1), *y = copy_of(&way->y[row], 1);
    struct series *series = map_add(map, label, x, y, x && y ? 1 : 0);
    series->mark = mark;
    series->color = color;
}

static void add_marks(struct map *map, const struct robot *robot, const struct way *way,
                      const char *color)
{
    char label[MAP_LABEL_SIZE];
    size_t first = 0, last = way->n;
    while (way->x && way->y && first < way->n && !isfinite(way->x[first] + way->y[first])) {
        first++;
    }
    while (last > first && way->y && !isfinite(way->x[last - 1] + way->y[last - 1])) {
        last--;
    }
    if (way->x && way->y && first < last) {
        add_mark(map, way, first, SERIES_START, color, label_of(map, robot, "start", label));
        add_mark(map, way, last - 1, SERIES_END, color, label_of(map, robot, "end", label));
    }
}

/* ---- error ---- */

/* Whether the recorded true poses tell what the Synchronizer says of them: not where they are in a
 * frame of their own, or of another moment than the avatar's. */
static bool truth_fits(const struct map *map, const struct robot *robot, const struct way *truth,
                       const struct way *avatar)
{
    double *told = result_column_of(map->result, robot->sync, "true_mm");
    size_t n = 0, n_fits = 0;
    for (size_t i = 0; told && truth->x && truth->y && i < truth->n; i++) {
        double mm = 1000.0 * hypot(avatar->x[i] - truth->x[i], avatar->y[i] - truth->y[i]);
        if (isfinite(mm) && isfinite(told[i])) {
            n++;
            n_fits += fabs(mm - told[i]) <= TRUTH_FITS_MM + TRUTH_FITS_PART * told[i];
        }
    }
    free(told);
    return n > 0 && (double)n_fits >= TRUTH_FITS_SHARE * (double)n;
}

/* The true one where it is known; not while nobody knew where the robot was. */
static void add_error(struct map *map, const struct robot *robot, const struct robot_ways *ways,
                      const char *color)
{
    const struct way *avatar = &ways->avatar, *known = &ways->robot;
    if (!way_moves(avatar) || !known->x || !known->y) {
        return;
    }
    bool is_true = truth_fits(map, robot, &ways->truth, avatar);
    const struct way *from = is_true ? &ways->truth : known;
    double *x = malloc((from->n + 1) * sizeof *x), *y = malloc((from->n + 1) * sizeof *y);
    for (size_t i = 0; x && y && i < from->n; i++) {
        x[i] = isfinite(known->x[i]) ? avatar->x[i] - from->x[i] : (double)NAN;
        y[i] = isfinite(x[i]) ? avatar->y[i] - from->y[i] : (double)NAN;
    }
    map->has_gaps = map->has_gaps || ways->lost;
    map->n_true_errors += is_true;
    map->errors[map->n_errors++] =
        (struct series){.color = color, .x = x, .y = y, .n = x && y ? from->n : 0, .width = 1.2};
}

void map_add_robot(struct map *map, size_t number)
{
    const struct robot *robot = &map->result->robots[number];
    struct robot_ways ways = robot_ways_read(map->result, robot);
    struct colors colors = colors_of(number);
    const struct footprint *print = map->plan ? report_plan_footprint(map->plan, robot) : NULL;
    add_outlines(map, print, &ways.robot, colors.robot, false);
    add_ways(map, robot, &ways, colors);
    add_outlines(map, print, &ways.avatar, colors.avatar, true);
    add_marks(map, robot, &ways.robot, colors.robot);
    add_error(map, robot, &ways, colors.avatar);
    robot_ways_finish(&ways);
}
