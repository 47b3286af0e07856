/* SPDX-License-Identifier: Apache-2.0 */
/* An exact index of the outlines that a planar laser sees: line segments and circles in a tree of
 * boxes (bounding volume hierarchy, sorted along a Z-order curve). A scan draws the outlines into
 * the fan of beams, near ones first: an outline is tested against the beams between its ends only,
 * and a box whose beams all end before it is left out with all that is in it. The tree of what
 * stands is built once; what moves is told anew before a scan. Pure: knows no world. SI units. */
#ifndef DOPPEL_SIM_LASER_INDEX_H
#define DOPPEL_SIM_LASER_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "laser_fan.h"

#define DPL_LASER_NO_OWNER (-1)

/* A segment from (x, y) to (x + dx, y + dy), or, with radius > 0, a circle around (x, y). A beam
 * does not see what belongs to its own robot. */
struct dpl_laser_outline {
    double x, y, dx, dy, radius;
    int owner;
};

/* Where a scan is made from: the fan of beams at (x, y), turned by `yaw`. */
struct dpl_laser_scan {
    double x, y, yaw, max_range;
    int owner;
};

struct dpl_laser_index;

/* Sorts the static outlines, and makes room for `max_moving` moving ones. The index goes with the
 * heap. NULL: the heap or the process is out of memory. */
struct dpl_laser_index *dpl__laser_index_create(struct dpl_heap *heap,
                                                const struct dpl_laser_outline *outlines, size_t n,
                                                size_t max_moving);

/* Replaces the moving outlines. At most `max_moving` are kept. Allocates nothing. */
void dpl__laser_index_move(struct dpl_laser_index *index, const struct dpl_laser_outline *outlines,
                           size_t n);

/* The distance along each beam to the first outline, INFINITY beyond max_range, into ranges[] in
 * the order of the fan's table: to the last bit the least of what a test of every outline gives.
 * Uses the fan's memory: one scan at a time a fan. Allocates nothing. */
void dpl__laser_index_scan(const struct dpl_laser_index *index, struct dpl_laser_fan *fan,
                           const struct dpl_laser_scan *scan, double *ranges);

#endif
