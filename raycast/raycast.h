/* SPDX-License-Identifier: Apache-2.0 */
/* What beams in the plane hit: line segments and circles in a tree of boxes (bounding volume
 * hierarchy, split at medians). The tree of what stands is built once; what moves is
 * told anew before a cast.
 *
 * A scan draws the outlines into a fan of beams, near ones first: an outline is tested against the
 * beams between its ends only, and a box whose beams all end before it is left out with all that
 * is in it. A ray goes down the tree alone; it also tells what it hit and the normal there. Both
 * give the same distances to the last bit: the least of what a test of every outline gives.
 * Where many rays have one origin a fan is much faster (682 beams: 17 times in an office), where
 * few have hardly (16 beams: 1.2 times): tests/bench/bench_raycast.c.
 *
 * Pure: knows no world and no runtime. SI units. Only the creating functions allocate. */
#ifndef DPL_RAYCAST_H
#define DPL_RAYCAST_H

#include <stddef.h>
#include <stdint.h>

#define DPL_RAYCAST_NO_OWNER (-1)
#define DPL_RAYCAST_NOTHING  (-1)

/* Where indices and fans get their memory. They have no destructor: who gave the memory takes it
 * back, for all of them at once. */
struct dpl_raycast_memory {
    /* n elements of zeroes, aligned for any type; NULL: out of memory. n and size are above 0. */
    void *(*zeroed)(void *context, size_t n, size_t size);
    void *context;
};

/* A segment from (x, y) to (x + dx, y + dy), or, with radius > 0, a circle around (x, y). `owner`
 * is the number of the object that it belongs to, or DPL_RAYCAST_NO_OWNER. */
struct dpl_raycast_outline {
    double x, y, dx, dy, radius;
    int owner;
};

/* Outlines, ready to be found. */
struct dpl_raycast_index;

/* The beams of one scanner, ready for scans: see dpl_raycast_fan_create. */
struct dpl_raycast_fan;

/* Sorts the outlines that stand still (copied), and makes room for `max_moving` moving ones. NULL:
 * `memory` or the process is out of memory. */
struct dpl_raycast_index *dpl_raycast_index_create(const struct dpl_raycast_memory *memory,
                                                   const struct dpl_raycast_outline *outlines,
                                                   size_t n, size_t max_moving);

/* Replaces the moving outlines (copied). At most `max_moving` are kept. */
void dpl_raycast_index_move(struct dpl_raycast_index *index,
                            const struct dpl_raycast_outline *outlines, size_t n);

/* ---- one ray ---- */

/* From (x, y) along (dx, dy), of length 1. */
struct dpl_raycast_ray {
    double x, y, dx, dy, max_range;
    int owner; /* whose outlines are not seen; DPL_RAYCAST_NO_OWNER: all are seen */
};

struct dpl_raycast_hit {
    double
        range; /* INFINITY: nothing nearer than max_range; the rest is then 0, NOTHING, NO_OWNER */
    double nx, ny; /* unit normal of the outline there, on the side of the ray's origin */
    int outline;   /* number in the list that create got, then those that move; or NOTHING */
    int owner;     /* of that outline */
};

/* The nearest outline along a ray. From inside of a circle that is its far side. The source is
 * the slab test of boxes: Kay and Kajiya, Ray Tracing Complex Scenes, SIGGRAPH 1986, section 2. */
void dpl_raycast_ray(const struct dpl_raycast_index *index, const struct dpl_raycast_ray *ray,
                     struct dpl_raycast_hit *ret_hit);

/* ---- a fan of beams from one point ---- */

/* Beam i points along (cosine[i], sine[i]), of length 1, in the scanner's frame. Any table of
 * directions will do: evenly spaced or not, in any order, a full turn or a part. NULL: `memory` or
 * the process is out of memory. */
struct dpl_raycast_fan *dpl_raycast_fan_create(const struct dpl_raycast_memory *memory,
                                               const double *cosine, const double *sine, size_t n);

/* Where a scan is made from: the fan of beams at (x, y), turned by `yaw`. It does not see the
 * moving outlines of `owner`; it sees all that stand. */
struct dpl_raycast_scan {
    double x, y, yaw, max_range;
    int owner;
};

/* The distance along each beam to the first outline, INFINITY beyond max_range, into ranges[] in
 * the order of the fan's table. Uses the fan's memory: one scan at a time a fan. */
void dpl_raycast_scan_fan(const struct dpl_raycast_index *index, struct dpl_raycast_fan *fan,
                          const struct dpl_raycast_scan *scan, double *ranges);

#endif
