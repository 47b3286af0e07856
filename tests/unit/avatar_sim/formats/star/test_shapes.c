/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes by which bodies touch: units, errors, and how they are written. */
#include "star_equal.h"

#define SHAPES(list) BODIES("\"a\": {" GOOD_MASS ", \"shapes\": [" list "]}")

static void expect_same_shapes(const struct dpl_star_world *a, const struct dpl_star_world *b)
{
    cr_assert_eq(a->n_shapes, b->n_shapes);
    for (size_t i = 0; i < a->n_shapes; i++) {
        const struct dpl_star_shape *x = &a->shapes[i], *y = &b->shapes[i];
        const double numbers[2][8] = {{x->size[0], x->size[1], x->size[2], x->radius, x->height,
                                       x->friction, x->stiffness, x->creep_speed},
                                      {y->size[0], y->size[1], y->size[2], y->radius, y->height,
                                       y->friction, y->stiffness, y->creep_speed}};
        cr_expect(x->body == y->body && x->kind == y->kind &&
                  same_bits(numbers[0], numbers[1], 8) &&
                  same_bits(&x->restitution, &y->restitution, 1) &&
                  same_bits(x->place.rotation, y->place.rotation, 9) &&
                  same_bits(x->place.position, y->place.position, 3));
        cr_assert_eq(x->n_points, y->n_points);
        cr_expect(x->n_points == 0 ||
                  same_bits(&x->points[0][0], &y->points[0][0], 3 * x->n_points));
    }
}

Test(star_shapes, numbers_are_converted_once)
{
    struct dpl_star_world *world = read_star(
        WORLD_OF("\"gravity\": [0, 0, 0], \"units\": {\"length\": \"millimeters\", \"mass\": "
                 "\"grams\", \"time\": \"milliseconds\", \"angle\": \"degrees\"}",
                 "",
                 "\"a\": {" GOOD_MASS ", \"shapes\": [{\"type\": \"box\", \"x\": 100, \"y\": 200, "
                 "\"z\": 300, \"T\": [10, 20, 30], \"axis_angle\": [0, 0, 1, 90], \"friction\": "
                 "0.7, \"restitution\": 0.4, \"stiffness\": 2.5, \"creep_speed\": 0.25}, "
                 "{\"type\": \"capsule\", \"radius\": 5, \"height\": 40}, {\"type\": \"hull\", "
                 "\"points\": [[0, 0, 0], [10, 0, 0], [0, 10, 0], [0, 0, 10]]}]}",
                 "", ""));
    cr_assert_eq(world->n_shapes, 3);
    const struct dpl_star_shape *box = &world->shapes[0], *hull = &world->shapes[2];
    cr_expect_eq(box->kind, DPL_STAR_BOX);
    cr_expect_eq(box->body, 1);
    cr_expect_float_eq(box->size[2], 0.3, 1e-15);
    cr_expect_float_eq(box->place.position[1], 0.02, 1e-15);
    cr_expect_float_eq(box->place.rotation[3], 1.0, 1e-15);
    cr_expect_float_eq(box->friction, 0.7, 0.0);
    cr_expect_float_eq(box->restitution, 0.4, 0.0);
    cr_expect_float_eq(box->stiffness, 2500.0, 1e-9); /* g / ms^2 = 1000 N/m */
    cr_expect_float_eq(box->creep_speed, 0.25, 1e-15);
    cr_expect_eq(world->shapes[1].kind, DPL_STAR_CAPSULE);
    cr_expect_float_eq(world->shapes[1].height, 0.04, 1e-15);
    cr_expect_eq(world->shapes[1].stiffness, 0.0);
    cr_assert_eq(hull->n_points, 4);
    cr_expect_float_eq(hull->points[3][2], 0.01, 1e-15);
    for (int dialect = 0; dialect < 2; dialect++) {
        struct dpl_star_world *again = read_written(world, dialect ? DPL_STAR_C : DPL_STAR_A);
        expect_same_shapes(world, again);
        dpl_star_destroy(again);
    }
    dpl_star_destroy(world);
}

Test(star_shapes, what_is_wrong_with_shapes_is_told)
{
    static const struct star_row rows[] = {
        {"what is missing or out of range is an error",
         SHAPES("{\"x\": 1},\n{\"type\": \"ball\"},\n{\"type\": \"box\", \"x\": 1, \"z\": -1, "
                "\"radius\": 2},\n{\"type\": \"sphere\", \"radius\": 0},\n3,\n{\"type\": "
                "\"sphere\", \"radius\": 1, \"restitution\": 0.01, \"friction\": \"high\"},\n"
                "{\"type\": \"hull\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]},\n{\"type\": "
                "\"hull\", \"points\": [[0, 0, 0], [1, 0], [0, 1, 0], [0, 0, 1]]}"),
         "w.json:3:82: error: assembly.m.bodies.a.shapes[0]: this has no \"type\"\n"
         "w.json:4:10: error: assembly.m.bodies.a.shapes[1].type: 'ball' is none of box, sphere, "
         "capsule, cylinder, hull\n"
         "w.json:5:1: error: assembly.m.bodies.a.shapes[2]: this has no \"y\"\n"
         "w.json:5:44: error: assembly.m.bodies.a.shapes[2].radius: a box has no \"radius\"\n"
         "w.json:6:30: error: assembly.m.bodies.a.shapes[3].radius: 1e-06 to 1e+06 is expected, in "
         "SI units\n"
         "w.json:7:1: error: assembly.m.bodies.a.shapes[4]: an object is expected, not a number\n"
         "w.json:8:48: error: assembly.m.bodies.a.shapes[5].restitution: 0.05 to 1 is expected, in "
         "SI units\n"
         "w.json:8:66: error: assembly.m.bodies.a.shapes[5].friction: a number is expected, not a "
         "text\n"
         "w.json:9:28: error: assembly.m.bodies.a.shapes[6].points: an array of 4 to 256 points is "
         "expected\n"
         "w.json:10:40: error: assembly.m.bodies.a.shapes[7].points[1]: an array of 3 numbers is "
         "expected, not one of 2\n"},
        {"a list that is none is an error", BODIES("\"a\": {" GOOD_MASS ", \"shapes\": {}}"),
         "w.json:3:81: error: assembly.m.bodies.a.shapes: an array of objects is expected\n"},
        {"a body without mass says how stiff it is",
         BODIES("\"a\": {\"mass\": 0, \"moment_of_inertia\": {\"Ixx\": 0, \"Iyy\": 0, \"Izz\": 0}, "
                "\"shapes\": [\n{\"type\": \"sphere\", \"radius\": 1}]}"),
         "w.json:4:1: error: assembly.m.bodies.a.shapes[0]: a body without mass needs the "
         "\"stiffness\" of its shapes\n"},
    };

    expect_rows(rows, sizeof rows / sizeof *rows, false);
}
