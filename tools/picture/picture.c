/* SPDX-License-Identifier: Apache-2.0 */
/* What a picture is made of. */
#include "picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/host/module.h>
#include <doppel/math/vector3.h>
#include <doppel/sim/solid.h>

#include "picture_module.h"
#include "picture_parts.h"

enum { ROUND = 40, RINGS = 16 }; /* faces round a cylinder; of a sphere from pole to pole */
enum {
    FIELD_SQUARES_MAX = 200
}; /* along a side of a height field; of finer ones points are left out */

static const uint64_t all_edges = UINT64_MAX;

struct picture *picture_create(void)
{
    struct picture *picture = calloc(1, sizeof *picture);
    if (!picture) {
        abort();
    }
    picture->lines_end = &picture->lines;
    picture->is_focus = true;
    return picture;
}

void picture_destroy(struct picture *picture)
{
    if (picture) {
        dpl_arena_finish(&picture->memory);
        free(picture);
    }
}

void picture_set_focus(struct picture *picture, bool is_focus)
{
    picture->is_focus = is_focus;
}

void picture_set_subject(struct picture *picture, bool is_subject)
{
    picture->is_subject = is_subject;
}

/* Twice the area vector of a polygon (Newell). */
static struct dpl_vector3 area_of(const struct dpl_vector3 *corners, size_t n)
{
    struct dpl_vector3 area = {0};
    for (size_t i = 0; i < n; i++) {
        area = dpl_vector3_add(area, dpl_vector3_cross(corners[i], corners[(i + 1) % n]));
    }
    return area;
}

void picture_add_face(struct picture *picture, const struct dpl_vector3 *corners, size_t n,
                      uint64_t edges, struct picture_color color)
{
    struct dpl_vector3 area = area_of(corners, n);
    double length = dpl_vector3_length(area);
    if (n < 3 || n > PICTURE_CORNERS_MAX || !(length > 1e-12)) {
        return;
    }
    struct picture_face *face =
        dpl_arena_alloc(&picture->memory, sizeof *face + n * sizeof *corners);
    face->normal = dpl_vector3_times(area, 1.0 / length);
    face->offset = dpl_vector3_dot(face->normal, corners[0]);
    face->color = color;
    face->edges = edges;
    face->is_focus = picture->is_focus;
    face->is_subject = picture->is_subject;
    face->solid = picture->solid;
    face->n = n;
    memcpy(face->corners, corners, n * sizeof *corners);
    face->next = picture->faces;
    picture->faces = face;
}

static void add_mark(struct picture *picture, const struct picture_line *mark)
{
    struct picture_line *line = dpl_arena_alloc(&picture->memory, sizeof *line);
    *line = *mark;
    *picture->lines_end = line;
    picture->lines_end = &line->next;
}

void picture_add_line(struct picture *picture, struct dpl_vector3 from, struct dpl_vector3 to,
                      struct picture_color color, double width_px)
{
    add_mark(picture,
             &(struct picture_line){.from = from, .to = to, .color = color, .width_px = width_px});
}

void picture_add_dot(struct picture *picture, struct dpl_vector3 at, struct picture_color color,
                     double radius_px)
{
    add_mark(picture,
             &(struct picture_line){
                 .from = at, .to = at, .color = color, .width_px = radius_px, .is_dot = true});
}

/* ---- solids ---- */

struct body {
    struct picture *picture;
    struct dpl_pose3 pose; /* of the solid, in the world */
    struct picture_color color;
};

/* A face of corners of the solid's frame. */
static void add(const struct body *body, const struct dpl_vector3 *corners, size_t n,
                uint64_t edges)
{
    struct dpl_vector3 placed[PICTURE_CORNERS_MAX];
    for (size_t i = 0; i < n; i++) {
        placed[i] = dpl_vector3_add(body->pose.position,
                                    dpl_quaternion_turn(body->pose.orientation, corners[i]));
    }
    picture_add_face(body->picture, placed, n, edges, body->color);
}

static void add_box(const struct body *body, const double *size)
{
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int f = 0; f < 6; f++) {
        struct dpl_vector3 corners[4];
        for (int i = 0; i < 4; i++) {
            int c = faces[f][i];
            corners[i] =
                (struct dpl_vector3){(c & 1 ? 0.5 : -0.5) * size[0], (c & 2 ? 0.5 : -0.5) * size[1],
                                     (c & 4 ? 0.5 : -0.5) * size[2]};
        }
        add(body, corners, 4, all_edges);
    }
}

static struct dpl_vector3 on_circle(double radius, int step, double z)
{
    double angle = 2.0 * DPL_PI * step / ROUND;
    return (struct dpl_vector3){radius * cos(angle), radius * sin(angle), z};
}

/* The faces between two circles round the z axis; edges along the circles only when `outlined`. */
static void add_ring(const struct body *body, double radius_low, double z_low, double radius_high,
                     double z_high, bool outlined)
{
    for (int i = 0; i < ROUND; i++) {
        struct dpl_vector3 corners[4] = {
            on_circle(radius_low, i, z_low), on_circle(radius_low, i + 1, z_low),
            on_circle(radius_high, i + 1, z_high), on_circle(radius_high, i, z_high)};
        add(body, corners, 4, outlined ? 1u << 0 | 1u << 2 : 0);
    }
}

static void add_disc(const struct body *body, double radius, double z, bool looks_up)
{
    struct dpl_vector3 corners[ROUND];
    for (int i = 0; i < ROUND; i++) {
        corners[i] = on_circle(radius, looks_up ? i : ROUND - i, z);
    }
    add(body, corners, ROUND, all_edges);
}

static void add_cylinder(const struct body *body, double radius, double height)
{
    add_ring(body, radius, -0.5 * height, radius, 0.5 * height, true);
    add_disc(body, radius, -0.5 * height, false);
    add_disc(body, radius, 0.5 * height, true);
}

/* A sphere whose halves are `straight` apart. */
static void add_capsule(const struct body *body, double radius, double straight)
{
    for (int i = 0; i < RINGS; i++) {
        double low = DPL_PI * (i - 0.5 * RINGS) / RINGS, high = low + DPL_PI / RINGS;
        double lift = i < RINGS / 2 ? -0.5 * straight : 0.5 * straight;
        add_ring(body, radius * cos(low), lift + radius * sin(low), radius * cos(high),
                 lift + radius * sin(high), false);
    }
    if (straight > 0.0) {
        add_ring(body, radius, -0.5 * straight, radius, 0.5 * straight, false);
    }
}

static void add_triangles(const struct body *body, const struct dpl_vector3 *points,
                          const unsigned (*faces)[3], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct dpl_vector3 corners[3];
        for (int k = 0; k < 3; k++) {
            corners[k] = points[faces[i][k]];
        }
        add(body, corners, 3, 0);
    }
}

static void add_hull(const struct body *body, const struct dpl_sim_solid *solid)
{
    unsigned faces[2 * DPL_SOLID_HULL_MAX][3];
    int n = dpl_hull_faces(solid->points, solid->n_points, faces);
    if (n > 0) {
        add_triangles(body, solid->points, (const unsigned(*)[3])faces, (size_t)n);
    }
}

/* The point of a side after `step` squares; the last one is always there. */
static unsigned next_point(unsigned at, unsigned step, unsigned n)
{
    return at + step < n - 1 ? at + step : n - 1;
}

static void add_field(const struct body *body, const struct dpl_sim_field *field)
{
    unsigned longest = field->columns > field->rows ? field->columns : field->rows;
    unsigned step = 1 + (longest - 2) / FIELD_SQUARES_MAX;
    for (unsigned row = 0; row + 1 < field->rows; row = next_point(row, step, field->rows)) {
        unsigned above = next_point(row, step, field->rows);
        for (unsigned column = 0; column + 1 < field->columns;
             column = next_point(column, step, field->columns)) {
            unsigned right = next_point(column, step, field->columns);
            const struct dpl_vector3 a = dpl_sim_field_point(field, right, row);
            const struct dpl_vector3 b = dpl_sim_field_point(field, column, above);
            add(body, (struct dpl_vector3[3]){dpl_sim_field_point(field, column, row), a, b}, 3, 0);
            add(body, (struct dpl_vector3[3]){a, dpl_sim_field_point(field, right, above), b}, 3,
                0);
        }
    }
}

void picture_add_solid(struct picture *picture, struct dpl_pose3 pose,
                       const struct dpl_sim_solid *solid, struct picture_color color)
{
    struct body body = {picture, dpl_pose3_compose(pose, solid->pose), color};
    bool is_ground = solid->kind == DPL_SOLID_FIELD || solid->kind == DPL_SOLID_PLANE;
    picture->solid = is_ground ? 0 : ++picture->n_solids;
    switch (solid->kind) {
    case DPL_SOLID_BOX: add_box(&body, solid->size); break;
    case DPL_SOLID_SPHERE: add_capsule(&body, solid->radius, 0.0); break;
    case DPL_SOLID_CAPSULE: add_capsule(&body, solid->radius, solid->height); break;
    case DPL_SOLID_CYLINDER: add_cylinder(&body, solid->radius, solid->height); break;
    case DPL_SOLID_HULL: add_hull(&body, solid); break;
    case DPL_SOLID_MESH: add_triangles(&body, solid->points, solid->faces, solid->n_faces); break;
    case DPL_SOLID_FIELD: add_field(&body, &solid->field); break;
    case DPL_SOLID_PLANE: break;
    }
    picture->solid = 0;
}

bool picture_is_file(const char *path)
{
    return picture_ends_in(path, ".svg") || picture_ends_in(path, ".png");
}

static int load(const struct picture_module **ret_module, struct dpl_diag *reterr)
{
    const void *table;
    int err = dpl_module_load("pictures", sizeof **ret_module, &table, reterr);
    *ret_module = err < 0 ? NULL : table;
    return err;
}

int picture_write(const struct picture *picture, const struct picture_view *view, const char *path,
                  struct dpl_diag *reterr)
{
    const struct picture_module *module;
    if (!picture_is_file(path)) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = path},
                        "a picture's name ends in .svg or .png");
    }
    int err = load(&module, reterr);
    return err < 0 ? err : module->draw(picture, view, path, reterr);
}

int picture_image_write(const struct picture_image *image, const char *path,
                        struct dpl_diag *reterr)
{
    const struct picture_module *module;
    int err = load(&module, reterr);
    return err < 0 ? err : module->draw_image(image, path, reterr);
}
