/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

#include <doppel/math/random.h>

enum { RESAMPLES = 2000 };

/* A first value (Abramowitz, Stegun 26.2.23), then Newton's steps. */
double sweep_normal_quantile(double p)
{
    double tail = fmin(p, 1.0 - p), t = sqrt(-2.0 * log(tail));
    double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for (int i = 0; i < 4; i++) {
        double error = 0.5 * erfc(x * M_SQRT1_2) - tail;
        double density = exp(-0.5 * x * x) / sqrt(2.0 * M_PI);
        x += density > 0.0 ? error / density : 0.0;
    }
    return p < 0.5 ? -x : x;
}

struct sweep_interval sweep_rate(size_t good, size_t n, double confidence)
{
    struct sweep_interval found = {(double)NAN, (double)NAN, (double)NAN};
    if (n == 0) {
        return found;
    }
    double z = sweep_normal_quantile(0.5 + 0.5 * confidence), p = (double)good / (double)n;
    double m = (double)n, middle = (p + z * z / (2.0 * m)) / (1.0 + z * z / m);
    double half = z / (1.0 + z * z / m) * sqrt(p * (1.0 - p) / m + z * z / (4.0 * m * m));
    found.value = p;
    found.low = good == 0 ? 0.0 : fmax(middle - half, 0.0);
    found.high = good == n ? 1.0 : fmin(middle + half, 1.0);
    return found;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double sweep_sorted_quantile(const double *values, size_t n, double p)
{
    if (n == 0) {
        return (double)NAN;
    }
    double at = p * (double)(n - 1);
    size_t i = (size_t)at;
    return i + 1 < n ? values[i] + (at - (double)i) * (values[i + 1] - values[i]) : values[n - 1];
}

struct sweep_interval sweep_quantile(double *values, size_t n, double p, double confidence,
                                     uint64_t seed)
{
    struct sweep_interval found = {(double)NAN, (double)NAN, (double)NAN};
    qsort(values, n, sizeof *values, compare);
    found.value = sweep_sorted_quantile(values, n, p);
    double *again = malloc((n + 1) * sizeof *again), *quantiles = malloc(RESAMPLES * sizeof *again);
    struct dpl_random rng = dpl_random_named(seed, "bootstrap");
    if (again && quantiles && n > 0) {
        for (size_t i = 0; i < RESAMPLES; i++) {
            for (size_t k = 0; k < n; k++) {
                again[k] = values[dpl_random_u64(&rng) % n];
            }
            qsort(again, n, sizeof *again, compare);
            quantiles[i] = sweep_sorted_quantile(again, n, p);
        }
        qsort(quantiles, RESAMPLES, sizeof *quantiles, compare);
        found.low = sweep_sorted_quantile(quantiles, RESAMPLES, 0.5 - 0.5 * confidence);
        found.high = sweep_sorted_quantile(quantiles, RESAMPLES, 0.5 + 0.5 * confidence);
    }
    free(again);
    free(quantiles);
    return found;
}

/* ---- ranks ---- */

struct ranked {
    double value, rank;
    size_t at;
};

static int compare_ranked(const void *a, const void *b)
{
    return compare(&((const struct ranked *)a)->value, &((const struct ranked *)b)->value);
}

/* Replaces values by ranks, in `order` [n]. */
static void rank(double *values, size_t n, struct ranked *order)
{
    for (size_t i = 0; i < n; i++) {
        order[i] = (struct ranked){.value = values[i], .at = i};
    }
    qsort(order, n, sizeof *order, compare_ranked);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && order[end].value == order[i].value;) {
            end++;
        }
        for (size_t k = i; k < end; k++) {
            values[order[k].at] = 0.5 * (double)(i + end - 1);
        }
    }
}

static double correlation(const double *x, const double *y, size_t n)
{
    double mean = 0.5 * (double)(n - 1), xx = 0.0, yy = 0.0, xy = 0.0;
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mean) * (x[i] - mean);
        yy += (y[i] - mean) * (y[i] - mean);
        xy += (x[i] - mean) * (y[i] - mean);
    }
    return xx > 0.0 && yy > 0.0 ? xy / sqrt(xx * yy) : (double)NAN;
}

double sweep_rank_correlation(const double *x, const double *y, size_t n)
{
    double *a = malloc((n + 1) * sizeof *a), *b = malloc((n + 1) * sizeof *b);
    struct ranked *order = malloc((n + 1) * sizeof *order);
    double found = (double)NAN;
    size_t m = 0;
    for (size_t i = 0; a && b && i < n; i++) {
        if (!isnan(x[i]) && !isnan(y[i])) {
            a[m] = x[i];
            b[m++] = y[i];
        }
    }
    if (a && b && order && m >= 3) {
        rank(a, m, order);
        rank(b, m, order);
        found = correlation(a, b, m);
    }
    free(a);
    free(b);
    free(order);
    return found;
}
