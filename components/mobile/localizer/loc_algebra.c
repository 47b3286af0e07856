/* SPDX-License-Identifier: Apache-2.0 */
#include "loc_algebra.h"

#include <doppel/math/linear.h>

#define WEAK 1.0 /* information added to each direction: 1 m, 1 rad */

bool loc_solve(double *rows, int n_rhs)
{
    int n = LOC_DIMS + n_rhs;
    if (dpl_eliminate(rows, LOC_DIMS, n, 0.0) < 0) {
        return false;
    }
    for (int r = LOC_DIMS - 1; r >= 0; r--) {
        for (int k = LOC_DIMS; k < n; k++) {
            double sum = rows[r * n + k];
            for (int c = r + 1; c < LOC_DIMS; c++) {
                sum -= rows[r * n + c] * rows[c * n + k];
            }
            rows[r * n + k] = sum / rows[r * n + r];
        }
    }
    return true;
}

void loc_invert_pose(const double a[LOC_DIMS][LOC_DIMS], double ret[3][3])
{
    double m[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m[i][j] = a[i][j] + (i == j ? WEAK : 0.0);
        }
    }
    double c0 = m[1][1] * m[2][2] - m[1][2] * m[2][1];
    double c1 = m[1][2] * m[2][0] - m[1][0] * m[2][2];
    double c2 = m[1][0] * m[2][1] - m[1][1] * m[2][0];
    double scale = 1.0 / (m[0][0] * c0 + m[0][1] * c1 + m[0][2] * c2);
    ret[0][0] = c0 * scale;
    ret[0][1] = ret[1][0] = c1 * scale;
    ret[0][2] = ret[2][0] = c2 * scale;
    ret[1][1] = (m[0][0] * m[2][2] - m[0][2] * m[2][0]) * scale;
    ret[1][2] = ret[2][1] = (m[0][2] * m[1][0] - m[0][0] * m[1][2]) * scale;
    ret[2][2] = (m[0][0] * m[1][1] - m[0][1] * m[1][0]) * scale;
}
