/* SPDX-License-Identifier: Apache-2.0 */
/* A histogram of durations with bins that widen with the value: constant size, one writer, any
 * readers. */
#ifndef DOPPEL_RUNTIME_HISTOGRAM_H
#define DOPPEL_RUNTIME_HISTOGRAM_H

#include <stdatomic.h>
#include <stdint.h>

#include <doppel/time.h>

/* Each octave from 64 ns to 4.3 s is cut into 16 bins of one width, so that a bin is 3 % to 6 %
 * wide. The first bin takes what is below, the last what is above too. */
#define DPL__HISTOGRAM_BINS 417

struct dpl__histogram {
    atomic_ullong bins[DPL__HISTOGRAM_BINS];
    atomic_ullong count, sum_ns, max_ns;
    atomic_llong max_at; /* the run's time at which max_ns occurred first */
};

/* Negative counts as 0. `at`: the run's time. */
void dpl__histogram_add(struct dpl__histogram *histogram, dpl_ns value, dpl_ns at);
/* Upper edge of the bin that holds quantile q (0..1); 0 when empty. */
dpl_ns dpl__histogram_quantile(const struct dpl__histogram *histogram, double q);
double dpl__histogram_mean_ns(const struct dpl__histogram *histogram);
/* Where bin `bin` begins; that of DPL__HISTOGRAM_BINS is where the last one ends, but for what is
 * above all. */
dpl_ns dpl__histogram_edge(unsigned bin);

#endif
