/* SPDX-License-Identifier: Apache-2.0 */
/* Inverse dynamics, linear equations, poses of rest, and states that are set. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "golden.h"

enum { MOST = 16 };

/* Efforts of the inverse dynamics give the accelerations that were asked for. */
Test(analyses, inverse_dynamics_undo_the_forward_ones)
{
    for (int number = 1; number <= 6; number++) {
        struct golden_world world = golden_double_pendulum;
        if (number > 1) {
            golden_loop(number, &world);
        }
        struct dpl_mb_settings settings = {.integrator = DPL_MB_RK4};
        struct dpl_mb_system *system = golden_create(&world, &settings);
        golden_run(system, 0.2, 1e-3);
        int joints[MOST], coordinates[MOST];
        double asked[MOST], efforts[MOST];
        struct dpl_mb_topology topology;
        dpl_mb_topology(system, &topology);
        size_t n = dpl_mb_independent(system, joints, coordinates, MOST);
        cr_assert_eq(n, topology.freedom);
        for (size_t i = 0; i < n; i++) {
            asked[i] = 3.0 - 2.0 * (double)i;
        }
        cr_assert_eq(dpl_mb_inverse(system, asked, efforts), 0);
        for (size_t i = 0; i < n; i++) {
            cr_assert_eq(dpl_mb_apply(system, joints[i], coordinates[i], efforts[i]), 0);
        }
        dpl_mb_step(system, 1e-9); /* accelerations are those of the last evaluation */
        for (size_t i = 0; i < n; i++) {
            struct dpl_mb_joint_state state;
            cr_assert_eq(dpl_mb_joint(system, joints[i], &state), 0);
            cr_expect_float_eq(state.acceleration[coordinates[i]], asked[i], 1e-5,
                               "world %d: %g, not %g", number, state.acceleration[coordinates[i]],
                               asked[i]);
        }
        dpl_mb_system_destroy(system);
    }
}

/* A hanging rod with a damper: a = -(m g c / J) q - (d / J) q' + u / J. */
static const struct golden_world rod = {
    .gravity = {0, -9.81, 0},
    .bodies = {{"rod", 2, {0, -.5, 0}, {.1, .1, .3}}},
    .joints = {{"q", DPL_MB_RZ, {{"fixed", NULL}, {"rod", NULL}}, 0, 0}},
    .restraints = {{DPL_MB_DAMPER, "q", .n_of = {2}, .coefficients = {.4, 0}}},
};

Test(analyses, a_hanging_rod_is_linear_as_in_the_textbook)
{
    struct dpl_mb_system *system = golden_system(&rod, DPL_MB_RK4);
    double a[4], b[2], j = .3 + 2 * .25;
    cr_assert_eq(dpl_mb_linearize(system, a, b), 0);
    cr_expect_float_eq(a[0], 0.0, 1e-12);
    cr_expect_float_eq(a[1], 1.0, 1e-12);
    cr_expect_float_eq(a[2], -2 * 9.81 * .5 / j, 1e-8);
    cr_expect_float_eq(a[3], -.4 / j, 1e-8);
    cr_expect_float_eq(b[0], 0.0, 1e-12);
    cr_expect_float_eq(b[1], 1.0 / j, 1e-12);
    dpl_mb_system_destroy(system);
}

/* A small push on a linear system moves it as the whole one. */
Test(analyses, linear_equations_of_a_loop_are_those_of_its_motion)
{
    struct golden_world world = golden_excavator;
    struct dpl_mb_system *system = golden_system(&world, DPL_MB_RK4);
    struct dpl_diag diag = {.text = ""};
    cr_assert_eq(dpl_mb_equilibrium(system, &diag), 0, "%s", diag.text);
    double a[36], b[18], x[6] = {0.0}, before[6];
    int joints[3], coordinates[3];
    cr_assert_eq(dpl_mb_independent(system, joints, coordinates, 3), 3);
    cr_assert_eq(dpl_mb_linearize(system, a, b), 0);
    for (int i = 0; i < 3; i++) {
        before[i] = golden_q(system, joints[i]);
    }
    const double effort = 1e-3, step = 1e-4;
    dpl_mb_apply(system, joints[0], coordinates[0], effort);
    for (int k = 0; k < 3000; k++) { /* the midpoint rule */
        double half[6], next[6];
        for (int round = 0; round < 2; round++) {
            const double *from = round ? half : x;
            for (int i = 0; i < 6; i++) {
                double slope = effort * b[3 * i];
                for (int j = 0; j < 6; j++) {
                    slope += a[6 * i + j] * from[j];
                }
                (round ? next : half)[i] = x[i] + (round ? step : 0.5 * step) * slope;
            }
        }
        memcpy(x, next, sizeof x);
        cr_assert_eq(dpl_mb_step(system, step), 0);
    }
    for (int i = 0; i < 3; i++) {
        double moved = golden_q(system, joints[i]) - before[i];
        cr_expect_float_eq(moved, x[i], 1e-4 * fabs(x[i]) + 1e-13, "%d: %g, not %g", i, moved,
                           x[i]);
        cr_expect_gt(fabs(moved), 1e-11);
    }
    dpl_mb_system_destroy(system);
}

Test(analyses, poses_of_rest_stay)
{
    for (int number = 4; number <= 5; number++) {
        struct golden_world world;
        golden_loop(number, &world);
        struct dpl_mb_system *system = golden_system(&world, DPL_MB_RK4);
        struct dpl_diag diag = {.text = ""};
        cr_assert_eq(dpl_mb_equilibrium(system, &diag), 0, "%s", diag.text);
        cr_expect_leq(dpl_mb_residual(system), 1e-12);
        double before = golden_q(system, 0);
        golden_run(system, 1.0, 1e-3);
        cr_expect_float_eq(golden_q(system, 0), before, 1e-9, "%d: %.12g %.12g", number, before,
                           golden_q(system, 0));
        cr_expect_leq(dpl_mb_kinetic(system), 1e-12);
        dpl_mb_system_destroy(system);
    }
}

/* A block that falls freely has none. */
Test(analyses, what_falls_has_no_pose_of_rest)
{
    struct golden_world world = golden_bumper;
    world.joints[0].type = DPL_MB_TY;
    world.restraints[0].n_of[0] = 0;
    struct dpl_mb_system *system = golden_system(&world, DPL_MB_RK4);
    struct dpl_diag diag;
    cr_expect_eq(dpl_mb_equilibrium(system, &diag), -EDOM);
    cr_expect(strstr(diag.text, "no pose of rest was found"), "%s", diag.text);
    cr_expect_float_eq(golden_v(system, 0), 1.0, 1e-15);
    dpl_mb_system_destroy(system);
    system = golden_system(&golden_free_body, DPL_MB_RK4);
    cr_expect_eq(dpl_mb_equilibrium(system, &diag), -ENOTSUP);
    cr_expect_eq(dpl_mb_independent(system, NULL, NULL, 0), 0);
    dpl_mb_system_destroy(system);
}

Test(analyses, states_that_are_set_close_their_loops)
{
    struct dpl_mb_system *system = golden_system(&golden_four_bar, DPL_MB_RK4);
    struct dpl_diag diag = {.text = ""};
    double crank = 1.4, rate = -2.0;
    golden_run(system, 0.5, 1e-3);
    cr_assert_eq(dpl_mb_set(system, (const int[]){0}, &crank, &rate, 1, &diag), 0, "%s", diag.text);
    cr_expect_float_eq(golden_q(system, 0), crank, 1e-13);
    cr_expect_float_eq(golden_v(system, 0), rate, 1e-12);
    cr_expect_leq(dpl_mb_residual(system), 1e-12);
    cr_expect_leq(dpl_mb_residual_rate(system), 1e-12);
    /* the same from the start */
    struct golden_world world = golden_four_bar;
    world.joints[0].q = crank;
    world.joints[0].v = rate;
    world.joints[0].is_held = true;
    for (int j = 1; j < 4; j++) {
        world.joints[j].v = 0.0;
    }
    struct dpl_mb_system *other = golden_system(&world, DPL_MB_RK4);
    golden_run(system, 1.0, 1e-3);
    golden_run(other, 0.5, 1e-3);
    cr_expect_float_eq(golden_q(system, 0), golden_q(other, 0), 1e-10);
    dpl_mb_system_destroy(other);
    dpl_mb_system_destroy(system);
}

Test(analyses, states_that_cannot_be_are_refused_and_nothing_changes)
{
    struct dpl_mb_system *system = golden_system(&golden_slider_crank, DPL_MB_RK4);
    struct dpl_diag diag = {.text = ""};
    double before[4], place = 2.5, rate = 0.0;
    for (int j = 0; j < 4; j++) {
        before[j] = golden_q(system, j);
    }
    cr_expect_eq(dpl_mb_set(system, (const int[]){3}, &place, &rate, 1, &diag), -EDOM);
    cr_expect(strstr(diag.text, "a loop cannot be closed"), "%s", diag.text);
    for (int j = 0; j < 4; j++) {
        cr_expect_float_eq(golden_q(system, j), before[j], 1e-15);
    }
    cr_expect_eq(dpl_mb_set(system, (const int[]){9}, &place, &rate, 1, &diag), -EINVAL);
    cr_expect_str_eq(diag.text, "joint 9 has no displacement to set");
    golden_run(system, 0.5, 1e-3);
    cr_expect_float_eq(golden_q(system, 0), 0.021878904, 1e-7);
    dpl_mb_system_destroy(system);
}
