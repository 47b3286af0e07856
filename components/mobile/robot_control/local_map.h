/* SPDX-License-Identifier: Apache-2.0 */
/* An occupancy grid that moves with the robot. */
#ifndef DPL_NAV_LOCAL_MAP_H
#define DPL_NAV_LOCAL_MAP_H

#include <stdint.h>

#include "points.h"

#define DPL_NAV_MAP_CELLS    128 /* across; a power of two */
#define DPL_NAV_MAP_CELL_M   0.1
#define DPL_NAV_BARRIERS     8
#define DPL_NAV_MAP_OCCUPIED 3 /* evidence from which a cell counts as occupied */

/* A place that was found to be too narrow, independent of the cells. */
struct dpl_nav_barrier {
    double x, y, until_s;
};

/* Cell (i, j) of the plane, i = floor(x / cell), is stored at [i mod cells][j mod cells] while it
 * is in the window that begins at (i0, j0). */
struct dpl_nav_map {
    int32_t i0, j0;
    bool placed;
    int8_t evidence[DPL_NAV_MAP_CELLS][DPL_NAV_MAP_CELLS]; /* for an occupied cell */
    struct dpl_nav_barrier barriers[DPL_NAV_BARRIERS];     /* ring */
    size_t next_barrier;
};

struct dpl_nav_cell {
    int32_t i, j;
};

void dpl_nav_map_clear(struct dpl_nav_map *map);

struct dpl_nav_cell dpl_nav_map_cell(double x, double y);

bool dpl_nav_map_contains(const struct dpl_nav_map *map, struct dpl_nav_cell cell);

/* False outside of the window and for unknown cells. */
bool dpl_nav_map_is_occupied(const struct dpl_nav_map *map, struct dpl_nav_cell cell);

/* Blocks a place until `until_s`. When there are too many barriers, the oldest is dropped. */
void dpl_nav_map_add_barrier(struct dpl_nav_map *map, double x, double y, double until_s);

/* Moves the window to the robot and adds a scan. `laser` is the pose of the laser during the scan;
 * `points` are the scan's points in the same frame. Points make cells occupied; cells on the beams
 * before the points become free. */
void dpl_nav_map_update(struct dpl_nav_map *map, const struct dpl_nav_scan *scan,
                        const struct dpl_nav_beams *beams, struct dpl_pose2 laser,
                        const struct dpl_nav_points *points);

/* Makes the cell of a point occupied, whatever scans have said. Outside of the window: nothing. */
void dpl_nav_map_mark(struct dpl_nav_map *map, double x, double y);

#endif
