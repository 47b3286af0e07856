/* SPDX-License-Identifier: Apache-2.0 */
/* A histogram of durations with bins whose width increases with the value: constant size, one
 * writer, any number of readers. */
#ifndef DOPPEL_RUNTIME_HISTOGRAM_H
#define DOPPEL_RUNTIME_HISTOGRAM_H

#include <stdatomic.h>
#include <stdint.h>

#include <doppel/time.h>

/* Each octave from 64 ns to 4.3 s has 16 bins of equal width, so that a bin has a width of 3 % to 6
 * %. The first bin has all smaller values, the last one all larger values. */
#define DPL__HISTOGRAM_BINS 417

struct dpl__histogram {
    atomic_ullong bins[DPL__HISTOGRAM_BINS];
    atomic_ullong count, sum_ns, max_ns;
    atomic_llong max_at; /* the run's time at which max_ns first occurred */
};

/* Negative counts as 0. `at`: the run's time. */
void dpl__histogram_add(struct dpl__histogram *histogram, dpl_ns value, dpl_ns at);
/* Upper edge of the bin with the quantile q (0..1); 0 when empty. */
dpl_ns dpl__histogram_quantile(const struct dpl__histogram *histogram, double q);
double dpl__histogram_mean_ns(const struct dpl__histogram *histogram);
/* Lower edge of bin `bin`; for DPL__HISTOGRAM_BINS the upper edge of the last bin, without the
 * values above it. */
dpl_ns dpl__histogram_edge(unsigned bin);

#endif
