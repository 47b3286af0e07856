/* SPDX-License-Identifier: Apache-2.0 */
/* Piecewise polynomials: value, slope, antiderivative. */
#include <string.h>

#include "graph_store.h"

struct piece {
    const double *coefficients;
    size_t n;
};

/* How many knots are at or below x: the number of the piece. */
static size_t piece_at(const struct dpl_mb_piecewise *law, double x)
{
    size_t low = 0, high = law->n_knots;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (x < law->knots[middle]) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static struct piece piece_of(const struct dpl_mb_piecewise *law, size_t i)
{
    const double *coefficients = law->coefficients;
    for (size_t k = 0; k < i; k++) {
        coefficients += law->n_of[k];
    }
    return (struct piece){coefficients, law->n_of[i]};
}

double dpl_mb_law(const struct dpl_mb_piecewise *law, double x, double *ret_slope)
{
    struct piece piece = piece_of(law, piece_at(law, x));
    double value = 0.0, slope = 0.0;
    for (size_t i = 0; i < piece.n; i++) {
        slope = slope * x + value;
        value = value * x + piece.coefficients[i];
    }
    if (ret_slope) {
        *ret_slope = slope;
    }
    return value;
}

/* The antiderivative of one polynomial that is 0 at 0. */
static double antiderivative(struct piece piece, double x)
{
    double sum = 0.0;
    for (size_t i = 0; i < piece.n; i++) {
        sum = sum * x + piece.coefficients[i] / (double)(piece.n - i);
    }
    return sum * x;
}

double dpl_mb_law_work(const struct dpl_mb_piecewise *law, double x)
{
    double low = x < 0.0 ? x : 0.0, high = x < 0.0 ? 0.0 : x, work = 0.0;
    size_t first = piece_at(law, low), last = piece_at(law, high);
    struct piece piece = piece_of(law, first);
    for (size_t i = first; i <= last; i++) {
        double from = i > first ? law->knots[i - 1] : low;
        double to = i < last ? law->knots[i] : high;
        work += antiderivative(piece, to) - antiderivative(piece, from);
        if (i < last) {
            piece = (struct piece){piece.coefficients + piece.n, law->n_of[i + 1]};
        }
    }
    return x < 0.0 ? -work : work;
}

size_t dpl__mb_law_coefficients(const struct dpl_mb_piecewise *law)
{
    size_t n = 0;
    for (size_t i = 0; i <= law->n_knots; i++) {
        n += law->n_of[i];
    }
    return n;
}

bool dpl__mb_law_copy(struct dpl__mb_store *store, const struct dpl_mb_piecewise *law,
                      struct dpl_mb_piecewise *ret_law)
{
    size_t n = dpl__mb_law_coefficients(law);
    double *block = dpl__mb_alloc(store, (n + law->n_knots) * sizeof *block +
                                             (law->n_knots + 1) * sizeof *law->n_of);
    if (!block) {
        return false;
    }
    double *knots = block + n;
    size_t *n_of = (size_t *)(void *)(knots + law->n_knots);
    memcpy(block, law->coefficients, n * sizeof *block);
    if (law->n_knots > 0) { /* knots may be NULL where there are none */
        memcpy(knots, law->knots, law->n_knots * sizeof *block);
    }
    memcpy(n_of, law->n_of, (law->n_knots + 1) * sizeof *n_of);
    *ret_law = (struct dpl_mb_piecewise){law->n_knots, knots, n_of, block};
    return true;
}
