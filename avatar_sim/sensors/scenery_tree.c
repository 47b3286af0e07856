/* SPDX-License-Identifier: Apache-2.0 */
/* Trees of boxes around solids in space: see scenery.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "scenery.h"

enum { LEAF = 2 };

/* Boxes are wider than what is in them by this share of the coordinates: rounding cannot let a ray
 * meet a solid but not its box. */
static const double slack = 1e-6;

static const struct dpl__scenery_box empty = {
    {(double)INFINITY, (double)INFINITY, (double)INFINITY},
    {(double)-INFINITY, (double)-INFINITY, (double)-INFINITY}};

static struct dpl__scenery_box unite(const struct dpl__scenery_box *a,
                                     const struct dpl__scenery_box *b)
{
    struct dpl__scenery_box both;
    for (int i = 0; i < 3; i++) {
        both.least[i] = fmin(a->least[i], b->least[i]);
        both.most[i] = fmax(a->most[i], b->most[i]);
    }
    return both;
}

static struct dpl__scenery_box box_of(const struct dpl__scenery_thing *thing)
{
    struct dpl__scenery_box box;
    struct dpl_vector3 middle;
    double half[3];
    if (thing->solid.kind == DPL_SOLID_PLANE) {
        return (struct dpl__scenery_box){{(double)-INFINITY, (double)-INFINITY, (double)-INFINITY},
                                         {(double)INFINITY, (double)INFINITY, (double)INFINITY}};
    }
    dpl_sim_solid_box(&thing->solid, &middle, half);
    for (int i = 0; i < 3; i++) {
        const double *axes = thing->axes[i];
        double at = thing->at[i] + axes[0] * middle.x + axes[1] * middle.y + axes[2] * middle.z;
        double reach = fabs(axes[0]) * half[0] + fabs(axes[1]) * half[1] + fabs(axes[2]) * half[2];
        double wide = reach + slack * (1.0 + fabs(at) + reach);
        box.least[i] = at - wide;
        box.most[i] = at + wide;
    }
    return box;
}

int dpl__scenery_tree_make(struct dpl__scenery_tree *tree, struct dpl_world *world, size_t n)
{
    tree->n = n;
    tree->n_leaves = 1;
    while (tree->n_leaves * LEAF < n) {
        tree->n_leaves *= 2;
    }
    tree->things = dpl_world_alloc(world, n + 1, sizeof *tree->things);
    tree->boxes = dpl_world_alloc(world, 2 * tree->n_leaves, sizeof *tree->boxes);
    return tree->things && tree->boxes ? 0 : -ENOMEM;
}

/* The bits of a 10-bit number, two gaps after each. */
static uint32_t spread(uint32_t bits)
{
    bits = (bits | bits << 16) & 0x030000ffu;
    bits = (bits | bits << 8) & 0x0300f00fu;
    bits = (bits | bits << 4) & 0x030c30c3u;
    return (bits | bits << 2) & 0x09249249u;
}

/* A share of the scene in steps of a 10-bit number; 0 for no number. */
static uint32_t quantize(double share)
{
    return share > 0.0 ? (uint32_t)(fmin(share, 1.0) * 1023.0) : 0;
}

static int by_place(const void *a, const void *b)
{
    const struct dpl__scenery_thing *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

/* Along a Z-order curve. */
void dpl__scenery_tree_sort(struct dpl__scenery_tree *tree)
{
    struct dpl__scenery_box all = empty;
    double size = 1e-9;
    for (size_t i = 0; i < tree->n; i++) {
        for (int k = 0; k < 3; k++) {
            all.least[k] = fmin(all.least[k], tree->things[i].at[k]);
            all.most[k] = fmax(all.most[k], tree->things[i].at[k]);
            size = fmax(size, all.most[k] - all.least[k]);
        }
    }
    for (size_t i = 0; i < tree->n; i++) {
        struct dpl__scenery_thing *thing = &tree->things[i];
        thing->place = 0;
        for (int k = 0; k < 3; k++) {
            thing->place |= spread(quantize((thing->at[k] - all.least[k]) / size)) << k;
        }
    }
    qsort(tree->things, tree->n, sizeof *tree->things, by_place);
}

void dpl__scenery_tree_fit(struct dpl__scenery_tree *tree)
{
    for (size_t i = 0; i < tree->n_leaves; i++) {
        tree->boxes[tree->n_leaves + i] = empty;
    }
    for (size_t i = 0; i < tree->n; i++) {
        struct dpl__scenery_box *leaf = &tree->boxes[tree->n_leaves + i / LEAF];
        struct dpl__scenery_box box = box_of(&tree->things[i]);
        *leaf = unite(leaf, &box);
    }
    for (size_t i = tree->n_leaves - 1; i > 0; i--) {
        tree->boxes[i] = unite(&tree->boxes[2 * i], &tree->boxes[2 * i + 1]);
    }
}

/* ---- a ray ---- */

/* Directions flatter than this would divide by zero. */
static const double flattest = 1e-300;

/* A ray on its way. */
struct flight {
    const struct dpl__scenery_ray *ray;
    double from[3], inverse[3]; /* inverse: of the direction */
    struct dpl__scenery_hit hit;
};

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* Where the ray comes into a box; INFINITY: it passes by. */
static inline double enter(const struct flight *f, const struct dpl__scenery_box *box)
{
    double in = 0.0, out = (double)INFINITY;
    for (int i = 0; i < 3; i++) {
        double a = (box->least[i] - f->from[i]) * f->inverse[i];
        double b = (box->most[i] - f->from[i]) * f->inverse[i];
        bool forth = f->inverse[i] > 0.0;
        in = larger(in, forth ? a : b);
        out = smaller(out, forth ? b : a);
    }
    return in <= out ? in : (double)INFINITY;
}

/* R^T v */
static inline struct dpl_vector3 into(const double r[3][3], double x, double y, double z)
{
    return (struct dpl_vector3){r[0][0] * x + r[1][0] * y + r[2][0] * z,
                                r[0][1] * x + r[1][1] * y + r[2][1] * z,
                                r[0][2] * x + r[1][2] * y + r[2][2] * z};
}

/* The ray in the frame of a thing's solid. */
static inline void in_frame_of(const struct dpl__scenery_thing *thing,
                               const struct dpl__scenery_ray *ray, struct dpl_vector3 *ret_from,
                               struct dpl_vector3 *ret_along)
{
    *ret_from = into(thing->axes, ray->from.x - thing->at[0], ray->from.y - thing->at[1],
                     ray->from.z - thing->at[2]);
    *ret_along = into(thing->axes, ray->along.x, ray->along.y, ray->along.z);
}

double dpl__scenery_meet(const struct dpl__scenery_thing *thing, const struct dpl__scenery_ray *ray)
{
    if (thing->body >= 0 && (thing->body == ray->body || thing->robot == ray->robot)) {
        return (double)INFINITY;
    }
    struct dpl_vector3 from, along;
    in_frame_of(thing, ray, &from, &along);
    return dpl_sim_solid_ray_own(&thing->solid, from, along);
}

static void meet_leaf(struct flight *f, const struct dpl__scenery_tree *tree, size_t leaf)
{
    size_t first = leaf * LEAF, end = first + LEAF;
    end = end < tree->n ? end : tree->n;
    for (size_t i = first; i < end; i++) {
        double range = dpl__scenery_meet(&tree->things[i], f->ray);
        if (range < f->hit.range) {
            f->hit = (struct dpl__scenery_hit){range, &tree->things[i]};
        }
    }
}

/* A box that still has to be visited. */
struct visit {
    size_t box;
    double near;
};

enum { DEPTH_MAX = 48 };

static void cross_tree(struct flight *f, const struct dpl__scenery_tree *tree)
{
    struct visit stack[DEPTH_MAX] = {{1, enter(f, &tree->boxes[1])}};
    for (size_t n = 1; n > 0;) {
        struct visit at = stack[--n];
        if (!(at.near < f->hit.range)) {
            continue;
        }
        if (at.box >= tree->n_leaves) {
            meet_leaf(f, tree, at.box - tree->n_leaves);
            continue;
        }
        struct visit a = {2 * at.box, enter(f, &tree->boxes[2 * at.box])};
        struct visit b = {2 * at.box + 1, enter(f, &tree->boxes[2 * at.box + 1])};
        bool second_nearer = b.near < a.near;
        stack[n++] = second_nearer ? a : b;
        stack[n++] = second_nearer ? b : a;
    }
}

static double inverse(double share)
{
    return 1.0 / (fabs(share) < flattest ? copysign(flattest, share) : share);
}

struct dpl__scenery_hit dpl__scenery_cast(const struct dpl__scenery *scenery,
                                          const struct dpl__scenery_ray *ray)
{
    struct flight f = {
        .ray = ray,
        .from = {ray->from.x, ray->from.y, ray->from.z},
        .inverse = {inverse(ray->along.x), inverse(ray->along.y), inverse(ray->along.z)},
        .hit = {ray->max_range, NULL},
    };
    bool falls = ray->from.z > 0.0 && ray->along.z < 0.0;
    double ground = falls ? -ray->from.z / ray->along.z : (double)INFINITY;
    bool is_hit = ground < f.hit.range;
    f.hit.range = is_hit ? ground : f.hit.range;
    cross_tree(&f, &scenery->moving);
    cross_tree(&f, &scenery->standing);
    if (!f.hit.thing && !is_hit) {
        f.hit.range = (double)INFINITY;
    }
    return f.hit;
}

struct dpl_vector3 dpl__scenery_normal(const struct dpl__scenery_ray *ray,
                                       const struct dpl__scenery_hit *hit)
{
    const struct dpl__scenery_thing *thing = hit->thing;
    if (!thing) {
        return (struct dpl_vector3){0.0, 0.0, 1.0};
    }
    struct dpl_vector3 from, along;
    in_frame_of(thing, ray, &from, &along);
    struct dpl_vector3 own = dpl_sim_solid_normal_own(&thing->solid, from, along, hit->range);
    const double(*axes)[3] = thing->axes;
    struct dpl_vector3 n = {axes[0][0] * own.x + axes[0][1] * own.y + axes[0][2] * own.z,
                            axes[1][0] * own.x + axes[1][1] * own.y + axes[1][2] * own.z,
                            axes[2][0] * own.x + axes[2][1] * own.y + axes[2][2] * own.z};
    double way = n.x * ray->along.x + n.y * ray->along.y + n.z * ray->along.z > 0.0 ? -1.0 : 1.0;
    return (struct dpl_vector3){way * n.x, way * n.y, way * n.z};
}
