/* SPDX-License-Identifier: Apache-2.0 */
/* The motion of the golden worlds. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "golden.h"
#include "golden_values.h"

static const double times[3] = {.5, 1, 2};

static double energy(const struct dpl_mb_system *system)
{
    return dpl_mb_kinetic(system) + dpl_mb_potential(system);
}

static void check_by(enum dpl_mb_integrator integrator, double step,
                     const struct golden_world *world, const struct golden_value *values, int n,
                     double tolerance)
{
    struct dpl_mb_system *system = golden_system(world, integrator);
    for (int t = 0; t < 3; t++) {
        golden_run(system, times[t], step);
        for (int i = 0; i < n; i++) {
            int joint = golden_joint_number(world, values[i].joint);
            double value = values[i].rate ? golden_v(system, joint) : golden_q(system, joint);
            cr_expect_float_eq(value, values[i].at[t], tolerance, "%s%s at %g: %.10f, not %.9f",
                               values[i].joint, values[i].rate ? "'" : "", times[t], value,
                               values[i].at[t]);
        }
    }
    dpl_mb_system_destroy(system);
}

static void check(const struct golden_world *world, const struct golden_value *values, int n)
{
    check_by(DPL_MB_RK4, 1e-4, world, values, n, 2e-9);
    check_by(DPL_MB_DOPRI5, 0.1, world, values, n, 1e-8);
    check_by(DPL_MB_GRAGG, 0.1, world, values, n, 1e-8);
}

#define CHECK(world, values) check(world, values, (int)(sizeof values / sizeof *values))

static void check_energy(const struct golden_world *world, double expected)
{
    struct dpl_mb_system *system = golden_system(world, DPL_MB_RK4);
    cr_expect_float_eq(energy(system), expected, 1e-9, "%.10f", energy(system));
    golden_run(system, 1.0, 1e-3);
    cr_expect_float_eq(energy(system), expected, 1e-8, "%.10f", energy(system));
    dpl_mb_system_destroy(system);
}

Test(golden, double_pendulum)
{
    static const double at[3] = {1, 2, 5};
    const double(*q)[4] = golden_double_pendulum_states;
    struct dpl_mb_system *system = golden_system(&golden_double_pendulum, DPL_MB_RK4);
    for (int t = 0; t < 3; t++) {
        golden_run(system, at[t], 1e-4);
        for (int i = 0; i < 2; i++) {
            cr_expect_float_eq(golden_q(system, i), q[t][i], 2e-9, "%.10f", golden_q(system, i));
            cr_expect_float_eq(golden_v(system, i), q[t][2 + i], 2e-9, "%.10f",
                               golden_v(system, i));
        }
    }
    dpl_mb_system_destroy(system);
    check_energy(&golden_double_pendulum, 19.328906257);
}

Test(golden, four_bar)
{
    CHECK(&golden_four_bar, golden_four_bar_values);
    check_energy(&golden_four_bar, 42.147688335);
}

Test(golden, four_bar_turns_of_the_third_joint)
{
    static const double at[3] = {1.744031187, 0.931297425, 1.885196039};
    struct dpl_mb_system *system = golden_system(&golden_four_bar, DPL_MB_RK4);
    for (int t = 0; t < 3; t++) {
        golden_run(system, times[t], 1e-4);
        double c = golden_q(system, golden_joint_number(&golden_four_bar, "C"));
        cr_expect_float_eq(remainder(c - at[t], 2.0 * 3.14159265358979323846), 0.0, 2e-9, "%.10f",
                           c);
    }
    dpl_mb_system_destroy(system);
}

Test(golden, slider_crank)
{
    CHECK(&golden_slider_crank, golden_slider_crank_values);
    check_energy(&golden_slider_crank, 4.393149178);
}

Test(golden, excavator)
{
    CHECK(&golden_excavator, golden_excavator_values);
}

Test(golden, delta)
{
    struct golden_world world;
    golden_delta(&world);
    CHECK(&world, golden_delta_values);
}

Test(golden, bricard)
{
    CHECK(&golden_bricard, golden_bricard_values);
    check_energy(&golden_bricard, -25.707545117);
}

Test(golden, free_body)
{
    const double(*places)[3] = golden_free_body_places, (*angular)[3] = golden_free_body_angular;
    static const double turns[3][4] = {{0.730675016, 0.088637331, 0.676940632, 0.002970702},
                                       {0.070085702, 0.114171885, 0.988371874, -0.071929223},
                                       {-0.988546910, -0.034834248, 0.146145781, 0.014247573}};
    static const double last[3] = {0.460074888, -18.634093512, -0.495274608};
    struct dpl_mb_system *system = golden_system(&golden_free_body, DPL_MB_RK4);
    cr_expect_float_eq(energy(system), 30.54868125, 1e-10);
    for (int t = 0; t < 3; t++) {
        struct dpl_mb_body_state state;
        golden_run(system, times[t], 1e-4);
        cr_assert_eq(dpl_mb_body(system, 1, &state), 0);
        const double *q = turns[t], *r = state.place.rotation;
        const double rotation[3] = {2 * (q[1] * q[2] - q[0] * q[3]),
                                    2 * (q[1] * q[3] + q[0] * q[2]),
                                    2 * (q[2] * q[3] - q[0] * q[1])};
        cr_expect_float_eq(r[1], rotation[0], 4e-9);
        cr_expect_float_eq(r[2], rotation[1], 4e-9);
        cr_expect_float_eq(r[5], rotation[2], 4e-9);
        for (int i = 0; i < 3; i++) {
            cr_expect_float_eq(state.place.position[i], places[t][i], 2e-9);
            cr_expect_float_eq(state.angular[i], angular[t][i], 2e-9);
            cr_expect(t < 2 || fabs(state.velocity[i] - last[i]) < 2e-9);
        }
    }
    cr_expect_float_eq(energy(system), 30.54868125, 1e-9);
    dpl_mb_system_destroy(system);
}

/* Steps of fixed length do not meet the knots of its law; adaptive ones end there. */
Test(golden, bumper)
{
    static const double at[4] = {.25, .5, 1, 2};
    const double *x = golden_bumper_x, *v = golden_bumper_v;
    static const struct {
        enum dpl_mb_integrator integrator;
        double step, tolerance;
    } runs[] = {{DPL_MB_RK4, 1e-4, 1e-6}, {DPL_MB_DOPRI5, 0.25, 1e-8}, {DPL_MB_GRAGG, 0.25, 2e-9}};
    for (int run = 0; run < 3; run++) {
        struct dpl_mb_system *system = golden_system(&golden_bumper, runs[run].integrator);
        for (int t = 0; t < 4; t++) {
            golden_run(system, at[t], runs[run].step);
            cr_expect_float_eq(golden_q(system, 0), x[t], runs[run].tolerance, "%d: %.11f", run,
                               golden_q(system, 0));
            cr_expect_float_eq(golden_v(system, 0), v[t], runs[run].tolerance, "%d: %.11f", run,
                               golden_v(system, 0));
        }
        dpl_mb_system_destroy(system);
    }
}

Test(golden, pair_restraints)
{
    CHECK(&golden_pair_restraints, golden_pair_restraints_values);
}
