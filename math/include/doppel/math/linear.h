/* SPDX-License-Identifier: Apache-2.0 */
/* Linear equations. Header only, pure. */
#ifndef DOPPEL_MATH_LINEAR_H
#define DOPPEL_MATH_LINEAR_H

#include <errno.h>
#include <math.h>

static inline void dpl_swap_rows(double *a, double *b, int n)
{
    for (int i = 0; i < n; i++) {
        double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* Gaussian elimination in place. The matrix has `n_columns` columns: the first `n_rows` are a
 * square matrix A, the others are right-hand sides. A becomes upper triangular. Column pivoting: in
 * each column the element with the largest magnitude in the remaining rows is moved to the diagonal
 * by swapping rows. `rows`: n_rows * n_columns, row by row. -EDOM: no such element is larger than
 * `least`. */
static inline int dpl_eliminate(double *rows, int n_rows, int n_columns, double least)
{
    for (int k = 0; k < n_rows; k++) {
        double *pivot = &rows[k * n_columns];
        double *best = pivot;
        for (int i = k + 1; i < n_rows; i++) {
            double *row = &rows[i * n_columns];
            best = fabs(row[k]) > fabs(best[k]) ? row : best;
        }
        dpl_swap_rows(pivot, best, n_columns);
        if (!(fabs(pivot[k]) > least)) {
            return -EDOM;
        }
        for (int i = k + 1; i < n_rows; i++) {
            double *row = &rows[i * n_columns];
            double share = row[k] / pivot[k];
            for (int j = k; j < n_columns; j++) {
                row[j] -= share * pivot[j];
            }
        }
    }
    return 0;
}

#endif
