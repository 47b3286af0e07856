/* SPDX-License-Identifier: Apache-2.0 */
#include "astray.h"

#include <math.h>

/* An avatar that settles on its wheels moves less; one that is somewhere else does not move at all.
 */
static const double least_m = 0.005, least_rad = 0.02;
static const double driven_m = 0.3;

bool astray_see(struct astray *astray, struct dpl_pose2 base, struct dpl_pose2 avatar)
{
    if (!astray->seen) {
        *astray = (struct astray){.seen = true, .base = base, .avatar = avatar};
    }
    double turn = dpl_wrap_angle(avatar.theta - astray->avatar.theta);
    astray->moves |= dpl_pose2_distance(avatar, astray->avatar) > least_m || fabs(turn) > least_rad;
    return !astray->moves && dpl_pose2_distance(base, astray->base) > driven_m;
}
