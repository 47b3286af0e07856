/* SPDX-License-Identifier: Apache-2.0 */
/* Segments, rays and convex outlines. */
#include "car_geometry.h"

#include <math.h>

/* Tolerance at the ends of a wall, as a part of its length: larger than rounding errors, smaller
 * than any gap of a real track. */
#define END_TOLERANCE 1e-12

static struct car_point minus(struct car_point a, struct car_point b)
{
    return (struct car_point){a.x - b.x, a.y - b.y};
}

static double cross(struct car_point a, struct car_point b)
{
    return a.x * b.y - a.y * b.x;
}

static double dot(struct car_point a, struct car_point b)
{
    return a.x * b.x + a.y * b.y;
}

/* Range along a line of unit direction d to a wall that lies on this line. */
static double range_along(struct car_point from, struct car_point d, const struct car_segment *wall)
{
    double a = dot(minus(wall->a, from), d), b = dot(minus(wall->b, from), d);
    double near = fmin(a, b), far = fmax(a, b);
    return far < 0.0 ? (double)INFINITY : fmax(near, 0.0);
}

static double range_to(struct car_point from, struct car_point d, const struct car_segment *wall)
{
    struct car_point along = minus(wall->b, wall->a), to = minus(wall->a, from);
    double across = cross(d, along);
    if (across == 0.0) {
        return cross(to, d) == 0.0 ? range_along(from, d, wall) : (double)INFINITY;
    }
    double range = cross(to, along) / across, part = cross(to, d) / across;
    bool meets = range >= 0.0 && part >= -END_TOLERANCE && part <= 1.0 + END_TOLERANCE;
    return meets ? range : (double)INFINITY;
}

double car_ray_range(struct car_point from, double angle_rad, const struct car_segment *walls,
                     size_t n, double reach)
{
    struct car_point d = {cos(angle_rad), sin(angle_rad)};
    double nearest = (double)INFINITY;
    for (size_t i = 0; i < n; i++) {
        nearest = fmin(nearest, range_to(from, d, &walls[i]));
    }
    return nearest <= reach ? nearest : (double)INFINITY;
}

double car_point_distance(struct car_point p, const struct car_segment *s)
{
    struct car_point along = minus(s->b, s->a), to = minus(p, s->a);
    double square = dot(along, along);
    double part = square > 0.0 ? dpl_clamp(dot(to, along) / square, 0.0, 1.0) : 0.0;
    return hypot(to.x - part * along.x, to.y - part * along.y);
}

bool car_segments_meet(const struct car_segment *path, const struct car_segment *other,
                       double *ret_part)
{
    struct car_point along = minus(path->b, path->a);
    double length = hypot(along.x, along.y);
    if (length == 0.0) {
        if (car_point_distance(path->a, other) > 0.0) {
            return false;
        }
        *ret_part = 0.0;
        return true;
    }
    struct car_point d = {along.x / length, along.y / length};
    double range = range_to(path->a, d, other);
    if (range > length * (1.0 + END_TOLERANCE)) {
        return false;
    }
    *ret_part = fmin(range / length, 1.0);
    return true;
}

/* Reduces the part [*low, *high] of the line from `a` to `b` to the part within the bounds. */
static void clip_axis(double a, double b, double least, double most, double *low, double *high)
{
    if (a == b) {
        *high = a < least || a > most ? -1.0 : *high;
        return;
    }
    double enters = ((b > a ? least : most) - a) / (b - a);
    double leaves = ((b > a ? most : least) - a) / (b - a);
    *low = fmax(*low, enters);
    *high = fmin(*high, leaves);
}

bool car_segment_clip(const struct car_segment *s, struct car_point low, struct car_point high,
                      struct car_segment *ret_part)
{
    double from = 0.0, to = 1.0;
    clip_axis(s->a.x, s->b.x, low.x, high.x, &from, &to);
    clip_axis(s->a.y, s->b.y, low.y, high.y, &from, &to);
    if (from > to) {
        return false;
    }
    struct car_point along = minus(s->b, s->a);
    ret_part->a = (struct car_point){s->a.x + from * along.x, s->a.y + from * along.y};
    ret_part->b = (struct car_point){s->a.x + to * along.x, s->a.y + to * along.y};
    return true;
}

struct car_footprint car_footprint_rectangle(double length, double width, double behind)
{
    double front = length - behind, side = width / 2.0;
    return (struct car_footprint){
        .n = 4,
        .corners = {{front, -side}, {front, side}, {-behind, side}, {-behind, -side}},
        .radius = hypot(fmax(fabs(front), fabs(behind)), side),
    };
}

struct car_footprint car_footprint_at(const struct car_footprint *footprint, struct dpl_pose2 pose)
{
    struct car_footprint placed = {.n = footprint->n, .radius = footprint->radius};
    double c = cos(pose.theta), s = sin(pose.theta);
    for (size_t i = 0; i < footprint->n; i++) {
        struct car_point p = footprint->corners[i];
        placed.corners[i].x = pose.x + c * p.x - s * p.y;
        placed.corners[i].y = pose.y + s * p.x + c * p.y;
    }
    return placed;
}

static struct car_segment edge(const struct car_footprint *outline, size_t i)
{
    size_t next = i + 1 < outline->n ? i + 1 : 0;
    return (struct car_segment){outline->corners[i], outline->corners[next]};
}

/* Clips the segment at the line of each edge (Cyrus and Beck, IEEE Trans. Comp. C-27, 1978). */
static bool meets(const struct car_footprint *outline, const struct car_segment *s)
{
    double low = 0.0, high = 1.0;
    for (size_t i = 0; i < outline->n; i++) {
        struct car_segment side = edge(outline, i);
        struct car_point along = minus(side.b, side.a);
        double a = cross(along, minus(s->a, side.a)), b = cross(along, minus(s->b, side.a));
        if (a < 0.0 && b < 0.0) {
            return false;
        }
        if (a < 0.0) {
            low = fmax(low, a / (a - b));
        } else if (b < 0.0) {
            high = fmin(high, a / (a - b));
        }
    }
    return low <= high;
}

double car_footprint_distance(const struct car_footprint *outline, const struct car_segment *s)
{
    if (meets(outline, s)) {
        return 0.0;
    }
    double nearest = (double)INFINITY;
    for (size_t i = 0; i < outline->n; i++) {
        struct car_segment side = edge(outline, i);
        nearest = fmin(nearest, car_point_distance(outline->corners[i], s));
        nearest = fmin(nearest, car_point_distance(s->a, &side));
        nearest = fmin(nearest, car_point_distance(s->b, &side));
    }
    return nearest;
}
