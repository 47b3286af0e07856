/* SPDX-License-Identifier: Apache-2.0 */
/* Conditioning: the singular values of the scaled Jacobian. */
#include "hexa_workspace.h"

#include <doppel/math/linear.h>

#include "hexa_ik.h"

int dpl_hexa_conditioning(const struct dpl_hexa_geometry *geometry, const double *pose,
                          double arm_m, double *ret_ratio)
{
    double rate[DPL_SIX][DPL_SIX];
    int error = dpl_hexa_jacobian(geometry, pose, rate);
    if (error) {
        return error;
    }
    for (int j = 3; j < DPL_SIX; j++) {
        for (int i = 0; i < DPL_SIX; i++) {
            rate[j][i] /= arm_m;
        }
    }
    *ret_ratio = dpl_conditioning(&rate[0][0], DPL_SIX);
    return 0;
}
