/* SPDX-License-Identifier: Apache-2.0 */
/* What a graph keeps of what it is told, and how it is found again. */
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "graph_rig.h"

TestSuite(multibody_graph, .init = begin, .fini = end);

static const char *path_of(enum dpl_mb_kind kind, int number)
{
    static char text[256];
    size_t length = dpl_mb_path(graph, kind, number, text, sizeof text);
    cr_assert_eq(length, strlen(text));
    return text;
}

Test(multibody_graph, begins_with_the_root_and_what_stands_still)
{
    cr_assert_eq(graph->n_assemblies, 1);
    cr_assert_str_eq(graph->assemblies[0].name, "");
    cr_assert_eq(graph->assemblies[0].parent, -1);
    cr_assert_eq(graph->n_bodies, 1);
    cr_assert_str_eq(graph->bodies[0].name, "fixed");
    cr_assert_eq(graph->n_frames, 1);
    cr_assert_str_eq(graph->frames[graph->bodies[0].origin].name, "origin");
    cr_assert(dpl_mb_is_active(graph, DPL_MB_BODY, 0));
    cr_assert_eq(graph->gravity[2], 0.0);
}

Test(multibody_graph, a_body_brings_its_origin)
{
    int arm = body(0, "arm");
    cr_assert_eq(arm, 1);
    int origin = dpl_mb_find(graph, DPL_MB_FRAME, arm, "origin");
    cr_assert_eq(origin, graph->bodies[arm].origin);
    cr_assert_eq(graph->frames[origin].body, arm);
    cr_assert_eq(
        memcmp(&graph->frames[origin].in_body, &dpl_mb_place_identity, sizeof(struct dpl_mb_place)),
        0);
}

Test(multibody_graph, names_are_copied)
{
    char name[] = "arm";
    int arm = body(0, name);
    name[0] = 'x';
    cr_assert_str_eq(graph->bodies[arm].name, "arm");
    cr_assert_eq(dpl_mb_find(graph, DPL_MB_BODY, 0, "arm"), arm);
}

Test(multibody_graph, things_are_found_where_they_are)
{
    int cell = assembly(0, "cell"), robot = assembly(cell, "robot");
    int outer = body(cell, "arm"), inner = body(robot, "arm"), tip = frame(inner, "tip");
    int elbow = hinge(robot, "arm", origin_of(outer), tip); /* another kind */
    cr_assert_eq(dpl_mb_find(graph, DPL_MB_BODY, cell, "arm"), outer);
    cr_assert_eq(dpl_mb_find(graph, DPL_MB_BODY, robot, "arm"), inner);
    cr_assert_eq(dpl_mb_find(graph, DPL_MB_JOINT, robot, "arm"), elbow);
    cr_assert_eq(dpl_mb_find(graph, DPL_MB_FRAME, inner, "tip"), tip);
    cr_assert_eq(dpl_mb_find(graph, DPL_MB_FRAME, outer, "tip"), -1);
    cr_assert_eq(dpl_mb_find(graph, DPL_MB_BODY, 0, "arm"), -1);
    cr_assert_eq(dpl_mb_find(graph, DPL_MB_BODY, 7, "arm"), -1);
    cr_assert_eq(dpl_mb_find(graph, DPL_MB_ASSEMBLY, cell, "robot"), robot);
    cr_assert_eq(dpl_mb_find(graph, DPL_MB_ASSEMBLY, 0, "robot"), -1);
}

Test(multibody_graph, what_stands_still_is_seen_from_everywhere)
{
    int cell = assembly(0, "cell"), top = frame(0, "top");
    cr_assert_eq(dpl_mb_find(graph, DPL_MB_BODY, cell, "fixed"), 0);
    cr_assert_eq(dpl_mb_find_path(graph, DPL_MB_BODY, cell, "fixed"), 0);
    cr_assert_eq(dpl_mb_find_path(graph, DPL_MB_FRAME, cell, "fixed:top"), top);
    cr_assert_str_eq(path_of(DPL_MB_FRAME, top), "fixed:top");
}

Test(multibody_graph, paths_with_colons_begin_at_the_root)
{
    int cell = assembly(0, "cell"), robot = assembly(cell, "robot");
    int arm = body(robot, "arm"), tip = frame(arm, "tip"), post = body(0, "post");
    cr_assert_eq(dpl_mb_find_path(graph, DPL_MB_BODY, 0, "cell:robot:arm"), arm);
    cr_assert_eq(dpl_mb_find_path(graph, DPL_MB_BODY, robot, "cell:robot:arm"), arm);
    cr_assert_eq(dpl_mb_find_path(graph, DPL_MB_BODY, robot, "arm"), arm);
    cr_assert_eq(dpl_mb_find_path(graph, DPL_MB_BODY, cell, "arm"), -1);
    cr_assert_eq(dpl_mb_find_path(graph, DPL_MB_BODY, cell, "robot:arm"), -1);
    cr_assert_eq(dpl_mb_find_path(graph, DPL_MB_BODY, cell, "post"), -1);
    cr_assert_eq(dpl_mb_find_path(graph, DPL_MB_BODY, 0, "post"), post);
    cr_assert_eq(dpl_mb_find_path(graph, DPL_MB_FRAME, 0, "cell:robot:arm:tip"), tip);
    cr_assert_eq(dpl_mb_find_path(graph, DPL_MB_FRAME, robot, "tip"), -1);
    cr_assert_eq(dpl_mb_find_path(graph, DPL_MB_BODY, 0, "cell::arm"), -1);
    cr_assert_eq(dpl_mb_find_path(graph, DPL_MB_BODY, 0, ":post"), -1);
    cr_assert_eq(dpl_mb_find_path(graph, DPL_MB_BODY, 0, "cell:robot:"), -1);
    cr_assert_eq(dpl_mb_find_path(graph, DPL_MB_BODY, 0, ""), -1);
}

Test(multibody_graph, paths_are_cut_at_the_size_that_is_given)
{
    int robot = assembly(assembly(0, "cell"), "robot"), tip = frame(body(robot, "arm"), "tip");
    char text[12] = "unwritten";
    cr_assert_str_eq(path_of(DPL_MB_FRAME, tip), "cell:robot:arm:tip");
    cr_assert_str_eq(path_of(DPL_MB_ASSEMBLY, robot), "cell:robot");
    cr_assert_str_eq(path_of(DPL_MB_ASSEMBLY, 0), "");
    cr_assert_eq(dpl_mb_path(graph, DPL_MB_FRAME, tip, text, 8), 18);
    cr_assert_str_eq(text, "cell:ro");
    cr_assert_eq(dpl_mb_path(graph, DPL_MB_FRAME, tip, text, 11), 18);
    cr_assert_str_eq(text, "cell:robot");
    cr_assert_eq(dpl_mb_path(graph, DPL_MB_FRAME, tip, NULL, 0), 18);
    cr_assert_eq(dpl_mb_path(graph, DPL_MB_FRAME, 99, text, sizeof text), 0);
    cr_assert_str_eq(text, "");
}

/* The index grows many times; each name is still found, in its own assembly. */
Test(multibody_graph, ten_thousand_bodies_are_found)
{
    enum { N = 10000 };
    int left = assembly(0, "left"), right = assembly(0, "right");
    char name[16];
    for (int i = 0; i < N; i++) {
        snprintf(name, sizeof name, "b%d", i);
        cr_assert_eq(body(i % 2 ? left : right, name), i + 1);
    }
    for (int i = 0; i < N; i++) {
        snprintf(name, sizeof name, "b%d", i);
        cr_assert_eq(dpl_mb_find(graph, DPL_MB_BODY, i % 2 ? left : right, name), i + 1);
        cr_assert_eq(dpl_mb_find(graph, DPL_MB_BODY, i % 2 ? right : left, name), -1);
        cr_assert_eq(dpl_mb_find(graph, DPL_MB_FRAME, i + 1, "origin"), i + 1);
    }
}

Test(multibody_graph, laws_are_copied)
{
    double knots[1] = {0.0}, coefficients[4] = {2.0, 0.5, 0.0, 7.0};
    size_t n_of[2] = {3, 1};
    struct dpl_mb_restraint it = spring_of(-1, 0, origin_of(body(0, "mass")));
    it.law = (struct dpl_mb_piecewise){1, knots, n_of, coefficients};
    int number = dpl_mb_add_restraint(graph, &it, &diag);
    cr_assert_eq(number, 0);
    memset(knots, 0xff, sizeof knots);
    memset(n_of, 0xff, sizeof n_of);
    memset(coefficients, 0xff, sizeof coefficients);
    const struct dpl_mb_piecewise *law = &graph->restraints[number].law;
    cr_assert_eq(dpl_mb_law(law, -1.0, NULL), 1.5);
    cr_assert_eq(dpl_mb_law(law, 0.0, NULL), 7.0);
}

Test(multibody_graph, takes_part_what_is_active_with_all_around_and_both_ends)
{
    int cell = assembly(0, "cell"), robot = assembly(cell, "robot");
    int arm = body(robot, "arm"), hand = body(0, "hand");
    int a = hinge(0, "a", 0, origin_of(arm)), b = hinge(0, "b", 0, origin_of(hand));
    int both = gear(0, "both", a, b), on_a = spring(0, "on_a", a), on_b = spring(0, "on_b", b);
    struct dpl_mb_restraint it = spring_of(-1, origin_of(hand), origin_of(arm));
    int between = dpl_mb_add_restraint(graph, &it, &diag);
    cr_assert(dpl_mb_is_active(graph, DPL_MB_GEAR, both));
    cr_assert(dpl_mb_is_active(graph, DPL_MB_RESTRAINT, between));
    cr_assert_eq(dpl_mb_activate(graph, DPL_MB_ASSEMBLY, cell, false, &diag), 0);
    cr_assert_not(dpl_mb_is_active(graph, DPL_MB_ASSEMBLY, robot));
    cr_assert_not(dpl_mb_is_active(graph, DPL_MB_BODY, arm));
    cr_assert_not(dpl_mb_is_active(graph, DPL_MB_FRAME, origin_of(arm)));
    cr_assert_not(dpl_mb_is_active(graph, DPL_MB_JOINT, a));
    cr_assert_not(dpl_mb_is_active(graph, DPL_MB_GEAR, both));
    cr_assert_not(dpl_mb_is_active(graph, DPL_MB_RESTRAINT, on_a));
    cr_assert_not(dpl_mb_is_active(graph, DPL_MB_RESTRAINT, between));
    cr_assert(dpl_mb_is_active(graph, DPL_MB_JOINT, b));
    cr_assert(dpl_mb_is_active(graph, DPL_MB_RESTRAINT, on_b));
    cr_assert_eq(dpl_mb_activate(graph, DPL_MB_ASSEMBLY, cell, true, &diag), 0);
    cr_assert_eq(dpl_mb_activate(graph, DPL_MB_JOINT, b, false, &diag), 0);
    cr_assert(dpl_mb_is_active(graph, DPL_MB_JOINT, a));
    cr_assert_not(dpl_mb_is_active(graph, DPL_MB_GEAR, both));
    cr_assert_not(dpl_mb_is_active(graph, DPL_MB_RESTRAINT, on_b));
    cr_assert_not(dpl_mb_is_active(graph, DPL_MB_JOINT, 99));
    cr_assert_not(dpl_mb_is_active(graph, DPL_MB_JOINT, -1));
}

Test(multibody_graph, a_tensor_of_no_distribution_of_mass_is_flat)
{
    struct dpl_mb_body plate = {.inertia = {1.0, 1.0, 2.0}}, rod = {.inertia = {0.0, 1.0, 1.0}};
    struct dpl_mb_body beyond = {.inertia = {1.0, 1.0, 2.0 + 3e-6}}, turned = plate;
    const double by_45_degrees[6] = {1.5, 1.0, 1.5, 0.0, 0.0, 0.5};
    memcpy(turned.inertia, by_45_degrees, sizeof turned.inertia);
    cr_assert_not(dpl_mb_body_is_flat(&plate));
    cr_assert_not(dpl_mb_body_is_flat(&rod));
    cr_assert(dpl_mb_body_is_flat(&beyond));
    cr_assert_not(dpl_mb_body_is_flat(&turned));
    turned.inertia[5] += 0.02;
    cr_assert(dpl_mb_body_is_flat(&turned)); /* 2.02 > 1 + 0.98 */
    cr_assert_not(dpl_mb_body_is_flat(&(struct dpl_mb_body){0}));
    rod.inertia[0] = 1e300;
    rod.inertia[1] = 1e300;
    cr_assert_not(dpl_mb_body_is_flat(&rod)); /* no overflow */
}

Test(multibody_graph, joints_know_their_coordinates)
{
    static const int freedoms[DPL_MB_JOINT_TYPES] = {1, 1, 1, 1, 1, 1, 0, 6, 2, 2, 3, 3, 1};
    static const char *const turns[DPL_MB_JOINT_TYPES] = {
        "r", "r", "r", "t", "t", "t", "", "tttrrr", "tr", "rr", "ttr", "rrr", "r"};
    static const char *const words[DPL_MB_JOINT_TYPES] = {
        "Rx",    "Ry",          "Rz",        "Tx",     "Ty",        "Tz",   "rigid",
        "float", "cylindrical", "universal", "planar", "spherical", "screw"};
    for (int type = 0; type < DPL_MB_JOINT_TYPES; type++) {
        enum dpl_mb_joint_type it = (enum dpl_mb_joint_type)type;
        cr_assert_eq(dpl_mb_joint_freedoms(it), freedoms[type]);
        cr_assert_eq(strlen(turns[type]), (size_t)freedoms[type]);
        cr_assert_str_eq(dpl_mb_joint_words[type], words[type]);
        for (int i = 0; i < freedoms[type]; i++) {
            cr_assert_eq(dpl_mb_joint_turns(it, i), turns[type][i] == 'r', "%s %d", words[type], i);
        }
    }
}
