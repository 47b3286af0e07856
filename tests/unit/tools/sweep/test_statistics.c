/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of many runs, by values from elsewhere and by repetition. */
#include <math.h>

#include <criterion/criterion.h>

#include <doppel/math/random.h>

#include "statistics.h"

Test(statistics, quantiles_of_the_normal_distribution)
{
    cr_assert_float_eq(sweep_normal_quantile(0.975), 1.959963984540054, 1e-12);
    cr_assert_float_eq(sweep_normal_quantile(0.5), 0.0, 1e-12);
    cr_assert_float_eq(sweep_normal_quantile(1e-9), -5.997807015007686, 1e-9);
    cr_assert(isfinite(sweep_normal_quantile(0x1p-53)));
}

/* The expected numbers: Wilson's formula, computed apart in Python. */
Test(statistics, the_interval_of_a_rate_is_wilsons)
{
    struct sweep_interval found = sweep_rate(95, 100, 0.95);
    cr_assert_float_eq(found.low, 0.8882495307680808, 1e-9);
    cr_assert_float_eq(found.high, 0.9784563208456319, 1e-9);
    cr_assert_float_eq(sweep_rate(10, 10, 0.95).low, 0.7224672001371107, 1e-9);
    cr_assert_float_eq(sweep_rate(0, 10, 0.95).high, 0.2775327998628892, 1e-9);
    cr_assert_eq(sweep_rate(0, 20, 0.95).low, 0.0);
    cr_assert_eq(sweep_rate(20, 20, 0.95).high, 1.0);
    cr_assert(isnan(sweep_rate(0, 0, 0.95).value));
}

/* In 100 studies of 60 normal values, 90 % intervals of the median hold it in about 90. */
Test(statistics, the_interval_of_a_quantile_has_the_confidence_that_it_says)
{
    struct dpl_random rng = dpl_random_seeded(4, 1);
    int holds = 0;
    for (int i = 0; i < 100; i++) {
        double values[60];
        for (int k = 0; k < 60; k++) {
            values[k] = dpl_random_normal(&rng);
        }
        struct sweep_interval found = sweep_quantile(values, 60, 0.5, 0.9, (uint64_t)i);
        holds += found.low <= 0.0 && found.high >= 0.0;
    }
    cr_assert(holds >= 80 && holds <= 98, "%d", holds);
}

Test(statistics, ranks_do_not_mind_the_form_of_a_dependence)
{
    double x[50], y[50], z[50];
    for (int i = 0; i < 50; i++) {
        x[i] = i;
        y[i] = exp(0.3 * i);
        z[i] = -y[i];
    }
    cr_assert_float_eq(sweep_rank_correlation(x, y, 50), 1.0, 1e-12);
    cr_assert_float_eq(sweep_rank_correlation(x, z, 50), -1.0, 1e-12);
    const double a[] = {1, 2, 2, 3, (double)NAN}, b[] = {1, 2, 3, 4, 0};
    cr_assert_float_eq(sweep_rank_correlation(a, b, 5), 0.9486832980505138, 1e-12);
    const double same[] = {1, 1, 1};
    cr_assert(isnan(sweep_rank_correlation(same, b, 3)));
}
