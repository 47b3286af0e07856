/* SPDX-License-Identifier: Apache-2.0 */
/* Motors, limits, friction, efforts, pushes, drags; what a new system takes from an old one;
 * singular poses. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"

static double energy(const struct dpl_mb_system *system)
{
    return dpl_mb_kinetic(system) + dpl_mb_potential(system);
}

/* A block of 2 kg on a rail. */
static const struct golden_world block = {
    .bodies = {{"b", 2, {0, 0, 0}, {1, 1, 1}}},
    .joints = {{"x", DPL_MB_TX, {{"fixed", NULL}, {"b", NULL}}, 0, 1}},
};

static struct dpl_mb_system *on(struct dpl_mb_graph *graph, enum dpl_mb_integrator integrator)
{
    struct dpl_mb_settings settings = {.integrator = integrator};
    struct dpl_mb_system *system = NULL;
    struct dpl_diag diag = {.text = ""};
    cr_assert_eq(dpl_mb_system_create(graph, &settings, NULL, NULL, NULL, &system, &diag), 0, "%s",
                 diag.text);
    dpl_mb_graph_destroy(graph);
    return system;
}

Test(inputs, motors_follow_their_laws)
{
    struct dpl_mb_graph *graph = golden_graph(&block);
    graph->joints[0].motor =
        (struct dpl_mb_motor){.mode = DPL_MB_MOTOR_POSITION, .kp = 50, .kd = 20, .max = 30};
    struct dpl_mb_system *system = on(graph, DPL_MB_RK4);
    /* 2 x'' = 50 (p - x) - 20 x': x = p + (c1 + c2 t) e^-5t */
    cr_assert_eq(dpl_mb_command(system, 0, DPL_MB_MOTOR_POSITION, 0.2), 0);
    golden_run(system, 0.7, 1e-3);
    double c1 = -.2, c2 = 1 + 5 * c1;
    cr_expect_float_eq(golden_q(system, 0), .2 + (c1 + c2 * .7) * exp(-3.5), 1e-10);
    cr_assert_eq(dpl_mb_command(system, 0, DPL_MB_MOTOR_FORCE, 100.0), 0);
    double v = golden_v(system, 0);
    golden_run(system, 0.8, 1e-3);
    cr_expect_float_eq(golden_v(system, 0), v + 30.0 / 2 * .1, 1e-11); /* not more than max */
    struct dpl_mb_joint_state state;
    cr_assert_eq(dpl_mb_joint(system, 0, &state), 0);
    cr_expect_float_eq(state.effort[0], 30.0, 1e-12);
    cr_expect_eq(dpl_mb_command(system, 1, DPL_MB_MOTOR_FORCE, 1.0), -EINVAL);
    dpl_mb_system_destroy(system);
}

/* It bounces back and forth, by less each time, and never goes far beyond. */
Test(inputs, limits_hold)
{
    for (int integrator = 0; integrator < 4; integrator++) {
        struct dpl_mb_graph *graph = golden_graph(&block);
        graph->joints[0].limit = (struct dpl_mb_limit){.is_there = true, .lower = -.1, .upper = .2};
        struct dpl_mb_system *system = on(graph, (enum dpl_mb_integrator)integrator);
        double most = 0.0, least = 0.0, first = energy(system);
        dpl_mb_apply(system, 0, 0, -1.0);
        while (dpl_mb_time(system) < 3.0) {
            cr_assert_eq(dpl_mb_step(system, 1e-3), 0);
            most = fmax(most, golden_q(system, 0));
            least = fmin(least, golden_q(system, 0));
        }
        cr_expect(most > .2 && most < .206, "%d: %g", integrator, most);
        cr_expect(least < -.1 && least > -.106, "%d: %g", integrator, least);
        cr_expect_leq(dpl_mb_kinetic(system), 0.1 * first);
        dpl_mb_system_destroy(system);
    }
}

/* Coulomb's 3 N stop 2 kg at 1 m/s after 2/3 s and 1/3 m, but for what tanh makes soft. */
Test(inputs, friction_stops)
{
    struct golden_world world = block;
    world.restraints[0] =
        (struct golden_restraint){DPL_MB_FRICTION, "x", .n_of = {1}, .coefficients = {3}};
    for (int integrator = 0; integrator < 2; integrator++) {
        struct dpl_mb_system *system = golden_system(&world, (enum dpl_mb_integrator)integrator);
        golden_run(system, 1.0, integrator ? 1e-4 : 1e-3);
        cr_expect_float_eq(golden_q(system, 0), 1.0 / 3.0, 2e-3, "%g", golden_q(system, 0));
        cr_expect_float_eq(golden_v(system, 0), 0.0, 1e-9, "%g", golden_v(system, 0));
        dpl_mb_system_destroy(system);
    }
}

/* A law that jumps from -3 N to 3 N where the block stops holds it there: no step could follow all
 * changes of its sign. It is told, and the time goes on, with an error of about a thousandth of a
 * step times the velocity before. */
Test(inputs, laws_that_jump_against_the_motion_do_not_hold_up_time)
{
    struct golden_world world = block;
    world.restraints[0] = (struct golden_restraint){
        DPL_MB_DAMPER, "x", .n_knots = 1, .knots = {0}, .n_of = {1, 1}, .coefficients = {-3, 3}};
    for (int integrator = DPL_MB_DOPRI5; integrator <= DPL_MB_GRAGG; integrator++) {
        struct dpl_mb_system *system = golden_system(&world, (enum dpl_mb_integrator)integrator);
        struct dpl_mb_event event;
        int stalled = 0;
        golden_run(system, 0.66, 1e-2);
        cr_expect_float_eq(golden_v(system, 0), 1 - 1.5 * .66, 1e-9);
        cr_expect_not(dpl_mb_take_event(system, &event));
        golden_run(system, 1.0, 1e-2);
        cr_expect_float_eq(golden_q(system, 0), 1.0 / 3.0, 1e-4, "%g", golden_q(system, 0));
        cr_expect_float_eq(golden_v(system, 0), 0.0, 1e-3, "%g", golden_v(system, 0));
        while (dpl_mb_take_event(system, &event)) {
            stalled += event.type == DPL_MB_EVENT_STALLED;
        }
        /* steps of the midpoint rule see both signs and go on with their mean */
        cr_expect(stalled > 0 || integrator == DPL_MB_GRAGG);
        dpl_mb_system_destroy(system);
    }
}

/* A spring on any joint of a loop is the same potential, be the joint in the tree or not. */
Test(inputs, restraints_work_on_what_closes_a_loop)
{
    static const char *const names[4] = {"A", "B", "C", "D"};
    for (int j = 0; j < 4; j++) {
        struct golden_world world = golden_four_bar;
        world.restraints[0] = (struct golden_restraint){DPL_MB_SPRING, names[j], .n_of = {3},
                                                        .coefficients = {.1, 5, -1}};
        struct dpl_mb_system *system = golden_system(&world, DPL_MB_RK4);
        double first = energy(system), bare = 42.147688335, q = world.joints[j].q;
        cr_expect_float_eq(first, bare + .1 * q * q * q / 3 + 2.5 * q * q - q, 1e-8);
        golden_run(system, 2.0, 5e-4);
        cr_expect_float_eq(energy(system), first, 1e-7, "%s: %g", names[j], energy(system) - first);
        dpl_mb_system_destroy(system);
        world.restraints[0] = (struct golden_restraint){DPL_MB_DAMPER, names[j], .n_of = {2},
                                                        .coefficients = {.8, 0}};
        system = golden_system(&world, DPL_MB_RK4);
        double work = 0.0, start = energy(system), last = golden_v(system, j);
        for (int k = 0; k < 2000; k++) { /* Simpson's rule needs the middle; trapezoids do */
            golden_run(system, dpl_mb_time(system) + 2.5e-4, 2.5e-4);
            double now = golden_v(system, j);
            work += 2.5e-4 * .8 * (last * last + last * now + now * now) / 3.0;
            last = now;
        }
        cr_expect_float_eq(start - energy(system), work, 1e-5, "%s", names[j]);
        cr_expect_gt(work, 0.01);
        dpl_mb_system_destroy(system);
    }
}

/* The semi-implicit step takes dampers that are far too stiff for an explicit one, on all joints.
 */
Test(inputs, stiff_dampers_stay_tame)
{
    static const char *const names[4] = {"A", "B", "C", "D"};
    for (int j = 0; j < 4; j++) {
        struct golden_world world = golden_four_bar;
        world.restraints[0] = (struct golden_restraint){DPL_MB_DAMPER, names[j], .n_of = {2},
                                                        .coefficients = {1e4, 0}};
        struct dpl_mb_system *system = golden_system(&world, DPL_MB_SEMI_IMPLICIT);
        double first = energy(system);
        cr_assert_eq(dpl_mb_step(system, 1e-3), 0);
        for (int k = 0; k < 500; k++) {
            cr_assert_eq(dpl_mb_step(system, 1e-3), 0);
            cr_assert_leq(energy(system), first, "%s", names[j]);
        }
        cr_expect_leq(dpl_mb_kinetic(system), 1e-3, "%s: %g", names[j], dpl_mb_kinetic(system));
        dpl_mb_system_destroy(system);
    }
}

/* A free body under a constant force and torque along a main axis. */
Test(inputs, pushes_move_bodies)
{
    struct golden_world world = golden_free_body;
    world.gravity[1] = 0.0;
    world.bodies[0] = (struct golden_body){"b", 2.5, {0, 0, 0}, {.4, .9, .6}};
    memset(world.joints[0].velocity, 0, sizeof world.joints[0].velocity);
    struct dpl_mb_system *system = golden_system(&world, DPL_MB_RK4);
    cr_assert_eq(dpl_mb_push(system, 1, (double[]){1, 2, 3}, (double[]){0, .3, 0}), 0);
    golden_run(system, 1.0, 1e-2);
    struct dpl_mb_body_state state;
    cr_assert_eq(dpl_mb_body(system, 1, &state), 0);
    for (int i = 0; i < 3; i++) {
        cr_expect_float_eq(state.velocity[i], (i + 1) / 2.5, 1e-12);
        cr_expect_float_eq(state.acceleration[i], (i + 1) / 2.5, 1e-9);
    }
    cr_expect_float_eq(state.angular[1], .3 / .9, 1e-12);
    cr_expect_eq(dpl_mb_push(system, 7, (double[]){1, 2, 3}, (double[]){0, 0, 0}), -EINVAL);
    dpl_mb_system_destroy(system);
}

/* A handle pulls a point of the body to its place. */
Test(inputs, drags_pull_to_a_place)
{
    struct dpl_mb_system *system = golden_system(&golden_four_bar, DPL_MB_RK4);
    dpl_mb_drag(system, 2, (double[]){1.8, 0, 0}, (double[]){1.2, 1.2, 0}, 3000, 300);
    golden_run(system, 5.0, 1e-3);
    struct dpl_mb_body_state state;
    cr_assert_eq(dpl_mb_body(system, 2, &state), 0);
    const double *r = state.place.rotation, *p = state.place.position;
    double x = p[0] + 1.8 * r[0], y = p[1] + 1.8 * r[3];
    /* the tip stays on the rocker's circle around (2, 0), where it is nearest to the place, but
     * for the weight */
    double length = hypot(1.2 - 2.0, 1.2);
    cr_expect_float_eq(x, 2.0 - 1.5 * .8 / length, 0.03, "%g", x);
    cr_expect_float_eq(y, 1.5 * 1.2 / length, 0.03, "%g", y);
    cr_expect_leq(dpl_mb_kinetic(system), 1e-6);
    dpl_mb_system_destroy(system);
}

/* A body is added while the mechanism runs: what moves goes on. */
Test(inputs, a_new_system_goes_on_where_the_old_one_was)
{
    struct dpl_mb_graph *graph = golden_graph(&golden_four_bar);
    struct dpl_mb_settings settings = {.integrator = DPL_MB_RK4};
    struct dpl_mb_system *old, *new;
    struct dpl_diag diag;
    cr_assert_eq(dpl_mb_system_create(graph, &settings, NULL, NULL, NULL, &old, &diag), 0);
    golden_run(old, 0.5, 1e-3);
    struct dpl_mb_body ball = {
        .name = (char[]){"ball"}, .mass = 1, .inertia = {1, 1, 1}, .is_active = true};
    int body = dpl_mb_add_body(graph, &ball, &diag);
    cr_assert_geq(body, 0);
    cr_assert_eq(dpl_mb_system_create(graph, &settings, old, NULL, NULL, &new, &diag), 0);
    for (int j = 0; j < 4; j++) {
        cr_expect_float_eq(golden_q(new, j), golden_q(old, j), 1e-12);
        cr_expect_float_eq(golden_v(new, j), golden_v(old, j), 1e-11);
    }
    cr_expect_eq(dpl_mb_time(new), dpl_mb_time(old));
    golden_run(old, 1.0, 1e-3);
    golden_run(new, 1.0, 1e-3);
    cr_expect_float_eq(golden_q(new, 0), golden_q(old, 0), 1e-10);
    /* once more: now the ball falls on */
    dpl_mb_system_destroy(old);
    cr_assert_eq(dpl_mb_system_create(graph, &settings, new, NULL, NULL, &old, &diag), 0);
    golden_run(old, 1.5, 1e-3);
    struct dpl_mb_body_state state;
    cr_assert_eq(dpl_mb_body(old, body, &state), 0);
    cr_expect_float_eq(state.place.position[1], -.5 * 9.81, 1e-9, "%g", state.place.position[1]);
    dpl_mb_system_destroy(old);
    dpl_mb_system_destroy(new);
    dpl_mb_graph_destroy(graph);
}

/* A parallelogram that turns at a constant rate meets its flat pose at the end of a step. */
static const struct golden_world parallelogram = {
    .bodies = {{"a", 1, {.5, 0, 0}, {.1, .1, .1}},
               {"b", 1, {1, 0, 0}, {.1, .1, .1}},
               {"c", 1, {.5, 0, 0}, {.1, .1, .1}}},
    .frames = {{"fixed", "far", {2, 0, 0}},
               {"a", "tip", {1, 0, 0}},
               {"b", "tip", {2, 0, 0}},
               {"c", "tip", {1, 0, 0}}},
    .joints = {{"A", DPL_MB_RZ, {{"fixed", NULL}, {"a", NULL}}, -.3, 1},
               {"B", DPL_MB_RZ, {{"a", "tip"}, {"b", NULL}}, .3, -1},
               {"C", DPL_MB_RZ, {{"b", "tip"}, {"c", "tip"}}, -.3, 1},
               {"D", DPL_MB_RZ, {{"fixed", "far"}, {"c", NULL}}, -.3, 1}},
};

Test(inputs, singular_poses_are_told)
{
    for (int damps = 0; damps < 2; damps++) {
        struct dpl_mb_settings settings = {.integrator = DPL_MB_SEMI_IMPLICIT,
                                           .damps_singular = damps};
        struct dpl_mb_system *system = golden_create(&parallelogram, &settings);
        double first = dpl_mb_kinetic(system);
        int result = 0, singular = 0;
        for (int k = 0; k < 6; k++) {
            result = dpl_mb_step(system, .1);
            (void)dpl_mb_kinetic(system);
        }
        struct dpl_mb_event event;
        while (dpl_mb_take_event(system, &event)) {
            singular += event.type == DPL_MB_EVENT_SINGULAR;
            cr_expect(event.joint >= 0 && event.joint < 4);
        }
        cr_expect_eq(singular, 1, "%d: %d", damps, singular);
        if (damps) {
            cr_expect_eq(result, 0);
            cr_expect(dpl_mb_kinetic(system) < first && dpl_mb_kinetic(system) > 0.1 * first);
        } else {
            cr_expect_eq(result, -EDOM);
            cr_expect_eq(dpl_mb_kinetic(system), 0.0);
            cr_expect_float_eq(golden_q(system, 0), 0.0, 1e-12);
        }
        dpl_mb_system_destroy(system);
    }
}

/* Assembled flat, it has a rank too low, and both ways to go on. With cranks against each other it
 * leaves what it is made of, which is told. */
Test(inputs, rows_that_do_not_hold_are_told)
{
    struct golden_world world = parallelogram;
    for (int j = 0; j < 4; j++) {
        world.joints[j].q = 0.0;
        world.joints[j].v = 0.0;
    }
    world.joints[0].v = 1.0;
    world.joints[1].v = -2.0;
    world.joints[3].v = -1.0;
    struct dpl_mb_system *system = golden_system(&world, DPL_MB_RK4);
    struct dpl_mb_event event = {.type = DPL_MB_EVENT_STALLED};
    struct dpl_mb_topology topology;
    dpl_mb_topology(system, &topology);
    cr_expect_eq(topology.freedom, 2);
    for (int k = 0; k < 100; k++) {
        dpl_mb_step(system, 1e-3);
    }
    bool told = false;
    while (dpl_mb_take_event(system, &event)) {
        told = told || (event.type == DPL_MB_EVENT_INCONSISTENT && event.value > 1e-8);
    }
    cr_expect(told);
    dpl_mb_system_destroy(system);
}

/* ---- memory ---- */

struct counted {
    int takes, left;
};

static void *allocate(void *user, size_t bytes)
{
    struct counted *counted = user;
    if (counted->left == 0) {
        return NULL;
    }
    counted->left--;
    counted->takes++;
    return calloc(1, bytes);
}

static void give(void *user, void *memory)
{
    struct counted *counted = user;
    counted->takes -= memory != NULL;
    free(memory);
}

Test(inputs, steps_take_no_memory_and_nothing_leaks)
{
    for (int integrator = 0; integrator < 4; integrator++) {
        struct golden_world world;
        golden_delta(&world);
        struct counted counted = {.left = 1000};
        struct dpl_mb_settings settings = {.integrator = (enum dpl_mb_integrator)integrator,
                                           .memory = {allocate, give, &counted}};
        struct dpl_mb_system *system = golden_create(&world, &settings);
        cr_expect_eq(counted.takes, 1);
        counted.left = 0;
        for (int k = 0; k < 150; k++) {
            cr_assert_eq(dpl_mb_step(system, 1e-3), 0);
        }
        (void)golden_q(system, 0);
        (void)dpl_mb_residual(system);
        cr_expect_eq(counted.takes, 1);
        dpl_mb_system_destroy(system);
        cr_expect_eq(counted.takes, 0);
    }
}

Test(inputs, lack_of_memory_is_told)
{
    struct dpl_mb_graph *graph = golden_graph(&golden_four_bar);
    for (int left = 0; left < 3; left++) {
        struct counted counted = {.left = left};
        struct dpl_mb_settings settings = {.memory = {allocate, give, &counted}};
        struct dpl_mb_system *system = NULL;
        struct dpl_diag diag;
        cr_expect_eq(dpl_mb_system_create(graph, &settings, NULL, NULL, NULL, &system, &diag),
                     -ENOMEM);
        cr_expect_str_eq(diag.text, "no memory is left");
        cr_expect_eq(counted.takes, 0);
    }
    dpl_mb_graph_destroy(graph);
}

Test(inputs, what_has_no_mass_is_refused)
{
    struct golden_world world = golden_four_bar;
    world.joints[3] = (struct golden_joint){.name = NULL}; /* a chain now */
    world.bodies[2].mass = 0.0;
    memset(world.bodies[2].inertia, 0, sizeof world.bodies[2].inertia);
    struct dpl_mb_graph *graph = golden_graph(&world);
    struct dpl_mb_system *system;
    struct dpl_diag diag;
    cr_expect_eq(dpl_mb_system_create(graph, NULL, NULL, NULL, NULL, &system, &diag), -EINVAL);
    cr_expect_str_eq(diag.text, "what 'C' moves has no mass or no moment of inertia");
    dpl_mb_graph_destroy(graph);
}
