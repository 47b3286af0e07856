/* SPDX-License-Identifier: Apache-2.0 */
/* Where rollouts begin and how their wheels turn: draws around the believed pose. The draws are the
 * same in each look, so that a look differs from the one before only by what has changed. */
#ifndef LOOK_AHEAD_SPREAD_H
#define LOOK_AHEAD_SPREAD_H

#include <stddef.h>
#include <stdint.h>

#include <doppel/math/geometry.h>

#define SPREAD_MAX 16

struct spread {
    size_t n;
    double draws[SPREAD_MAX][5]; /* standard normal: x, y, turn, left and right wheel; the first are
                                    0: the mean */
};

struct spread_start {
    struct dpl_pose2 offset;        /* in the frame that the covariance is given in */
    double scale_left, scale_right; /* of the wheels' speeds */
};

/* `n` is 1 to SPREAD_MAX. */
void spread_init(struct spread *spread, size_t n, uint64_t seed);

/* Draw `i`. The covariance is xx xy yy xt yt tt (m, rad); one that is not positive definite counts
 * as the nearest that Cholesky's factor makes of it. `wheel_sigma`: of the scales, left and right.
 */
struct spread_start spread_draw(const struct spread *spread, size_t i, const double covariance[6],
                                const double wheel_sigma[2]);

#endif
