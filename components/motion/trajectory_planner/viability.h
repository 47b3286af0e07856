/* SPDX-License-Identifier: Apache-2.0 */
/* Last stage of the planner: an output is emitted only if the machine could still come to rest
 * inside the hard ellipsoid after it; otherwise it brakes, which the check one tick earlier has
 * shown to be possible. With a start at rest inside, the hard limit and the acceleration limits
 * hold together whatever the stages before do. Pure logic; the law and its proof are ours. */
#ifndef TRAJECTORY_PLANNER_VIABILITY_H
#define TRAJECTORY_PLANNER_VIABILITY_H

#include <stdbool.h>

#include "brake.h"
#include "workspace.h"

/* How far below 1 the hard level of an accepted output stays, so that rounding on the way to rest
 * does not cross it. */
#define DPL_TRAJ_GUARD_MARGIN 1e-9

/* Whether `next` (candidate output and its difference) and its stop point are inside `hard`. False
 * for NaN. */
bool dpl_traj_viable(const struct dpl_traj_axes *axes, const struct dpl_traj_ellipsoid *hard,
                     const struct dpl_traj_motion *next);

#endif
