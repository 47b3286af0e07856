/* SPDX-License-Identifier: Apache-2.0 */
/* Conditioning by one-sided Jacobi rotations (Hestenes 1958): pairs of columns are rotated until
 * all columns are orthogonal; their lengths are then the singular values. */
#include "hexa_workspace.h"

#include <math.h>

#include "hexa_ik.h"

#define MAX_SWEEPS 30

static double dot(const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < DPL_SIX; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Makes two columns orthogonal. Returns whether they were not orthogonal before. */
static bool rotate(double *a, double *b)
{
    double ab = dot(a, b), aa = dot(a, a), bb = dot(b, b);
    if (!(fabs(ab) > 1e-15 * sqrt(aa * bb))) {
        return false;
    }
    double tau = (bb - aa) / (2.0 * ab);
    double t = copysign(1.0, tau) / (fabs(tau) + sqrt(1.0 + tau * tau));
    double c = 1.0 / sqrt(1.0 + t * t), s = c * t;
    for (int i = 0; i < DPL_SIX; i++) {
        double old = a[i];
        a[i] = c * old - s * b[i];
        b[i] = s * old + c * b[i];
    }
    return true;
}

static double ratio_of(double column[DPL_SIX][DPL_SIX])
{
    bool turned = true;
    for (int sweep = 0; sweep < MAX_SWEEPS && turned; sweep++) {
        turned = false;
        for (int j = 0; j < DPL_SIX; j++) {
            for (int k = j + 1; k < DPL_SIX; k++) {
                turned |= rotate(column[j], column[k]);
            }
        }
    }
    double least = dot(column[0], column[0]), greatest = least;
    for (int j = 1; j < DPL_SIX; j++) {
        least = fmin(least, dot(column[j], column[j]));
        greatest = fmax(greatest, dot(column[j], column[j]));
    }
    return greatest > 0.0 ? sqrt(least / greatest) : 0.0;
}

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
    *ret_ratio = ratio_of(rate);
    return 0;
}
