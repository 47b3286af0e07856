/* SPDX-License-Identifier: Apache-2.0 */
/* Exact discretization against systems whose answer has a closed form. */
#include <errno.h>
#include <math.h>

#include <criterion/criterion.h>

#include "discretize.h"

static struct dpl_lti_discrete discrete;

static void expect_relative(double value, double expected, double tolerance)
{
    cr_assert_leq(fabs(value - expected), tolerance * fabs(expected), "%.17g, not %.17g", value,
                  expected);
}

Test(discretize, of_a_lag_is_its_exponential_at_any_speed)
{
    static const double rates[] = {1e-6, 1e-3, 1.0, 30.0, 400.0, 3e4};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        double a = rates[i], h = 0.01, e = exp(-a * h);
        struct dpl_lti lti = {.n_states = 1, .n_inputs = 1, .a = {{-a}}, .b = {{a}}};
        cr_assert_eq(dpl_discretize(&lti, h, DPL_HOLD_ZERO, &discrete), 0);
        expect_relative(discrete.ad[0][0], e, 1e-11);
        expect_relative(discrete.b0[0][0], -expm1(-a * h), 1e-12);
        cr_assert_eq(discrete.b1[0][0], 0.0);
    }
}

Test(discretize, of_a_lag_under_a_first_order_hold_has_the_known_weights)
{
    double a = 30.0, h = 0.01, e = exp(-a * h), late = 1.0 - (1.0 - e) / (a * h);
    struct dpl_lti lti = {.n_states = 1, .n_inputs = 1, .a = {{-a}}, .b = {{a}}};
    cr_assert_eq(dpl_discretize(&lti, h, DPL_HOLD_FIRST, &discrete), 0);
    expect_relative(discrete.b1[0][0], late, 1e-13);
    expect_relative(discrete.b0[0][0], 1.0 - e - late, 1e-13);
}

Test(discretize, of_a_chain_of_integrators_has_the_terms_of_taylor)
{
    struct dpl_lti lti = {.n_states = DPL_LTI_STATES_MAX, .n_inputs = 1};
    double h = 0.5, term = 1.0;
    for (int i = 0; i + 1 < lti.n_states; i++) {
        lti.a[i][i + 1] = 1.0;
    }
    lti.b[lti.n_states - 1][0] = 1.0;
    cr_assert_eq(dpl_discretize(&lti, h, DPL_HOLD_ZERO, &discrete), 0);
    for (int j = 0; j < lti.n_states; j++) {
        expect_relative(discrete.ad[0][j], term, 1e-12);
        term *= h / (j + 1);
        expect_relative(discrete.b0[lti.n_states - 1 - j][0], term, 1e-12);
    }
}

Test(discretize, of_a_rotation_turns)
{
    double w = 1000.0, h = 0.01;
    struct dpl_lti lti = {.n_states = 2, .n_inputs = 1, .a = {{0.0, w}, {-w, 0.0}}};
    cr_assert_eq(dpl_discretize(&lti, h, DPL_HOLD_ZERO, &discrete), 0);
    cr_assert_float_eq(discrete.ad[0][0], cos(w * h), 1e-13);
    cr_assert_float_eq(discrete.ad[0][1], sin(w * h), 1e-13);
    cr_assert_float_eq(discrete.ad[1][0], -sin(w * h), 1e-13);
}

Test(discretize, refuses_what_overflows_or_is_out_of_range)
{
    struct dpl_lti lti = {.n_states = 1, .n_inputs = 1, .a = {{2000.0}}};
    cr_assert_eq(dpl_discretize(&lti, 1.0, DPL_HOLD_ZERO, &discrete), -ERANGE);
    lti.a[0][0] = -1e8;
    cr_assert_eq(dpl_discretize(&lti, 1.0, DPL_HOLD_ZERO, &discrete), -ERANGE);
    lti.a[0][0] = (double)INFINITY;
    cr_assert_eq(dpl_discretize(&lti, 1.0, DPL_HOLD_ZERO, &discrete), -EINVAL);
    lti.a[0][0] = -1.0;
    cr_assert_eq(dpl_discretize(&lti, -1.0, DPL_HOLD_ZERO, &discrete), -EINVAL);
    lti.n_inputs = DPL_LTI_INPUTS_MAX + 1;
    cr_assert_eq(dpl_discretize(&lti, 1.0, DPL_HOLD_ZERO, &discrete), -EINVAL);
    lti.n_inputs = 1;
    lti.n_states = 0;
    cr_assert_eq(dpl_discretize(&lti, 1.0, DPL_HOLD_ZERO, &discrete), -EINVAL);
}
