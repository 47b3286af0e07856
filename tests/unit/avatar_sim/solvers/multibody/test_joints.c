/* SPDX-License-Identifier: Apache-2.0 */
/* All types of joints, in the tree (both ways round) and closing a loop: the motion is the same. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "golden.h"

static const struct dpl_mb_body heavy = {.mass = 1.3,
                                         .centre = {.2, -.1, .15},
                                         .inertia = {.05, .06, .07, .004, -.003, .002},
                                         .is_active = true};

static int add_body(struct dpl_mb_graph *graph, const char *name, const struct dpl_mb_body *like)
{
    struct dpl_mb_body body = like ? *like : (struct dpl_mb_body){.is_active = true};
    struct dpl_diag diag;
    char copy[16];
    snprintf(copy, sizeof copy, "%s", name);
    body.name = copy;
    int number = dpl_mb_add_body(graph, &body, &diag);
    cr_assert_geq(number, 0, "%s", diag.text);
    return number;
}

static int add_joint(struct dpl_mb_graph *graph, const struct dpl_mb_joint *like, int a, int b)
{
    struct dpl_mb_joint joint = *like;
    struct dpl_diag diag;
    char name[16];
    snprintf(name, sizeof name, "j%d", (int)graph->n_joints);
    joint.name = name;
    joint.frames[0] = a;
    joint.frames[1] = b;
    joint.is_active = true;
    int number = dpl_mb_add_joint(graph, &joint, &diag);
    cr_assert_geq(number, 0, "%s", diag.text);
    return number;
}

static int add_frame(struct dpl_mb_graph *graph, int body, double angle, double x, double y)
{
    double c = cos(angle), s = sin(angle);
    struct dpl_mb_frame frame = {
        .name = (char[]){"f"}, .body = body, .in_body = {{c, 0, s, 0, 1, 0, -s, 0, c}, {x, y, .1}}};
    struct dpl_diag diag;
    int number = dpl_mb_add_frame(graph, &frame, &diag);
    cr_assert_geq(number, 0, "%s", diag.text);
    return number;
}

/* A body on a joint. Or (n_ground above 0) the body is carried by six joints in a row, and the
 * joint leads to one of n_ground bodies that are welded to the ground in a row: with 6 it closes
 * the loop, with 8 one of the welds does. */
static struct dpl_mb_graph *make(const struct dpl_mb_joint *joint, bool reversed, int n_ground,
                                 int *ret_joint, int *ret_body)
{
    struct dpl_mb_graph *graph;
    cr_assert_eq(dpl_mb_graph_create(NULL, &graph), 0);
    graph->gravity[0] = 1.0;
    graph->gravity[2] = -9.81;
    struct dpl_mb_joint held = *joint;
    int ground = 0;
    if (n_ground > 0) {
        const struct dpl_mb_joint rigid = {.type = DPL_MB_RIGID, .place = dpl_mb_place_identity};
        char name[16];
        for (int i = 0; i < n_ground; i++) {
            snprintf(name, sizeof name, "g%d", i);
            int next = add_body(graph, name, NULL);
            add_joint(graph, &rigid, graph->bodies[ground].origin, graph->bodies[next].origin);
            ground = next;
        }
        held.is_held = true;
    }
    *ret_body = add_body(graph, "body", &heavy);
    if (n_ground > 0) {
        static const enum dpl_mb_joint_type types[6] = {DPL_MB_TX, DPL_MB_TY, DPL_MB_TZ,
                                                        DPL_MB_RX, DPL_MB_RY, DPL_MB_RZ};
        int before = 0;
        for (int i = 0; i < 6; i++) {
            char name[16];
            snprintf(name, sizeof name, "m%d", i);
            struct dpl_mb_joint step = {.type = types[i], .displacement = {.1}};
            int next = i < 5 ? add_body(graph, name, NULL) : *ret_body;
            add_joint(graph, &step, graph->bodies[before].origin, graph->bodies[next].origin);
            before = next;
        }
    }
    int a = add_frame(graph, ground, .3, .4, -.2), b = add_frame(graph, *ret_body, -.2, .1, .3);
    *ret_joint = add_joint(graph, &held, reversed ? b : a, reversed ? a : b);
    return graph;
}

static struct dpl_mb_system *start(struct dpl_mb_graph *graph)
{
    struct dpl_mb_settings settings = {.integrator = DPL_MB_RK4};
    struct dpl_mb_system *system = NULL;
    struct dpl_diag diag = {.text = ""};
    int result = dpl_mb_system_create(graph, &settings, NULL, NULL, NULL, &system, &diag);
    cr_assert_eq(result, 0, "%s", diag.text);
    dpl_mb_graph_destroy(graph);
    return system;
}

static void compare(const struct dpl_mb_joint *joint, bool reversed, int n_ground, double seconds)
{
    int joints[2], bodies[2];
    struct dpl_mb_system *systems[2];
    for (int is_chord = 0; is_chord < 2; is_chord++) {
        systems[is_chord] = start(
            make(joint, reversed, is_chord ? n_ground : 0, &joints[is_chord], &bodies[is_chord]));
        cr_expect_eq(dpl_mb_joint_role(systems[is_chord], joints[is_chord]),
                     is_chord && n_ground == 6, "%s", dpl_mb_joint_words[joint->type]);
    }
    for (int round = 0; round < 2; round++) {
        struct dpl_mb_body_state body[2];
        struct dpl_mb_joint_state state[2];
        for (int k = 0; k < 2; k++) {
            dpl_mb_apply(systems[k], joints[k], 0, 0.3);
            golden_run(systems[k], round * seconds, 5e-4);
            cr_assert_eq(dpl_mb_body(systems[k], bodies[k], &body[k]), 0);
            cr_assert_eq(dpl_mb_joint(systems[k], joints[k], &state[k]), 0);
        }
        const char *word = dpl_mb_joint_words[joint->type];
        for (int i = 0; i < 3; i++) {
            cr_expect_float_eq(body[0].place.position[i], body[1].place.position[i], 1e-9,
                               "%s %d %d: %g %g", word, reversed, round, body[0].place.position[i],
                               body[1].place.position[i]);
            cr_expect_float_eq(body[0].velocity[i], body[1].velocity[i], 1e-8, "%s %d %d: %g %g",
                               word, reversed, round, body[0].velocity[i], body[1].velocity[i]);
            cr_expect_float_eq(body[0].angular[i], body[1].angular[i], 1e-8, "%s %d %d", word,
                               reversed, round);
        }
        for (int i = 0; i < state[0].n; i++) {
            cr_expect_float_eq(state[0].displacement[i], state[1].displacement[i], 1e-9,
                               "%s %d %d: q%d %g %g", word, reversed, round, i,
                               state[0].displacement[i], state[1].displacement[i]);
            cr_expect_float_eq(state[0].velocity[i], state[1].velocity[i], 1e-8,
                               "%s %d %d: v%d %g %g", word, reversed, round, i,
                               state[0].velocity[i], state[1].velocity[i]);
            cr_expect(round == 0 || fabs(state[0].acceleration[i] - state[1].acceleration[i]) <
                                        1e-6 * fmax(1.0, fabs(state[0].acceleration[i])),
                      "%s %d %d: a%d %g %g", word, reversed, round, i, state[0].acceleration[i],
                      state[1].acceleration[i]);
            cr_expect(round == 1 || fabs(state[0].velocity[i] - joint->velocity[i]) < 1e-12);
            cr_expect(round == 1 ||
                      fabs(state[0].displacement[i] - joint->displacement[i]) < 1e-12);
        }
    }
    dpl_mb_system_destroy(systems[0]);
    dpl_mb_system_destroy(systems[1]);
}

Test(joints, move_alike_in_the_tree_and_in_a_loop)
{
    for (int type = 0; type < DPL_MB_JOINT_TYPES; type++) {
        struct dpl_mb_joint joint = {.type = (enum dpl_mb_joint_type)type,
                                     .displacement = {.3, -.2, .25},
                                     .velocity = {.5, -.7, .4},
                                     .place = dpl_mb_place_identity,
                                     .pitch = .05};
        for (int i = dpl_mb_joint_freedoms(joint.type); i < 3; i++) {
            joint.displacement[i] = joint.velocity[i] = 0.0;
        }
        for (int reversed = 0; reversed < 2 && type != DPL_MB_FLOAT && type != DPL_MB_RIGID;
             reversed++) {
            compare(&joint, reversed, 6, 0.3);
            compare(&joint, reversed, 8, 0.3);
        }
    }
}

static double energy(const struct dpl_mb_system *system)
{
    return dpl_mb_kinetic(system) + dpl_mb_potential(system);
}

/* A spherical pendulum that goes over the top: the chart of its turns is renewed. */
Test(joints, spherical_ones_turn_everywhere)
{
    for (int reversed = 0; reversed < 2; reversed++) {
        const struct dpl_mb_joint joint = {.type = DPL_MB_SPHERICAL, .velocity = {9, 14, -7}};
        double drift[2];
        for (int half = 0; half < 2; half++) {
            int number, body;
            struct dpl_mb_system *system = start(make(&joint, reversed, 0, &number, &body));
            double first = energy(system);
            drift[half] = 0.0;
            while (dpl_mb_time(system) < 5.0) {
                cr_assert_eq(dpl_mb_step(system, half ? 5e-4 : 1e-3), 0);
                drift[half] = fmax(drift[half], fabs(energy(system) / first - 1.0));
            }
            dpl_mb_system_destroy(system);
        }
        cr_expect_leq(drift[1], 1e-8, "%g", drift[1]);
        cr_expect_gt(drift[0] / drift[1], 12.0, "%g %g", drift[0], drift[1]);
    }
}

/* A nut on a vertical screw: (Izz + m p^2) a = -m g p, where the centre of mass is on the axis. */
Test(joints, screws_fall_by_closed_form)
{
    struct dpl_mb_graph *graph;
    cr_assert_eq(dpl_mb_graph_create(NULL, &graph), 0);
    graph->gravity[2] = -9.81;
    const struct dpl_mb_body nut = {.mass = 2, .inertia = {.1, .1, .3}, .is_active = true};
    int body = add_body(graph, "nut", &nut);
    const struct dpl_mb_joint screw = {.type = DPL_MB_SCREW, .pitch = .2};
    int joint = add_joint(graph, &screw, graph->bodies[0].origin, graph->bodies[body].origin);
    struct dpl_mb_system *system = start(graph);
    golden_run(system, 1.0, 1e-2);
    double a = -2 * 9.81 * .2 / (.3 + 2 * .04);
    struct dpl_mb_body_state state;
    cr_assert_eq(dpl_mb_body(system, body, &state), 0);
    cr_expect_float_eq(golden_v(system, joint), a, 1e-11);
    cr_expect_float_eq(golden_q(system, joint), .5 * a, 1e-11);
    cr_expect_float_eq(state.place.position[2], .1 * a, 1e-11);
    dpl_mb_system_destroy(system);
}

/* Two wheels: (I1 + I2 / r^2) a = T, and the second one turns by -a / r. */
Test(joints, gears_keep_their_ratio)
{
    struct dpl_mb_graph *graph;
    struct dpl_diag diag;
    cr_assert_eq(dpl_mb_graph_create(NULL, &graph), 0);
    const struct dpl_mb_body wheels[2] = {{.mass = 1, .inertia = {1, 1, .3}, .is_active = true},
                                          {.mass = 1, .inertia = {1, 1, .8}, .is_active = true}};
    int joints[2];
    const struct dpl_mb_joint turns[2] = {
        {.type = DPL_MB_RZ, .displacement = {.1}, .velocity = {4}},
        {.type = DPL_MB_RZ, .displacement = {.7}}};
    for (int i = 0; i < 2; i++) {
        int body = add_body(graph, i == 0 ? "a" : "b", &wheels[i]);
        int from = graph->bodies[0].origin, to = graph->bodies[body].origin;
        joints[i] = add_joint(graph, &turns[i], i == 0 ? from : to, i == 0 ? to : from);
    }
    const struct dpl_mb_gear gear = {
        .name = (char[]){"g"}, .joints = {joints[0], joints[1]}, .ratio = 2.5, .is_active = true};
    cr_assert_geq(dpl_mb_add_gear(graph, &gear, &diag), 0);
    struct dpl_mb_system *system = start(graph);
    struct dpl_mb_topology topology;
    dpl_mb_topology(system, &topology);
    cr_expect_eq(topology.freedom, 1);
    dpl_mb_apply(system, joints[0], 0, 3.0);
    golden_run(system, 1.0, 1e-2);
    double a = 3.0 / (.3 + .8 / 6.25);
    cr_expect_float_eq(golden_v(system, joints[0]), 4 + a, 1e-10);
    cr_expect_float_eq(golden_q(system, joints[0]), .1 + 4 + .5 * a, 1e-10);
    cr_expect_float_eq(golden_q(system, joints[1]), .7 - (4 + .5 * a) / 2.5, 1e-10);
    dpl_mb_system_destroy(system);
}

/* A wheel geared to the joint that closes a loop: the energy stays, and so does the ratio. */
Test(joints, gears_reach_what_closes_a_loop)
{
    for (int other = 0; other < 4; other++) {
        struct dpl_mb_graph *graph = golden_graph(&golden_four_bar);
        struct dpl_diag diag;
        const struct dpl_mb_body wheel = {
            .mass = 1, .centre = {.1, 0, 0}, .inertia = {1, 1, .3}, .is_active = true};
        const struct dpl_mb_joint turn = {.type = DPL_MB_RZ};
        int body = add_body(graph, "w", &wheel);
        int joint = add_joint(graph, &turn, graph->bodies[0].origin, graph->bodies[body].origin);
        const struct dpl_mb_gear gear = {
            .name = (char[]){"g"}, .joints = {other, joint}, .ratio = -1.5, .is_active = true};
        cr_assert_geq(dpl_mb_add_gear(graph, &gear, &diag), 0);
        struct dpl_mb_system *system = start(graph);
        double first = energy(system),
               sum = golden_q(system, other) - 1.5 * golden_q(system, joint);
        golden_run(system, 2.0, 5e-4);
        cr_expect_float_eq(energy(system), first, 1e-8, "%d: %.12g %.12g", other, first,
                           energy(system));
        cr_expect_float_eq(golden_q(system, other) - 1.5 * golden_q(system, joint), sum, 1e-12);
        cr_expect_float_eq(golden_v(system, other) - 1.5 * golden_v(system, joint), 0.0, 1e-10);
        dpl_mb_system_destroy(system);
    }
}
