/* SPDX-License-Identifier: Apache-2.0 */
/* The beams of one scanner, sorted by direction, so that those between two directions are found at
 * once. Internal to this folder. */
#ifndef DPL_RAYCAST_FAN_H
#define DPL_RAYCAST_FAN_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "raycast.h"

/* Beams are sorted by their directions in the scanner's own frame. */
struct dpl_raycast_fan {
    size_t n;
    double *cosine, *sine; /* [n] sorted by direction */
    uint32_t *number;      /* [n] of the sorted beam in the table that was given */
    int sectors;           /* equal parts of a turn, as dpl__raycast_turn measures it */
    uint32_t *first;       /* [2 * sectors + 1] beams that lie before a sector; two turns */
    double *dx, *dy;       /* [n] directions in the world in the running scan */
    double *range;         /* [n] of the running scan: to the nearest outline so far */
};

/* Grows with the angle of a direction like the angle itself, from 0 at -90 degrees to 4 after a
 * full turn, but needs no trigonometry. The direction has a length. */
static inline double dpl__raycast_turn(double x, double y)
{
    double side = copysign(1.0, x);
    return 2.0 - side + side * (y / (fabs(x) + fabs(y)));
}

#endif
