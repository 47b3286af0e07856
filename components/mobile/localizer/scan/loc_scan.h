/* SPDX-License-Identifier: Apache-2.0 */
/* The newest scan, its beams as seen from the laser's pose at the middle of the sweep, and what the
 * beams hit in the plan from a guessed pose. */
#ifndef LOC_SCAN_H
#define LOC_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "loc_history.h"
#include "raycast.h"

/* A laser in the plan, at the middle of the sweep: measured = bias + (1 + scale) * true. */
struct loc_laser {
    struct dpl_pose2 pose;
    double bias, scale;
};

struct loc_scan {
    size_t n, n_max, n_returned;
    double stamp_s, start_angle, step_angle, range_max;
    struct dpl_pose2 mount;
    double *range;         /* [n_max] 0: no return */
    double *cosine, *sine; /* [n_max] of the beam's angle */
    /* Beam i started at (x, y) along (dx, dy), in the frame of the laser at mid-sweep. */
    double *x, *y, *dx, *dy; /* [n_max] */
    /* [n_max] of the newest cast: what a beam meets first in the plan, and what it meets if
     * objects that are known to have moved are not there (loc_match_cast). */
    struct dpl_raycast_hit *first, *hit;
};

/* False: out of memory; loc_scan_finish frees what there is. */
bool loc_scan_init(struct loc_scan *scan, size_t n_max);
void loc_scan_finish(struct loc_scan *scan);

/* Copies. False, and nothing is changed: too many beams or none, a number is not finite, or
 * the ranges are to the last bit those of the last scan (*ret_equal). */
bool loc_scan_take(struct loc_scan *scan, const struct localizer_scan *from, bool *ret_equal);

/* Copies a scan, with its beams as they are; there is room for as many. */
void loc_scan_copy(struct loc_scan *to, const struct loc_scan *from);

/* Sets the beams as if measured at one instant. */
void loc_scan_still(struct loc_scan *scan);

/* How a robot with a turning laser moved during the sweep. */
struct loc_sweep {
    const struct loc_history *history;
    struct loc_wheels wheels;
    struct dpl_pose2 mount; /* calibrated */
    double middle_s, revolution_s;
};

/* Sets the beams as measured one after the other, while the robot moved. */
void loc_scan_deskew(struct loc_scan *scan, const struct loc_sweep *sweep);

/* Beam i in the plan, with the laser at mid-sweep at `laser`. */
struct dpl_raycast_ray loc_scan_ray(const struct loc_scan *scan, const struct dpl_pose2 *laser,
                                    size_t i);

/* Casts every `every`-th beam from the laser's pose; all objects are there. */
void loc_scan_cast(struct loc_scan *scan, const struct dpl_raycast_index *plan,
                   const struct dpl_pose2 *laser, size_t every);

/* Of how many beams one is looked at, where it is one of `most` with a scan of 682 (URG-04LX): of a
 * scan of few beams as many are looked at. */
size_t loc_scan_every(const struct loc_scan *scan, size_t most);

#endif
