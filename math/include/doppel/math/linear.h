/* SPDX-License-Identifier: Apache-2.0 */
/* Linear equations, singular values, eigenvalues. Header only, pure. */
#ifndef DOPPEL_MATH_LINEAR_H
#define DOPPEL_MATH_LINEAR_H

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* Cholesky's factor of a symmetric matrix, n * n, in its lower half, in place. Squares on the
 * diagonal below `least` count as that, so a matrix that is not positive definite has a result,
 * too. */
static inline void dpl_cholesky(double *a, int n, double least)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (int k = 0; k < j; k++) {
                sum -= a[i * n + k] * a[j * n + k];
            }
            a[i * n + j] = i == j ? sqrt(fmax(sum, least)) : sum / a[j * n + j];
        }
    }
}

/* The solution of A x = b, by the factor of A. */
static inline void dpl_cholesky_solve(const double *factor, int n, const double *b, double *ret_x)
{
    for (int i = 0; i < n; i++) {
        double sum = b[i];
        for (int k = 0; k < i; k++) {
            sum -= factor[i * n + k] * ret_x[k];
        }
        ret_x[i] = sum / factor[i * n + i];
    }
    for (int i = n; i-- > 0;) {
        double sum = ret_x[i];
        for (int k = i + 1; k < n; k++) {
            sum -= factor[k * n + i] * ret_x[k];
        }
        ret_x[i] = sum / factor[i * n + i];
    }
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

/* Makes the first `n` elements of two columns orthogonal; turns all `length` elements alike.
 * Returns whether they were not orthogonal before. */
static inline bool dpl_jacobi_rotate(double *a, double *b, int n, int length)
{
    double ab = dpl_dot(a, b, n), aa = dpl_dot(a, a, n), bb = dpl_dot(b, b, n);
    if (!(fabs(ab) > 1e-15 * sqrt(aa * bb))) {
        return false;
    }
    double tau = (bb - aa) / (2.0 * ab);
    double t = copysign(1.0, tau) / (fabs(tau) + sqrt(1.0 + tau * tau));
    double c = 1.0 / sqrt(1.0 + t * t), s = c * t;
    for (int i = 0; i < length; i++) {
        double old = a[i];
        a[i] = c * old - s * b[i];
        b[i] = s * old + c * b[i];
    }
    return true;
}

/* One-sided Jacobi rotations (Hestenes 1958), at most 30 sweeps: pairs of the `n` columns are
 * rotated until the first n elements of all columns are orthogonal. `columns`: n * length, column
 * by column. */
static inline void dpl_jacobi_orthogonalise(double *columns, int n, int length)
{
    bool turned = true;
    for (int sweep = 0; sweep < 30 && turned; sweep++) {
        turned = false;
        for (int j = 0; j < n; j++) {
            for (int k = j + 1; k < n; k++) {
                turned |= dpl_jacobi_rotate(&columns[j * length], &columns[k * length], n, length);
            }
        }
    }
}

/* The smallest singular value of a square matrix divided by the largest one, from 0 (singular) to
 * 1: the lengths of its columns once they are orthogonal. `columns`: n * n, column by column (or
 * row by row: the singular values are the same); overwritten. */
static inline double dpl_conditioning(double *columns, int n)
{
    dpl_jacobi_orthogonalise(columns, n, n);
    double least = dpl_dot(columns, columns, n), greatest = least;
    for (int j = 1; j < n; j++) {
        double square = dpl_dot(&columns[j * n], &columns[j * n], n);
        least = fmin(least, square);
        greatest = fmax(greatest, square);
    }
    return greatest > 0.0 ? sqrt(least / greatest) : 0.0;
}

enum { DPL_EIGEN_MAX = 8 };

/* Eigenvalues of a symmetric matrix (n * n, n at most DPL_EIGEN_MAX), the largest first, and its
 * eigenvectors, of length 1, vector by vector. The matrix is shifted until no eigenvalue is
 * negative; then its singular vectors are its eigenvectors. Error: about 1e-15 of the norm. */
static inline void dpl_symmetric_eigen(const double *matrix, int n, double *ret_values,
                                       double *ret_vectors)
{
    double columns[2 * DPL_EIGEN_MAX * DPL_EIGEN_MAX] = {0.0}; /* of the matrix, then of the turn */
    double shift = sqrt(dpl_dot(matrix, matrix, n * n));
    for (int j = 0; j < n; j++) {
        double *column = &columns[2 * n * j];
        for (int i = 0; i < n; i++) {
            column[i] = matrix[n * i + j] + (i == j ? shift : 0.0);
        }
        column[n + j] = 1.0;
    }
    dpl_jacobi_orthogonalise(columns, n, 2 * n);
    bool taken[DPL_EIGEN_MAX] = {false};
    for (int place = 0; place < n; place++) {
        int best = -1;
        for (int j = 0; j < n; j++) {
            double *column = &columns[2 * n * j];
            double value = dpl_dot(column, column + n, n) - shift;
            if (!taken[j] && (best < 0 || value > ret_values[place])) {
                best = j;
                ret_values[place] = value;
            }
        }
        taken[best] = true;
        for (int i = 0; i < n; i++) {
            ret_vectors[n * place + i] = columns[2 * n * best + n + i];
        }
    }
}

#ifdef __cplusplus
}
#endif

#endif
