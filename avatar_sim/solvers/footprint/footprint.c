/* SPDX-License-Identifier: Apache-2.0 */
/* Distances of rounded rectangles. */
#include "footprint.h"

#include <math.h>

struct dpl_footprint dpl__footprint_of(const struct dpl_sim_shape *shape)
{
    struct dpl_footprint made = {.x = shape->x,
                                 .y = shape->y,
                                 .cos = cos(shape->yaw),
                                 .sin = sin(shape->yaw),
                                 .radius = shape->radius};
    double half = shape->radius; /* of its height */
    switch (shape->kind) {
    case DPL_SIM_BOX:
        made.half_x = 0.5 * shape->size_x;
        made.half_y = 0.5 * shape->size_y;
        made.radius = 0.0;
        half = 0.5 * shape->size_z;
        break;
    case DPL_SIM_CYLINDER: half = 0.5 * shape->height; break;
    case DPL_SIM_CAPSULE:
        made.half_x = shape->lying ? 0.5 * shape->height : 0.0;
        half += shape->lying ? 0.0 : 0.5 * shape->height;
        break;
    case DPL_SIM_SPHERE: break;
    }
    made.low = shape->z - half;
    made.high = shape->z + half;
    return made;
}

struct dpl_footprint dpl__footprint_at(const struct dpl_footprint *footprint, struct dpl_pose2 pose)
{
    struct dpl_footprint made = *footprint;
    double c = cos(pose.theta), s = sin(pose.theta);
    made.x = pose.x + c * footprint->x - s * footprint->y;
    made.y = pose.y + s * footprint->x + c * footprint->y;
    made.cos = c * footprint->cos - s * footprint->sin;
    made.sin = s * footprint->cos + c * footprint->sin;
    return made;
}

double dpl__footprint_reach(const struct dpl_footprint *footprint)
{
    return hypot(footprint->half_x, footprint->half_y) + footprint->radius;
}

/* ---- rectangles ---- */

struct point {
    double x, y;
};

static struct point corner(const struct dpl_footprint *f, int number)
{
    double x = number & 1 ? f->half_x : -f->half_x, y = number & 2 ? f->half_y : -f->half_y;
    return (struct point){f->x + f->cos * x - f->sin * y, f->y + f->sin * x + f->cos * y};
}

/* The point of a rectangle that is nearest to a point. */
static struct point nearest(const struct dpl_footprint *f, struct point to)
{
    double dx = to.x - f->x, dy = to.y - f->y;
    double x = dpl_clamp(f->cos * dx + f->sin * dy, -f->half_x, f->half_x);
    double y = dpl_clamp(-f->sin * dx + f->cos * dy, -f->half_y, f->half_y);
    return (struct point){f->x + f->cos * x - f->sin * y, f->y + f->sin * x + f->cos * y};
}

/* Whether an axis of `a` has both rectangles apart (separating axis: Gottschalk, Lin, Manocha,
 * "OBBTree", SIGGRAPH 1996, section 5, in the plane). */
static bool are_apart(const struct dpl_footprint *a, const struct dpl_footprint *b)
{
    double dx = b->x - a->x, dy = b->y - a->y;
    double c = fabs(a->cos * b->cos + a->sin * b->sin);
    double s = fabs(a->cos * b->sin - a->sin * b->cos);
    return fabs(a->cos * dx + a->sin * dy) > a->half_x + b->half_x * c + b->half_y * s ||
           fabs(-a->sin * dx + a->cos * dy) > a->half_y + b->half_x * s + b->half_y * c;
}

/* Of rectangles that are apart one of the nearest points is a corner. */
static double rectangle_gap(const struct dpl_footprint *a, const struct dpl_footprint *b,
                            struct point *ret_on_b)
{
    double least = (double)INFINITY;
    if (!are_apart(a, b) && !are_apart(b, a)) {
        *ret_on_b = nearest(b, nearest(a, (struct point){b->x, b->y}));
        return 0.0;
    }
    for (int i = 0; i < 4; i++) {
        struct point of_a = corner(a, i), of_b = corner(b, i);
        struct point on_b = nearest(b, of_a), on_a = nearest(a, of_b);
        double from_a = hypot(on_b.x - of_a.x, on_b.y - of_a.y);
        double from_b = hypot(on_a.x - of_b.x, on_a.y - of_b.y);
        if (from_a < least) {
            least = from_a;
            *ret_on_b = on_b;
        }
        if (from_b < least) {
            least = from_b;
            *ret_on_b = of_b;
        }
    }
    return least;
}

double dpl__footprint_gap(const struct dpl_footprint *a, const struct dpl_footprint *b,
                          double ret_point[2])
{
    struct point on_b = {b->x, b->y};
    if (a->low >= b->high || b->low >= a->high) {
        return (double)INFINITY;
    }
    double gap = rectangle_gap(a, b, &on_b);
    if (ret_point) {
        struct point on_a = nearest(a, on_b);
        double share = gap > 0.0 ? fmin(b->radius / gap, 1.0) : 0.0;
        ret_point[0] = on_b.x + share * (on_a.x - on_b.x);
        ret_point[1] = on_b.y + share * (on_a.y - on_b.y);
    }
    return fmax(0.0, gap - a->radius - b->radius);
}
