/* SPDX-License-Identifier: Apache-2.0 */
/* What a scan says of the laser's pose and its ranges, as normal equations, and small systems of
 * equations. */
#ifndef LOC_INFORMATION_H
#define LOC_INFORMATION_H

#include <stdbool.h>
#include <stddef.h>

enum { LOC_X, LOC_Y, LOC_YAW, LOC_BIAS, LOC_SCALE, LOC_DIMS };

/* Information of a scan: a is symmetric, the best step is a^-1 b. Units of LOC_X .. LOC_SCALE. */
struct loc_information {
    double a[LOC_DIMS][LOC_DIMS], b[LOC_DIMS];
    double map[3][3]; /* of the pose: what the plan's errors take. With it, `a` would be that of a
                       * plan without errors. A sum of squares, so never negative. */
    double misfit;    /* sum over the beams that are compared, each 0 (fits) to 1 (far off) */
    size_t n_compared;
    size_t n_used; /* beams */
};

/* Whether the information about the position is less than that of 0.10 m (1 sigma) along some
 * direction (*ret_direction, rad, in (-pi/2, pi/2]), which is then projected out. */
bool loc_information_project(struct loc_information *information, double *ret_direction);

/* Solves m x = rhs for n_rhs right-hand sides, in place: LOC_DIMS rows of LOC_DIMS + n_rhs numbers.
 * False: singular. */
bool loc_solve(double *rows, int n_rhs);

/* The 3 x 3 inverse of the pose's part, bias and scale as known; a direction without information
 * gets 1 m or 1 rad. */
void loc_invert_pose(const double a[LOC_DIMS][LOC_DIMS], double ret[3][3]);

#endif
