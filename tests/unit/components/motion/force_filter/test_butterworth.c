/* SPDX-License-Identifier: Apache-2.0 */
/* The force filter: its design against known coefficients, its response, its steps. */
#include <errno.h>
#include <math.h>

#include <criterion/criterion.h>

#include "butterworth.h"
#include "response.h"

#define DEGREES 57.29577951308232

static struct dpl_butterworth filter;

static void design(int order, double cutoff_hz)
{
    cr_assert_eq(dpl_butterworth_design(order, cutoff_hz, 1600.0, &filter), 0);
}

static void expect_relative(double value, double expected, double tolerance)
{
    cr_assert_leq(fabs(value - expected), tolerance * fabs(expected), "%.17g, not %.17g", value,
                  expected);
}

Test(butterworth, has_the_known_coefficients_at_40_hz)
{
    design(2, 40.0);
    cr_assert_eq(filter.n_sections, 1);
    expect_relative(filter.sections[0].b[0], 0.005542717210280681, 1e-15);
    expect_relative(filter.sections[0].b[1], 2 * 0.005542717210280681, 1e-15);
    expect_relative(filter.sections[0].b[2], 0.005542717210280681, 1e-15);
    expect_relative(filter.sections[0].a[1], -1.7786317778245846, 1e-15);
    expect_relative(filter.sections[0].a[2], 0.8008026466657073, 1e-15);
}

Test(butterworth, has_the_known_gains_and_phases)
{
    static const double rows[][3] = {{1, -0.00000, -2.0220},   {3, -0.00014, -6.0760},
                                     {6, -0.00218, -12.2192},  {7, -0.00404, -14.2929},
                                     {11, -0.02458, -22.7724}, {15, -0.08445, -31.6191},
                                     {20, -0.26172, -43.2403}};
    design(2, 40.0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dpl_butterworth_response r = dpl_butterworth_response_at(&filter, rows[i][0]);
        cr_assert_float_eq(20.0 * log10(r.gain), rows[i][1], 1e-5, "at %g Hz", rows[i][0]);
        cr_assert_float_eq(r.phase_rad * DEGREES, rows[i][2], 1e-4, "at %g Hz", rows[i][0]);
    }
}

Test(butterworth, has_half_power_at_the_cutoff_for_every_order)
{
    for (int order = 1; order <= DPL_BUTTERWORTH_ORDER_MAX; order++) {
        design(order, 123.0);
        struct dpl_butterworth_response r = dpl_butterworth_response_at(&filter, 123.0);
        cr_assert_float_eq(r.gain, sqrt(0.5), 1e-12, "order %d", order);
        cr_assert_float_eq(r.phase_rad, -order * atan(1.0), 1e-12, "order %d", order);
        cr_assert_float_eq(dpl_butterworth_response_at(&filter, 0.0).gain, 1.0, 1e-12);
    }
}

Test(butterworth, steps_do_to_a_sine_what_the_response_says)
{
    struct dpl_butterworth_state state;
    double worst = 0.0, w = 2.0 * 3.14159265358979323846 * 20.0 / 1600.0;
    for (int order = 1; order <= 5; order++) {
        design(order, 40.0);
        struct dpl_butterworth_response r = dpl_butterworth_response_at(&filter, 20.0);
        dpl_butterworth_reset(&filter, &state, 0.0);
        for (int k = 0; k < 3200; k++) {
            double y = dpl_butterworth_step(&filter, &state, sin(w * k));
            double expected = r.gain * sin(w * k + r.phase_rad);
            worst = k < 1600 ? worst : fmax(worst, fabs(y - expected));
        }
    }
    cr_assert_lt(worst, 1e-9);
}

Test(butterworth, stays_at_the_value_it_was_reset_to)
{
    struct dpl_butterworth_state state;
    design(5, 40.0);
    dpl_butterworth_reset(&filter, &state, 9.81);
    for (int k = 0; k < 100; k++) {
        cr_assert_float_eq(dpl_butterworth_step(&filter, &state, 9.81), 9.81, 1e-12);
    }
}

Test(butterworth, repeats_its_output_for_a_sample_that_is_no_number)
{
    struct dpl_butterworth_state state, before;
    design(2, 40.0);
    dpl_butterworth_reset(&filter, &state, 0.0);
    double y = dpl_butterworth_step(&filter, &state, 1.0);
    before = state;
    cr_assert_eq(dpl_butterworth_step(&filter, &state, (double)NAN), y);
    cr_assert_eq(dpl_butterworth_step(&filter, &state, (double)INFINITY), y);
    cr_assert_eq(state.z[0][0], before.z[0][0]);
    cr_assert_eq(state.z[0][1], before.z[0][1]);
}

Test(butterworth, refuses_what_it_cannot_design)
{
    static const struct {
        int order;
        double cutoff_hz, rate_hz;
    } bad[] = {{0, 40, 1600},       {13, 40, 1600},         {2, 0, 1600}, {2, -1, 1600},
               {2, 800, 1600},      {2, (double)NAN, 1600}, {2, 40, 80},  {2, 40, (double)INFINITY},
               {2, 40, (double)NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        filter.order = -7;
        cr_assert_eq(
            dpl_butterworth_design(bad[i].order, bad[i].cutoff_hz, bad[i].rate_hz, &filter),
            -EINVAL, "row %zu", i);
        cr_assert_eq(filter.order, -7, "row %zu", i);
    }
}

/* ---- the regression of its phase, uniform grid of 0.01 Hz from 0 ---- */

static struct phase_fit fit(bool digital, int to_hz, bool intercept)
{
    static double f[1101], phase[1101];
    size_t n = (size_t)to_hz * 100 + 1;
    design(2, 40.0);
    for (size_t i = 0; i < n; i++) {
        f[i] = 0.01 * (double)i;
        phase[i] = DEGREES * (digital ? dpl_butterworth_response_at(&filter, f[i])
                                      : dpl_butterworth_analog_at(2, 40.0, f[i]))
                                 .phase_rad;
    }
    return phase_fit_line(f, phase, n, intercept);
}

static void expect_fit(struct phase_fit found, double delay_ms, double rmse_deg)
{
    cr_assert_float_eq(found.delay_ms, delay_ms, 1e-4, "%.6f ms", found.delay_ms);
    cr_assert_float_eq(found.rmse_deg, rmse_deg, 1e-5, "%.6f deg", found.rmse_deg);
}

Test(phase_regression, has_the_known_delays_and_errors)
{
    expect_fit(fit(false, 7, false), 5.6610, 0.02147);
    expect_fit(fit(true, 7, false), 5.6495, 0.02148);
    expect_fit(fit(false, 7, true), 5.6779, 0.01608);
    expect_fit(fit(true, 7, true), 5.6664, 0.01609);
    expect_fit(fit(false, 11, false), 5.7093, 0.08053);
    expect_fit(fit(true, 11, false), 5.6978, 0.08061);
    expect_fit(fit(false, 11, true), 5.7499, 0.06006);
    expect_fit(fit(true, 11, true), 5.7384, 0.06013);
}

Test(phase_regression, has_the_published_number_as_its_mean_absolute_residual)
{
    cr_assert_float_eq(fit(false, 7, true).mean_abs_deg, 0.01378, 2e-5);
    cr_assert_float_eq(fit(true, 7, true).mean_abs_deg, 0.01378, 2e-5);
    cr_assert_gt(fabs(fit(true, 7, true).rmse_deg - 0.01378), 2e-3);
    cr_assert_gt(fabs(fit(true, 7, false).mean_abs_deg - 0.01378), 2e-3);
}

Test(phase_regression, finds_a_line_exactly)
{
    const double f[] = {1.0, 2.0, 4.0}, phase[] = {-1.6, -5.2, -12.4};
    struct phase_fit line = phase_fit_line(f, phase, 3, true);
    cr_assert_float_eq(line.delay_ms, 10.0, 1e-12);
    cr_assert_float_eq(line.offset_deg, 2.0, 1e-12);
    cr_assert_lt(line.max_abs_deg, 1e-12);
    cr_assert_gt(phase_fit_line(f, phase, 3, false).max_abs_deg, 0.5);
}
