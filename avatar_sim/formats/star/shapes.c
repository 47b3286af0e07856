/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes by which bodies touch what stands still. */
#include <string.h>

#include "reader.h"
#include "units.h"

static const char *const words[DPL_STAR_SHAPE_KINDS] = {"box", "sphere", "capsule", "cylinder",
                                                        "hull"};
static const char *const known[] = {
    "type",   "name",   "x",          "y",          "z",           "radius",
    "height", "points", "friction",   "stiffness",  "restitution", "creep_speed",
    "T",      "R",      "axis_angle", "quaternion", NULL};

/* Which lengths a kind has. */
static const char *const lengths[DPL_STAR_SHAPE_KINDS][4] = {
    [DPL_STAR_BOX] = {"x", "y", "z"},
    [DPL_STAR_SPHERE] = {"radius"},
    [DPL_STAR_CAPSULE] = {"radius", "height"},
    [DPL_STAR_CYLINDER] = {"radius", "height"},
};

enum { LEAST_POINTS = 4 };
static const double LEAST_RESTITUTION = 0.05, MOST_LENGTH_M = 1e6, LEAST_LENGTH_M = 1e-6;

static struct dpl_star_shape *add_shape(struct dpl__star_reader *reader)
{
    struct dpl_star_world *world = reader->world;
    size_t n = world->n_shapes;
    if (n == reader->shape_capacity) {
        size_t capacity = 2 * n + 16;
        struct dpl_star_shape *all = dpl_arena_alloc(reader->arena, capacity * sizeof *all);
        if (n > 0) {
            memcpy(all, reader->shapes, n * sizeof *all);
        }
        reader->shapes = all;
        reader->shape_capacity = capacity;
        world->shapes = all;
    }
    world->n_shapes++;
    return &reader->shapes[n];
}

/* A number between limits in SI units; without it *inout_value stays. */
static bool read_between(struct dpl__star_reader *reader, struct dpl__star_node node,
                         const char *key, double scale, const double limits[2], double *inout_value)
{
    struct dpl__star_node given = dpl__star_get(reader, node, key);
    if (!given.json) {
        return true;
    }
    if (!dpl__star_number(reader, given, scale, inout_value)) {
        return false;
    }
    if (*inout_value < limits[0] || *inout_value > limits[1]) {
        dpl__star_error(reader, given, "%g to %g is expected, in SI units", limits[0], limits[1]);
        return false;
    }
    return true;
}

static bool has_key(const char *const *keys, const char *key)
{
    for (; *keys; keys++) {
        if (strcmp(*keys, key) == 0) {
            return true;
        }
    }
    return false;
}

/* Lengths of other kinds would be passed over. */
static bool check_lengths(struct dpl__star_reader *reader, struct dpl__star_node node,
                          enum dpl_star_shape_kind kind)
{
    static const char *const all[] = {"x", "y", "z", "radius", "height", "points", NULL};
    static const char *const of_hull[] = {"points", NULL};
    const char *const *own = kind == DPL_STAR_HULL ? of_hull : lengths[kind];
    bool is_good = true;
    for (const char *const *key = all; *key; key++) {
        struct dpl__star_node given = dpl__star_get(reader, node, *key);
        bool is_own = has_key(own, *key);
        if (given.json && !is_own) {
            dpl__star_error(reader, given, "a %s has no \"%s\"", words[kind], *key);
            is_good = false;
        } else if (!given.json && is_own) {
            dpl__star_error(reader, node, "this has no \"%s\"", *key);
            is_good = false;
        }
    }
    return is_good;
}

static bool read_lengths(struct dpl__star_reader *reader, struct dpl__star_node node,
                         struct dpl_star_shape *shape)
{
    const double limits[2] = {LEAST_LENGTH_M, MOST_LENGTH_M};
    double *const to[2][3] = {{&shape->size[0], &shape->size[1], &shape->size[2]},
                              {&shape->radius, &shape->height, NULL}};
    bool is_good = true;
    for (int i = 0; i < 3 && lengths[shape->kind][i]; i++) {
        is_good = read_between(reader, node, lengths[shape->kind][i], reader->units->length, limits,
                               to[shape->kind != DPL_STAR_BOX][i]) &&
                  is_good;
    }
    return is_good;
}

static bool read_points(struct dpl__star_reader *reader, struct dpl__star_node node,
                        struct dpl_star_shape *shape)
{
    struct dpl__star_node points = dpl__star_get(reader, node, "points");
    size_t n = json_array_size(points.json);
    if (n < LEAST_POINTS || n > DPL_STAR_HULL_POINTS_MAX) {
        dpl__star_error(reader, points, "an array of %d to %d points is expected", LEAST_POINTS,
                        DPL_STAR_HULL_POINTS_MAX);
        return false;
    }
    double(*all)[3] = dpl_arena_alloc(reader->arena, n * sizeof *all);
    struct dpl__star_node element = {.value = points.value + 1};
    bool is_good = true;
    for (size_t i = 0; i < n; i++) {
        element.json = json_array_get(points.json, i);
        is_good = dpl__star_numbers(reader, element, 3, reader->units->length, all[i]) && is_good;
        element.value = reader->places.values[element.value].next;
    }
    shape->points = (const double(*)[3])all;
    shape->n_points = n;
    return is_good;
}

/* How it touches. What is 0 is chosen later, from the mass and the step. */
static bool read_surface(struct dpl__star_reader *reader, struct dpl__star_node node,
                         struct dpl_star_shape *shape)
{
    const struct dpl_star_units *units = reader->units;
    const double stiffness = dpl__star_effort(units, false) / units->length;
    const double speed = units->length / units->time;
    shape->friction = 0.5;
    shape->restitution = 0.3;
    bool is_good =
        read_between(reader, node, "friction", 1.0, (const double[]){0.0, 10.0}, &shape->friction);
    is_good = read_between(reader, node, "restitution", 1.0,
                           (const double[]){LEAST_RESTITUTION, 1.0}, &shape->restitution) &&
              is_good;
    is_good = read_between(reader, node, "stiffness", stiffness, (const double[]){1e-3, 1e12},
                           &shape->stiffness) &&
              is_good;
    return read_between(reader, node, "creep_speed", speed, (const double[]){1e-6, 10.0},
                        &shape->creep_speed) &&
           is_good;
}

static void read_shape(struct dpl__star_reader *reader, struct dpl__star_node node, int body)
{
    if (!dpl__star_is_object(reader, node)) {
        return;
    }
    struct dpl__star_node type = dpl__star_get(reader, node, "type");
    const struct dpl__star_value *at = &reader->places.values[node.value];
    dpl__star_check_keys(reader, node, known);
    if (!type.json) {
        dpl__star_error(reader, node, "this has no \"type\"");
        return;
    }
    int kind = dpl__star_word(reader, type, words, DPL_STAR_SHAPE_KINDS);
    struct dpl_star_shape shape = {.body = body, .line = at->line, .column = at->column};
    if (kind < 0) {
        return;
    }
    shape.kind = (enum dpl_star_shape_kind)kind;
    bool is_good = check_lengths(reader, node, shape.kind);
    is_good = is_good && (shape.kind == DPL_STAR_HULL ? read_points(reader, node, &shape)
                                                      : read_lengths(reader, node, &shape));
    is_good = dpl__star_read_place(reader, node, &shape.place) && is_good;
    is_good = read_surface(reader, node, &shape) && is_good;
    const struct dpl_mb_body *of = &reader->graph->bodies[body];
    if (is_good && shape.stiffness == 0.0 && of->mass == 0.0) {
        dpl__star_error(reader, node, "a body without mass needs the \"stiffness\" of its shapes");
        is_good = false;
    }
    if (is_good) {
        *add_shape(reader) = shape;
    }
}

void dpl__star_read_shapes(struct dpl__star_reader *reader, struct dpl__star_node node, int body)
{
    struct dpl__star_node list = dpl__star_get(reader, node, "shapes");
    if (!list.json) {
        return;
    }
    if (!json_is_array(list.json)) {
        dpl__star_error(reader, list, "an array of objects is expected");
        return;
    }
    struct dpl__star_node element = {.value = list.value + 1};
    for (size_t i = 0; i < json_array_size(list.json); i++) {
        element.json = json_array_get(list.json, i);
        read_shape(reader, element, body);
        element.value = reader->places.values[element.value].next;
    }
}
