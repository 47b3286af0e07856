/* SPDX-License-Identifier: Apache-2.0 */
/* The guard's decision. */
#include "viability.h"

bool dpl_traj_viable(const struct dpl_traj_axes *axes, const struct dpl_traj_ellipsoid *hard,
                     const struct dpl_traj_motion *next)
{
    double stop[DPL_SIX];
    dpl_traj_stop_point(axes, next, stop);
    return dpl_traj_ellipsoid_level(hard, next->y) <= 1.0 - DPL_TRAJ_GUARD_MARGIN &&
           dpl_traj_ellipsoid_level(hard, stop) <= 1.0 - DPL_TRAJ_GUARD_MARGIN;
}
