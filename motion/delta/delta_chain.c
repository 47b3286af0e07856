/* SPDX-License-Identifier: Apache-2.0 */
/* The chains at a configuration, and the inverse of the matrix of the rods. */
#include "delta_chain.h"

#include <errno.h>
#include <math.h>

#include "delta_vector.h"

/* Relative to the lengths. Nearer to a singular pose, speeds and torques have no correct digit. */
#define LEAST_DETERMINANT 1e-12

void dpl__delta_elbow(const struct dpl_delta *delta, int arm, double q, double *ret_elbow)
{
    const double *e = dpl_delta_azimuth[arm];
    double out = delta->base_radius_m - delta->platform_radius_m + delta->arm_m * cos(q);
    ret_elbow[0] = e[0] * out;
    ret_elbow[1] = e[1] * out;
    ret_elbow[2] = -delta->arm_m * sin(q);
}

void dpl__delta_triangle_set(const struct dpl_delta *delta, const double *q,
                             struct dpl__delta_triangle *ret_triangle)
{
    double elbow[DPL_DELTA_ARMS][3];
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        dpl__delta_elbow(delta, i, q[i], elbow[i]);
    }
    for (int k = 0; k < 3; k++) {
        ret_triangle->first[k] = elbow[0][k];
        ret_triangle->b[k] = elbow[1][k] - elbow[0][k];
        ret_triangle->c[k] = elbow[2][k] - elbow[0][k];
    }
    dpl__delta_cross(ret_triangle->b, ret_triangle->c, ret_triangle->n);
}

static void chain_set(const struct dpl_delta *delta, const double *p, int arm, double q,
                      struct dpl__delta_chains *chains)
{
    const double *e = dpl_delta_azimuth[arm];
    double elbow[3], ahead = delta->arm_m * cos(q), down = delta->arm_m * sin(q);
    dpl__delta_elbow(delta, arm, q, elbow);
    for (int k = 0; k < 3; k++) {
        chains->rod[arm][k] = p[k] - elbow[k];
        chains->slope[arm][k] = -e[k] * down;
        chains->bend[arm][k] = -e[k] * ahead;
    }
    chains->slope[arm][2] = -ahead;
    chains->bend[arm][2] = down;
    chains->lever[arm] = dpl__delta_dot(chains->rod[arm], chains->slope[arm]);
}

int dpl__delta_chains_set(const struct dpl_delta *delta, const double *p, const double *q,
                          struct dpl__delta_chains *ret_chains)
{
    struct dpl__delta_chains chains;
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        chain_set(delta, p, i, q[i], &chains);
        if (!(fabs(chains.lever[i]) > LEAST_DETERMINANT * delta->arm_m * delta->rod_m)) {
            return -ERANGE;
        }
    }
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        dpl__delta_cross(chains.rod[(i + 1) % 3], chains.rod[(i + 2) % 3], chains.inverse[i]);
    }
    double volume = dpl__delta_dot(chains.rod[0], chains.inverse[0]);
    if (!(fabs(volume) > LEAST_DETERMINANT * delta->rod_m * delta->rod_m * delta->rod_m)) {
        return -ERANGE;
    }
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        for (int k = 0; k < 3; k++) {
            chains.inverse[i][k] /= volume;
        }
    }
    *ret_chains = chains;
    return 0;
}
