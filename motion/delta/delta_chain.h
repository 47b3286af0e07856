/* SPDX-License-Identifier: Apache-2.0 */
/* The three chains of a delta at a configuration, for this folder. Because the platform does not
 * turn, each pair of rods acts as one rod from a reduced elbow E to the platform's centre: E is the
 * elbow, moved towards the z axis by the platform's radius. */
#ifndef DPL_DELTA_CHAIN_H
#define DPL_DELTA_CHAIN_H

#include "delta_geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dpl__delta_chains {
    double rod[DPL_DELTA_ARMS][3];     /* n: from the reduced elbow to the platform's centre */
    double slope[DPL_DELTA_ARMS][3];   /* d: dE/dq */
    double bend[DPL_DELTA_ARMS][3];    /* c: d2E/dq2 */
    double lever[DPL_DELTA_ARMS];      /* n.d: 0 when the rod and the arm are in line */
    double inverse[DPL_DELTA_ARMS][3]; /* column i of the inverse of the matrix with rows n */
};

/* The reduced elbow of one arm. */
void dpl__delta_elbow(const struct dpl_delta *delta, int arm, double q, double *ret_elbow);

/* The triangle of the three reduced elbows: the one of arm 0, the edges b and c from there to those
 * of arms 1 and 2, and their cross product n. */
struct dpl__delta_triangle {
    double first[3], b[3], c[3], n[3];
};
void dpl__delta_triangle_set(const struct dpl_delta *delta, const double *q,
                             struct dpl__delta_triangle *ret_triangle);

/* Returns 0, or -ERANGE: the three rods are in a plane (the platform is not held), or the arm and
 * the rod of a chain are in line as seen from the hinge. */
int dpl__delta_chains_set(const struct dpl_delta *delta, const double *p, const double *q,
                          struct dpl__delta_chains *ret_chains);

#ifdef __cplusplus
}
#endif

#endif
