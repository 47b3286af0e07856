/* SPDX-License-Identifier: Apache-2.0 */
#include "eigenvalues.h"

#include <errno.h>

#include <doppel/host/module.h>

int eigenvalues_of(double *matrix, size_t n, double *ret_real, double *ret_imaginary,
                   struct dpl_diag *reterr)
{
    const void *table;
    int err = dpl_module_load("eigenvalues", sizeof(struct eigenvalues_module), &table, reterr);
    if (err < 0) {
        return err;
    }
    const struct eigenvalues_module *module = table;
    return module->find(matrix, n, ret_real, ret_imaginary) == 0
               ? 0
               : dpl_fail(reterr, -EDOM, (struct dpl_place){0}, "no eigenvalues were found");
}
