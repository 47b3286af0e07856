/* SPDX-License-Identifier: Apache-2.0 */
/* Structure, closedness and energy of worlds with loops. */
#include <criterion/criterion.h>
#include <math.h>

#include "golden.h"

static double energy(const struct dpl_mb_system *system)
{
    return dpl_mb_kinetic(system) + dpl_mb_potential(system);
}

Test(loops, have_the_structure_of_the_mechanism)
{
    static const struct dpl_mb_topology expected[] = {{3, 1, 1, 5, 2, 1, 3},
                                                      {3, 1, 1, 5, 2, 1, 3},
                                                      {9, 3, 3, 15, 6, 3, 9},
                                                      {16, 5, 1, 25, 13, 3, 16},
                                                      {5, 1, 1, 5, 4, 1, 5}};
    for (int number = 2; number <= 6; number++) {
        struct golden_world world;
        struct dpl_mb_topology found;
        golden_loop(number, &world);
        struct dpl_mb_system *system = golden_system(&world, DPL_MB_RK4);
        dpl_mb_topology(system, &found);
        cr_expect_arr_eq(&found, &expected[number - 2], sizeof found, "world %d", number);
        dpl_mb_system_destroy(system);
    }
}

Test(loops, that_share_no_link_are_clusters_of_their_own)
{
    struct golden_world world;
    struct dpl_mb_topology found;
    golden_two_four_bars(false, &world);
    struct dpl_mb_system *system = golden_system(&world, DPL_MB_RK4);
    dpl_mb_topology(system, &found);
    cr_expect_eq(found.clusters, 2);
    cr_expect_eq(found.freedom, 2);
    dpl_mb_system_destroy(system);
    golden_two_four_bars(true, &world);
    system = golden_system(&world, DPL_MB_RK4);
    dpl_mb_topology(system, &found);
    cr_expect_eq(found.clusters, 1);
    cr_expect_eq(found.freedom, 1);
    dpl_mb_system_destroy(system);
}

/* A published result: 1/18 of the outer joints and 2/9 of the middle one of each leg, also of those
 * that close the loops. */
Test(loops, of_sarrus_share_the_mobility_as_published)
{
    struct golden_world world;
    struct dpl_mb_topology found;
    golden_sarrus(&world);
    struct dpl_mb_system *system = golden_system(&world, DPL_MB_RK4);
    dpl_mb_topology(system, &found);
    cr_expect_eq(found.freedom, 1);
    cr_expect_eq(found.chords, 2);
    for (int j = 0; j < 9; j++) {
        bool is_independent;
        double share, expected = j % 3 == 1 ? 2.0 / 9.0 : 1.0 / 18.0;
        cr_assert_eq(dpl_mb_mobility(system, j, 0, &is_independent, &share), 0);
        cr_expect_float_eq(share, expected, 1e-12, "joint %d: %.15g", j, share);
    }
    dpl_mb_system_destroy(system);
}

static void stay_closed(int number, enum dpl_mb_integrator integrator, double seconds)
{
    struct golden_world world;
    golden_loop(number, &world);
    struct dpl_mb_system *system = golden_system(&world, integrator);
    double most = 0.0, most_rate = 0.0;
    while (dpl_mb_time(system) < seconds) {
        cr_assert_eq(dpl_mb_step(system, 1e-3), 0);
        most = fmax(most, dpl_mb_residual(system));
        most_rate = fmax(most_rate, dpl_mb_residual_rate(system));
    }
    cr_expect_leq(most, 1e-12, "world %d: %g", number, most);
    cr_expect_leq(most_rate, 1e-10, "world %d: %g", number, most_rate);
    dpl_mb_system_destroy(system);
}

Test(loops, stay_closed_with_runge_kutta)
{
    for (int number = 2; number <= 6; number++) {
        stay_closed(number, DPL_MB_RK4, number == 5 ? 10.0 : 60.0);
    }
}

Test(loops, stay_closed_with_the_semi_implicit_step)
{
    for (int number = 2; number <= 6; number++) {
        stay_closed(number, DPL_MB_SEMI_IMPLICIT, number == 5 ? 10.0 : 60.0);
    }
}

/* What is left open is of third order in the step. */
Test(loops, lag_by_little_without_the_projection)
{
    double most[2];
    for (int half = 0; half < 2; half++) {
        struct dpl_mb_settings settings = {.correction = DPL_MB_LAGGED};
        struct dpl_mb_system *system = golden_create(&golden_four_bar, &settings);
        double step = half ? 5e-5 : 1e-4;
        most[half] = 0.0;
        while (dpl_mb_time(system) < 2.0) {
            cr_assert_eq(dpl_mb_step(system, step), 0);
            most[half] = fmax(most[half], dpl_mb_residual(system));
        }
        dpl_mb_system_destroy(system);
    }
    cr_expect_leq(most[0], 1e-9, "%g", most[0]);
    cr_expect(most[0] / most[1] > 6.0 && most[0] / most[1] < 10.0, "%g, %g", most[0], most[1]);
}

static double drift_of(const struct golden_world *world, enum dpl_mb_integrator integrator,
                       double step, double seconds)
{
    struct dpl_mb_system *system = golden_system(world, integrator);
    double start = energy(system), most = 0.0;
    while (dpl_mb_time(system) < seconds - 0.5 * step) {
        cr_assert_eq(dpl_mb_step(system, step), 0);
        most = fmax(most, fabs(energy(system) - start) / fabs(start));
    }
    dpl_mb_system_destroy(system);
    return most;
}

Test(loops, keep_their_energy_with_runge_kutta)
{
    const struct golden_world *worlds[] = {&golden_double_pendulum, &golden_four_bar,
                                           &golden_slider_crank};
    for (int i = 0; i < 3; i++) {
        double whole = drift_of(worlds[i], DPL_MB_RK4, 1e-3, 10.0);
        double half = drift_of(worlds[i], DPL_MB_RK4, 5e-4, 10.0);
        cr_expect_leq(whole, 1e-9, "%d: %g", i, whole);
        cr_expect(half < whole / 12.0 || half < 2e-13, "%d: %g, %g", i, whole, half);
    }
    double bricard = drift_of(&golden_bricard, DPL_MB_RK4, 1e-3, 20.0);
    cr_expect_leq(bricard, 1e-10, "%g", bricard);
}

Test(loops, keep_their_energy_roughly_with_the_semi_implicit_step)
{
    const struct golden_world *worlds[] = {&golden_double_pendulum, &golden_four_bar,
                                           &golden_slider_crank};
    const double seconds[] = {60, 20, 20}, most[] = {.02, .04, .20};
    for (int i = 0; i < 3; i++) {
        double drift = drift_of(worlds[i], DPL_MB_SEMI_IMPLICIT, 1e-3, seconds[i]);
        cr_expect_leq(drift, most[i], "%d: %g", i, drift);
    }
}

Test(loops, bricard_stays_symmetric)
{
    struct dpl_mb_system *system = golden_system(&golden_bricard, DPL_MB_RK4);
    golden_run(system, 2.0, 1e-3);
    for (int j = 2; j < 6; j++) {
        cr_expect_float_eq(golden_q(system, j), golden_q(system, j - 2), 1e-9);
    }
    dpl_mb_system_destroy(system);
}

/* Which coordinates are independent is of no consequence. */
Test(loops, move_alike_with_other_independents)
{
    for (int number = 2; number <= 6; number++) {
        struct golden_world world;
        golden_loop(number, &world);
        double q[2];
        int events = 0;
        for (int often = 0; often < 2; often++) {
            struct dpl_mb_settings settings = {.integrator = DPL_MB_RK4,
                                               .repartition = often ? 1e-9 : 0.0};
            struct dpl_mb_system *system = golden_create(&world, &settings);
            struct dpl_mb_event event;
            golden_run(system, 1.0, 2e-4);
            q[often] = golden_q(system, 0);
            while (often && dpl_mb_take_event(system, &event)) {
                events += event.type == DPL_MB_EVENT_REPARTITION;
            }
            dpl_mb_system_destroy(system);
        }
        cr_expect_float_eq(q[0], q[1], 1e-9, "%d: %.12g %.12g", number, q[0], q[1]);
        cr_expect_eq(events, 64, "%d", number);
    }
}

Test(loops, a_crank_turns_a_hundred_times)
{
    struct golden_world world = golden_slider_crank;
    world.gravity[1] = 0.0;
    world.joints[0].v = 40.0;
    for (int j = 1; j < 4; j++) {
        world.joints[j].v = 0.0;
    }
    struct dpl_mb_system *system = golden_system(&world, DPL_MB_RK4);
    double start = energy(system);
    while (golden_q(system, 0) < 200 * 3.14159265358979) {
        cr_assert_eq(dpl_mb_step(system, 1e-4), 0);
        cr_assert_lt(dpl_mb_time(system), 60.0);
    }
    cr_expect_leq(dpl_mb_residual(system), 1e-12);
    cr_expect_float_eq(energy(system) / start, 1.0, 1e-8);
    /* displacements of chords and of the tree are counted alike */
    cr_expect_float_eq(golden_q(system, 0) + golden_q(system, 1) + golden_q(system, 2), 0.0, 1e-9);
    dpl_mb_system_destroy(system);
}
