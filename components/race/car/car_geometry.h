/* SPDX-License-Identifier: Apache-2.0 */
/* Walls, rays and the car's outline in the plane: pure logic, metres and radians. Walls are
 * segments of any angle and have no thickness. */
#ifndef CAR_CAR_GEOMETRY_H
#define CAR_CAR_GEOMETRY_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/math/geometry.h>

#define CAR_WALLS_MAX   512
#define CAR_CORNERS_MAX 8

struct car_point {
    double x, y;
};

struct car_segment {
    struct car_point a, b;
};

/* A convex outline in the car's frame, corners counter-clockwise. */
struct car_footprint {
    size_t n; /* 3 to CAR_CORNERS_MAX */
    struct car_point corners[CAR_CORNERS_MAX];
    double radius; /* of the farthest corner from the frame's origin */
};

/* Distance from `from` in the direction `angle_rad` to the nearest of `n` walls; INFINITY when no
 * wall is within `reach`. A wall that the ray only touches at its end counts, so that a ray cannot
 * pass between two walls that meet; a wall along the ray counts from its nearer end. */
double car_ray_range(struct car_point from, double angle_rad, const struct car_segment *walls,
                     size_t n, double reach);

/* The distance of a point from a segment; the segment may be a point. */
double car_point_distance(struct car_point p, const struct car_segment *s);

/* The position on `path` (0 at its a, 1 at its b) where it first meets `other`; false: it does not.
 * Touching counts. */
bool car_segments_meet(const struct car_segment *path, const struct car_segment *other,
                       double *ret_part);

/* The part of a segment inside the box from `low` to `high`; false: none. */
bool car_segment_clip(const struct car_segment *s, struct car_point low, struct car_point high,
                      struct car_segment *ret_part);

/* A rectangle of `length` along x and `width` along y whose rear edge lies `behind` the origin. */
struct car_footprint car_footprint_rectangle(double length, double width, double behind);

/* The outline at `pose`, in the frame in which `pose` is given. */
struct car_footprint car_footprint_at(const struct car_footprint *footprint, struct dpl_pose2 pose);

/* The distance of a segment from the area of an outline; 0 when they have a common point. */
double car_footprint_distance(const struct car_footprint *outline, const struct car_segment *s);

#endif
