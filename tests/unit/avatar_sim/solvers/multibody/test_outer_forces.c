/* SPDX-License-Identifier: Apache-2.0 */
/* Forces that code outside adds in each evaluation: against the same forces by dpl_mb_drag and in
 * closed form. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "golden.h"

/* A spring and a damper from a body's point to a place. */
struct handle {
    int body;
    double at[3], to[3], stiffness, damping;
    bool is_told; /* that it damps */
    int calls;
};

static void pull(void *user, struct dpl_mb_system *system)
{
    struct handle *handle = user;
    struct dpl_mb_body_state body;
    handle->calls++;
    if (dpl_mb_body(system, handle->body, &body) != 0) {
        return;
    }
    const double *r = body.place.rotation, *p = handle->at, *w = body.angular;
    double arm[3], place[3], force[3];
    for (int i = 0; i < 3; i++) {
        arm[i] = r[3 * i] * p[0] + r[3 * i + 1] * p[1] + r[3 * i + 2] * p[2];
    }
    const double v[3] = {body.velocity[0] + w[1] * arm[2] - w[2] * arm[1],
                         body.velocity[1] + w[2] * arm[0] - w[0] * arm[2],
                         body.velocity[2] + w[0] * arm[1] - w[1] * arm[0]};
    for (int i = 0; i < 3; i++) {
        place[i] = body.place.position[i] + arm[i];
        force[i] = handle->stiffness * (handle->to[i] - place[i]) - handle->damping * v[i];
    }
    const double c = handle->damping, damping[6] = {c, c, c, 0.0, 0.0, 0.0};
    cr_expect_eq(dpl_mb_act(system, handle->body, force, place, handle->is_told ? damping : NULL),
                 0);
}

static struct dpl_mb_system *made(const struct dpl_mb_graph *graph,
                                  enum dpl_mb_integrator integrator)
{
    struct dpl_mb_settings settings = {.integrator = integrator};
    struct dpl_mb_system *system = NULL;
    struct dpl_diag diag = {.text = ""};
    cr_assert_eq(dpl_mb_system_create(graph, &settings, NULL, NULL, NULL, &system, &diag), 0, "%s",
                 diag.text);
    return system;
}

/* The largest difference of the joints' displacements. */
static double apart(const struct dpl_mb_graph *graph, const struct dpl_mb_system *a,
                    const struct dpl_mb_system *b)
{
    double most = 0.0;
    for (size_t i = 0; i < graph->n_joints; i++) {
        struct dpl_mb_joint_state x, y;
        cr_assert_eq(dpl_mb_joint(a, (int)i, &x), 0);
        cr_assert_eq(dpl_mb_joint(b, (int)i, &y), 0);
        most = fmax(most, fabs(x.displacement[0] - y.displacement[0]));
        most = fmax(most, fabs(x.place.position[0] - y.place.position[0]));
    }
    return most;
}

Test(outer_forces, they_act_as_a_handle_does)
{
    const struct golden_world *const worlds[] = {&golden_double_pendulum, &golden_four_bar,
                                                 &golden_excavator, &golden_bricard,
                                                 &golden_free_body};
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        for (int integrator = 0; integrator < 4; integrator++) {
            struct dpl_mb_graph *graph = golden_graph(worlds[i]);
            struct dpl_mb_system *dragged = made(graph, (enum dpl_mb_integrator)integrator);
            struct dpl_mb_system *acted = made(graph, (enum dpl_mb_integrator)integrator);
            struct handle handle = {.body = (int)graph->n_bodies - 1,
                                    .at = {0.1, 0.2, -0.1},
                                    .to = {0.5, 0.4, 0.3},
                                    .stiffness = 30.0,
                                    .damping = 2.0};
            dpl_mb_set_forces(acted, pull, &handle);
            cr_assert_eq(dpl_mb_drag(dragged, handle.body, handle.at, handle.to, 30.0, 2.0), 0);
            golden_run(dragged, 0.3, 1e-3);
            golden_run(acted, 0.3, 1e-3);
            cr_expect_lt(apart(graph, dragged, acted), 1e-10, "world %zu, integrator %d: %g", i,
                         integrator, apart(graph, dragged, acted));
            cr_expect_geq(handle.calls, 300);
            dpl_mb_set_forces(acted, NULL, NULL);
            int calls = handle.calls;
            cr_assert_eq(dpl_mb_step(acted, 1e-3), 0);
            cr_expect_eq(handle.calls, calls);
            dpl_mb_system_destroy(dragged);
            dpl_mb_system_destroy(acted);
            dpl_mb_graph_destroy(graph);
        }
    }
}

/* 2.5 kg in a liquid: v = (m g / c) (1 - e^(-c t / m)), and m g / c in the end, whatever the step
 * is. */
Test(outer_forces, the_semi_implicit_step_is_implicit_in_their_damping)
{
    struct golden_world world = golden_free_body;
    memset(world.bodies[0].centre, 0, sizeof world.bodies[0].centre);
    memset(world.joints[0].velocity, 0, sizeof world.joints[0].velocity);
    struct dpl_mb_graph *graph = golden_graph(&world);
    struct dpl_mb_body_state body;
    for (double damping = 5.0; damping < 1e7; damping *= 1000.0) {
        struct dpl_mb_system *system = made(graph, DPL_MB_SEMI_IMPLICIT);
        struct handle handle = {.body = 1, .damping = damping, .is_told = true};
        dpl_mb_set_forces(system, pull, &handle);
        golden_run(system, 20.0, 1e-2);
        cr_assert_eq(dpl_mb_body(system, 1, &body), 0);
        double most = 2.5 * 9.81 / damping;
        cr_expect_float_eq(body.velocity[1], -most, 1e-9 * most, "%g", damping);
        dpl_mb_system_destroy(system);
    }
    dpl_mb_graph_destroy(graph);
}

/* Loops, too: a step with much damping that is told takes energy, and never adds any. */
Test(outer_forces, much_damping_stops_loops_smoothly)
{
    for (int number = 2; number <= 6; number++) {
        static struct golden_world world;
        golden_loop(number, &world);
        memset(world.gravity, 0, sizeof world.gravity);
        memset(world.restraints, 0, sizeof world.restraints);
        struct dpl_mb_graph *graph = golden_graph(&world);
        struct dpl_mb_system *system = made(graph, DPL_MB_SEMI_IMPLICIT);
        struct handle handle = {.body = (int)graph->n_bodies - 1,
                                .at = {0.1, 0.0, 0.0},
                                .damping = 1e5,
                                .is_told = true};
        dpl_mb_set_forces(system, pull, &handle);
        double energy = dpl_mb_kinetic(system);
        for (int i = 0; i < 500; i++) {
            cr_assert_eq(dpl_mb_step(system, 1e-3), 0);
            cr_assert_leq(dpl_mb_kinetic(system), energy * 1.05 + 1e-12, "loop %d, step %d", number,
                          i);
            energy = dpl_mb_kinetic(system);
        }
        cr_expect_lt(dpl_mb_residual(system), 1e-12);
        dpl_mb_system_destroy(system);
        dpl_mb_graph_destroy(graph);
    }
}

Test(outer_forces, refuse_bodies_that_are_not_there)
{
    struct dpl_mb_graph *graph = golden_graph(&golden_four_bar);
    struct dpl_mb_system *system = made(graph, DPL_MB_RK4);
    const double none[3] = {0.0};
    cr_expect_eq(dpl_mb_act(system, -1, none, none, NULL), -ENOENT);
    cr_expect_eq(dpl_mb_act(system, 99, none, none, NULL), -ENOENT);
    dpl_mb_system_destroy(system);
    dpl_mb_graph_destroy(graph);
}
