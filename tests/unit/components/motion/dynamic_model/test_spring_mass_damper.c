/* SPDX-License-Identifier: Apache-2.0 */
/* The six spring-mass-dampers: their matrices to the digit, their steps and impulses. */
#include <errno.h>
#include <math.h>

#include <criterion/criterion.h>

#include "spring_mass_damper.h"

#define PI 3.14159265358979323846

static struct dpl_smd model;

static void init(double natural_hz, double period_s, enum dpl_hold hold)
{
    struct dpl_smd_config config = dpl_smd_paper_config(natural_hz, period_s, hold);
    cr_assert_eq(dpl_smd_init(&model, &config), 0);
}

static void expect_relative(double value, double expected)
{
    cr_assert_leq(fabs(value - expected), 1e-12 * fabs(expected), "%.17g, not %.17g", value,
                  expected);
}

static void expect_matrices(const double ad[2][2], const double b[2])
{
    for (int i = 0; i < 2; i++) {
        expect_relative(model.ad[0][i][0], ad[i][0]);
        expect_relative(model.ad[0][i][1], ad[i][1]);
        expect_relative(model.b0[0][i], b[i]);
        cr_assert_eq(model.b1[0][i], 0.0);
    }
}

Test(spring_mass_damper, has_the_known_matrices_at_3_hz)
{
    const double ad[2][2] = {{0.9988968170803765, 0.002475668901907603},
                             {-0.8796194168366643, 0.9802307133164878}};
    const double b[2] = {2.206365839246964e-07, 0.00017592388336733284};
    init(3.0, 2.5e-3, DPL_HOLD_ZERO);
    expect_matrices(ad, b);
    expect_relative(model.mass[0], 5000.0 / pow(6.0 * PI, 2.0));
    cr_assert_float_eq(model.mass[0], 14.072387, 1e-6);
    cr_assert_float_eq(model.damping[0], 106.103295, 1e-6);
    cr_assert_float_eq(model.mass[3], 0.562895, 1e-6);
    cr_assert_float_eq(model.damping[5], 4.244132, 1e-6);
}

Test(spring_mass_damper, has_the_known_matrices_at_6_hz)
{
    const double ad[2][2] = {{0.9956172047375306, 0.0024498322399563563},
                             {-3.4817580082661546, 0.9586746048931738}};
    const double b[2] = {8.765590524938891e-07, 0.0006963516016532308};
    init(6.0, 2.5e-3, DPL_HOLD_ZERO);
    expect_matrices(ad, b);
    cr_assert_float_eq(model.mass[0], 3.518097, 1e-6);
    cr_assert_float_eq(model.damping[0], 53.051648, 1e-6);
    cr_assert_float_eq(model.mass[5], 0.140724, 1e-6);
    cr_assert_float_eq(model.damping[5], 2.122066, 1e-6);
}

static void expect_steps(double natural_hz, const double expected[4])
{
    static const int samples[4] = {40, 80, 133, 400};
    struct dpl_smd_state state = {0};
    const double wrench[6] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    init(natural_hz, 2.5e-3, DPL_HOLD_ZERO);
    for (int k = 1, next = 0; next < 4; k++) {
        dpl_smd_step(&model, &state, wrench);
        if (k == samples[next]) {
            cr_assert_float_eq(5000.0 * state.x[1][0], expected[next], 1e-9, "sample %d", k);
            cr_assert_float_eq(200.0 * state.x[4][0], expected[next], 1e-9, "sample %d", k);
            next++;
        }
    }
}

Test(spring_mass_damper, answers_a_unit_step_as_known)
{
    const double at_3_hz[4] = {1.0522585595, 1.4509476626, 0.7256493599, 0.9803468173};
    const double at_6_hz[4] = {1.4509476626, 0.8600845276, 0.9264403855, 0.9996902430};
    expect_steps(3.0, at_3_hz);
    expect_steps(6.0, at_6_hz);
}

/* An impulse of 1 N s is a velocity of 1/m at once. */
static void expect_impulse(double natural_hz, double peak_m, double peak_ms)
{
    struct dpl_smd_state state = {0};
    const double none[6] = {0.0};
    double peak = 0.0, at = 0.0, second = 0.0;
    int per_period = (int)lround(1e5 / (natural_hz * sqrt(1.0 - 0.04)));
    init(natural_hz, 1e-5, DPL_HOLD_ZERO);
    state.x[0][1] = 1.0 / model.mass[0];
    for (int k = 1; k < 2 * per_period; k++) {
        dpl_smd_step(&model, &state, none);
        if (state.x[0][0] > peak) {
            peak = state.x[0][0];
            at = 0.01 * k;
        }
        second = k > per_period ? fmax(second, state.x[0][0]) : 0.0;
    }
    cr_assert_float_eq(peak, peak_m, 1e-9, "%.9g m", peak);
    cr_assert_float_eq(at, peak_ms, 1.1e-2, "%g ms", at);
    cr_assert_float_eq(second / peak, 0.277329, 1e-6, "%.7f", second / peak);
}

Test(spring_mass_damper, answers_a_unit_impulse_as_known)
{
    expect_impulse(3.0, 2.850562e-3, 74.15);
    expect_impulse(6.0, 5.701123e-3, 37.07);
}

Test(spring_mass_damper, overshoots_a_step_by_the_known_share)
{
    struct dpl_smd_state state = {0};
    const double wrench[6] = {5000.0};
    double peak = 0.0;
    init(3.0, 1e-5, DPL_HOLD_ZERO);
    for (int k = 0; k < 30000; k++) {
        dpl_smd_step(&model, &state, wrench);
        peak = fmax(peak, state.x[0][0]);
    }
    cr_assert_float_eq(100.0 * (peak - 1.0), 52.662, 1e-3);
}

Test(spring_mass_damper, follows_a_ramp_without_error_under_a_hold_of_order_one)
{
    struct dpl_smd_state coarse = {0}, fine = {0};
    struct dpl_smd coarse_model;
    init(3.0, 2.5e-3, DPL_HOLD_FIRST);
    coarse_model = model;
    init(3.0, 2.5e-4, DPL_HOLD_FIRST);
    for (int k = 1; k <= 400; k++) {
        double wrench[6] = {0.1 * k};
        dpl_smd_step(&coarse_model, &coarse, wrench);
        for (int i = 9; i >= 0; i--) {
            double part[6] = {0.1 * (k - 0.1 * i)};
            dpl_smd_step(&model, &fine, part);
        }
        cr_assert_float_eq(coarse.x[0][0], fine.x[0][0], 1e-15, "sample %d", k);
        cr_assert_float_eq(coarse.x[0][1], fine.x[0][1], 1e-13, "sample %d", k);
    }
}

Test(spring_mass_damper, oscillates_for_ever_without_damping)
{
    struct dpl_smd_config config = dpl_smd_paper_config(4.0, 2.5e-3, DPL_HOLD_ZERO);
    struct dpl_smd_state state = {.x = {{1.0, 0.0}}};
    const double none[6] = {0.0};
    config.damping_ratio[0] = 0.0;
    cr_assert_eq(dpl_smd_init(&model, &config), 0);
    for (int k = 0; k < 100 * 100; k++) {
        dpl_smd_step(&model, &state, none);
    }
    cr_assert_float_eq(state.x[0][0], 1.0, 1e-9);
}

Test(spring_mass_damper, refuses_what_is_no_spring_mass_damper)
{
    struct dpl_smd_config good = dpl_smd_paper_config(3.0, 2.5e-3, DPL_HOLD_ZERO), bad = good;
    bad.stiffness[2] = 0.0;
    cr_assert_eq(dpl_smd_init(&model, &bad), -EINVAL);
    bad = good;
    bad.natural_hz[5] = (double)INFINITY;
    cr_assert_eq(dpl_smd_init(&model, &bad), -EINVAL);
    bad = good;
    bad.damping_ratio[0] = -0.1;
    cr_assert_eq(dpl_smd_init(&model, &bad), -EINVAL);
    bad = good;
    bad.period_s = 0.0;
    cr_assert_eq(dpl_smd_init(&model, &bad), -EINVAL);
    bad = good;
    bad.natural_hz[0] = 1e8;
    cr_assert_eq(dpl_smd_init(&model, &bad), -ERANGE);
}
