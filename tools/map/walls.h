/* SPDX-License-Identifier: Apache-2.0 */
/* Straight walls from a map of surface elements. Pure; allocates. */
#ifndef DOPPEL_MAP_WALLS_H
#define DOPPEL_MAP_WALLS_H

#include "surfels.h"

struct wall {
    double x1, y1, x2, y2; /* the visible surface, m */
    double nx, ny;         /* unit normal to the side from which it was seen */
    double ends;           /* how many beams ended on it */
};

struct walls {
    struct wall *items; /* [n] the longest first */
    size_t n;
};

/* Grows walls from the elements with the most beams over their neighbours, as long as those lie
 * within 20 mm (30 mm where the ends scatter) of the common line of least squares, look to the
 * same side and differ in direction by less than 35 deg (region growing: Poppinga et al., IROS
 * 2008). Elements beside such a wall that look to the same side are a part of it as far as ends
 * scatter there: within 50 mm, or 3.5 deviations of the laser's noise
 * (docs/design/calibration-and-maps.md). Left out: elements that more than a third of the scans
 * there looked through, or that fewer than `min_scans` scans hit. Ends of two walls that meet
 * within 0.15 m at more than 20 deg are moved to their corner. 0 or -ENOMEM. */
int walls_find(const struct surfels *map, uint32_t min_scans, struct walls *ret_walls);
void walls_finish(struct walls *walls);

double wall_length(const struct wall *wall);

/* The distance of a point from the nearest wall; INFINITY: there are none. */
double walls_distance(const struct walls *walls, double x, double y);

#endif
