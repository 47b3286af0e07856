/* SPDX-License-Identifier: Apache-2.0 */
/* A small plan for the Localizer's tests: a room of 6 x 4 m with a box and a pillar, or a corridor.
 * Exact scans of it, without noise. */
#ifndef TESTS_LOCALIZER_PLAN_H
#define TESTS_LOCALIZER_PLAN_H

#include "loc_filter.h"
#include "loc_scan.h"
#include "localizer.h"

#define PLAN_BEAMS 341

/* The room's outlines: walls 0 to 3 of no object, box 4 to 7 object 0, pillar 8 object 1. */
extern const struct dpl_raycast_outline plan_room[9];

/* A robot in this room, which begins at `start`. */
struct localizer_config plan_room_config(struct dpl_pose2 start);

/* What its filter starts with. */
struct loc_start plan_start(struct dpl_pose2 start);

/* Two walls of 100 m along x at y = -1 and 1. */
extern const struct dpl_raycast_outline plan_corridor[2];

/* Lives until the process ends. */
const struct dpl_raycast_index *plan_index(const struct dpl_raycast_outline *outlines, size_t n);

/* The scan of a laser of 240 degrees; ranges live until the next call. */
struct localizer_scan plan_scan(const struct dpl_raycast_index *plan, struct dpl_pose2 laser,
                                double stamp_s);

#endif
