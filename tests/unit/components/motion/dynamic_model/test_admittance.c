/* SPDX-License-Identifier: Apache-2.0 */
/* Deflections under wrenches: both kinds of model, both holds, degrees of freedom that respond. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "admittance.h"

#define PERIOD_S 2.5e-3

static const bool all[DPL_SIX] = {true, true, true, true, true, true};
static struct admittance model;
static struct admittance_state state;
static double out[DPL_SIX];

static void make(double natural_hz, enum dpl_hold hold, const bool responds[DPL_SIX])
{
    struct dpl_smd_config config = dpl_smd_paper_config(natural_hz, PERIOD_S, hold);
    cr_assert_eq(admittance_init_smd(&model, &config, responds), 0);
    state = (struct admittance_state){0};
}

static void push(double force, double torque)
{
    const double wrench[DPL_SIX] = {force, 0.0, 0.0, 0.0, 0.0, torque};
    admittance_step(&model, &state, wrench, out);
}

/* Section 1.2 of the specification: k x at sample 40 of a unit step, 3 Hz. The hold gives the
 * state before the wrench acted, one sample late. */
Test(admittance, gives_the_published_step_with_a_zero_order_hold)
{
    make(3.0, DPL_HOLD_ZERO, all);
    push(1.0, 1.0);
    cr_assert_eq(out[0], 0.0, "the force of this instant has acted already");
    for (int k = 1; k <= 40; k++) {
        push(1.0, 1.0);
    }
    cr_assert_float_eq(5000.0 * out[0], 1.0522585595, 1e-9, "%.12g", 5000.0 * out[0]);
    cr_assert_float_eq(200.0 * out[5], 1.0522585595, 1e-9, "%.12g", 200.0 * out[5]);
    cr_assert_eq(out[1], 0.0);
}

Test(admittance, counts_the_force_of_the_instant_with_a_first_order_hold)
{
    make(3.0, DPL_HOLD_FIRST, all);
    push(1.0, 0.0);
    cr_assert_gt(out[0], 0.0);
}

/* A unit impulse as a triangle of two periods, which the first-order hold takes exactly. */
static void peak_of_impulse(double natural_hz, double *ret_peak_m, double *ret_at_s)
{
    double peak = 0.0;
    make(natural_hz, DPL_HOLD_FIRST, all);
    push(0.0, 0.0);
    for (int k = 1; k < 200; k++) {
        push(k == 1 ? 1.0 / PERIOD_S : 0.0, 0.0);
        if (out[0] > peak) {
            peak = out[0];
            *ret_at_s = (k - 1) * PERIOD_S;
        }
    }
    *ret_peak_m = peak;
}

Test(admittance, answers_a_unit_impulse_with_the_published_peak)
{
    double peak_m, at_s;
    peak_of_impulse(3.0, &peak_m, &at_s);
    cr_assert_float_eq(peak_m, 2.850562e-3, 2e-6, "%g", peak_m);
    cr_assert_float_eq(at_s, 74.15e-3, PERIOD_S, "%g", at_s);
    peak_of_impulse(6.0, &peak_m, &at_s);
    cr_assert_float_eq(peak_m, 5.701123e-3, 2e-5, "%g", peak_m);
    cr_assert_float_eq(at_s, 37.07e-3, PERIOD_S, "%g", at_s);
}

static void diagonal(struct dpl_linear_mechanics *mechanics)
{
    struct dpl_smd_config config = dpl_smd_paper_config(3.0, PERIOD_S, DPL_HOLD_ZERO);
    struct dpl_smd smd;
    cr_assert_eq(dpl_smd_init(&smd, &config), 0);
    *mechanics = (struct dpl_linear_mechanics){0};
    for (int i = 0; i < DPL_SIX; i++) {
        mechanics->mass[i][i] = smd.mass[i];
        mechanics->damping[i][i] = smd.damping[i];
        mechanics->stiffness[i][i] = config.stiffness[i];
    }
}

Test(admittance, is_the_same_from_matrices)
{
    struct dpl_linear_mechanics mechanics;
    struct admittance linear;
    struct admittance_state linear_state = {0};
    double expected[DPL_SIX];
    diagonal(&mechanics);
    cr_assert_eq(admittance_init_mechanics(&linear, &mechanics, PERIOD_S, DPL_HOLD_ZERO, all), 0);
    make(3.0, DPL_HOLD_ZERO, all);
    for (int k = 0; k < 300; k++) {
        const double wrench[DPL_SIX] = {sin(0.05 * k), 1.0, 0.0, 0.0, 0.0, cos(0.02 * k)};
        admittance_step(&model, &state, wrench, out);
        admittance_step(&linear, &linear_state, wrench, expected);
        for (int i = 0; i < DPL_SIX; i++) {
            cr_assert_float_eq(out[i], expected[i], 1e-12);
        }
    }
    cr_assert_gt(fabs(out[1]), 1e-5);
}

Test(admittance, moves_only_what_responds_even_when_it_is_coupled)
{
    const bool only_x[DPL_SIX] = {true};
    struct dpl_linear_mechanics mechanics;
    diagonal(&mechanics);
    mechanics.stiffness[0][5] = mechanics.stiffness[5][0] = 100.0;
    cr_assert_eq(admittance_init_mechanics(&model, &mechanics, PERIOD_S, DPL_HOLD_FIRST, only_x),
                 0);
    state = (struct admittance_state){0};
    for (int k = 0; k < 100; k++) {
        push(0.0, 50.0);
    }
    cr_assert_eq(out[0], 0.0, "a torque about an axis that does not respond has moved x");
    for (int k = 0; k < 20; k++) {
        push(100.0, 0.0);
    }
    cr_assert_gt(out[0], 1e-3);
    cr_assert_eq(out[5], 0.0);
}

Test(admittance, refuses_models_that_are_none)
{
    struct dpl_smd_config config = dpl_smd_paper_config(3.0, PERIOD_S, DPL_HOLD_ZERO);
    struct dpl_linear_mechanics mechanics;
    config.stiffness[2] = 0.0;
    cr_assert_eq(admittance_init_smd(&model, &config, all), -EINVAL);
    diagonal(&mechanics);
    mechanics.mass[3][3] = 0.0;
    cr_assert_eq(admittance_init_mechanics(&model, &mechanics, PERIOD_S, DPL_HOLD_ZERO, all),
                 -EDOM);
}
