/* SPDX-License-Identifier: Apache-2.0 */
/* The times of past visits in a coarse rolling grid, so that a wandering robot prefers new
 * places. */
#ifndef DPL_NAV_VISITS_H
#define DPL_NAV_VISITS_H

#include <stdint.h>

#include <doppel/math/geometry.h>

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

#endif
