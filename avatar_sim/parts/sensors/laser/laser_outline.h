/* SPDX-License-Identifier: Apache-2.0 */
/* What a horizontal laser sees of a solid: its cross-section at the laser's height. Pure. */
#ifndef DOPPEL_SIM_LASER_OUTLINE_H
#define DOPPEL_SIM_LASER_OUTLINE_H

#include <stddef.h>

#include <doppel/sim/model.h>

#include "raycast.h"

#define DPL_OUTLINES_A_SHAPE 4

/* The exact outline at height `z` of a shape given in `frame`, into outlines[DPL_OUTLINES_A_SHAPE].
 * Returns how many there are: 0 when the plane passes above or below. `owner` marks them. */
size_t dpl__laser_outline(const struct dpl_sim_shape *shape, struct dpl_pose2 frame, double z,
                          int owner, struct dpl_raycast_outline *outlines);

#endif
