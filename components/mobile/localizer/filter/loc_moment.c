/* SPDX-License-Identifier: Apache-2.0 */
/* The covariance that is published. A sum of squares only: a difference of covariances of two
 * different questions may be negative, and is then none. */
#include "loc_filter.h"

#include <doppel/math/linear.h>

#define LEAST_VARIANCE 1e-16 /* m^2, rad^2: of a scan */

/* c += scale * w w' with w = m v. */
static void add_square(double c[3][3], double scale, const double m[3][3], const double v[3])
{
    double w[3];
    for (int i = 0; i < 3; i++) {
        w[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    }
    for (int i = 0; i < 9; i++) {
        c[i / 3][i % 3] += scale * (w[i / 3] * w[i % 3]);
    }
}

/* E D E: D is what the plan's errors take of the information. Negative eigenvalues of D are
 * rounding. */
static void add_taken(double c[3][3], const double e[3][3], const double d[3][3])
{
    double values[3], vectors[3][3];
    dpl_symmetric_eigen(&d[0][0], 3, values, &vectors[0][0]);
    for (int k = 0; k < 3; k++) {
        add_square(c, fmax(values[k], 0.0), e, vectors[k]);
    }
}

/* E D M D E, by Cholesky's factor of M. */
static void add_taken_twice(double c[3][3], const double e[3][3], const double d[3][3],
                            const double m[3][3])
{
    double factor[3][3], ed[3][3] = {{0}};
    for (int i = 0; i < 9; i++) {
        factor[i / 3][i % 3] = m[i / 3][i % 3];
        for (int k = 0; k < 3; k++) {
            ed[i / 3][i % 3] += e[i / 3][k] * d[k][i % 3];
        }
    }
    dpl_cholesky(&factor[0][0], 3, LEAST_VARIANCE);
    for (int k = 0; k < 3; k++) {
        double column[3] = {0.0};
        for (int i = k; i < 3; i++) {
            column[i] = factor[i][k];
        }
        add_square(c, 1.0, ed, column);
    }
}

/* What the plan's errors make of the pose, beyond the noise of one scan: it is the same in all
 * scans of a place. With the scan's covariance M, that without errors of the plan E, and what these
 * take of the information D = E^-1 - M^-1, it is M - E = E (D + D M D) E (twice the matrix
 * inversion lemma). Nothing along a direction that the scan does not show: neither M nor E knows of
 * it, and the filter's own variance along it is large already. */
static void map_covariance(const struct loc_update *update, double ret[3][3])
{
    double with_errors[3][3], without[3][3], direction;
    struct loc_information seen = update->information;
    loc_information_project(&seen, &direction);
    loc_invert_pose((const double(*)[LOC_DIMS])seen.a, with_errors);
    for (int i = 0; i < 9; i++) {
        seen.a[i / 3][i % 3] += seen.map[i / 3][i % 3];
    }
    loc_invert_pose((const double(*)[LOC_DIMS])seen.a, without);
    const double(*e)[3] = (const double(*)[3])without, (*d)[3] = (const double(*)[3])seen.map;
    add_taken(ret, e, d);
    add_taken_twice(ret, e, d, (const double(*)[3])with_errors);
}

void loc_filter_moment(const struct loc_filter *filter, const struct loc_update *update,
                       struct loc_moment *ret_moment)
{
    double map[3][3] = {{0}}, share = LOC_MAP_SHARE * update->map_ratio * update->map_ratio;
    if (update->used) {
        map_covariance(update, map);
    }
    ret_moment->pose = loc_filter_pose(filter);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            ret_moment->covariance[i][j] = filter->p[i][j] + share * map[i][j];
        }
    }
}
