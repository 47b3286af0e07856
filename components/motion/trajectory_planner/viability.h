/* SPDX-License-Identifier: Apache-2.0 */
/* Last stage of the planner: it accepts an output only if the machine could still come to rest
 * inside the hard ellipsoid after it. Otherwise it brakes; the check one tick before has proved
 * that this is possible. After a start at rest inside, the hard limit and the acceleration limits
 * both hold, independent of the other stages. Pure logic; the law and its proof were developed for
 * this project. */
#ifndef TRAJECTORY_PLANNER_VIABILITY_H
#define TRAJECTORY_PLANNER_VIABILITY_H

#include <stdbool.h>

#include "brake.h"
#include "workspace.h"

/* The hard level of an accepted output stays below 1 by this margin, so that rounding during
 * braking does not cross 1. */
#define DPL_TRAJ_GUARD_MARGIN 1e-9

/* Whether `next` (an output and its difference) and its stop point are inside `hard`. False for
 * NaN. */
bool dpl_traj_viable(const struct dpl_traj_axes *axes, const struct dpl_traj_ellipsoid *hard,
                     const struct dpl_traj_motion *next);

#endif
