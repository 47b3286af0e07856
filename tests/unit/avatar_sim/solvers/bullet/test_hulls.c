/* SPDX-License-Identifier: Apache-2.0 */
/* Hulls touch where their faces are: Bullet grows them by a margin. */
#include "mechanism_rig.h"

#include <stdlib.h>

/* A cube as a hull, with a point inside of it and one in the middle of a face. */
static void write_cube(FILE *out, const char *name, double edge, double z)
{
    double h = 0.5 * edge;
    fprintf(out, "<RigidObject name='%s' mass='1'><position z='%.17g'/><HullShape>", name, z);
    for (int i = 0; i < 8; i++) {
        fprintf(out, "<point x='%g' y='%g' z='%g'/>", i & 1 ? h : -h, i & 2 ? h : -h,
                i & 4 ? h : -h);
    }
    fprintf(out, "<point/><point z='%g'/></HullShape></RigidObject>", h);
}

static void rests(double edge)
{
    struct mechanism_rig rig;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "<mechanism>");
    write_cube(out, "low", edge, 0.5 * edge);
    write_cube(out, "high", edge, 1.5 * edge);
    fprintf(out, "</mechanism>");
    fclose(out);
    rig_open(&rig, text, 1e-3);
    free(text);
    rig_step(&rig, 2.0);
    for (int i = 0; i < 2; i++) {
        double z = rig.state->bodies.position[i][2];
        cr_expect_float_eq(z, (0.5 + i) * edge, 1e-6, "%g m, %d: %.7f", edge, i, z);
    }
    rig_close(&rig);
}

Test(hulls, stand_on_the_ground_and_on_each_other_without_a_gap)
{
    rests(0.02);
    rests(0.1);
    rests(1.0);
    rests(3.0);
}

#define WALL(name, x)                                                                              \
    "<RigidObject name='" name "' static='true'><position x='" x "' z='0.1'/>"                     \
    "<BoxShape x='0.1' y='0.3' z='0.2'/></RigidObject>"

/* 100 mm between walls that are 102 mm apart. */
Test(hulls, fall_through_a_gap_that_is_wider_than_they_are)
{
    struct mechanism_rig rig;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "<mechanism>" WALL("left", "-0.101") WALL("right", "0.101"));
    write_cube(out, "peg", 0.1, 0.26);
    fprintf(out, "</mechanism>");
    fclose(out);
    rig_open(&rig, text, 1e-3);
    free(text);
    rig_step(&rig, 2.0);
    cr_expect_float_eq(rig.state->bodies.position[rig_body(&rig, "peg")][2], 0.05, 1e-6);
    rig_close(&rig);
}

/* A wedge with an edge of no height, and a plate that is thinner than the margin would be. */
Test(hulls, thin_ones_stand_where_they_are_too)
{
    struct mechanism_rig rig;
    rig_open(&rig,
             "<mechanism><RigidObject name='wedge' mass='1'><HullShape><point/><point y='1'/>"
             "<point x='1'/><point x='1' y='1'/><point x='1' z='0.1'/><point x='1' y='1' z='0.1'/>"
             "</HullShape></RigidObject><RigidObject name='plate' mass='1'><position y='5'/>"
             "<HullShape><point/><point x='1'/><point y='1'/><point x='1' y='1'/><point z='0.001'/>"
             "<point x='1' z='0.001'/><point y='1' z='0.001'/><point x='1' y='1' z='0.001'/>"
             "</HullShape></RigidObject></mechanism>",
             1e-3);
    rig_step(&rig, 2.0);
    for (int i = 0; i < 2; i++) {
        cr_expect_float_eq(rig.state->bodies.position[i][2], 0.0, 2e-5, "%d: %.3g m", i,
                           rig.state->bodies.position[i][2]);
    }
    rig_close(&rig);
}
