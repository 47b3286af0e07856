/* SPDX-License-Identifier: Apache-2.0 */
#include "scene_shapes.h"

#include <math.h>
#include <string.h>

#define POINT_BYTES       29u /* of a message */
#define FACE_BYTES        12u
#define FIELD_SQUARES_MAX 64u /* along a side of a height field */

void scene_shapes_add(struct scene_shapes *shapes, const struct dpl_scene_shape *shape)
{
    if (shapes->n == shapes->capacity) {
        size_t capacity = shapes->capacity > 0 ? 2 * shapes->capacity : 8;
        struct dpl_scene_shape *items = dpl_arena_alloc(&shapes->arena, capacity * sizeof *items);
        if (shapes->n > 0) {
            memcpy(items, shapes->items, shapes->n * sizeof *items);
        }
        shapes->items = items;
        shapes->capacity = capacity;
    }
    shapes->items[shapes->n++] = *shape;
}

void scene_shapes_finish(struct scene_shapes *shapes)
{
    dpl_arena_finish(&shapes->arena);
    *shapes = (struct scene_shapes){.mesh_bytes = shapes->mesh_bytes};
}

static struct dpl_pose3 shifted(const struct dpl_pose3 *pose, struct dpl_vector3 by)
{
    return dpl_pose3_compose(*pose, (struct dpl_pose3){by, {.w = 1.0}});
}

/* Round: diameters, and the height. */
static void add_round(struct scene_shapes *shapes, struct dpl_scene_shape shape,
                      enum dpl_scene_kind kind, double diameter, double height)
{
    shape.kind = kind;
    shape.size[0] = shape.size[1] = diameter;
    shape.size[2] = height;
    scene_shapes_add(shapes, &shape);
}

static void add_capsule(struct scene_shapes *shapes, struct dpl_scene_shape shape,
                        const struct dpl_sim_solid *solid)
{
    double diameter = 2.0 * solid->radius, half = 0.5 * solid->height;
    add_round(shapes, shape, DPL_SCENE_CYLINDER, diameter, solid->height);
    for (int end = -1; end <= 1; end += 2) {
        shape.pose = shifted(&solid->pose, (struct dpl_vector3){0.0, 0.0, end * half});
        add_round(shapes, shape, DPL_SCENE_SPHERE, diameter, diameter);
    }
}

/* One that is too large is shown as the box around it. */
static void add_mesh(struct scene_shapes *shapes, struct dpl_scene_shape shape,
                     const struct dpl_sim_solid *solid)
{
    size_t bytes = POINT_BYTES * shape.n_points + FACE_BYTES * shape.n_faces;
    if (*shapes->mesh_bytes + bytes <= SCENE_MESH_BYTES) {
        *shapes->mesh_bytes += bytes;
        shape.kind = DPL_SCENE_MESH;
    } else {
        struct dpl_vector3 centre;
        dpl_sim_solid_box(solid, &centre, shape.size);
        for (int i = 0; i < 3; i++) {
            shape.size[i] *= 2.0;
        }
        shape.pose = shifted(&solid->pose, centre);
        shape.kind = DPL_SCENE_BOX;
        shape.n_points = shape.n_faces = 0;
    }
    scene_shapes_add(shapes, &shape);
}

static void add_hull(struct scene_shapes *shapes, struct dpl_scene_shape shape,
                     const struct dpl_sim_solid *solid)
{
    unsigned(*faces)[3] =
        dpl_arena_alloc(&shapes->arena, (2 * solid->n_points + 1) * sizeof *faces);
    int n = dpl_hull_faces(solid->points, solid->n_points, faces);
    shape.faces = (const unsigned(*)[3])faces;
    shape.n_faces = n > 0 ? (size_t)n : 0;
    add_mesh(shapes, shape, solid);
}

/* Of a side of `n` points: how many are taken, and which is number `i` of them. */
static unsigned taken_of(unsigned n, unsigned step)
{
    return 1 + (n - 2 + step) / step;
}

static unsigned point_at(unsigned i, unsigned step, unsigned n)
{
    return i * step < n - 1 ? i * step : n - 1;
}

static void add_field(struct scene_shapes *shapes, struct dpl_scene_shape shape,
                      const struct dpl_sim_solid *solid)
{
    const struct dpl_sim_field *field = &solid->field;
    unsigned longest = field->columns > field->rows ? field->columns : field->rows;
    unsigned step = 1 + (longest - 2) / FIELD_SQUARES_MAX;
    unsigned columns = taken_of(field->columns, step), rows = taken_of(field->rows, step);
    struct dpl_vector3 *points =
        dpl_arena_alloc(&shapes->arena, (size_t)columns * rows * sizeof *points);
    unsigned(*faces)[3] =
        dpl_arena_alloc(&shapes->arena, (size_t)2 * columns * rows * sizeof *faces);
    for (unsigned row = 0; row < rows; row++) {
        for (unsigned column = 0; column < columns; column++) {
            unsigned at = row * columns + column;
            points[at] = dpl_sim_field_point(field, point_at(column, step, field->columns),
                                             point_at(row, step, field->rows));
            if (row + 1 < rows && column + 1 < columns) {
                const unsigned corners[2][3] = {{at, at + 1, at + columns},
                                                {at + 1, at + columns + 1, at + columns}};
                memcpy(faces + shape.n_faces, corners, sizeof corners);
                shape.n_faces += 2;
            }
        }
    }
    shape.points = points;
    shape.n_points = (size_t)columns * rows;
    shape.faces = (const unsigned(*)[3])faces;
    add_mesh(shapes, shape, solid);
}

void scene_shapes_add_solid(struct scene_shapes *shapes, const struct dpl_sim_solid *solid,
                            const double color[4])
{
    struct dpl_scene_shape shape = {.pose = solid->pose,
                                    .points = solid->points,
                                    .faces = solid->faces,
                                    .n_points = solid->n_points,
                                    .n_faces = solid->n_faces};
    memcpy(shape.color, color, sizeof shape.color);
    switch (solid->kind) {
    case DPL_SOLID_BOX:
        memcpy(shape.size, solid->size, sizeof shape.size);
        scene_shapes_add(shapes, &shape);
        break;
    case DPL_SOLID_SPHERE:
        add_round(shapes, shape, DPL_SCENE_SPHERE, 2.0 * solid->radius, 2.0 * solid->radius);
        break;
    case DPL_SOLID_CYLINDER:
        add_round(shapes, shape, DPL_SCENE_CYLINDER, 2.0 * solid->radius, solid->height);
        break;
    case DPL_SOLID_CAPSULE: add_capsule(shapes, shape, solid); break;
    case DPL_SOLID_HULL: add_hull(shapes, shape, solid); break;
    case DPL_SOLID_MESH: add_mesh(shapes, shape, solid); break;
    case DPL_SOLID_FIELD: add_field(shapes, shape, solid); break;
    case DPL_SOLID_PLANE: break;
    }
}
