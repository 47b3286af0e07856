/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of solids: what hides what, seen in the pixels of a PNG. */
#include "picture.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cairo.h>
#include <criterion/criterion.h>
#include <doppel/math/geometry.h>
#include <doppel/math/vector3.h>
#include <doppel/sim/solid.h>

#include "picture_parts.h"

static const struct picture_color red = {1, 0, 0, 1}, blue = {0, 0, 1, 1};
static const struct picture_view from_x = {.width_px = 200, .height_px = 200};
static const struct picture_view from_behind = {
    .azimuth_rad = DPL_PI, .width_px = 200, .height_px = 200};

static struct dpl_pose3 at(double x, double y, double z)
{
    return (struct dpl_pose3){{x, y, z}, {.w = 1.0}};
}

static void add_box(struct picture *picture, struct dpl_pose3 pose, double edge,
                    struct picture_color color)
{
    picture_add_solid(picture, pose,
                      &(struct dpl_sim_solid){
                          .kind = DPL_SOLID_BOX, .pose = at(0, 0, 0), .size = {edge, edge, edge}},
                      color);
}

/* The colour in a picture at a share of its width and height: 'r', 'b', or ' '. */
static char color_at(const struct picture *picture, const struct picture_view *view, double x,
                     double y)
{
    char path[64];
    struct dpl_diag error = {0};
    snprintf(path, sizeof path, "test_picture_%d.png", (int)getpid());
    cr_assert_eq(picture_write(picture, view, path, &error), 0, "%s", error.text);
    cairo_surface_t *surface = cairo_image_surface_create_from_png(path);
    cr_assert_eq(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    const unsigned char *row = cairo_image_surface_get_data(surface) +
                               (int)(y * view->height_px) * cairo_image_surface_get_stride(surface);
    const unsigned char *pixel = row + 4 * (int)(x * view->width_px);
    int blueness = pixel[0], redness = pixel[2];
    cairo_surface_destroy(surface);
    unlink(path);
    return blueness > 150 && redness > 150 ? ' ' : blueness > redness ? 'b' : 'r';
}

Test(picture, what_is_nearer_hides_what_is_behind_it_in_any_order)
{
    for (int turn = 0; turn < 2; turn++) {
        struct picture *picture = picture_create();
        add_box(picture, at(turn ? 1 : -1, 0, 0), 1, turn ? red : blue);
        add_box(picture, at(turn ? -1 : 1, 0, 0), 1, turn ? blue : red);
        cr_assert_eq(color_at(picture, &from_x, 0.5, 0.5), 'r');
        cr_assert_eq(color_at(picture, &from_behind, 0.5, 0.5), 'b');
        picture_destroy(picture);
    }
}

Test(picture, solids_that_reach_through_each_other_are_cut)
{
    struct picture *picture = picture_create();
    struct dpl_pose3 turned = {{0, 0, 0}, dpl_quaternion_from_rpy(0.0, 0.0, 0.25 * DPL_PI)};
    add_box(picture, at(0, 0, 0), 1, red);
    add_box(picture, turned, 1, blue);
    /* an edge of the turned box comes out of the middle of each face */
    cr_assert_eq(color_at(picture, &from_x, 0.5, 0.5), 'b');
    cr_assert_eq(color_at(picture, &from_x, 0.75, 0.5), 'r');
    cr_assert_eq(color_at(picture, &from_x, 0.25, 0.5), 'r');
    cr_assert_eq(color_at(picture, &from_x, 0.08, 0.5), 'b');
    picture_destroy(picture);
}

Test(picture, what_hides_the_focus_is_cut_away)
{
    struct picture *picture = picture_create();
    add_box(picture, at(0, 0, 0), 1, red);
    picture_set_focus(picture, false);
    add_box(picture, at(3, 0, 0), 2, blue);
    add_box(picture, at(-3, 0, 0), 30, blue);
    cr_assert_eq(color_at(picture, &from_x, 0.5, 0.5), 'r');
    picture_destroy(picture);
}

Test(picture, each_kind_of_solid_is_where_it_is)
{
    static const struct dpl_vector3 points[] = {
        {-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, 1, 1}};
    const struct dpl_sim_solid solids[] = {
        {.kind = DPL_SOLID_BOX, .size = {2, 2, 2}},
        {.kind = DPL_SOLID_SPHERE, .radius = 1},
        {.kind = DPL_SOLID_CAPSULE, .radius = 1, .height = 1},
        {.kind = DPL_SOLID_CYLINDER, .radius = 1, .height = 2},
        {.kind = DPL_SOLID_HULL, .points = points, .n_points = 5},
    };
    for (size_t i = 0; i < sizeof solids / sizeof solids[0]; i++) {
        struct picture *picture = picture_create();
        struct dpl_sim_solid solid = solids[i];
        solid.pose = at(0, 0, 0);
        picture_add_solid(picture, at(5, 6, 7), &solid, red);
        picture_add_solid(picture, at(3, 6, 7), &solid, blue);
        cr_assert_eq(color_at(picture, &from_x, 0.5, 0.5), 'r', "solid %zu", i);
        cr_assert_eq(color_at(picture, &from_x, 0.01, 0.01), ' ', "solid %zu", i);
        picture_destroy(picture);
    }
}

/* The area of all faces over the ground, and their number. */
static double area_seen_from_above(const struct picture *picture, size_t *ret_n)
{
    double sum = 0.0;
    *ret_n = 0;
    for (const struct picture_face *face = picture->faces; face; face = face->next) {
        const struct dpl_vector3 *c = face->corners;
        cr_assert_eq(face->n, 3);
        cr_assert_gt(face->normal.z, 0.0, "it looks up");
        sum +=
            0.5 * ((c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[2].x - c[0].x) * (c[1].y - c[0].y));
        ++*ret_n;
    }
    return sum;
}

Test(picture, height_field_is_drawn_as_a_whole_also_when_points_are_left_out)
{
    static const unsigned sides[][2] = {{2, 2}, {5, 3}, {201, 4}, {202, 4}, {1000, 700}};
    static const size_t faces[] = {2, 16, 1200, 404, 56000};
    static double heights[1000 * 700];
    for (size_t i = 0; i < sizeof heights / sizeof heights[0]; i++) {
        heights[i] = (double)(i % 7);
    }
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        struct picture *picture = picture_create();
        struct dpl_sim_solid solid = {.kind = DPL_SOLID_FIELD, .pose = at(0, 0, 0)};
        size_t n;
        solid.field = (struct dpl_sim_field){
            .columns = sides[i][0], .rows = sides[i][1], .cell = 0.5, .heights = heights};
        picture_add_solid(picture, at(5, 6, 7), &solid, red);
        double area = 0.25 * (sides[i][0] - 1) * (sides[i][1] - 1);
        cr_assert_float_eq(area_seen_from_above(picture, &n), area, 1e-6 * area, "%zu", i);
        cr_assert_eq(n, faces[i], "%zu: %zu faces", i, n);
        picture_destroy(picture);
    }
}

static const struct picture_eye eye_on_x = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void add_wall(struct picture *picture, struct dpl_pose3 pose, double x, double y, double z)
{
    struct dpl_sim_solid box = {.kind = DPL_SOLID_BOX, .pose = at(0, 0, 0), .size = {x, y, z}};
    picture_add_solid(picture, pose, &box, red);
}

/* A robot 0.4 m high, at x = 0; walls of 2 m before it, behind it and beside it. */
Test(picture, walls_before_a_robot_are_cut_and_others_are_not)
{
    struct picture *picture = picture_create();
    struct dpl_arena memory = {0};
    double before = -1.0, behind = -1.0, beside = -1.0;
    add_wall(picture, at(2, 0, 1), 0.1, 4, 2);
    add_wall(picture, at(-2, 0, 1), 0.1, 4, 2);
    add_wall(picture, at(2, 9, 1), 0.1, 4, 2);
    picture_set_subject(picture, true);
    add_wall(picture, at(0, 0, 0.3), 0.4, 0.4, 0.4);
    picture_set_subject(picture, false);
    const struct picture_face *face = picture_order(&memory, picture, &eye_on_x, 1e9);
    for (; face; face = face->next) {
        const struct dpl_vector3 *c = face->corners;
        double *top = c->y > 5.0 ? &beside : c->x > 1.0 ? &before : &behind;
        for (size_t i = 0; i < face->n && fabs(c->x) > 1.0; i++) {
            *top = fmax(*top, c[i].z);
        }
    }
    cr_expect_float_eq(before, 0.1, 1e-9, "%g", before);
    cr_expect_float_eq(behind, 2.0, 1e-9, "%g", behind);
    cr_expect_float_eq(beside, 2.0, 1e-9, "%g", beside);
    dpl_arena_finish(&memory);
    picture_destroy(picture);
}

Test(picture, hundred_boxes_are_ordered_from_back_to_front)
{
    struct picture *picture = picture_create();
    struct dpl_arena memory = {0};
    for (int i = 0; i < 100; i++) {
        add_box(picture, at((i * 37) % 100 * 2, 0, 0), 1, red);
    }
    double before = -1e9;
    size_t n = 0;
    const struct picture_face *face = picture_order(&memory, picture, &eye_on_x, 1e9);
    for (; face; face = face->next) {
        cr_assert_geq(face->corners[0].x, before);
        before = face->corners[0].x;
        n++;
    }
    cr_assert_eq(n, 100, "one face of each box looks at the eye: %zu", n);
    dpl_arena_finish(&memory);
    picture_destroy(picture);
}

Test(picture, nothing_is_a_picture_too_and_wrong_names_are_refused)
{
    struct picture *picture = picture_create();
    struct dpl_diag error = {0};
    cr_assert_eq(color_at(picture, &from_x, 0.5, 0.3), ' ');
    cr_assert_eq(picture_write(picture, &from_x, "picture.gif", &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, ".svg or .png"), "%s", error.text);
    cr_assert_lt(picture_write(picture, &from_x, "no/such/folder.svg", &error), 0);
    picture_destroy(picture);
}
