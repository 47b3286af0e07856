/* SPDX-License-Identifier: Apache-2.0 */
/* The ends of a scan's beams in the frame of the base. Pure. */
#ifndef DOPPEL_MAP_SCAN_POINTS_H
#define DOPPEL_MAP_SCAN_POINTS_H

#include "recording.h"

struct scan_point {
    double x, y;   /* m, in the frame of the base at the scan's stamp */
    double ox, oy; /* where the laser was when it measured, in the same frame */
    double range;  /* m */
};

struct scan_points_options {
    double sweep_s; /* time of a whole turn of the laser's mirror; 0: it measures at one instant */
    double min_range_m; /* nearer ones are the robot itself */
    bool lone;          /* also ends that stand alone in depth */
};

/* Writes the points of scan `i` into ret[RECORDING_BEAMS_MAX] and returns how many there are. Left
 * out: beams without return, and, unless asked for, ends that stand alone in depth between their
 * two neighbours (an edge has split the beam, or it met a thin leg). With a sweep each point is
 * moved by the odometry's velocity between its instant and the scan's stamp, the middle of the
 * scan. */
size_t scan_points_of(const struct recording *recording, size_t i,
                      const struct scan_points_options *options, struct scan_point *ret);

#endif
