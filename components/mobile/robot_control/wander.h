/* SPDX-License-Identifier: Apache-2.0 */
/* Selects the next goal of a wandering robot: far, new, approximately ahead. */
#ifndef DPL_NAV_WANDER_H
#define DPL_NAV_WANDER_H

#include <doppel/math/geometry.h>
#include <doppel/math/random.h>
#include <stdint.h>

#include "sectors.h"

/* The times of past visits in a coarse rolling grid, so that a wandering robot prefers new
 * places. */

#define DPL_NAV_VISIT_CELLS  64
#define DPL_NAV_VISIT_CELL_M 0.5

/* Cell (i, j) of the plane is stored at [i mod 64][j mod 64]; `owner` is the cell that uses the
 * storage. */
struct dpl_nav_visits {
    struct dpl_nav_visit {
        int32_t i, j;
        double last_s;
        bool used;
    } cells[DPL_NAV_VISIT_CELLS][DPL_NAV_VISIT_CELLS];
};

void dpl_nav_visits_clear(struct dpl_nav_visits *visits);

void dpl_nav_visits_mark(struct dpl_nav_visits *visits, double x, double y, double now_s);

/* 1 for a place never visited, 0 for the present place, increasing with the time since the last
 * visit. */
double dpl_nav_visits_novelty(const struct dpl_nav_visits *visits, double x, double y,
                              double now_s);

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
