/* SPDX-License-Identifier: Apache-2.0 */
/* Linear equations and singular values. Header only, pure. */
#ifndef DOPPEL_MATH_LINEAR_H
#define DOPPEL_MATH_LINEAR_H

#include <errno.h>
#include <math.h>
#include <stdbool.h>

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

/* ---- singular values ---- */

static inline double dpl_dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Makes two columns orthogonal. Returns whether they were not orthogonal before. */
static inline bool dpl_jacobi_rotate(double *a, double *b, int n)
{
    double ab = dpl_dot(a, b, n), aa = dpl_dot(a, a, n), bb = dpl_dot(b, b, n);
    if (!(fabs(ab) > 1e-15 * sqrt(aa * bb))) {
        return false;
    }
    double tau = (bb - aa) / (2.0 * ab);
    double t = copysign(1.0, tau) / (fabs(tau) + sqrt(1.0 + tau * tau));
    double c = 1.0 / sqrt(1.0 + t * t), s = c * t;
    for (int i = 0; i < n; i++) {
        double old = a[i];
        a[i] = c * old - s * b[i];
        b[i] = s * old + c * b[i];
    }
    return true;
}

/* The smallest singular value of a square matrix divided by the largest one, from 0 (singular) to
 * 1. One-sided Jacobi rotations (Hestenes 1958), at most 30 sweeps: pairs of columns are rotated
 * until all columns are orthogonal; their lengths are then the singular values. `columns`: n * n,
 * column by column (or row by row: the singular values are the same); overwritten. */
static inline double dpl_conditioning(double *columns, int n)
{
    bool turned = true;
    for (int sweep = 0; sweep < 30 && turned; sweep++) {
        turned = false;
        for (int j = 0; j < n; j++) {
            for (int k = j + 1; k < n; k++) {
                turned |= dpl_jacobi_rotate(&columns[j * n], &columns[k * n], n);
            }
        }
    }
    double least = dpl_dot(columns, columns, n), greatest = least;
    for (int j = 1; j < n; j++) {
        double square = dpl_dot(&columns[j * n], &columns[j * n], n);
        least = fmin(least, square);
        greatest = fmax(greatest, square);
    }
    return greatest > 0.0 ? sqrt(least / greatest) : 0.0;
}

#endif
