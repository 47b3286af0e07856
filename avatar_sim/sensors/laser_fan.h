/* SPDX-License-Identifier: Apache-2.0 */
/* The beams of one scanner, sorted by direction, so that those between two directions are found at
 * once. Any table of directions will do: evenly spaced or not, in any order, a full turn or a
 * part. Pure: knows no world. */
#ifndef DOPPEL_SIM_LASER_FAN_H
#define DOPPEL_SIM_LASER_FAN_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "heap.h"

/* Beams are sorted by their directions in the scanner's own frame. */
struct dpl_laser_fan {
    size_t n;
    double *cosine, *sine; /* [n] sorted by direction */
    uint32_t *number;      /* [n] of the sorted beam in the table that was given */
    int sectors;           /* equal parts of a turn, as dpl__laser_turn measures it */
    uint32_t *first;       /* [2 * sectors + 1] beams that lie before a sector; two turns */
    double *dx, *dy;       /* [n] directions in the world in the running scan */
    double *range;         /* [n] of the running scan: to the nearest outline so far */
};

/* Beam i points along (cosine[i], sine[i]), of length 1. The fan goes with the heap. NULL: the heap
 * or the process is out of memory. */
struct dpl_laser_fan *dpl__laser_fan_create(struct dpl_heap *heap, const double *cosine,
                                            const double *sine, size_t n);

/* Grows with the angle of a direction like the angle itself, from 0 at -90 degrees to 4 after a
 * full turn, but needs no trigonometry. The direction has a length. */
static inline double dpl__laser_turn(double x, double y)
{
    double side = copysign(1.0, x);
    return 2.0 - side + side * (y / (fabs(x) + fabs(y)));
}

#endif
