/* SPDX-License-Identifier: Apache-2.0 */
#include "told.h"

#include <math.h>

#define WITHIN_95 2.4477468306808166 /* sqrt(-2 ln 0.05) deviations in the plane */

double told_nees(const struct localizer_estimate *e, const double y[3])
{
    const double *c = e->covariance; /* xx xy yy xt yt tt */
    double doubt2 = e->doubt_m * e->doubt_m;
    double m[3][3] = {{c[0] + doubt2, c[1], c[3]}, {c[1], c[2] + doubt2, c[4]}, {c[3], c[4], c[5]}};
    double det = 0.0, sum = 0.0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        det += m[0][i] * (m[1][j] * m[2][k] - m[1][k] * m[2][j]);
        for (int o = 0; o < 3; o++) {
            int p = (o + 1) % 3, q = (o + 2) % 3;
            sum += y[i] * y[o] * (m[j][p] * m[k][q] - m[j][q] * m[k][p]);
        }
    }
    return sum / det;
}

double told_half2(const struct localizer_estimate *e)
{
    const double *c = e->covariance;
    double worst = 0.5 * (c[0] + c[2]) + hypot(0.5 * (c[0] - c[2]), c[1]);
    return WITHIN_95 * WITHIN_95 * (worst + e->doubt_m * e->doubt_m);
}
