/* SPDX-License-Identifier: Apache-2.0 */
/* Piecewise polynomials against numbers that were computed by hand, and against sums over small
 * steps. */
#include <math.h>

#include <criterion/criterion.h>
#include <doppel/math/random.h>
#include <doppel/sim/multibody_graph.h>

static double value(const struct dpl_mb_piecewise *law, double x)
{
    return dpl_mb_law(law, x, NULL);
}

static double slope(const struct dpl_mb_piecewise *law, double x)
{
    double result = (double)NAN;
    dpl_mb_law(law, x, &result);
    return result;
}

/* 2 x^2 + 0.5 x below 0, then nothing. */
static const struct dpl_mb_piecewise one_sided = {
    .n_knots = 1,
    .knots = (double[]){0.0},
    .n_of = (size_t[]){3, 1},
    .coefficients = (double[]){2.0, 0.5, 0.0, 0.0},
};

/* A gap between two springs that stiffen. */
static const struct dpl_mb_piecewise bumper = {
    .n_knots = 2,
    .knots = (double[]){-0.1, 0.1},
    .n_of = (size_t[]){3, 1, 3},
    .coefficients = (double[]){-300.0, 340.0, 37.0, 0.0, 300.0, 340.0, -37.0},
};

/* 1, 5 x - 1 from 1 on, x^2 from 3 on: it jumps at the knots, and 0 is in its first piece. */
static const struct dpl_mb_piecewise jumps = {
    .n_knots = 2,
    .knots = (double[]){1.0, 3.0},
    .n_of = (size_t[]){1, 2, 3},
    .coefficients = (double[]){1.0, 5.0, -1.0, 1.0, 0.0, 0.0},
};

/* The same with its knots at -3 and -1, so that 0 is in its last piece. */
static const struct dpl_mb_piecewise mirrored = {
    .n_knots = 2,
    .knots = (double[]){-3.0, -1.0},
    .n_of = (size_t[]){3, 2, 1},
    .coefficients = (double[]){1.0, 0.0, 0.0, -5.0, -1.0, 1.0},
};

Test(multibody_law, powers_descend)
{
    cr_assert_float_eq(value(&one_sided, -1.0), 1.5, 1e-15);
    cr_assert_eq(value(&one_sided, -0.25), 0.0);
    cr_assert_float_eq(value(&one_sided, -0.1), -0.03, 1e-16);
    cr_assert_eq(value(&one_sided, 0.0), 0.0);
    cr_assert_eq(value(&one_sided, 1.0), 0.0);
}

Test(multibody_law, x_is_not_relative_to_the_knot)
{
    cr_assert_float_eq(value(&bumper, 0.15), 300.0 * 0.0225 + 340.0 * 0.15 - 37.0, 1e-13);
    cr_assert_float_eq(value(&bumper, -0.15), -300.0 * 0.0225 - 340.0 * 0.15 + 37.0, 1e-13);
    cr_assert_eq(value(&bumper, 0.05), 0.0);
}

Test(multibody_law, a_piece_begins_at_its_knot)
{
    cr_assert_eq(value(&jumps, nextafter(1.0, 0.0)), 1.0);
    cr_assert_eq(value(&jumps, 1.0), 4.0);
    cr_assert_eq(value(&jumps, nextafter(3.0, 0.0)), 5.0 * nextafter(3.0, 0.0) - 1.0);
    cr_assert_eq(value(&jumps, 3.0), 9.0);
    cr_assert_eq(value(&jumps, -1e9), 1.0);
    cr_assert_eq(value(&jumps, 1e3), 1e6);
}

Test(multibody_law, slopes_are_those_of_the_piece)
{
    cr_assert_eq(slope(&one_sided, -1.0), -3.5);
    cr_assert_eq(slope(&one_sided, 0.0), 0.0);
    cr_assert_eq(slope(&jumps, 0.5), 0.0);
    cr_assert_eq(slope(&jumps, 1.0), 5.0);
    cr_assert_eq(slope(&jumps, 3.0), 6.0);
    cr_assert_float_eq(slope(&bumper, -0.2), 460.0, 1e-12);
}

Test(multibody_law, one_polynomial_needs_no_knots)
{
    struct dpl_mb_piecewise cubic = {.n_of = (size_t[]){4},
                                     .coefficients = (double[]){4.0, -3.0, 2.0, -1.0}};
    cr_assert_eq(value(&cubic, 2.0), 23.0);
    cr_assert_eq(slope(&cubic, 2.0), 38.0);
    cr_assert_eq(dpl_mb_law_work(&cubic, 2.0), 16.0 - 8.0 + 4.0 - 2.0);
    cr_assert_eq(dpl_mb_law_work(&cubic, -2.0), 16.0 + 8.0 + 4.0 + 2.0);
}

Test(multibody_law, work_is_zero_at_zero)
{
    cr_assert_eq(dpl_mb_law_work(&one_sided, 0.0), 0.0);
    cr_assert_eq(dpl_mb_law_work(&bumper, 0.0), 0.0);
    cr_assert_eq(dpl_mb_law_work(&jumps, 0.0), 0.0);
    cr_assert_eq(dpl_mb_law_work(&mirrored, 0.0), 0.0);
}

Test(multibody_law, work_adds_up_over_pieces)
{
    cr_assert_eq(dpl_mb_law_work(&jumps, 1.0), 1.0);
    cr_assert_float_eq(dpl_mb_law_work(&jumps, 2.0), 1.0 + 7.5 - 1.0, 1e-14);
    cr_assert_float_eq(dpl_mb_law_work(&jumps, 3.0), 1.0 + 20.0 - 2.0, 1e-14);
    cr_assert_float_eq(dpl_mb_law_work(&jumps, 6.0), 19.0 + 72.0 - 9.0, 1e-13);
    cr_assert_eq(dpl_mb_law_work(&jumps, -4.0), -4.0);
}

/* mirrored(x) = jumps(-x) but at the knots, so its antiderivative is odd to the other. */
Test(multibody_law, work_below_zero_is_that_of_the_mirrored_law)
{
    for (double x = -6.0; x <= 6.0; x += 0.25) {
        cr_assert_float_eq(dpl_mb_law_work(&mirrored, -x), -dpl_mb_law_work(&jumps, x), 1e-12,
                           "at %g", x);
    }
}

/* Neither end of the only interior piece is 0, which lies in the last one. */
Test(multibody_law, work_is_continuous_where_the_law_jumps)
{
    const double knots[4] = {1.0, 3.0, -3.0, -1.0};
    for (int i = 0; i < 4; i++) {
        const struct dpl_mb_piecewise *law = i < 2 ? &jumps : &mirrored;
        double below = dpl_mb_law_work(law, nextafter(knots[i], -10.0));
        cr_assert_float_eq(below, dpl_mb_law_work(law, knots[i]), 1e-13);
    }
}

/* Many pieces: Simpson's rule is exact for cubics inside a piece. */
Test(multibody_law, work_is_the_integral_of_random_laws)
{
    enum { KNOTS = 40 };
    struct dpl_random rng = dpl_random_seeded(11, 0);
    double knots[KNOTS], coefficients[4 * (KNOTS + 1)];
    size_t n_of[KNOTS + 1];
    for (int i = 0; i <= KNOTS; i++) {
        n_of[i] = 4;
        for (int k = 0; k < 4; k++) {
            coefficients[4 * i + k] = dpl_random_uniform(&rng, -1.0, 1.0);
        }
    }
    for (int i = 0; i < KNOTS; i++) {
        knots[i] = -1.0 + 0.05 * i + dpl_random_uniform(&rng, 0.0, 0.04);
    }
    struct dpl_mb_piecewise law = {KNOTS, knots, n_of, coefficients};
    for (int i = 0; i + 1 < KNOTS; i++) {
        double a = knots[i], b = nextafter(knots[i + 1], a);
        double simpson =
            (value(&law, a) + 4.0 * value(&law, 0.5 * (a + b)) + value(&law, b)) * (b - a) / 6.0;
        double work = dpl_mb_law_work(&law, b) - dpl_mb_law_work(&law, a);
        cr_assert_float_eq(work, simpson, 1e-14, "piece %d", i + 1);
    }
}
