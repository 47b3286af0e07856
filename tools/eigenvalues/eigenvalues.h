/* SPDX-License-Identifier: Apache-2.0 */
/* Eigenvalues of a real matrix, by LAPACK (dgeev: the QR algorithm): the module `eigenvalues`,
 * loaded at the first call. */
#ifndef DOPPEL_EIGENVALUES_H
#define DOPPEL_EIGENVALUES_H

#include <stddef.h>

#include <doppel/diag.h>

struct eigenvalues_module {
    size_t bytes; /* of this struct */
    int (*find)(double *matrix, size_t n, double *ret_real, double *ret_imaginary);
};

/* Of `matrix` [n][n], by rows, which is overwritten; both results have n numbers. 0; -EDOM: the
 * algorithm did not converge; -ENOENT or -ENOEXEC: the module cannot be loaded; with reterr.
 * Allocates and blocks. */
int eigenvalues_of(double *matrix, size_t n, double *ret_real, double *ret_imaginary,
                   struct dpl_diag *reterr);

#endif
