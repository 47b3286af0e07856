/* SPDX-License-Identifier: Apache-2.0 */
/* Small systems of equations of the filter. */
#ifndef LOC_ALGEBRA_H
#define LOC_ALGEBRA_H

#include "loc_match.h"

/* Solves m x = rhs for n_rhs right-hand sides, in place: LOC_DIMS rows of LOC_DIMS + n_rhs numbers.
 * False: singular. */
bool loc_solve(double *rows, int n_rhs);

/* The 3 x 3 inverse of the pose's part, bias and scale as known; a direction without information
 * gets 1 m or 1 rad. */
void loc_invert_pose(const double a[LOC_DIMS][LOC_DIMS], double ret[3][3]);

#endif
