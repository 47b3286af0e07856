/* SPDX-License-Identifier: Apache-2.0 */
/* The grid of laser_index.h as it lies in memory: laser_index.c fills it, laser_beam.c walks it.
 * Each cell holds copies of what it touches, side by side, because a beam reads whole cells. */
#ifndef DOPPEL_SIM_LASER_GRID_H
#define DOPPEL_SIM_LASER_GRID_H

#include "laser_index.h"

enum { DPL_GRID_NOTHING = -1 };

struct segment {
    double x, y, dx, dy;
};

struct circle {
    double x, y, radius;
};

/* The contents of a cell end where those of the next begin. */
struct cell {
    uint32_t segments, circles;
    int32_t moving; /* first entry, or DPL_GRID_NOTHING */
};

struct entry {
    int32_t outline, next;
    uint32_t cell;
};

struct dpl_laser_index {
    double min_x, min_y, cell_m, inverse_cell;
    int nx, ny;
    struct cell *cells; /* [nx * ny + 1] */
    struct segment *segments;
    struct circle *circles;
    struct dpl_laser_outline *moving; /* [max_moving] */
    int32_t *loose;                   /* [max_moving]: moving outlines not in the grid */
    struct entry *entries;            /* [max_moving * MOVING_CELLS] */
    size_t max_moving, n_moving, n_loose, n_entries;
};

/* The cell of a position counted in cells, within 0 to n - 1. */
static inline int dpl__grid_cell(double position, int n)
{
    return position < 0.0 ? 0 : position >= n ? n - 1 : (int)position;
}

#endif
