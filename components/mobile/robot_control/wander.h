/* SPDX-License-Identifier: Apache-2.0 */
/* Selects the next goal of a wandering robot: far, new, approximately ahead. */
#ifndef DPL_NAV_WANDER_H
#define DPL_NAV_WANDER_H

#include <doppel/math/random.h>

#include "sectors.h"
#include "visits.h"

struct dpl_nav_wander {
    struct dpl_random random;
    struct dpl_nav_visits visits;
};

void dpl_nav_wander_init(struct dpl_nav_wander *wander, uint64_t seed);

/* Chooses a goal from `pose` (in the frame of the visits) from the free travel around. False if
 * there is no direction with `need_m` of free travel. `behind_m` limits the free travel of
 * directions outside of `view_rad` on each side of the heading. */
struct dpl_nav_outlook {
    struct dpl_pose2 pose;
    double now_s, need_m, view_rad, behind_m;
};
bool dpl_nav_wander_choose(struct dpl_nav_wander *wander, const struct dpl_nav_sectors *sectors,
                           const struct dpl_nav_outlook *outlook, struct dpl_pose2 *ret_goal);

#endif
