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
        dpl__histogram_add(&one, (dpl_ns)value, 0);
        double edge = (double)dpl__histogram_quantile(&one, 0.5);
        cr_assert(edge >= floor(value) && edge <= value * 1.0626 + 1, "%g in bin up to %g", value,
                  edge);
    }
}

Test(histogram, puts_a_power_of_two_at_the_start_of_a_bin)
{
    dpl__histogram_add(&h, 1024, 0);
    cr_assert_eq(atomic_load(&h.bins[65]), 1);
    cr_assert_eq(dpl__histogram_edge(65), 1024);
    dpl__histogram_add(&h, 1023, 0);
    cr_assert_eq(atomic_load(&h.bins[64]), 1);
}

Test(histogram, joins_its_bins_without_gap_or_overlap)
{
    cr_assert_eq(dpl__histogram_edge(0), 0);
    cr_assert_eq(dpl__histogram_edge(1), 64);
    cr_assert_eq(dpl__histogram_edge(DPL__HISTOGRAM_BINS), (dpl_ns)1 << 32);
    for (unsigned bin = 1; bin < DPL__HISTOGRAM_BINS; bin++) {
        struct dpl__histogram one = {0};
        dpl__histogram_add(&one, dpl__histogram_edge(bin), 0);
        dpl__histogram_add(&one, dpl__histogram_edge(bin + 1) - 1, 0);
        cr_assert_eq(atomic_load(&one.bins[bin]), 2, "bin %u", bin);
    }
}

Test(histogram, remembers_when_the_maximum_occurred_first)
{
    dpl__histogram_add(&h, 500, 10);
    dpl__histogram_add(&h, 700, 20);
    dpl__histogram_add(&h, 600, 30);
    dpl__histogram_add(&h, 700, 40);
    cr_assert_eq(atomic_load(&h.max_ns), 700);
    cr_assert_eq(atomic_load(&h.max_at), 20);
}

Test(histogram, puts_short_and_negative_values_below_64_ns)
{
    dpl__histogram_add(&h, -5, 0);
    dpl__histogram_add(&h, 63, 0);
    cr_assert_eq(dpl__histogram_quantile(&h, 1.0), 64);
    cr_assert_eq(atomic_load(&h.sum_ns), 63);
}

Test(histogram, reports_the_maximum_for_what_is_beyond_the_last_bin)
{
    dpl__histogram_add(&h, 90 * DPL_S, 0);
    cr_assert_eq(dpl__histogram_quantile(&h, 0.99), 90 * DPL_S);
    cr_assert_eq(atomic_load(&h.max_ns), 90 * DPL_S);
}

Test(histogram, separates_the_tail_from_the_median)
{
    for (int i = 0; i < 98; i++) {
        dpl__histogram_add(&h, 1000, 0);
    }
    dpl__histogram_add(&h, DPL_MS, 0);
    dpl__histogram_add(&h, DPL_MS, 0);
    cr_assert_lt(dpl__histogram_quantile(&h, 0.98), 1200);
    cr_assert_geq(dpl__histogram_quantile(&h, 0.99), DPL_MS);
    cr_assert_float_eq(dpl__histogram_mean_ns(&h), 20980.0, 1e-6);
}
