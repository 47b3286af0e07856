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

/* Vectors of length 1 at right angles to each other. It grows: the rows of a matrix are offered in
 * an order that has a meaning, so which of them depend on those before is known. */
struct dpl_basis {
    double *vectors; /* [most][length], the user's */
    int length, n;
};

/* Takes from `inout` all that vectors of the basis can make, and adds to `inout_shares` (basis->n
 * numbers; NULL: not wanted) how much it was of each. Gram-Schmidt twice, which leaves no more than
 * rounding (Giraud et al. 2005). Returns the length of what is left. */
static inline double dpl_basis_reduce(const struct dpl_basis *basis, double *inout,
                                      double *inout_shares)
{
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < basis->n; k++) {
            const double *vector = &basis->vectors[(long)k * basis->length];
            double share = dpl_dot(vector, inout, basis->length);
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

/* Adds a vector, unless less than `least` of its own length is new. It becomes what is new of it.
 * Returns whether it was added. */
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

/* The x for which |A x - b|^2 + damping^2 |x|^2 is least. `a`: n_rows * n, row by row; the damping
 * is above 0, so that any A has one answer. `scratch`: n * (2 * n + n_rows) + n_rows + n numbers.
 */
static inline void dpl_damped_least_squares(const double *a, const double *b, int n_rows, int n,
                                            double damping, double *scratch, double *ret_x)
{
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
