/* SPDX-License-Identifier: Apache-2.0 */
/* Motors that give an acceleration. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "golden.h"

enum { INTEGRATORS = 4 };

/* Motors without gains at the joints that are listed, up to -1. */
static struct dpl_mb_system *with_motors(const struct golden_world *world, const int *joints,
                                         double most, enum dpl_mb_integrator integrator)
{
    struct dpl_mb_graph *graph = golden_graph(world);
    struct dpl_mb_settings settings = {
        .integrator = integrator, .relative = 1e-10, .absolute = 1e-10};
    struct dpl_mb_system *system = NULL;
    struct dpl_diag diag = {.text = ""};
    for (; *joints >= 0; joints++) {
        graph->joints[*joints].motor =
            (struct dpl_mb_motor){.mode = DPL_MB_MOTOR_FORCE, .max = most};
    }
    cr_assert_eq(dpl_mb_system_create(graph, &settings, NULL, NULL, NULL, &system, &diag), 0, "%s",
                 diag.text);
    dpl_mb_graph_destroy(graph);
    return system;
}

static void command(struct dpl_mb_system *system, int joint, double acceleration)
{
    cr_assert_eq(dpl_mb_command(system, joint, DPL_MB_MOTOR_ACCELERATION, acceleration), 0);
}

static double effort_at(struct dpl_mb_system *system, int joint)
{
    struct dpl_mb_joint_state state;
    dpl_mb_update(system);
    cr_assert_eq(dpl_mb_joint(system, joint, &state), 0);
    return state.effort[0];
}

static double acceleration_at(struct dpl_mb_system *system, int joint)
{
    struct dpl_mb_joint_state state;
    dpl_mb_update(system);
    cr_assert_eq(dpl_mb_joint(system, joint, &state), 0);
    return state.acceleration[0];
}

/* Both joints at once, against gravity and a spring. */
Test(drives, joints_of_a_chain_have_the_accelerations)
{
    static const int both[] = {0, 1, -1};
    const struct golden_world *world = &golden_double_pendulum;
    for (int i = 0; i < INTEGRATORS; i++) {
        struct dpl_mb_system *system = with_motors(world, both, 0.0, (enum dpl_mb_integrator)i);
        const double q[2] = {golden_q(system, 0), golden_q(system, 1)};
        const double v[2] = {golden_v(system, 0), golden_v(system, 1)}, a[2] = {0.3, -0.7};
        command(system, 0, a[0]);
        command(system, 1, a[1]);
        golden_run(system, 2.0, 1e-3);
        for (int j = 0; j < 2; j++) {
            cr_expect_float_eq(golden_v(system, j), v[j] + 2.0 * a[j], 1e-9, "%d: %g", i,
                               golden_v(system, j) - v[j] - 2.0 * a[j]);
            /* the semi-implicit step has the velocity of its end: h a t / 2 more */
            double more = i == DPL_MB_SEMI_IMPLICIT ? 0.5e-3 * a[j] * 2.0 : 0.0;
            cr_expect_float_eq(golden_q(system, j), q[j] + 2.0 * v[j] + 2.0 * a[j] + more, 1e-8,
                               "%d", i);
        }
        dpl_mb_system_destroy(system);
    }
}

/* A block of 2 kg on a rail with friction that is a damper of 3 N s/m. */
static const struct golden_world block = {
    .bodies = {{"b", 2, {0, 0, 0}, {1, 1, 1}}},
    .joints = {{"x", DPL_MB_TX, {{"fixed", NULL}, {"b", NULL}}, 0, 1}},
    .restraints = {{DPL_MB_DAMPER, "x", .n_of = {2}, .coefficients = {3, 0}}},
};

Test(drives, efforts_are_those_that_it_takes)
{
    static const int one[] = {0, -1};
    struct dpl_mb_system *system = with_motors(&block, one, 0.0, DPL_MB_RK4);
    command(system, 0, 4.0);
    dpl_mb_apply(system, 0, 0, -5.0);
    golden_run(system, 0.5, 1e-3);
    double v = golden_v(system, 0);
    cr_expect_float_eq(v, 3.0, 1e-12);
    /* of all along the joint: m a; the motor alone also against the damper and what is applied */
    cr_expect_float_eq(effort_at(system, 0), 2.0 * 4.0, 1e-10);
    cr_expect_float_eq(dpl_mb_motor_power(system, 0), (2.0 * 4.0 + 3.0 * v + 5.0) * v, 1e-9);
    cr_assert_eq(dpl_mb_command(system, 0, DPL_MB_MOTOR_FORCE, 14.0), 0);
    cr_expect_float_eq(acceleration_at(system, 0), (14.0 - 3.0 * v - 5.0) / 2.0, 1e-12);
    dpl_mb_system_destroy(system);
}

/* Each joint of a loop, be it in the tree, dependent, or what closes the loop. */
Test(drives, any_joint_of_a_loop_has_the_acceleration)
{
    for (int j = 0; j < 4; j++) {
        const int one[] = {j, -1};
        struct dpl_mb_system *system = with_motors(&golden_four_bar, one, 0.0, DPL_MB_RK4);
        double v = golden_v(system, j);
        command(system, j, -0.4);
        for (int k = 0; k < 5; k++) {
            cr_expect_float_eq(acceleration_at(system, j), -0.4, 1e-9, "joint %d: %.12g", j,
                               acceleration_at(system, j));
            golden_run(system, 0.1 * (k + 1), 1e-4);
        }
        cr_expect_float_eq(golden_v(system, j), v - 0.2, 1e-9, "joint %d: %g", j,
                           golden_v(system, j) - v + 0.2);
        cr_expect_lt(dpl_mb_residual(system), 1e-12);
        dpl_mb_system_destroy(system);
    }
}

/* Inverse dynamics finds nothing that is missing, of efforts up to 30 kN. */
static void expect_balance(struct dpl_mb_system *system)
{
    int joints[8], coordinates[8];
    double accelerations[8], efforts[8];
    size_t n = dpl_mb_independent(system, joints, coordinates, 8);
    cr_assert_eq(n, 3);
    for (size_t i = 0; i < n; i++) {
        accelerations[i] = acceleration_at(system, joints[i]);
    }
    cr_assert_eq(dpl_mb_inverse(system, accelerations, efforts), 0);
    for (size_t i = 0; i < n; i++) {
        cr_expect_float_eq(efforts[i], 0.0, 1e-6, "%g", efforts[i]);
    }
}

Test(drives, an_arm_of_loops_has_three)
{
    int joints[] = {golden_joint_number(&golden_excavator, "ram1"),
                    golden_joint_number(&golden_excavator, "ram2"),
                    golden_joint_number(&golden_excavator, "bucket"), -1};
    static const double wanted[] = {0.05, -0.1, 0.4};
    struct dpl_mb_system *system = with_motors(&golden_excavator, joints, 0.0, DPL_MB_RK4);
    double v[3];
    for (int k = 0; k < 3; k++) {
        v[k] = golden_v(system, joints[k]);
        command(system, joints[k], wanted[k]);
    }
    golden_run(system, 0.5, 1e-3);
    for (int k = 0; k < 3; k++) {
        cr_expect_float_eq(golden_v(system, joints[k]), v[k] + 0.5 * wanted[k], 1e-9);
    }
    expect_balance(system);
    cr_expect_lt(dpl_mb_residual(system), 1e-12);
    dpl_mb_system_destroy(system);
}

Test(drives, a_motor_gives_no_more_than_its_most)
{
    static const int one[] = {0, -1}, both[] = {0, 1, -1};
    struct dpl_mb_system *system = with_motors(&block, one, 30.0, DPL_MB_RK4);
    command(system, 0, 100.0);
    cr_expect_float_eq(acceleration_at(system, 0), (30.0 - 3.0) / 2.0, 1e-12);
    command(system, 0, -100.0);
    cr_expect_float_eq(acceleration_at(system, 0), (-30.0 - 3.0) / 2.0, 1e-12);
    command(system, 0, 5.0);
    cr_expect_float_eq(acceleration_at(system, 0), 5.0, 1e-12);
    dpl_mb_system_destroy(system);

    /* one of two is at its most: the other still makes what it is asked for */
    struct dpl_mb_graph *graph = golden_graph(&golden_double_pendulum);
    for (int j = 0; both[j] >= 0; j++) {
        graph->joints[j].motor =
            (struct dpl_mb_motor){.mode = DPL_MB_MOTOR_FORCE, .max = j == 0 ? 0.5 : 0.0};
    }
    struct dpl_diag diag;
    cr_assert_eq(dpl_mb_system_create(graph, NULL, NULL, NULL, NULL, &system, &diag), 0);
    command(system, 0, 40.0);
    command(system, 1, -2.0);
    cr_expect_float_eq(acceleration_at(system, 1), -2.0, 1e-9);
    double spring = 0.5 * golden_q(system, 0);
    cr_expect_float_eq(effort_at(system, 0), 0.5 - spring, 1e-9, "%g", effort_at(system, 0));
    cr_expect_lt(acceleration_at(system, 0), 40.0);
    dpl_mb_graph_destroy(graph);
    dpl_mb_system_destroy(system);
}

/* Two motors at the one freedom of a loop cannot both have their way: one of them has, and the
 * loop stays closed. */
Test(drives, as_many_have_their_way_as_there_are_freedoms)
{
    static const int both[] = {0, 3, -1};
    struct dpl_mb_system *system = with_motors(&golden_four_bar, both, 0.0, DPL_MB_RK4);
    command(system, 0, 1.0);
    command(system, 3, 50.0);
    double first = acceleration_at(system, 0), last = acceleration_at(system, 3);
    cr_expect((fabs(first - 1.0) < 1e-9) != (fabs(last - 50.0) < 1e-9), "%g and %g", first, last);
    for (int k = 0; k < 50; k++) {
        cr_assert_eq(dpl_mb_step(system, 1e-3), 0);
    }
    cr_expect_lt(dpl_mb_residual(system), 1e-12);
    dpl_mb_system_destroy(system);
}

enum { MANY = DPL_MB_DRIVEN_MAX + 1 };

/* Sliders of their own: they do not feel each other. */
Test(drives, there_is_a_most_of_them)
{
    struct dpl_mb_graph *graph;
    struct dpl_mb_system *system;
    struct dpl_diag diag = {.text = ""};
    cr_assert_eq(dpl_mb_graph_create(NULL, &graph), 0);
    for (int i = 0; i < MANY; i++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        struct dpl_mb_body body = {
            .name = name, .is_active = true, .mass = 1.0 + i, .inertia = {1, 1, 1}};
        int number = dpl_mb_add_body(graph, &body, &diag);
        struct dpl_mb_joint joint = {
            .name = name,
            .type = DPL_MB_TX,
            .frames = {graph->bodies[0].origin, graph->bodies[number].origin},
            .motor = {.mode = DPL_MB_MOTOR_FORCE},
            .is_active = true};
        cr_assert_eq(dpl_mb_add_joint(graph, &joint, &diag), i, "%s", diag.text);
    }
    cr_assert_eq(dpl_mb_system_create(graph, NULL, NULL, NULL, NULL, &system, &diag), 0);
    for (int i = 0; i < DPL_MB_DRIVEN_MAX; i++) {
        command(system, i, 0.1 * i);
    }
    cr_expect_eq(dpl_mb_command(system, MANY - 1, DPL_MB_MOTOR_ACCELERATION, 1.0), -ENOSPC);
    for (int i = 0; i < DPL_MB_DRIVEN_MAX; i++) {
        cr_expect_float_eq(acceleration_at(system, i), 0.1 * i, 1e-12);
        cr_expect_float_eq(effort_at(system, i), 0.1 * i * (1.0 + i), 1e-10);
    }
    cr_assert_eq(dpl_mb_command(system, 0, DPL_MB_MOTOR_FORCE, 0.0), 0);
    command(system, MANY - 1, 1.0);
    cr_expect_float_eq(acceleration_at(system, MANY - 1), 1.0, 1e-12);
    dpl_mb_graph_destroy(graph);
    dpl_mb_system_destroy(system);
}

Test(drives, only_commands_have_them)
{
    static const int one[] = {0, -1};
    struct dpl_mb_graph *graph = golden_graph(&block);
    struct dpl_diag diag = {.text = ""};
    struct dpl_mb_joint joint = graph->joints[0];
    joint.name = "y";
    joint.motor.mode = DPL_MB_MOTOR_ACCELERATION;
    cr_expect_eq(dpl_mb_add_joint(graph, &joint, &diag), -EINVAL);
    dpl_mb_graph_destroy(graph);
    struct dpl_mb_system *system = with_motors(&block, one, 0.0, DPL_MB_RK4);
    cr_expect_eq(dpl_mb_command(system, 0, DPL_MB_MOTOR_ACCELERATION, (double)NAN), -EINVAL);
    cr_expect_eq(dpl_mb_command(system, 0, (enum dpl_mb_motor_mode)9, 1.0), -EINVAL);
    dpl_mb_system_destroy(system);
}

/* What a motor was told is kept with its mode: a force is not taken for a place. */
Test(drives, a_new_system_has_the_commands_of_the_old_one)
{
    static const enum dpl_mb_motor_mode modes[] = {DPL_MB_MOTOR_FORCE, DPL_MB_MOTOR_VELOCITY,
                                                   DPL_MB_MOTOR_ACCELERATION};
    for (int i = 0; i < 3; i++) {
        struct dpl_mb_graph *graph = golden_graph(&block);
        struct dpl_mb_system *old = NULL, *new = NULL;
        struct dpl_diag diag = {.text = ""};
        graph->joints[0].motor =
            (struct dpl_mb_motor){.mode = DPL_MB_MOTOR_POSITION, .kp = 50, .kd = 20};
        cr_assert_eq(dpl_mb_system_create(graph, NULL, NULL, NULL, NULL, &old, &diag), 0);
        cr_assert_eq(dpl_mb_command(old, 0, modes[i], 7.0), 0);
        cr_assert_eq(dpl_mb_system_create(graph, NULL, old, NULL, NULL, &new, &diag), 0);
        cr_expect_float_eq(acceleration_at(new, 0), acceleration_at(old, 0), 1e-12, "%d", i);
        dpl_mb_system_destroy(old);
        dpl_mb_system_destroy(new);
        dpl_mb_graph_destroy(graph);
    }
}
