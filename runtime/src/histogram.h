/* SPDX-License-Identifier: Apache-2.0 */
/* A histogram of durations with logarithmic bins: constant size, one writer, any readers. */
#ifndef DOPPEL_RUNTIME_HISTOGRAM_H
#define DOPPEL_RUNTIME_HISTOGRAM_H

#include <stdatomic.h>
#include <stdint.h>

#include <doppel/time.h>

/* Bin b counts values of [2^(b/4), 2^((b+1)/4)) ns, about 19 % wide; the first takes what is below
 * 64 ns. */
#define DPL__HISTOGRAM_BINS 128

struct dpl__histogram {
    atomic_ullong bins[DPL__HISTOGRAM_BINS];
    atomic_ullong count, sum_ns, max_ns;
};

void dpl__histogram_add(struct dpl__histogram *histogram, dpl_ns value); /* negative counts as 0 */
/* Upper edge of the bin that holds quantile q (0..1); 0 when empty. */
dpl_ns dpl__histogram_quantile(const struct dpl__histogram *histogram, double q);
double dpl__histogram_mean_ns(const struct dpl__histogram *histogram);

#endif
