/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks and least squares by orthogonal vectors. Header only, pure. */
#ifndef DOPPEL_MATH_ORTHOGONAL_H
#define DOPPEL_MATH_ORTHOGONAL_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <doppel/math/linear.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Vectors of length 1 at right angles to each other. The rows of a matrix are added one by one, so
 * that each row which depends on earlier rows is found. */
struct dpl_basis {
    double *vectors; /* [most][length], owned by the user */
    int length, n;
};

/* A product in four sums at a time, which do not wait for each other. */
static inline double dpl__dot_by_four(const double *a, const double *b, int n)
{
    double sums[4] = {0.0, 0.0, 0.0, 0.0};
    int whole = n / 4 * 4;
    for (int i = 0; i < whole; i += 4) {
        for (int k = 0; k < 4; k++) {
            sums[k] += a[i + k] * b[i + k];
        }
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]) + dpl_dot(a + whole, b + whole, n - whole);
}

/* Subtracts from `inout` its projection on the basis, and adds the coefficients of the basis
 * vectors to `inout_shares` (basis->n numbers; NULL: not needed). Gram-Schmidt twice, which leaves
 * only rounding errors (Giraud et al. 2005). Returns the length of the remainder. */
static inline double dpl_basis_reduce(const struct dpl_basis *basis, double *inout,
                                      double *inout_shares)
{
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < basis->n; k++) {
            const double *vector = &basis->vectors[(long)k * basis->length];
            double share = dpl__dot_by_four(vector, inout, basis->length);
            for (int i = 0; i < basis->length; i++) {
                inout[i] -= share * vector[i];
            }
            if (inout_shares) {
                inout_shares[k] += share;
            }
        }
    }
    return sqrt(dpl_dot(inout, inout, basis->length));
}

/* Adds the part of a vector that is orthogonal to the basis, unless it is shorter than `least`
 * times the vector. `inout` becomes this part. Returns whether it was added. */
static inline bool dpl_basis_add(struct dpl_basis *basis, double *inout, double least)
{
    double before = sqrt(dpl_dot(inout, inout, basis->length));
    double left = dpl_basis_reduce(basis, inout, NULL);
    if (!(left > least * before)) {
        return false;
    }
    double *place = &basis->vectors[(long)basis->n++ * basis->length];
    for (int i = 0; i < basis->length; i++) {
        place[i] = inout[i] / left;
    }
    return true;
}

/* dpl_damped_least_squares of fewer rows than columns: the smallest (x, r) with A x + damping r =
 * b. The rows of A, with those of the damping beside them, become L Q; x is in Q' L^-1 b. */
static inline void dpl__damped_by_rows(const double *a, const double *b, int n_rows, int n,
                                       double damping, double *scratch, double *ret_x)
{
    int length = n + n_rows;
    struct dpl_basis basis = {scratch, length, 0};
    double *row = scratch + (long)n_rows * length, *shares = row + length,
           *solved = shares + n_rows;
    memset(ret_x, 0, (size_t)n * sizeof *ret_x);
    for (int i = 0; i < n_rows; i++) {
        memcpy(row, a + (long)i * n, (size_t)n * sizeof *row);
        memset(row + n, 0, (size_t)n_rows * sizeof *row);
        memset(shares, 0, (size_t)n_rows * sizeof *shares);
        row[n + i] = damping;
        double left = dpl_basis_reduce(&basis, row, shares);
        solved[i] = (b[i] - dpl_dot(shares, solved, i)) / left;
        double *place = &basis.vectors[(long)basis.n++ * length];
        for (int j = 0; j < length; j++) {
            place[j] = row[j] / left;
        }
        for (int j = 0; j < n; j++) {
            ret_x[j] += solved[i] * place[j];
        }
    }
}

/* The x for which |A x - b|^2 + damping^2 |x|^2 is least. `a`: n_rows * n, row by row; the damping
 * is above 0, so that any A has one answer. The work grows with the square of the smaller of n_rows
 * and n. `scratch`: n * (2 * n + n_rows) + n_rows + n numbers. */
static inline void dpl_damped_least_squares(const double *a, const double *b, int n_rows, int n,
                                            double damping, double *scratch, double *ret_x)
{
    if (n_rows < n) {
        dpl__damped_by_rows(a, b, n_rows, n, damping, scratch, ret_x);
        return;
    }
    int length = n_rows + n;
    struct dpl_basis basis = {scratch, length, 0};
    double *triangle = scratch + (long)n * length, *column = triangle + (long)n * n;
    memset(triangle, 0, (size_t)n * (size_t)n * sizeof *triangle);
    for (int j = 0; j < n; j++) { /* A's columns, with the damping below, become Q and R */
        double *shares = &triangle[(long)j * n];
        memset(column + n_rows, 0, (size_t)n * sizeof *column);
        for (int i = 0; i < n_rows; i++) {
            column[i] = a[(long)i * n + j];
        }
        column[n_rows + j] = damping;
        double left = dpl_basis_reduce(&basis, column, shares);
        shares[j] = left;
        double *place = &basis.vectors[(long)basis.n++ * length];
        for (int i = 0; i < length; i++) {
            place[i] = column[i] / left;
        }
    }
    for (int j = n - 1; j >= 0; j--) {
        double sum = dpl_dot(&basis.vectors[(long)j * length], b, n_rows);
        for (int k = j + 1; k < n; k++) {
            sum -= triangle[(long)k * n + j] * ret_x[k];
        }
        ret_x[j] = sum / triangle[(long)j * n + j];
    }
}

#ifdef __cplusplus
}
#endif

#endif
