/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the module `eigenvalues`. */
#include <lapacke.h>

#include "eigenvalues.h"

extern const struct eigenvalues_module dpl_module;

static int find(double *matrix, size_t n, double *ret_real, double *ret_imaginary)
{
    return LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', (lapack_int)n, matrix, (lapack_int)n, ret_real,
                         ret_imaginary, NULL, 1, NULL, 1);
}

const struct eigenvalues_module dpl_module = {sizeof dpl_module, find};
