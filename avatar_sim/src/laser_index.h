/* SPDX-License-Identifier: Apache-2.0 */
/* An exact index of the outlines that a planar laser sees: line segments and circles in a uniform
 * grid, walked cell by cell along each beam (Amanatides and Woo, "A fast voxel traversal algorithm
 * for ray tracing", Eurographics 1987). The static part is sorted into the grid once; what moves is
 * inserted anew before a scan. Pure: knows no world. SI units. */
#ifndef DOPPEL_SIM_LASER_INDEX_H
#define DOPPEL_SIM_LASER_INDEX_H

#include <stddef.h>
#include <stdint.h>

#define DPL_LASER_NO_OWNER (-1)

/* A segment from (x, y) to (x + dx, y + dy), or, with radius > 0, a circle around (x, y). A beam
 * does not see what belongs to its own robot. */
struct dpl_laser_outline {
    double x, y, dx, dy, radius;
    int owner;
};

/* Where the beams start and which way they go. Beam i points along (cosine[i], sine[i]) turned by
 * `yaw`. */
struct dpl_laser_beams {
    double x, y, yaw;
    const double *cosine, *sine; /* [n] */
    size_t n;
    double max_range;
    int owner;
};

struct dpl_laser_index;

/* Sorts the static outlines into cells of `cell_m` (wider if the scene is larger than a grid can
 * be), and makes room for `max_moving` moving ones. Allocates; NULL if out of memory. */
struct dpl_laser_index *dpl__laser_index_create(const struct dpl_laser_outline *outlines, size_t n,
                                                size_t max_moving, double cell_m);

/* NULL is allowed. */
void dpl__laser_index_destroy(struct dpl_laser_index *index);

/* Replaces the moving outlines. At most `max_moving` are kept. Allocates nothing. */
void dpl__laser_index_move(struct dpl_laser_index *index, const struct dpl_laser_outline *outlines,
                           size_t n);

/* The distance along each beam to the first outline, INFINITY beyond max_range, into ranges[n]. */
void dpl__laser_index_scan(const struct dpl_laser_index *index, const struct dpl_laser_beams *beams,
                           double *ranges);

#endif
