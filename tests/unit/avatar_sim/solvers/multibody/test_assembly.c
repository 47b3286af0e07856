/* SPDX-License-Identifier: Apache-2.0 */
/* Loops are closed from afar, or it is said which one cannot be. */
#include <criterion/criterion.h>
#include <doppel/math/random.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "golden.h"

/* Both sides of a loop agree: all lengths in it are those of the mechanism, so no residual of the
 * solver's own is asked. */
static double gap(const struct dpl_mb_system *system, int joint)
{
    struct dpl_mb_joint_state state;
    cr_assert_eq(dpl_mb_joint(system, joint, &state), 0);
    const double *p = state.place.position;
    return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
}

Test(assembly, closes_from_errors_on_all_joints)
{
    struct dpl_random rng = dpl_random_seeded(11, 1);
    for (int number = 2; number <= 6; number++) {
        for (int seed = 0; seed < 200; seed++) {
            struct golden_world world;
            golden_loop(number, &world);
            for (int j = 0; world.joints[j].name; j++) {
                world.joints[j].q += dpl_random_uniform(&rng, -.3, .3);
                world.joints[j].v = 0.0;
            }
            struct dpl_mb_graph *graph = golden_graph(&world);
            struct dpl_mb_system *system = NULL;
            struct dpl_diag diag = {.text = ""};
            int result = dpl_mb_system_create(graph, NULL, NULL, NULL, NULL, &system, &diag);
            dpl_mb_graph_destroy(graph);
            cr_expect_eq(result, 0, "world %d, seed %d: %s", number, seed, diag.text);
            if (result == 0) {
                cr_expect_leq(dpl_mb_residual(system), 1e-11);
                for (int j = 0; world.joints[j].name; j++) {
                    cr_expect(world.joints[j].type != DPL_MB_RZ || gap(system, j) < 1e-11);
                }
            }
            dpl_mb_system_destroy(system);
        }
    }
}

Test(assembly, names_the_joint_that_cannot_be_closed)
{
    /* lengths 1, 1, 1 and 5 */
    static const struct golden_world world = {
        .bodies = {{"a", 1, {.5, 0, 0}, {.1, .1, .1}},
                   {"b", 1, {.5, 0, 0}, {.1, .1, .1}},
                   {"c", 1, {.5, 0, 0}, {.1, .1, .1}}},
        .frames = {{"fixed", "far", {5, 0, 0}},
                   {"a", "tip", {1, 0, 0}},
                   {"b", "tip", {1, 0, 0}},
                   {"c", "tip", {1, 0, 0}}},
        .joints = {{"j1", DPL_MB_RZ, {{"fixed", NULL}, {"a", NULL}}, .1},
                   {"j2", DPL_MB_RZ, {{"a", "tip"}, {"b", NULL}}, .2},
                   {"j3", DPL_MB_RZ, {{"b", "tip"}, {"c", NULL}}, .1},
                   {"j4", DPL_MB_RZ, {{"c", "tip"}, {"fixed", "far"}}, .1}}};
    struct dpl_mb_graph *graph = golden_graph(&world);
    struct dpl_mb_system *system = NULL;
    struct dpl_diag diag;
    cr_assert_eq(dpl_mb_system_create(graph, NULL, NULL, NULL, NULL, &system, &diag), -EDOM);
    /* the tree reaches 2 from one side and 1 from the other: j3 closes the loop, 2 m apart */
    cr_expect_str_eq(diag.text, "a loop cannot be closed: joint 'j3' stays open by 2 m or rad");
    dpl_mb_graph_destroy(graph);
}

enum { LONG = 300 };

/* LONG bars of 1 m, bent a little, and a last joint that is twice their length away. */
static struct dpl_mb_graph *too_short(void)
{
    struct dpl_mb_graph *graph = NULL;
    bool good = dpl_mb_graph_create(NULL, &graph) == 0;
    int end = good ? graph->bodies[0].origin : -1;
    for (int i = 0; i <= LONG && good; i++) {
        char name[16];
        snprintf(name, sizeof name, "j%d", i);
        bool is_last = i == LONG;
        struct dpl_mb_body body = {
            .name = name, .mass = 1.0, .inertia = {.1, .1, .1}, .is_active = true};
        struct dpl_mb_frame frame = {.name = "tip", .in_body = dpl_mb_place_identity};
        frame.in_body.position[0] = is_last ? 2.0 * LONG : 1.0;
        frame.body = is_last ? 0 : dpl_mb_add_body(graph, &body, NULL);
        int tip = frame.body < 0 ? -1 : dpl_mb_add_frame(graph, &frame, NULL);
        int to = is_last || frame.body < 0 ? tip : graph->bodies[frame.body].origin;
        struct dpl_mb_joint joint = {.name = name,
                                     .type = DPL_MB_RZ,
                                     .frames = {end, to},
                                     .displacement = {.1 * (i % 3 - 1)},
                                     .is_active = true};
        good = tip >= 0 && dpl_mb_add_joint(graph, &joint, NULL) >= 0;
        end = tip;
    }
    if (!good) {
        dpl_mb_graph_destroy(graph);
        return NULL;
    }
    return graph;
}

Test(assembly, a_loop_of_hundreds_of_joints_that_is_too_short_is_told_soon)
{
    struct dpl_mb_graph *graph = too_short();
    struct dpl_mb_system *system = NULL;
    struct dpl_diag diag;
    cr_assert_not_null(graph);
    clock_t begin = clock();
    cr_assert_eq(dpl_mb_system_create(graph, NULL, NULL, NULL, NULL, &system, &diag), -EDOM);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    cr_expect_str_eq(diag.text, "a loop cannot be closed: joint 'j150' stays open by 300 m or rad");
    cr_expect_lt(seconds, 1.0, "CPU time: %g s", seconds);
    dpl_mb_graph_destroy(graph);
}

Test(assembly, held_joints_keep_their_displacements)
{
    for (int held = 0; held < 4; held++) {
        struct golden_world world = golden_four_bar;
        for (int j = 0; j < 4; j++) {
            world.joints[j].q += j == held ? 0.0 : .2 - .1 * j;
            world.joints[j].v = 0.0;
        }
        world.joints[held].is_held = true;
        world.joints[held].q += .05;
        struct dpl_mb_system *system = golden_system(&world, DPL_MB_RK4);
        double error = fabs(golden_q(system, held) - world.joints[held].q);
        cr_expect(dpl_mb_joint_role(system, held) == 0 ? error == 0.0 : error < 1e-11, "%d: %g",
                  held, error);
        cr_expect_leq(dpl_mb_residual(system), 1e-11);
        dpl_mb_system_destroy(system);
    }
}

/* One velocity is enough for a mechanism with one freedom. */
Test(assembly, given_velocities_are_kept)
{
    static const double rates[4] = {3, -3.7931559253297493, 1.7026797838997825, 0.9095238585700329};
    for (int given = 0; given < 4; given++) {
        struct golden_world world = golden_four_bar;
        for (int j = 0; j < 4; j++) {
            world.joints[j].v = j == given ? rates[j] : 0.0;
        }
        struct dpl_mb_system *system = golden_system(&world, DPL_MB_RK4);
        for (int j = 0; j < 4; j++) {
            cr_expect_float_eq(golden_v(system, j), rates[j], 1e-12, "%d by %d: %g", j, given,
                               golden_v(system, j));
        }
        dpl_mb_system_destroy(system);
    }
}

static int warnings;
static char last_text[DPL_DIAG_TEXT_MAX];

static void count_warning(void *user, const struct dpl_diag *diag)
{
    warnings += diag->severity == DPL_SEVERITY_WARNING;
    strcpy(last_text, diag->text);
}

Test(assembly, velocities_that_do_not_fit_are_told)
{
    struct golden_world world = golden_four_bar;
    struct dpl_mb_system *system;
    world.joints[1].v = 1.0;
    struct dpl_mb_graph *graph = golden_graph(&world);
    warnings = 0;
    cr_assert_eq(dpl_mb_system_create(graph, NULL, NULL, count_warning, NULL, &system, NULL), 0);
    cr_expect_geq(warnings, 1);
    cr_expect(strstr(last_text, "has a velocity that does not fit"), "%s", last_text);
    dpl_mb_system_destroy(system);
    dpl_mb_graph_destroy(graph);
}
