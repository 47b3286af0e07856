/* SPDX-License-Identifier: Apache-2.0 */
/* A grid of the surroundings that moves with the robot: what is occupied, as far as was seen. */
#ifndef DPL_NAV_LOCAL_MAP_H
#define DPL_NAV_LOCAL_MAP_H

#include <stdint.h>

#include "points.h"

#define DPL_NAV_MAP_CELLS    128 /* across; a power of two */
#define DPL_NAV_MAP_CELL_M   0.1
#define DPL_NAV_BARRIERS     8
#define DPL_NAV_MAP_OCCUPIED 3 /* evidence from which a cell counts as occupied */

/* A place that turned out to be too tight, whatever the cells say. */
struct dpl_nav_barrier {
    double x, y, until_s;
};

/* Cell (i, j) of the plane, i = floor(x / cell), lives at [i mod cells][j mod cells] while it is
 * in the window that begins at (i0, j0). */
struct dpl_nav_map {
    int32_t i0, j0;
    bool placed;
    int8_t evidence[DPL_NAV_MAP_CELLS][DPL_NAV_MAP_CELLS]; /* for being occupied */
    struct dpl_nav_barrier barriers[DPL_NAV_BARRIERS];     /* ring */
    size_t next_barrier;
};

struct dpl_nav_cell {
    int32_t i, j;
};

void dpl_nav_map_clear(struct dpl_nav_map *map);

struct dpl_nav_cell dpl_nav_map_cell(double x, double y);

bool dpl_nav_map_contains(const struct dpl_nav_map *map, struct dpl_nav_cell cell);

/* False outside of the window and where nothing is known. */
bool dpl_nav_map_is_occupied(const struct dpl_nav_map *map, struct dpl_nav_cell cell);

/* Closes a place until `until_s`. The oldest of too many barriers is dropped. */
void dpl_nav_map_add_barrier(struct dpl_nav_map *map, double x, double y, double until_s);

/* Moves the window to the robot and takes in a scan made from the pose `laser` whose points, in the
 * same frame, are `points`: returns occupy, the beams before them clear. */
void dpl_nav_map_update(struct dpl_nav_map *map, const struct dpl_nav_scan *scan,
                        const struct dpl_nav_beams *beams, struct dpl_pose2 laser,
                        const struct dpl_nav_points *points);

#endif
