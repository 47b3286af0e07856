/* SPDX-License-Identifier: Apache-2.0 */
/* The median of some numbers, which are sorted by it. None: INFINITY. */
#ifndef LOCALIZATION_MEDIAN_H
#define LOCALIZATION_MEDIAN_H

#include <math.h>
#include <stdlib.h>

static inline int median_compare(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static inline double median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, median_compare);
    return n > 0 ? values[n / 2] : (double)INFINITY;
}

#endif
