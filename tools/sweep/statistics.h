/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of many runs, with its confidence. Pure. */
#ifndef DOPPEL_SWEEP_STATISTICS_H
#define DOPPEL_SWEEP_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

struct sweep_interval {
    double value, low, high; /* NAN: there is nothing to say it of */
};

/* The quantile of the normal distribution with mean 0 and deviation 1; `p` in (0, 1). */
double sweep_normal_quantile(double p);

/* A rate, `good` of `n`: Wilson, J. Am. Stat. Assoc. 22 (1927). `confidence` in (0, 1). */
struct sweep_interval sweep_rate(size_t good, size_t n, double confidence);

/* The quantile `p` of values (linear between ranks), and its interval by the percentiles of
 * bootstrap samples (Efron 1979), which are the same for the same seed. Sorts the values. Without
 * memory the interval is NAN. Allocates. */
struct sweep_interval sweep_quantile(double *values, size_t n, double p, double confidence,
                                     uint64_t seed);

/* The quantile of values that are sorted; NAN of none. */
double sweep_sorted_quantile(const double *values, size_t n, double p);

/* Spearman's rank correlation of two columns; ties have their mean rank. Rows with a NAN are left
 * out. NAN: fewer than 3 rows, a column without differences, or no memory. Allocates. */
double sweep_rank_correlation(const double *x, const double *y, size_t n);

#endif
