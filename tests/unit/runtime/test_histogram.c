/* SPDX-License-Identifier: Apache-2.0 */
/* Bins, quantiles and mean of durations. */
#include <criterion/criterion.h>
#include <math.h>

#include "histogram.h"

static struct dpl__histogram h;

Test(histogram, is_zero_when_empty)
{
    cr_assert_eq(dpl__histogram_quantile(&h, 0.5), 0);
    cr_assert_eq(dpl__histogram_mean_ns(&h), 0.0);
}

Test(histogram, bounds_a_value_by_the_edges_of_its_bin)
{
    for (double value = 64; value < 4e9; value *= 1.07) {
        struct dpl__histogram one = {0};
        dpl__histogram_add(&one, (dpl_ns)value);
        double edge = (double)dpl__histogram_quantile(&one, 0.5);
        cr_assert(edge >= floor(value) && edge <= value * 1.19, "%g in bin up to %g", value, edge);
    }
}

Test(histogram, puts_a_power_of_two_at_the_start_of_a_bin)
{
    dpl__histogram_add(&h, 1024);
    cr_assert_eq(atomic_load(&h.bins[40]), 1);
    dpl__histogram_add(&h, 1023);
    cr_assert_eq(atomic_load(&h.bins[39]), 1);
}

Test(histogram, puts_short_and_negative_values_below_64_ns)
{
    dpl__histogram_add(&h, -5);
    dpl__histogram_add(&h, 63);
    cr_assert_eq(dpl__histogram_quantile(&h, 1.0), 64);
    cr_assert_eq(atomic_load(&h.sum_ns), 63);
}

Test(histogram, reports_the_maximum_for_what_is_beyond_the_last_bin)
{
    dpl__histogram_add(&h, 90 * DPL_S);
    cr_assert_eq(dpl__histogram_quantile(&h, 0.99), 90 * DPL_S);
    cr_assert_eq(atomic_load(&h.max_ns), 90 * DPL_S);
}

Test(histogram, separates_the_tail_from_the_median)
{
    for (int i = 0; i < 98; i++) {
        dpl__histogram_add(&h, 1000);
    }
    dpl__histogram_add(&h, DPL_MS);
    dpl__histogram_add(&h, DPL_MS);
    cr_assert_lt(dpl__histogram_quantile(&h, 0.98), 1200);
    cr_assert_geq(dpl__histogram_quantile(&h, 0.99), DPL_MS);
    cr_assert_float_eq(dpl__histogram_mean_ns(&h), 20980.0, 1e-6);
}
