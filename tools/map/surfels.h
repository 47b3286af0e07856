/* SPDX-License-Identifier: Apache-2.0 */
/* A map of surface elements: cells of a grid, each with the moments of the beam ends in it. A cell
 * gives a point on the surface and, with its neighbours, a normal. Idea: the normal distributions
 * transform (Biber, Strasser, IROS 2003); here only the normal is used, as in the point-to-line
 * metric (Censi, ICRA 2008). Pure; cells are in a hash table, so that a map may grow in any
 * direction. */
#ifndef DOPPEL_MAP_SURFELS_H
#define DOPPEL_MAP_SURFELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scan_points.h"

#define SURFELS_MAX 2000000 /* 5000 m2 without a gap with cells of 50 mm */

struct moments {
    double n, x, y, xx, xy, yy; /* sums, in m */
    double vx, vy;              /* sum of unit vectors from the surface to the laser */
};

struct surfel {
    int32_t ix, iy;              /* of the cell */
    struct moments own;          /* about the cell's centre */
    uint32_t n_scans, last_scan; /* different scans that hit it; number of the last + 1 */
    uint32_t fitted;             /* number + 1 of the scan after which it was fitted last */
    uint32_t ended, met;         /* number + 1 of the scan that last ended, was judged in it */
    uint32_t stops, passes;      /* scans that it stopped; that looked through it */
    /* by surfels_fit */
    double x, y, nx,
        ny;          /* a point on the surface; unit normal to the side from which it was seen */
    double spread;   /* rms of the ends around here across the surface, m */
    bool has_normal; /* false: a blob, or too few ends */
};

enum { SURFELS_BENDS = 200 };

struct surfels {
    double size; /* of a cell, m */
    struct surfel *items;
    size_t n, capacity;
    uint32_t *slots; /* [n_slots] of the hash table: number in items + 1; 0: free */
    size_t n_slots;
    size_t bends[SURFELS_BENDS]; /* ends whose range is k mm off the mean of its neighbours' */
};

/* An empty map; -ENOMEM. */
int surfels_init(struct surfels *map, double size_m);
void surfels_finish(struct surfels *map);

/* Forgets all cells and keeps the memory. */
void surfels_clear(struct surfels *map);

/* The cell with this number or this place; NULL: nothing was seen there. */
struct surfel *surfels_at(const struct surfels *map, int32_t ix, int32_t iy);
int32_t surfels_index(const struct surfels *map, double m);

/* Adds the points of scan `number` (counted by the caller; each scan another one), measured at
 * `pose`, and fits the cells that changed, and their neighbours. -ENOMEM; -ENOSPC: beyond
 * SURFELS_MAX. */
int surfels_add_scan(struct surfels *map, const struct scan_point *points, size_t n,
                     struct dpl_pose2 pose, uint32_t number);

/* The noise of the ranges, 1 sigma, from beam to beam of the scans that were added: no pose is in
 * it. 0: too few beams. */
double surfels_noise(const struct surfels *map);

/* Judges the cells by a scan, with all its ends, also those that stand alone. The scan was stopped
 * by a cell in which a beam ended. It looked through a cell when a beam went through its surface,
 * from front to back or the reverse, ended at least 50 mm + 1 % of the range behind it, and no beam
 * ended in this cell or in the eight around it. Scans count and not beams: of the beams around the
 * leg of a chair most go beside it. `number`: another one for each scan. */
void surfels_add_passes(struct surfels *map, const struct scan_point *points, size_t n,
                        struct dpl_pose2 pose, uint32_t number);

/* Marks the cells within a radius as looked through by all scans: the robot itself was there. */
void surfels_clear_around(struct surfels *map, double x, double y, double radius_m);

/* Adds moments about another origin: (dx, dy) is the origin of `b` seen from that of `a`. */
void moments_add(struct moments *a, const struct moments *b, double dx, double dy);

/* The line of least squares through the ends: its centre, unit normal (to the laser's side), and
 * the standard deviations along and across. False: fewer than 3 ends or all at one point. */
struct moments_line {
    double x, y, nx, ny, along, across;
};
bool moments_fit(const struct moments *m, struct moments_line *ret_line);

#endif
