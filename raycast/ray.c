/* SPDX-License-Identifier: Apache-2.0 */
/* One ray down the tree of outlines: see raycast.h. */
#include <math.h>
#include <stdbool.h>

#include "raycast_tree.h"

/* Directions flatter than this would divide by zero. */
static const double flattest = 1e-300;

/* A ray on its way. `nearest` is the outline at `range`. */
struct flight {
    double x, y, dx, dy;
    double inverse_x, inverse_y; /* of the direction */
    int back_x, back_y;          /* whether it goes towards lower coordinates */
    int owner;
    double range;
    const struct dpl_raycast_outline *nearest;
};

/* A box that still has to be visited. */
struct visit {
    size_t box;
    double near;
};

/* ---- outlines ---- */

static inline void meet_segment(struct flight *f, const struct dpl_raycast_outline *o)
{
    double wx = o->x - f->x, wy = o->y - f->y;
    double denominator = f->dx * o->dy - f->dy * o->dx, way = copysign(1.0, denominator);
    double along_segment = way * (wx * f->dy - wy * f->dx);
    double along_beam = way * (wx * o->dy - wy * o->dx);
    denominator = fabs(denominator);
    if (!((along_segment >= 0.0) & (along_segment <= denominator) & (along_beam >= 0.0))) {
        return;
    }
    double distance = fabs(along_beam) / denominator; /* no number: not smaller */
    if (distance < f->range) {
        f->range = distance;
        f->nearest = o;
    }
}

static inline void meet_circle(struct flight *f, const struct dpl_raycast_outline *o)
{
    double wx = o->x - f->x, wy = o->y - f->y;
    double middle = wx * f->dx + wy * f->dy, aside = wx * f->dy - wy * f->dx;
    double rest = o->radius * o->radius - aside * aside;
    if (rest < 0.0) {
        return;
    }
    double half = sqrt(rest);
    double distance = middle - half >= 0.0 ? middle - half : middle + half;
    if (distance >= 0.0 && distance < f->range) {
        f->range = distance;
        f->nearest = o;
    }
}

static inline void meet(struct flight *f, const struct dpl_raycast_outline *o)
{
    if (o->owner == f->owner && f->owner != DPL_RAYCAST_NO_OWNER) {
        return;
    }
    if (o->radius > 0.0) {
        meet_circle(f, o);
    } else {
        meet_segment(f, o);
    }
}

/* ---- boxes ---- */

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* Where the ray comes into a box, INFINITY: it passes by. */
static inline double enter(const struct flight *f, const struct dpl__raycast_box *box)
{
    double in_x = (box->x[f->back_x] - f->x) * f->inverse_x;
    double in_y = (box->y[f->back_y] - f->y) * f->inverse_y;
    double out_x = (box->x[!f->back_x] - f->x) * f->inverse_x;
    double out_y = (box->y[!f->back_y] - f->y) * f->inverse_y;
    double in = larger(larger(in_x, in_y), 0.0), out = smaller(out_x, out_y);
    return in <= out ? in : (double)INFINITY;
}

static inline void meet_leaf(struct flight *f, const struct dpl_raycast_index *index, size_t leaf)
{
    size_t first = leaf * DPL_RAYCAST_TREE_LEAF, end = first + DPL_RAYCAST_TREE_LEAF;
    end = end < index->n ? end : index->n;
    for (size_t i = first; i < end; i++) {
        meet(f, &index->outlines[i]);
    }
}

/* Down to the leaf that is entered first; the other children on the way wait in stack[n]. Returns
 * how many wait then. */
static inline size_t descend(struct flight *f, const struct dpl_raycast_index *index, size_t at,
                             struct visit *stack, size_t n)
{
    while (at < index->n_leaves) {
        double a = enter(f, &index->boxes[2 * at]), b = enter(f, &index->boxes[2 * at + 1]);
        size_t second_nearer = b < a;
        double near = smaller(a, b), far = larger(a, b);
        if (!(near < f->range)) {
            return n;
        }
        stack[n] = (struct visit){2 * at + 1 - second_nearer, far};
        n += far < f->range;
        at = 2 * at + second_nearer;
    }
    meet_leaf(f, index, at - index->n_leaves);
    return n;
}

static void cross_tree(struct flight *f, const struct dpl_raycast_index *index)
{
    struct visit stack[DPL_RAYCAST_TREE_DEPTH_MAX] = {{1, enter(f, &index->boxes[1])}};
    for (size_t n = 1; n > 0;) {
        struct visit next = stack[--n];
        if (next.near < f->range) {
            n = descend(f, index, next.box, stack, n);
        }
    }
}

/* ---- the whole ray ---- */

static double inverse(double share)
{
    return 1.0 / (fabs(share) < flattest ? copysign(flattest, share) : share);
}

/* Of the nearest outline where the ray ends, towards its origin. */
static void put_normal(const struct flight *f, struct dpl_raycast_hit *hit)
{
    const struct dpl_raycast_outline *o = f->nearest;
    double nx = o->dy, ny = -o->dx;
    if (o->radius > 0.0) {
        nx = f->x - o->x + f->range * f->dx;
        ny = f->y - o->y + f->range * f->dy;
    }
    double length = sqrt(nx * nx + ny * ny);
    double way = nx * f->dx + ny * f->dy > 0.0 ? -1.0 : 1.0;
    hit->nx = way * nx / length;
    hit->ny = way * ny / length;
}

static int number_of(const struct dpl_raycast_index *index,
                     const struct dpl_raycast_outline *outline)
{
    if (outline >= index->outlines && outline < index->outlines + index->n) {
        return (int)index->number[outline - index->outlines];
    }
    return (int)(index->n + (size_t)(outline - index->moving));
}

void dpl_raycast_ray(const struct dpl_raycast_index *index, const struct dpl_raycast_ray *ray,
                     struct dpl_raycast_hit *ret_hit)
{
    struct flight f = {
        .x = ray->x,
        .y = ray->y,
        .dx = ray->dx,
        .dy = ray->dy,
        .inverse_x = inverse(ray->dx),
        .inverse_y = inverse(ray->dy),
        .back_x = signbit(ray->dx) != 0,
        .back_y = signbit(ray->dy) != 0,
        .owner = ray->owner,
        .range = ray->max_range,
    };
    for (size_t i = 0; i < index->n_moving; i++) {
        meet(&f, &index->moving[i]);
    }
    cross_tree(&f, index);
    *ret_hit = (struct dpl_raycast_hit){
        .range = (double)INFINITY, .outline = DPL_RAYCAST_NOTHING, .owner = DPL_RAYCAST_NO_OWNER};
    if (f.nearest) {
        ret_hit->range = f.range;
        ret_hit->outline = number_of(index, f.nearest);
        ret_hit->owner = f.nearest->owner;
        put_normal(&f, ret_hit);
    }
}
