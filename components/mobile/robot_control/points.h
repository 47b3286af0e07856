/* SPDX-License-Identifier: Apache-2.0 */
/* A bounded set of planar points, and the laser scan that they are computed from. */
#ifndef DPL_NAV_POINTS_H
#define DPL_NAV_POINTS_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/math/geometry.h>

#define DPL_NAV_MAX_POINTS 768
#define DPL_NAV_MAX_BEAMS  2048

/* x[i], y[i] in metres, 0 <= i < count. */
struct dpl_nav_points {
    size_t count;
    double x[DPL_NAV_MAX_POINTS], y[DPL_NAV_MAX_POINTS];
};

/* One scan of a planar laser; borrowed. Angles in the laser's frame, counter-clockwise; `mount` is
 * the pose of the laser in the robot's frame. A range below `range_min_m` (0, error codes) or NaN
 * has no information; a range above `range_max_m` means free. */
struct dpl_nav_scan {
    const float *ranges_m; /* [count]; NULL: no scan yet */
    size_t count;          /* at most DPL_NAV_MAX_BEAMS */
    double start_rad, step_rad;
    double range_min_m, range_max_m;
    struct dpl_pose2 mount;
    double stamp_s;
};

/* Unit vectors of the beams of one scan geometry, kept between scans. */
struct dpl_nav_beams {
    size_t count;
    double start_rad, step_rad;
    double c[DPL_NAV_MAX_BEAMS], s[DPL_NAV_MAX_BEAMS];
};

/* False if the description or the pose of the laser cannot be used (no ranges, no beams, too many,
 * a number that is not finite, no step, contradicting limits). */
bool dpl_nav_scan_is_usable(const struct dpl_nav_scan *scan);

/* Fills `beams` for the geometry of `scan`; does nothing if it has not changed. */
void dpl_nav_beams_prepare(struct dpl_nav_beams *beams, const struct dpl_nav_scan *scan);

/* The ranges of `scan` as points, in the frame in which `laser` is the pose of the laser.
 * Neighbours closer than a spacing that increases with range are merged into the nearest of them; a
 * single point (the leg of a chair) is always kept. When the set is full, the rest of the scan is
 * thinned by range: far points are dropped first. `beams` must be prepared for `scan`. */
void dpl_nav_points_from_scan(struct dpl_nav_points *points, const struct dpl_nav_scan *scan,
                              const struct dpl_nav_beams *beams, struct dpl_pose2 laser);

/* Adds a point; false if the set is full. */
bool dpl_nav_points_add(struct dpl_nav_points *points, double x, double y);

/* Appends the points of `from` that are nearer to `origin` than `reach_m`, in the frame of
 * `origin`; `from` and `origin` are given in a common frame. Points for which there is no room are
 * dropped. */
void dpl_nav_points_append_relative(struct dpl_nav_points *to, const struct dpl_nav_points *from,
                                    struct dpl_pose2 origin, double reach_m);

/* Copies the points of `from` that are nearer to the origin than `reach_m`. */
void dpl_nav_points_select(struct dpl_nav_points *to, const struct dpl_nav_points *from,
                           double reach_m);

#endif
