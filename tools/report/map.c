/* SPDX-License-Identifier: Apache-2.0 */
/* The map: world and laser below, robots above them, and what it all means. */
#include "map.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map_series.h"

#define ERROR_FACTOR 50.0
#define AROUND_M     1.2   /* at least, of the world around the ways */
#define WIDTH_PX     740.0 /* of the map without its numbers */

/* ---- world ---- */

struct box {
    double low[2], high[2];
};

static void widen(struct box *box, const struct series *series)
{
    for (size_t i = 0; i < series->n; i++) {
        if (isfinite(series->x[i]) && isfinite(series->y[i])) {
            box->low[0] = fmin(box->low[0], series->x[i]);
            box->low[1] = fmin(box->low[1], series->y[i]);
            box->high[0] = fmax(box->high[0], series->x[i]);
            box->high[1] = fmax(box->high[1], series->y[i]);
        }
    }
}

/* Of all that is in the scale. */
static struct box box_of(const struct series *series, size_t n)
{
    struct box box = {{(double)INFINITY, (double)INFINITY}, {-(double)INFINITY, -(double)INFINITY}};
    for (size_t i = 0; i < n; i++) {
        if (!series[i].unscaled) {
            widen(&box, &series[i]);
        }
    }
    return box;
}

/* The limits of the map: the ways, with some of the world around them. Two points that are not
 * drawn. */
static void add_limits(struct map *map, const struct series *world)
{
    struct box inner = box_of(map->series, map->n), outer = box_of(world, 1);
    double *x = malloc(2 * sizeof *x), *y = malloc(2 * sizeof *y);
    double size = fmax(inner.high[0] - inner.low[0], inner.high[1] - inner.low[1]);
    double around = fmax(AROUND_M, 0.4 * size);
    if (x && y) {
        x[0] = fmax(outer.low[0], inner.low[0] - around);
        y[0] = fmax(outer.low[1], inner.low[1] - around);
        x[1] = fmin(outer.high[0], inner.high[0] + around);
        y[1] = fmin(outer.high[1], inner.high[1] + around);
    }
    struct series *series = map_add(map, NULL, x, y, x && y && map->n > 0 ? 2 : 0);
    series->color = series->fill = "none";
}

/* At the bottom, but added last: its limits depend on all others. */
static void put_below(struct map *map)
{
    struct series world = map->series[map->n - 1];
    memmove(&map->series[1], &map->series[0], (map->n - 1) * sizeof world);
    map->series[0] = world;
}

static double *copy_of(const double *values, size_t n)
{
    double *copy = malloc((n + 1) * sizeof *copy);
    if (copy) {
        memcpy(copy, values, n * sizeof *copy);
    }
    return copy;
}

static void add_finish(struct map *map)
{
    const double *line = map->plan->finish;
    double *x = copy_of((double[]){line[0], line[2]}, 2);
    double *y = copy_of((double[]){line[1], line[3]}, 2);
    struct series *series = map_add(map, "finish", x, y, x && y ? 2 : 0);
    series->color = "#188038";
    series->dashed = true;
}

static void add_world(struct map *map)
{
    const struct report_plan *plan = map->plan;
    if (plan->has_finish) {
        add_finish(map);
    }
    struct series world = {.x = plan->x, .y = plan->y, .n = plan->n};
    if (plan->n == 0) {
        return;
    }
    map->series[0].unscaled = map->n > 1; /* the laser, which may see far */
    add_limits(map, &world);
    double *x = copy_of(plan->x, plan->n), *y = copy_of(plan->y, plan->n);
    struct series *series =
        map_add(map, "walls and objects of the world", x, y, x && y ? plan->n : 0);
    series->color = "#5f6368";
    series->fill = "#bdc1c6";
    series->fill_opacity = 0.9;
    series->width = 0.8;
    series->unscaled = true;
    put_below(map);
}

static void add_laser(struct map *map)
{
    double *x, *y;
    size_t n = result_scan_points(map->result, &x, &y);
    struct series *series = map_add(map, n > 0 ? "laser" : NULL, x, y, n);
    series->color = "#7b8794";
    series->dots = true;
    series->width = 1.4;
}

/* As high as what is in it needs. */
static int height_of(const struct map *map)
{
    struct box box = box_of(map->series, map->n);
    double wide = box.high[0] - box.low[0], high = box.high[1] - box.low[1];
    double ratio = wide > 0.0 && isfinite(high) ? high / wide : 1.0;
    return (int)(96.0 + WIDTH_PX * dpl_clamp(ratio, 0.45, 1.0));
}

/* Whether the ways are in the frame of the world, so that it may be drawn with them. */
static bool is_placed(const struct result *result)
{
    for (size_t i = 0; i < result->n_robots; i++) {
        struct ways ways;
        ways_init_robot(&ways, &result->trace, &result->robots[i]);
        if (ways.placed) {
            return true;
        }
    }
    return false;
}

/* ---- explanation ---- */

struct text {
    char of[1200];
    size_t n;
};

__attribute__((format(printf, 2, 3))) static void add_text(struct text *text, const char *format,
                                                           ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text->of + text->n, sizeof text->of - text->n, format, args);
    va_end(args);
    size_t room = sizeof text->of - text->n - 1;
    text->n += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room;
}

/* A published error is that by the poses that the run knew. */
static const char *error_name(const struct map *map)
{
    return map->n_true_errors == 0              ? "published error"
           : map->n_true_errors < map->n_errors ? "error of the avatars"
                                                : "true error";
}

static void explain(const struct map *map, struct text *text)
{
    add_text(text, "Seen from above, x to the right, y up, 1 m is the same length on both axes. ");
    add_text(text, "The ring is the start of a path, the square its end. ");
    if (map->has_avatar) {
        add_text(text, "Solid: the robot; dashed: its avatar. ");
    }
    if (map->has_outlines) {
        add_text(text, "The outlines are true to scale, one every %.3g s or less. ", map->ghost_s);
    }
    if (map->has_looks) {
        add_text(text,
                 "Thin lines: where looks ahead led, red those that end in a contact; they show "
                 "what would have come, not what came. ");
    }
    if (map->n_errors > 0) {
        add_text(text,
                 "The small window shows the error of the avatar: where it was, seen from %s, "
                 "magnified%s. ",
                 map->n_true_errors == map->n_errors ? "the true pose of the robot"
                                                     : "the pose of the robot that the run knew",
                 map->has_gaps ? ", but not while nobody knew where the robot was" : "");
    }
    if (map->plan) {
        add_text(text, "The world is '%s', with %zu objects.", map->plan->name,
                 map->plan->n_objects);
    }
}

void map_give(const struct plot_sink *sink, const char *title, const struct result *result,
              const struct report_plan *plan)
{
    struct map *map = calloc(1, sizeof *map);
    if (!map) {
        return;
    }
    map->result = result;
    map->plan = plan && plan->name[0] != '\0' && is_placed(result) ? plan : NULL;
    add_laser(map);
    if (is_placed(result)) {
        map_add_looks(map);
    }
    for (size_t i = 0; i < result->n_robots; i++) {
        map_add_robot(map, i);
    }
    bool any = map->series[0].n > 0 || map->n > 1; /* a machine has no laser and no way */
    if (map->plan && any) {
        add_world(map);
    }
    struct text text = {.n = 0};
    explain(map, &text);
    struct inset inset = {.text = error_name(map),
                          .pattern = "%g mm",
                          .unit = 0.001,
                          .series = map->errors,
                          .n = map->n_errors,
                          .factor = ERROR_FACTOR};
    struct plot plot = {
        .name = "map",
        .meaning = text.of,
        .chart = {.title = title,
                  .x_label = "x, m",
                  .y_label = "y, m",
                  .height = height_of(map),
                  .equal_scale = true,
                  .inset = map->n_errors > 0 ? &inset : NULL},
        .series = map->series,
        .n = map->n,
    };
    if (any) {
        plot_give(sink, &plot);
    }
    map_finish(map);
    free(map);
}
